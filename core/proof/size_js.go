package proof

import "sharedbatches/core/coalesce"

// words are the sizes of packed states, in words. Each is the whole search once more,
// so search.wasm has fewer than a native program.
type words interface {
	[10]uint64 | [24]uint64 | [128]uint64
}

// sized starts a search with the smallest size that the set-up fits into.
func sized(m *coalesce.Model, q Question) (Search, error) {
	switch n := m.Packing().Words(); {
	case n <= 10:
		return newSearch[[10]uint64](m, q), nil
	case n <= 24:
		return newSearch[[24]uint64](m, q), nil
	}
	return newSearch[[128]uint64](m, q), nil
}

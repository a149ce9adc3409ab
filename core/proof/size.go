//go:build !js

package proof

import "sharedbatches/core/coalesce"

// words are the sizes of packed states, in words.
type words interface {
	[6]uint64 | [8]uint64 | [10]uint64 | [12]uint64 | [14]uint64 | [16]uint64 | [24]uint64 | [32]uint64 | [48]uint64 | [128]uint64
}

// sized starts a search with the smallest size that the set-up fits into.
func sized(m *coalesce.Model, q Question) (Search, error) {
	switch n := m.Packing().Words(); {
	case n <= 6:
		return newSearch[[6]uint64](m, q), nil
	case n <= 8:
		return newSearch[[8]uint64](m, q), nil
	case n <= 10:
		return newSearch[[10]uint64](m, q), nil
	case n <= 12:
		return newSearch[[12]uint64](m, q), nil
	case n <= 14:
		return newSearch[[14]uint64](m, q), nil
	case n <= 16:
		return newSearch[[16]uint64](m, q), nil
	case n <= 24:
		return newSearch[[24]uint64](m, q), nil
	case n <= 32:
		return newSearch[[32]uint64](m, q), nil
	case n <= 48:
		return newSearch[[48]uint64](m, q), nil
	}
	return newSearch[[128]uint64](m, q), nil
}

//go:build !js

package proof

import "sharedbatches/core/coalesce"

// words are the sizes of packed states, in words.
type words interface {
	[8]uint64 | [12]uint64 | [16]uint64 | [24]uint64 | [40]uint64 | [128]uint64
}

// sized starts a search with the smallest size that the set-up fits into.
func sized(m *coalesce.Model, q Question) (Search, error) {
	switch n := (m.PackedSize() + 7) / 8; {
	case n <= 8:
		return newSearch[[8]uint64](m, q), nil
	case n <= 12:
		return newSearch[[12]uint64](m, q), nil
	case n <= 16:
		return newSearch[[16]uint64](m, q), nil
	case n <= 24:
		return newSearch[[24]uint64](m, q), nil
	case n <= 40:
		return newSearch[[40]uint64](m, q), nil
	}
	return newSearch[[128]uint64](m, q), nil
}

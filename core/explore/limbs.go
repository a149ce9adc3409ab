package explore

import "math/bits"

// addLimbs adds src to dst and returns the carry out of the last limb; it is not zero when the width is too small.
func addLimbs(dst, src []uint64) uint64 {
	var carry uint64
	src = src[:len(dst)]
	for i := range dst {
		dst[i], carry = bits.Add64(dst[i], src[i], carry)
	}
	return carry
}

func isZero(limbs []uint64) bool {
	for _, l := range limbs {
		if l != 0 {
			return false
		}
	}
	return true
}

package explore

import (
	"math/big"
	"math/bits"
)

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

func toBig(limbs []uint64) *big.Int {
	n := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		n.Lsh(n, 64)
		n.Or(n, new(big.Int).SetUint64(limbs[i]))
	}
	return n
}

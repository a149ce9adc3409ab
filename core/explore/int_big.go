//go:build !lean

package explore

import "math/big"

// An Int is a number of schedules. Only page.wasm is built with the tag lean: math/big, and package os, which comes
// with it, would be a twentieth of its budget.
type Int = big.Int

// NewInt is an Int of a small number.
func NewInt(n int64) *Int { return big.NewInt(n) }

func toBig(limbs []uint64) *Int {
	n := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		n.Lsh(n, 64)
		n.Or(n, new(big.Int).SetUint64(limbs[i]))
	}
	return n
}

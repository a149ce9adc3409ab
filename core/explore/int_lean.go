//go:build lean

package explore

// An Int is a number of schedules.
type Int = decimal

// NewInt is an Int of a small number.
func NewInt(n int64) *Int { return newDecimal(n) }

func toBig(limbs []uint64) *Int { return toDecimal(limbs) }

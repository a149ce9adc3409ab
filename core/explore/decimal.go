package explore

import "strconv"

// decimal is a natural number with those methods of big.Int that results need, which mean the same. It is written more
// often than computed with, so it is kept by nine decimal digits, the lowest first, without zeros at the top.
type decimal struct{ parts []uint32 }

const decimalBase = 1_000_000_000

func newDecimal(n int64) *decimal { return toDecimal([]uint64{uint64(n)}) }

// toDecimal converts little-endian limbs, in halves so that a part and a carry fit 64 bits.
func toDecimal(limbs []uint64) *decimal {
	z := new(decimal)
	for i := 2*len(limbs) - 1; i >= 0; i-- {
		carry := limbs[i/2] >> (i % 2 * 32) & (1<<32 - 1)
		for k, p := range z.parts {
			carry += uint64(p) << 32
			z.parts[k], carry = uint32(carry%decimalBase), carry/decimalBase
		}
		for ; carry > 0; carry /= decimalBase {
			z.parts = append(z.parts, uint32(carry%decimalBase))
		}
	}
	return z
}

func (z *decimal) Add(a, b *decimal) *decimal {
	var sum []uint32
	var carry uint32
	for i := 0; i < max(len(a.parts), len(b.parts)) || carry > 0; i++ {
		for _, n := range []*decimal{a, b} {
			if i < len(n.parts) {
				carry += n.parts[i]
			}
		}
		sum = append(sum, carry%decimalBase)
		carry /= decimalBase
	}
	z.parts = sum
	return z
}

func (z *decimal) Mul(a, b *decimal) *decimal {
	product := make([]uint32, len(a.parts)+len(b.parts))
	for i, p := range a.parts {
		var carry uint64
		for k := i; k < len(product); k++ {
			carry += uint64(product[k])
			if k-i < len(b.parts) {
				carry += uint64(p) * uint64(b.parts[k-i])
			}
			product[k], carry = uint32(carry%decimalBase), carry/decimalBase
		}
	}
	for len(product) > 0 && product[len(product)-1] == 0 {
		product = product[:len(product)-1]
	}
	z.parts = product
	return z
}

func (z *decimal) Cmp(b *decimal) int {
	if d := len(z.parts) - len(b.parts); d != 0 {
		return max(-1, min(d, 1))
	}
	for i := len(z.parts) - 1; i >= 0; i-- {
		if z.parts[i] != b.parts[i] {
			return 1 - 2*int((z.parts[i]-b.parts[i])>>31)
		}
	}
	return 0
}

func (z *decimal) Sign() int { return min(len(z.parts), 1) }

func (z *decimal) String() string {
	if len(z.parts) == 0 {
		return "0"
	}
	text := ""
	for i, p := range z.parts {
		part := strconv.Itoa(int(p))
		for i < len(z.parts)-1 && len(part) < 9 {
			part = "0" + part
		}
		text = part + text
	}
	return text
}

package explore

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestDecimal compares decimal with big.Int on numbers of all lengths, at the edges of limbs and parts as well.
func TestDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, decimalBase - 1, decimalBase, decimalBase + 1, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	draw := func() []uint64 {
		limbs := make([]uint64, r.IntN(6))
		for i := range limbs {
			if limbs[i] = r.Uint64() >> r.IntN(64); r.IntN(2) == 0 {
				limbs[i] = edges[r.IntN(len(edges))]
			}
		}
		return limbs
	}
	exact := func(limbs []uint64) *big.Int {
		n := new(big.Int)
		for i := len(limbs) - 1; i >= 0; i-- {
			n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(limbs[i]))
		}
		return n
	}
	same := func(what string, got *decimal, want *big.Int) {
		t.Helper()
		if got.String() != want.String() || got.Sign() != want.Sign() {
			t.Fatalf("%s: %v (sign %d), want %v", what, got, got.Sign(), want)
		}
	}
	for range 20_000 {
		x, y := draw(), draw()
		a, b, p, q := toDecimal(x), toDecimal(y), exact(x), exact(y)
		same("read", a, p)
		same("sum", new(decimal).Add(a, b), new(big.Int).Add(p, q))
		same("sum with itself", new(decimal).Add(a, a), new(big.Int).Add(p, p))
		same("product", new(decimal).Mul(a, b), new(big.Int).Mul(p, q))
		if a.Cmp(b) != p.Cmp(q) || a.Cmp(a) != 0 {
			t.Fatalf("%v and %v compare as %d, want %d", a, b, a.Cmp(b), p.Cmp(q))
		}
		n := r.Int64() >> r.IntN(63)
		same("small", newDecimal(n), big.NewInt(n))
		sum := toDecimal(x)
		same("sum in place", sum.Add(sum, b), new(big.Int).Add(p, q))
	}
}

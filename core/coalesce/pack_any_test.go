package coalesce_test

import (
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// TestPackAny checks that packing loses nothing on the states of random runs of random
// set-ups, under all rules: the bits that it leaves out depend on the set-up.
func TestPackAny(t *testing.T) {
	r := schedule.NewRandom(1)
	for range 2000 {
		c := anyConfig(r, true)
		if r.Pick(2) == 0 {
			c = wholeConfig(r, c)
		}
		if r.Pick(2) == 0 {
			c = persistConfig(r, c, true)
		}
		m, err := coalesce.New(c)
		if err != nil {
			t.Fatal(err)
		}
		l := m.Packing()
		buf := make([]uint64, l.Words())
		s := m.Start()
		for m.Running(&s) {
			th := m.Threads()[r.Pick(len(m.Threads()))]
			if m.Step(&s, th, nil).Kind != coalesce.Free {
				continue
			}
			l.Pack(&s, buf)
			var back coalesce.State
			if l.Unpack(buf, &back); back != s {
				t.Fatalf("%+v: a state changed by packing\n%+v\n%+v", c, s, back)
			}
		}
	}
}

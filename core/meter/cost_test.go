package meter

import (
	"math/bits"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// reference counts a step in another way than [coalesce.Model.Count]: parts by what was
// staged before the append, and leaks by warnings. With [coalesce.ShortPersist] and
// without a teardown both must come to the same.
func reference(m *coalesce.Model, c *Cost, s *coalesce.State, t coalesce.Thread, staged int, es coalesce.Events) {
	c.Steps++
	for _, e := range es {
		switch e.Kind {
		case coalesce.Uploaded:
			c.Puts++
		case coalesce.Discarded:
			c.Leaked++
		case coalesce.Sealed:
			c.Appends++
			c.Parts += staged
			c.DiffBytes += int(e.B)
		case coalesce.Created, coalesce.Joined:
			c.Builders++
		case coalesce.SweepTested:
			c.Longest = max(c.Longest, int(e.A))
			if e.A > 2*e.B {
				c.Sweeps++
				c.Probes += int(m.Registry(s, t).Old)
			}
		case coalesce.ProbeTook, coalesce.ProbeLoaded, coalesce.ProbeMissed:
			c.Probes++
			if sink, _ := coalesce.EntryInterval(int(e.Entry)); sink != m.Sink(t) && e.Slot >= 0 {
				c.Foreign++
			}
		}
	}
}

// TestSums holds the sums of random runs to those of the reference, in every mode, and
// the runner to both.
func TestSums(t *testing.T) {
	leaked := 0
	for seed := range uint64(60) {
		w := Workload{
			Workers: 4, Sinks: 2, Intervals: 4 * coalesce.Window, Mode: Modes[seed%3], Probe: coalesce.Probe(seed / 3 % 2), Seed: seed,
		}
		config, err := w.config()
		if err != nil {
			t.Fatal(err)
		}
		m, err := coalesce.New(config)
		if err != nil {
			t.Fatal(err)
		}
		var got, want Cost
		var es coalesce.Events
		s, random := m.Start(), schedule.NewRandom(seed)
		for windows := w.Intervals / coalesce.Window; windows > 0; {
			var enabled []coalesce.Thread
			for _, th := range m.Threads() {
				if m.Blocked(&s, th).Kind == coalesce.Free {
					enabled = append(enabled, th)
				}
			}
			if len(enabled) > 0 {
				th, staged := enabled[random.Pick(len(enabled))], 0
				if th.Role() == coalesce.Append {
					staged = bits.OnesCount8(s.Sinks[m.Sink(th)].Staged)
				}
				es = es[:0]
				m.Step(&s, th, &es)
				m.Count(&got, &s, th, es)
				reference(m, &want, &s, th, staged, es)
			}
			rebased := false
			if windows > 1 {
				if _, rebased = m.Rebase(&s); rebased {
					windows--
				}
			}
			if len(enabled) == 0 && !rebased {
				break
			}
		}
		if got != want {
			t.Fatalf("seed %d: counted %+v, the reference %+v", seed, got, want)
		}
		if ran := run(t, w); ran != got {
			t.Fatalf("seed %d: the runner has %+v, the test %+v", seed, ran, got)
		}
		leaked += got.Leaked
	}
	if leaked == 0 {
		t.Error("no seed leaks, so leaks were not compared")
	}
}

package proof

import (
	"strings"
	"testing"
	"time"

	"sharedbatches/core/coalesce"
)

// workers are n workers on sink Y, each with as many parts, over some intervals.
func workers(n, each int, uppers ...int64) coalesce.Config {
	c := tableConfig(n, each)
	c.Sinks[0].Bounds = append([]int64{1000}, uppers...)
	return c
}

func twoSinks() coalesce.Config {
	c := workers(2, 1, 2000)
	c.Sinks = append(c.Sinks, coalesce.SinkConfig{Name: 'X', Bounds: []int64{1000, 2000}})
	c.Tasks[1].Sink = 1
	return c
}

func answer(t testing.TB, q Question) *Answer {
	t.Helper()
	s, err := New(q)
	if err != nil {
		t.Fatal(err)
	}
	for !s.Run(1000) {
	}
	return s.Answer()
}

// TestOracle meets the rows that an independent prototype counted.
func TestOracle(t *testing.T) {
	for _, c := range []struct {
		name              string
		config            coalesce.Config
		probe             coalesce.Probe
		schedules, losing int64
		orphan, seal      int
	}{
		{"A on Y, B on X", twoSinks(), coalesce.Upgrade, 1218636, 27480, 9, 9},
		{"A on Y, B on X", twoSinks(), coalesce.StrongCount, 1395360, 0, 0, 0},
		{"A and B on Y", workers(2, 1, 2000), coalesce.Upgrade, 196906, 2160, 9, 18},
		{"A and B on Y", workers(2, 1, 2000), coalesce.StrongCount, 242266, 0, 0, 0},
	} {
		for _, plain := range []bool{false, true} {
			c.config.Probe = c.probe
			a := answer(t, Question{Config: c.config, NoSymmetry: plain})
			t.Logf("%s %s: %d states (symmetry %v), orphaning %v, wrong seal %v, no return %v, chance %.3f", c.name, c.probe, a.States, a.Symmetry, a.Orphaning, a.WrongSeal, a.NoReturn, a.Chance)
			if a.Schedules.Int64() != c.schedules || a.Losing.Int64() != c.losing {
				t.Errorf("%s, %s, no symmetry %v: %d schedules, %d losing, want %d, %d", c.name, c.probe, plain, a.Schedules, a.Losing, c.schedules, c.losing)
			}
			if length(a.Orphaning) != c.orphan {
				t.Errorf("%s, %s: shortest orphaning %v, want %d", c.name, c.probe, a.Orphaning, c.orphan)
			}
		}
	}
}

// TestPersistSymmetry: exchanging alike workers changes no count, with flushes and
// uploads too, and there are fewer states to look at.
func TestPersistSymmetry(t *testing.T) {
	for n := 2; n <= 3; n++ {
		for _, mode := range []coalesce.Mode{coalesce.BestEffort, coalesce.Barrier} {
			c := persistConfig(n)
			c.Mode = mode
			folded, plain := answer(t, Question{Config: c}), answer(t, Question{Config: c, NoSymmetry: true})
			if folded.Schedules.Cmp(plain.Schedules) != 0 || folded.Losing.Cmp(plain.Losing) != 0 || length(folded.Orphaning) != length(plain.Orphaning) {
				t.Errorf("%d workers, mode %d: %d schedules, %d losing, shortest %v with symmetry; %d, %d, %v without", n, mode,
					folded.Schedules, folded.Losing, folded.Orphaning, plain.Schedules, plain.Losing, plain.Orphaning)
			}
			if mode == coalesce.BestEffort && folded.Losing.Sign() == 0 {
				t.Errorf("%d workers: nothing loses under upgrade", n)
			}
			if folded.States*3 > plain.States*2 {
				t.Errorf("%d workers, mode %d: %d states of %d are left", n, mode, folded.States, plain.States)
			}
		}
	}
}

// TestSinkSymmetry: the same with the whole sink, whose state names parts and batches on
// their way between operators.
func TestSinkSymmetry(t *testing.T) {
	for _, mode := range []coalesce.Mode{coalesce.BestEffort, coalesce.Barrier} {
		c := workers(2, 1, 2000)
		c.Whole, c.Mode = coalesce.WholeSink, mode
		folded, plain := answer(t, Question{Config: c}), answer(t, Question{Config: c, NoSymmetry: true})
		if folded.Schedules.Cmp(plain.Schedules) != 0 || folded.Losing.Cmp(plain.Losing) != 0 || length(folded.Orphaning) != length(plain.Orphaning) {
			t.Errorf("mode %d: %d schedules, %d losing, shortest %v with symmetry; %d, %d, %v without", mode,
				folded.Schedules, folded.Losing, folded.Orphaning, plain.Schedules, plain.Losing, plain.Orphaning)
		}
		if folded.States*3 > plain.States*2 {
			t.Errorf("mode %d: %d states of %d are left", mode, folded.States, plain.States)
		}
	}
}

// TestTooLarge: a state that no size of the search holds is refused.
func TestTooLarge(t *testing.T) {
	c := coalesce.Config{Mode: coalesce.Barrier, Whole: coalesce.WholeSink, Persist: coalesce.WholePersist}
	var parts []coalesce.PartConfig
	for n := range 4 {
		parts = append(parts, coalesce.PartConfig{At: int64(n), Interval: n, Updates: 1, Bytes: 1})
	}
	for _, name := range []byte("VWXY") {
		c.Sinks = append(c.Sinks, coalesce.SinkConfig{Name: name, Bounds: []int64{0, 1, 2, 3, 4}})
	}
	for w := range 2 {
		for sink := range c.Sinks {
			c.Tasks = append(c.Tasks, coalesce.TaskConfig{Worker: w, Sink: sink, Parts: parts})
		}
	}
	if _, err := New(Question{Config: c}); err == nil || !strings.HasPrefix(err.Error(), "the set-up is too large to search: a state has ") {
		t.Errorf("got %v", err)
	}
	c.Persist = coalesce.ShortPersist
	for i := range parts {
		parts[i].Bytes = coalesce.InlineLimit
	}
	if _, err := New(Question{Config: c}); err != nil {
		t.Error(err)
	}
}

func length(p *Path) int {
	if p == nil {
		return 0
	}
	return len(p.Letters)
}

// benchmark searches and counts; reading the answer with its shortest schedules is
// timed apart.
func benchmark(b *testing.B, q Question) {
	var answering time.Duration
	var a *Answer
	for range b.N {
		s, err := New(q)
		if err != nil {
			b.Fatal(err)
		}
		for !s.Run(10000) {
		}
		began := time.Now()
		a = s.Answer()
		answering += time.Since(began)
	}
	searching := b.Elapsed() - answering
	b.ReportMetric(float64(searching.Nanoseconds())/float64(b.N)/float64(a.Transitions), "ns/transition")
	b.ReportMetric(float64(a.States)*float64(b.N)/searching.Seconds(), "states/s")
	b.ReportMetric(float64(a.Transitions)*float64(b.N)/searching.Seconds(), "transitions/s")
	b.ReportMetric(float64(a.States), "states")
	b.ReportMetric(a.BytesPerState, "B/state")
	b.ReportMetric(a.BytesPerEdge, "B/edge")
	b.ReportMetric(float64(answering.Milliseconds())/float64(b.N), "ms-answer")
}

func BenchmarkFourWorkers(b *testing.B) {
	benchmark(b, Question{Config: workers(4, 1, 2000), NoSymmetry: true})
}

func BenchmarkFourWorkersSymmetry(b *testing.B) {
	benchmark(b, Question{Config: workers(4, 1, 2000)})
}

func BenchmarkFourWorkersTwoPartsSymmetry(b *testing.B) {
	benchmark(b, Question{Config: workers(4, 2, 2000)})
}

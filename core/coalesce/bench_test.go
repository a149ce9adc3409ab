package coalesce

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// BenchmarkCopyStep is what one step costs whoever keeps the states, as a page does that
// can go back: a copy of the whole state, and a step of an enabled thread. The threads are
// those of random runs to their ends, drawn beforehand. Design.md budgets 150 ns for 4
// workers, natively.
func BenchmarkCopyStep(b *testing.B) {
	for _, c := range []struct {
		name               string
		workers, processes int
	}{
		{"2workers", 2, 1},
		{"4workers", 4, 1},
		{"2processesOf4", 8, 2},
	} {
		b.Run(c.name, func(b *testing.B) {
			config := Config{Sinks: []SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}}, Processes: c.processes}
			for w := range c.workers {
				config.Tasks = append(config.Tasks, TaskConfig{Worker: w, Parts: []PartConfig{{At: 1500, Updates: 512, Bytes: 16384}}})
			}
			m, err := New(config)
			if err != nil {
				b.Fatal(err)
			}
			runs := randomRuns(m, 100)
			start := m.Start()
			var states [2]State
			steps := 0
			for b.Loop() {
				for _, run := range runs {
					states[0] = start
					for i, t := range run {
						to := &states[(i+1)&1]
						*to = states[i&1]
						m.Step(to, t, nil)
					}
					steps += len(run)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
			b.ReportMetric(float64(unsafe.Sizeof(State{})), "B/state")
			b.ReportMetric(float64(8*m.Packing().Words()), "B/packed")
		})
	}
}

// randomRuns are the threads of n runs from the start to an end, always the same.
func randomRuns(m *Model, n int) (runs [][]Thread) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		s := m.Start()
		var run []Thread
		for m.Running(&s) {
			t := m.threads[r.IntN(len(m.threads))]
			if m.Step(&s, t, nil).Kind == Free {
				run = append(run, t)
			}
		}
		runs = append(runs, run)
	}
	return runs
}

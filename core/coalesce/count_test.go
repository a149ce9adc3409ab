package coalesce

import (
	"math/big"
	"testing"
)

// counter counts all maximal runs by plain recursion with a memo of states. It
// shares no code with any search.
type counter struct {
	m     *Model
	seen  map[State][2]*big.Int
	edges int
}

func (c *counter) runs(s State) [2]*big.Int {
	if r, ok := c.seen[s]; ok {
		return r
	}
	all, losing := new(big.Int), new(big.Int)
	moved := false
	for _, t := range c.m.Threads() {
		next := s
		if c.m.Step(&next, t, nil).Kind != Free {
			continue
		}
		moved = true
		c.edges++
		r := c.runs(next)
		all.Add(all, r[0])
		losing.Add(losing, r[1])
	}
	if !moved {
		all.SetInt64(1)
		if c.m.Classify(&s) == Losing {
			losing.SetInt64(1)
		}
	}
	c.seen[s] = [2]*big.Int{all, losing}
	return c.seen[s]
}

// TestOracleRealModel meets the schedules and losing schedules of two small
// scenarios that an independent prototype counted: one interval, one part a worker,
// every thread free, each worker's only job on one sink. The prototype has 705 and
// 525 states where this model has fewer, because locals that nobody can read any
// more are cleared here; merging such states changes no count of schedules.
func TestOracleRealModel(t *testing.T) {
	y := SinkConfig{Name: 'Y', Bounds: []int64{1000, 2000}}
	x := SinkConfig{Name: 'X', Bounds: []int64{1000, 2000}}
	part := []PartConfig{{At: 1500, Updates: 512, Bytes: 16384}}
	two := Config{Sinks: []SinkConfig{y, x}, Tasks: []TaskConfig{{Worker: 0, Sink: 0, Parts: part}, {Worker: 1, Sink: 1, Parts: part}}}
	one := Config{Sinks: []SinkConfig{y}, Tasks: []TaskConfig{{Worker: 0, Parts: part}, {Worker: 1, Parts: part}}}
	for _, c := range []struct {
		name              string
		config            Config
		probe             Probe
		states, edges     int
		schedules, losing int64
	}{
		{"A on Y, B on X", two, Upgrade, 545, 1168, 1218636, 27480},
		{"A on Y, B on X", two, StrongCount, 407, 856, 1395360, 0},
		{"A and B on Y", one, Upgrade, 455, 890, 196906, 2160},
		{"A and B on Y", one, StrongCount, 391, 782, 242266, 0},
	} {
		c.config.Probe = c.probe
		m, err := New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		k := &counter{m: m, seen: map[State][2]*big.Int{}}
		got := k.runs(m.Start())
		if len(k.seen) != c.states || k.edges != c.edges {
			t.Errorf("%s, %s: %d states, %d transitions, want %d, %d", c.name, c.probe, len(k.seen), k.edges, c.states, c.edges)
		}
		if got[0].Int64() != c.schedules || got[1].Int64() != c.losing {
			t.Errorf("%s, %s: %d schedules, %d losing, want %d, %d", c.name, c.probe, got[0], got[1], c.schedules, c.losing)
		}
	}
}

package explore

import (
	"errors"
	"math"
	"math/big"
	"strconv"
)

// A Fate is what a state still allows: whether the ways on from it lose always, sometimes or never. A way that panics
// or deadlocks does not lose.
type Fate uint8

const (
	Unknown   Fate = iota // not counted, or it depends on states that a stopped search did not expand
	Always                // every way on loses: past the point of no return
	Sometimes             // some ways on lose, some do not
	Never                 // no way on loses
)

var fateNames = [...]string{"unknown", "always", "sometimes", "never"}

func (f Fate) String() string { return fateNames[f] }

// Ways are the ways on from a state, each a different rest of a schedule.
type Ways struct {
	Counts Counts
	Losing float64 // chance of losing under a scheduler that picks uniformly among the enabled threads
	Fate   Fate
	After  []After // by enabled thread, ascending
}

// After are the ways left once Thread has taken one step.
type After struct {
	Thread int
	Counts Counts
	Losing float64
	Fate   Fate
}

// Ways looks a state up. It reports false if the search did not reach it or has no counts.
func (s *Search[S]) Ways(state S) (Ways, bool) {
	i, names := s.locate(&state)
	if i < 0 || !s.counts.ready {
		return Ways{}, false
	}
	w := Ways{Counts: s.countsOf(i), Losing: s.chanceOf(i), Fate: s.fate(i)}
	for thread, name := range names {
		if j := s.edge(i, name); j >= 0 {
			w.After = append(w.After, After{Thread: thread, Counts: s.countsOf(j), Losing: s.chanceOf(j), Fate: s.fate(j)})
		}
	}
	return w, true
}

// A Node is a stored state: its index in the order of discovery, its depth, its place among the states of that depth,
// and its fate. With symmetry it stands for all renamings of a state.
type Node struct {
	Index, Depth, Place int
	Fate                Fate
}

// Find looks a state up. It reports false if the search did not reach it.
func (s *Search[S]) Find(state S) (Node, bool) {
	i, _ := s.locate(&state)
	if i < 0 {
		return Node{}, false
	}
	return s.Node(i), true
}

// Node describes the stored state with index i, from 0 to Result.States-1; they are numbered depth by depth.
func (s *Search[S]) Node(i int) Node {
	d := 0
	for hi := len(s.levels); hi-d > 1; {
		if mid := (d + hi) / 2; s.levels[mid] <= i {
			d = mid
		} else {
			hi = mid
		}
	}
	return Node{Index: i, Depth: d, Place: i - s.levels[d], Fate: s.fate(i)}
}

// State is the stored state with index i.
func (s *Search[S]) State(i int) S { return *s.arena.state(i) }

// Into is the number of ways from the start into a state, nil if the search did not reach it or has no counts. With
// symmetry it counts the ways into any renaming of the state.
func (s *Search[S]) Into(state S) *big.Int {
	i, _ := s.locate(&state)
	if i < 0 || !s.counts.ready {
		return nil
	}
	c := &s.counts
	return toBig(c.into[i*c.limbs : (i+1)*c.limbs])
}

// NoReturn follows a schedule of concrete threads from the start and gives the first numbers of steps after which
// every way on loses, and after which none does; -1 where that does not happen along the schedule.
func (s *Search[S]) NoReturn(schedule []int) (lost, saved int, err error) {
	if !s.counts.ready {
		return -1, -1, errors.New("schedule: no point of no return: ways were not counted")
	}
	lost, saved = -1, -1
	w := s.walk()
	for k := 0; ; k++ {
		switch s.fate(w.index) {
		case Always:
			if lost < 0 {
				lost = k
			}
		case Never:
			if saved < 0 {
				saved = k
			}
		}
		if k == len(schedule) {
			return lost, saved, nil
		}
		if !w.step(schedule[k]) {
			return -1, -1, errors.New("schedule: step " + strconv.Itoa(k+1) + ": thread " + strconv.Itoa(schedule[k]) +
				": not enabled, or past what the search reached")
		}
	}
}

func (s *Search[S]) countsOf(i int) Counts {
	c := &s.counts
	var all Counts
	for v := range Verdicts {
		if c.column[v] < 0 {
			all[v] = new(big.Int)
			continue
		}
		at := i*c.stride + c.column[v]*c.limbs
		all[v] = toBig(c.back[at : at+c.limbs])
	}
	return all
}

func (s *Search[S]) chanceOf(i int) float64 {
	return math.Float64frombits(s.counts.back[(i+1)*s.counts.stride-1])
}

// fate is that of state i, once the backward counts are there.
func (s *Search[S]) fate(i int) Fate {
	c := &s.counts
	if c.back == nil || s.phase < summing {
		return Unknown
	}
	row := c.back[i*c.stride : (i+1)*c.stride-1]
	var open, loses, other bool
	for k, v := range c.columns {
		if isZero(row[k*c.limbs : (k+1)*c.limbs]) {
			continue
		}
		switch {
		case v == Open:
			open = true
		case v.Losing():
			loses = true
		default:
			other = true
		}
	}
	switch {
	case loses && other:
		return Sometimes
	case open:
		return Unknown
	case loses:
		return Always
	}
	return Never
}

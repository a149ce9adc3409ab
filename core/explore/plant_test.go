package explore

import (
	"fmt"
	"slices"
	"testing"
)

var planted = row{race{n: 3, push: true, upgrade: true}, 204, 534, 71, "50796", "6570", 10}

// judge is what the tests hold a search of the planted row to: the table and the enumerator. An inner assertion that
// fires has noticed the fault as well.
func judge(run func() *Search[raceState]) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	s := run()
	if err := verify(planted, s); err != nil {
		return err
	}
	return agrees(enumerate[raceState](planted.race), s)
}

// TestPlants shows that each fault, planted in the step function or in the search's own data, is caught, and that the
// same run without it is not.
func TestPlants(t *testing.T) {
	r := planted.race
	for _, run := range []func() *Search[raceState]{
		func() *Search[raceState] { return searched[raceState](r, Limits{}) },
		func() *Search[raceState] { return searched[raceState](symmetricRace{r}, Limits{}) },
		func() *Search[raceState] { return doctored(r, searching, nil) },
		func() *Search[raceState] { return doctored(symmetricRace{r}, backward, nil) },
		func() *Search[raceState] { return searched[raceState](planting{race: r}, Limits{}) },
		func() *Search[raceState] {
			return searched[raceState](plantingSymmetry{symmetricRace{r}, nil}, Limits{})
		},
	} {
		if err := judge(run); err != nil {
			t.Fatalf("without a fault: %v", err)
		}
	}
	for name, run := range plants(r) {
		if err := judge(run); err != nil {
			t.Logf("%s: caught: %v", name, err)
		} else {
			t.Errorf("%s: not caught", name)
		}
	}
}

func plants(r race) map[string]func() *Search[raceState] {
	wrap := func(p planting) func() *Search[raceState] {
		p.race = r
		return func() *Search[raceState] { return searched[raceState](p, Limits{}) }
	}
	symmetry := func(canon func(s *raceState, perm []int)) func() *Search[raceState] {
		return func() *Search[raceState] {
			return searched[raceState](plantingSymmetry{symmetricRace{r}, canon}, Limits{})
		}
	}
	inside := func(at phase, fault func(s *Search[raceState])) func() *Search[raceState] {
		return func() *Search[raceState] { return doctored(r, at, fault) }
	}
	calls := uint64(0)
	return map[string]func() *Search[raceState]{
		"drop a successor": wrap(planting{next: func(from *raceState, thread int, to *raceState) bool {
			return !(thread == 0 && from.sweep == drop && from.strong == 2) && r.Next(from, thread, to)
		}}),
		"merge different states: a local is left out of the state": wrap(planting{next: func(from *raceState, thread int, to *raceState) bool {
			ok := r.Next(from, thread, to)
			if to.sweep == swap {
				to.loaded = to.strong
			}
			return ok
		}}),
		"merge different states: who took the batch is left out": wrap(planting{next: func(from *raceState, thread int, to *raceState) bool {
			ok := r.Next(from, thread, to)
			if to.taker != orphaned {
				to.taker = 0
			}
			return ok
		}}),
		"compare hashes only": func() *Search[raceState] { return hashOnly(r) },
		"never merge: the hash depends on more than the state": wrap(planting{hash: func(s *raceState) uint64 {
			calls++
			return calls
		}}),
		"count an edge twice": wrap(planting{twice: true}),
		"misclassify an end": wrap(planting{end: func(s *raceState) Verdict {
			return Safe
		}}),
		"losing a part instead of all": wrap(planting{end: func(s *raceState) Verdict {
			return Classify(false, false, s.taker == orphaned, false)
		}}),
		"miss a mark where it is first reached": wrap(planting{marks: func(s *raceState) uint32 {
			if s.sweep == unlock {
				return 0
			}
			return r.Marks(s)
		}}),
		"canonical form merges too much": symmetry(func(s *raceState, perm []int) {
			symmetricRace{r}.Canon(s, perm)
			if s.pc[0] == atPush && s.pc[1] == atSub {
				s.pc[0] = atSub
			}
		}),
		"canonical form returns no permutation": symmetry(func(s *raceState, perm []int) {
			symmetricRace{r}.Canon(s, nil)
		}),
		"canonical form depends on the permutation asked for": symmetry(func(s *raceState, perm []int) {
			if perm == nil {
				symmetricRace{r}.Canon(s, nil)
			}
		}),
		"forget the multiplicity under symmetry": func() *Search[raceState] {
			return doctored(symmetricRace{r}, ordering, func(s *Search[raceState]) {
				for i := range s.arena.n {
					s.dropEdges(i, func(k int, targets []uint32) bool { return slices.Contains(targets[:k], targets[k]) })
				}
			})
		},
		"lose the edges into states found before": inside(ordering, func(s *Search[raceState]) {
			for i := range s.arena.n {
				s.dropEdges(i, func(k int, targets []uint32) bool { return int(targets[k]) < i })
			}
		}),
		"lose the last level": inside(ordering, func(s *Search[raceState]) {
			s.levels = s.levels[:len(s.levels)-1]
			s.expanded = s.levels[len(s.levels)-2]
		}),
		"take breadth-first order for topological": inside(backward, func(s *Search[raceState]) {
			slices.Sort(s.order)
		}),
		"an edge leads to its neighbour": inside(ordering, func(s *Search[raceState]) {
			targets := s.successorsOf(100)
			s.arena.node(int(targets[0])).before--
			targets[0]++
			s.arena.node(int(targets[0])).before++
		}),
		"depths are one too small": inside(ordering, func(s *Search[raceState]) {
			s.marks[0].Depth--
		}),
	}
}

// doctored is a whole search that a fault is done to when it enters a phase.
func doctored(space Space[raceState], at phase, fault func(s *Search[raceState])) *Search[raceState] {
	s := New(space, Limits{})
	for fault != nil && s.phase != at {
		s.Run(1)
	}
	if fault != nil {
		s.enter(at)
		s.counts.back = nil
		if at == ordering {
			s.order, s.sorting = nil, nil
		}
		fault(s)
	}
	for !s.Run(1000) {
	}
	return s
}

// dropEdges takes those edges of state i away for which lost holds.
func (s *Search[S]) dropEdges(i int, lost func(k int, targets []uint32) bool) {
	n := s.arena.node(i)
	targets := slices.Clone(s.successorsOf(i))
	room, enabled := s.successorsOf(i), n.enabled()
	kept := 0
	for k := range targets {
		if lost(k, targets) {
			enabled &^= 1 << nthThread(n.enabled(), k)
			s.arena.node(int(targets[k])).before--
			continue
		}
		room[kept] = targets[k]
		kept++
	}
	n.enabledLo, n.enabledHi = uint32(enabled), uint32(enabled>>32)
	if kept == 0 && len(targets) > 0 {
		n.at = uint32(Safe)
	}
}

// Counts that wrap around are wrong, and nothing but the carry notices it.
func TestPlantedOverflow(t *testing.T) {
	s := New[[4]uint16](grid{2, 40}, Limits{})
	s.counts.limbs = 1
	for s.phase != backward {
		s.Run(1)
	}
	s.countBackward(0) // makes room
	noticed := false
	for k := len(s.order) - 1; k >= 0; k-- {
		i := int(s.order[k])
		clear(s.counts.back[i*s.counts.stride : (i+1)*s.counts.stride])
		s.backRow(i)
		noticed = noticed || s.counts.overflow
	}
	if got := s.countsOf(0).Total(); got.Cmp(grid{2, 40}.want()) == 0 || !noticed {
		t.Errorf("one limb held %v, noticed is %v", got, noticed)
	}
}

// A planting is a race with a fault in one of its methods.
type planting struct {
	race
	next  func(from *raceState, thread int, to *raceState) bool
	end   func(s *raceState) Verdict
	marks func(s *raceState) uint32
	hash  func(s *raceState) uint64
	twice bool // the sweeper's lock is two threads
}

func (p planting) Threads() int {
	if p.twice {
		return p.race.Threads() + 1
	}
	return p.race.Threads()
}

func (p planting) Next(from *raceState, thread int, to *raceState) bool {
	if thread > p.n {
		return from.sweep == lock && from.strong == 1 && p.race.Next(from, p.n, to)
	}
	if p.next != nil {
		return p.next(from, thread, to)
	}
	return p.race.Next(from, thread, to)
}

func (p planting) End(s *raceState) Verdict {
	if p.end != nil {
		return p.end(s)
	}
	return p.race.End(s)
}

func (p planting) Marks(s *raceState) uint32 {
	if p.marks != nil {
		return p.marks(s)
	}
	return p.race.Marks(s)
}

func (p planting) Hash(s *raceState) uint64 {
	if p.hash != nil {
		return p.hash(s)
	}
	return p.race.Hash(s)
}

// A plantingSymmetry is a race with a fault in its canonical form.
type plantingSymmetry struct {
	symmetricRace
	canon func(s *raceState, perm []int)
}

func (p plantingSymmetry) Canon(s *raceState, perm []int) {
	if p.canon != nil {
		p.canon(s, perm)
		return
	}
	p.symmetricRace.Canon(s, perm)
}

// hashOnly searches a race as if states of equal hash were equal, for a hash of eight bits: the first state of each
// hash stands for all of them.
func hashOnly(r race) *Search[raceState] {
	first := map[uint64]raceState{}
	hash := func(s *raceState) uint64 { return r.Hash(s) >> 56 }
	return searched[raceState](planting{race: r, hash: hash, next: func(from *raceState, thread int, to *raceState) bool {
		if !r.Next(from, thread, to) {
			return false
		}
		if _, ok := first[hash(to)]; !ok {
			first[hash(to)] = *to
		}
		*to = first[hash(to)]
		return true
	}}, Limits{})
}

// A poor hash alone costs time, never exactness.
func TestPoorHash(t *testing.T) {
	for name, hash := range map[string]func(s *raceState) uint64{
		"constant":   func(s *raceState) uint64 { return 0 },
		"eight bits": func(s *raceState) uint64 { return planted.Hash(s) >> 56 },
	} {
		if err := judge(func() *Search[raceState] {
			return searched[raceState](planting{race: planted.race, hash: hash}, Limits{})
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package explore

import (
	"math/big"
	"reflect"
	"strings"
	"testing"
)

// For every limit of states below the size of the space, the result is a lower bound that says so; from the size on
// it is exact.
func TestStatesLimit(t *testing.T) {
	r := race{n: 3, upgrade: true}
	full := searched[raceState](r, Limits{}).Result()
	for limit := 1; limit <= full.States+1; limit++ {
		s := searched[raceState](r, Limits{States: limit})
		got := s.Result()
		if got.States > limit || got.Bytes != s.Progress().Bytes {
			t.Errorf("limit %d: %d states", limit, got.States)
		}
		if limit >= full.States {
			if !got.Exhaustive || got.StoppedBy != "" || got.Schedules.Total().Cmp(full.Schedules.Total()) != 0 {
				t.Errorf("limit %d: %s", limit, got.String())
			}
			continue
		}
		if err := bounded(s, full); err != nil || got.StoppedBy != StoppedByStates {
			t.Errorf("limit %d: stopped by %q: %s", limit, got.StoppedBy, err)
		}
	}
}

type complaint string

func (c complaint) Error() string { return string(c) }

// bounded checks what must hold of a stopped search of a race of which full is the whole.
func bounded(s *Search[raceState], full Result) error {
	r := s.Result()
	total, losing := r.Schedules.Total(), r.Schedules.Losing()
	ended := new(big.Int).Sub(total, r.Schedules[Open])
	switch {
	case r.Exhaustive || r.Safe():
		return complaint("exhaustive or safe")
	case !r.Counted || r.Ends[Open] == 0 || r.Schedules[Open].Sign() == 0:
		return complaint("nothing open")
	case total.Cmp(full.Schedules.Total()) > 0 || losing.Cmp(full.Schedules.Losing()) > 0 || ended.Cmp(full.Schedules.Total()) >= 0:
		return complaint("more than all schedules")
	case !strings.HasPrefix(r.String(), "at least "+total.String()+" schedules, ") || !strings.HasSuffix(r.String(), "; stopped by "+r.StoppedBy):
		return complaint("says " + r.String())
	case losing.Sign() == 0 && !strings.Contains(r.String(), ", none of them losing so far"):
		return complaint("says " + r.String())
	}
	states := 0
	for _, l := range r.Levels {
		states += l.Always + l.Sometimes + l.Never + l.Unknown
	}
	if states != r.States {
		return complaint("levels do not add up")
	}
	if n := len(s.ToMark(0)); n != max(0, r.Marks[0].Depth) {
		return complaint("no schedule to a mark that was reached")
	}
	return nil
}

func TestBytesLimit(t *testing.T) {
	r := race{n: 4, push: true, list: true, upgrade: true}
	full := searched[raceState](r, Limits{}).Result()
	stopped := 0
	for limit := int64(1); limit < 4<<20; limit += 1 << 16 {
		s := New[raceState](r, Limits{Bytes: limit})
		first := s.Progress().Bytes
		for !s.Run(1) {
			if b := s.Progress().Bytes; b > max(limit, first) {
				t.Fatalf("limit %d: %d bytes held", limit, b)
			}
		}
		got := s.Result()
		if got.StoppedBy == "" {
			if got.Schedules.Total().Cmp(full.Schedules.Total()) != 0 {
				t.Errorf("limit %d: %s", limit, got.String())
			}
			continue
		}
		stopped++
		if got.StoppedBy != StoppedByBytes || got.Safe() {
			t.Errorf("limit %d: stopped by %q", limit, got.StoppedBy)
		}
		if got.Counted {
			if err := bounded(s, full); err != nil {
				t.Errorf("limit %d: %v", limit, err)
			}
		} else if !strings.HasPrefix(got.String(), "at least ") {
			t.Errorf("limit %d: %s", limit, got.String())
		}
	}
	if stopped < 5 || stopped > 60 {
		t.Errorf("%d limits stopped the search", stopped)
	}
}

func TestStop(t *testing.T) {
	r := race{n: 4, push: true}
	full := searched[raceState](r, Limits{}).Result()
	s := New[raceState](r, Limits{})
	s.Run(100)
	s.Stop("time")
	if s.Run(0) {
		t.Error("done without counting")
	}
	for !s.Run(7) {
	}
	if err := bounded(s, full); err != nil || s.Result().StoppedBy != "time" {
		t.Errorf("%v: %s", err, s.Result().String())
	}
	s.Stop("later")
	if s.Result().StoppedBy != "time" || !s.Result().Counted {
		t.Error("a Stop after the end changed the result")
	}

	s = New[raceState](r, Limits{})
	for s.Progress().Phase != "count" {
		s.Run(10)
	}
	s.Stop("time")
	got := s.Result()
	if !s.Run(1) || got.Counted || got.Safe() || !got.Exhaustive || got.StoppedBy != "time" {
		t.Errorf("stopped while counting: %+v", got)
	}
	if got.String() != "336 states, schedules not counted; stopped by time" {
		t.Errorf("%q", got.String())
	}
}

// Reachability alone: the same states and shortest schedules, no counts.
func TestNoCounts(t *testing.T) {
	r := race{n: 4, upgrade: true}
	with, without := searched[raceState](r, Limits{}), searched[raceState](r, Limits{NoCounts: true})
	a, b := with.Result(), without.Result()
	if b.Counted || b.Safe() || !b.Exhaustive || a.States != b.States || a.Transitions != b.Transitions || a.Marks != b.Marks || a.Ends != b.Ends {
		t.Errorf("%+v", b)
	}
	if !reflect.DeepEqual(with.ToMark(0), without.ToMark(0)) || without.ToFate(Always) != nil {
		t.Error("schedules differ")
	}
}

// The same result run after run, however it is sliced; a slice expands no more than its budget.
func TestSlices(t *testing.T) {
	for _, space := range []Space[raceState]{race{n: 4, push: true, upgrade: true}, symmetricRace{race{n: 4, push: true, upgrade: true}}} {
		whole := searched(space, Limits{})
		want := whole.Result()
		for _, budget := range []int{1, 7, 1 << 20} {
			s := New(space, Limits{})
			expanded := 0
			for !s.Run(budget) {
				p := s.Progress()
				if p.States-p.Frontier > expanded+budget || p.States > want.States {
					t.Fatalf("budget %d: %+v after %d expanded", budget, p, expanded)
				}
				expanded = p.States - p.Frontier
			}
			if got := s.Result(); !reflect.DeepEqual(got, want) {
				t.Errorf("budget %d: %+v, want %+v", budget, got, want)
			}
			if !reflect.DeepEqual(s.ToMark(0), whole.ToMark(0)) || !reflect.DeepEqual(s.ToFate(Always), whole.ToFate(Always)) {
				t.Errorf("budget %d: schedules differ", budget)
			}
		}
	}
}

// Counterexamples are the same with symmetry and without, replay with the plain Next, and pass the point of no
// return on the way.
func TestCounterexamples(t *testing.T) {
	for _, row := range table {
		if row.shortest == 0 || row.list {
			continue
		}
		plain, sym := searched[raceState](row.race, Limits{}), searched[raceState](symmetricRace{row.race}, Limits{})
		for what, find := range map[string]func(*Search[raceState]) []int{
			"mark":      func(s *Search[raceState]) []int { return s.ToMark(0) },
			"end":       func(s *Search[raceState]) []int { return s.ToEnd(LosingPart, LosingAll) },
			"no return": func(s *Search[raceState]) []int { return s.ToFate(Always) },
		} {
			schedule := find(plain)
			if other := find(sym); !reflect.DeepEqual(schedule, other) || schedule == nil {
				t.Errorf("%v: to %s: %v, with symmetry %v", row.race, what, schedule, other)
			}
			x := row.Start()
			for i, thread := range schedule {
				var to raceState
				if !row.Next(&x, thread, &to) {
					t.Fatalf("%v: to %s: step %d of %v: not enabled", row.race, what, i+1, schedule)
				}
				x = to
			}
			if what != "no return" && x.taker != orphaned {
				t.Errorf("%v: to %s: %v does not orphan", row.race, what, schedule)
			}
			for _, s := range []*Search[raceState]{plain, sym} {
				lost, saved, err := s.NoReturn(schedule)
				if err != nil || saved != -1 || lost < 0 || lost > row.shortest || what == "no return" && lost != len(schedule) {
					t.Errorf("%v: to %s: %v: no return at %d, %d, %v", row.race, what, schedule, lost, saved, err)
				}
			}
		}
	}
}

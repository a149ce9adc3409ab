package worlds

import (
	"slices"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
)

// Limit is how many worlds one schedule runs in at most.
const Limit = 2

// Worlds are the models that run one schedule. All have the same threads.
type Worlds struct {
	Models []*coalesce.Model
	Names  []string // what tells each world from the others, such as upgrade
}

// World is one world of a set-up, by what it changes in the rules.
type World struct {
	Name  string
	Rules []RuleValue
}

// RuleValue is a rule, by its key, with one of its values.
type RuleValue struct{ Key, Value string }

// New builds one world for each probe.
func New(c coalesce.Config, probes ...coalesce.Probe) (*Worlds, error) {
	w := &Worlds{}
	for _, p := range probes {
		c.Probe = p
		if err := w.add(p.String(), c); err != nil {
			return nil, err
		}
	}
	return w.checked()
}

// NewRules builds one world for each set of changed rules.
func NewRules(c coalesce.Config, list []World) (*Worlds, error) {
	w := &Worlds{}
	for _, world := range list {
		config := c
		for _, v := range world.Rules {
			r, err := coalesce.FindRule(v.Key)
			if err == nil {
				err = r.Set(&config, v.Value)
			}
			if err != nil {
				return nil, brief.Errorf("worlds: %s: %w", world.Name, err)
			}
		}
		if err := w.add(world.Name, config); err != nil {
			return nil, err
		}
	}
	return w.checked()
}

func (w *Worlds) add(name string, c coalesce.Config) error {
	m, err := coalesce.New(c)
	if err != nil {
		return err
	}
	w.Models = append(w.Models, m)
	w.Names = append(w.Names, name)
	return nil
}

// checked refuses a wrong number of worlds, and worlds whose letters differ.
func (w *Worlds) checked() (*Worlds, error) {
	n := len(w.Models)
	if n < 1 || n > Limit {
		return nil, brief.Errorf("worlds: there are %d: allowed are 1 to %d", n, Limit)
	}
	if n == Limit && !slices.Equal(w.Models[0].Names(), w.Models[1].Names()) {
		return nil, brief.Errorf("worlds: %s and %s have different threads, so no schedule fits both", w.Names[0], w.Names[1])
	}
	return w, nil
}

// Side is one world's part of a moment.
type Side struct {
	State  coalesce.State
	Events coalesce.Events // what the step did; nil for a skip and at the start
	Line   int             // the line that was performed; -1 for a skip and at the start
	Skip   coalesce.Block  // why the thread did not move here
	Since  [coalesce.InvariantCount]int
	Cost   coalesce.Cost // of all steps so far
}

// Moment is one place in a run.
type Moment struct {
	Step    int // number of letters so far
	Thread  coalesce.Thread
	Sides   [Limit]Side
	Differ  int // first step after which the states differ, or 0
	Outcome int // first step whose outcomes differ, or 0
}

// Start is the moment before the first step.
func (w *Worlds) Start() Moment {
	var m Moment
	for i, model := range w.Models {
		m.Sides[i] = Side{State: model.Start(), Line: -1}
	}
	return m
}

// Blocked is why the thread cannot move in each world.
func (w *Worlds) Blocked(m *Moment, t coalesce.Thread) (bs [Limit]coalesce.Block, all bool) {
	all = true
	for i, model := range w.Models {
		bs[i] = model.Blocked(&m.Sides[i].State, t)
		all = all && bs[i].Kind != coalesce.Free
	}
	return bs, all
}

// Next performs the thread's next line in each world where it is enabled. The
// error, when it is enabled in none, names step, thread and reason.
func (w *Worlds) Next(m *Moment, t coalesce.Thread) (Moment, error) {
	if bs, all := w.Blocked(m, t); all {
		return Moment{}, brief.Errorf("step %d: %w", m.Step+1, w.blockedError(t, bs))
	}
	next := Moment{Step: m.Step + 1, Thread: t, Differ: m.Differ, Outcome: m.Outcome}
	for i, model := range w.Models {
		side := Side{State: m.Sides[i].State, Line: model.Line(&m.Sides[i].State, t), Since: m.Sides[i].Since, Cost: m.Sides[i].Cost}
		if side.Skip = model.Step(&side.State, t, &side.Events); side.Skip.Kind != coalesce.Free {
			side.Line = -1
		} else {
			model.Count(&side.Cost, &side.State, t, side.Events)
		}
		for inv := range coalesce.InvariantCount {
			broken := model.Broken(&side.State, inv) != ""
			switch {
			case !broken:
				side.Since[inv] = 0
			case side.Since[inv] == 0:
				side.Since[inv] = next.Step
			}
		}
		next.Sides[i] = side
	}
	if len(w.Models) == Limit {
		if next.Differ == 0 && next.Sides[0].State != next.Sides[1].State {
			next.Differ = next.Step
		}
		if next.Outcome == 0 && !sameOutcome(next.Sides[0].Events, next.Sides[1].Events) {
			next.Outcome = next.Step
		}
	}
	return next, nil
}

func (w *Worlds) blockedError(t coalesce.Thread, bs [Limit]coalesce.Block) error {
	var why []string
	for i, model := range w.Models {
		why = append(why, model.Reason(t, bs[i]))
	}
	if len(why) == 2 && why[0] != why[1] {
		return brief.Errorf("thread %s is blocked: %s: %s; %s: %s", w.Models[0].Name(t), w.Names[0], why[0], w.Names[1], why[1])
	}
	return brief.Errorf("thread %s is blocked: %s", w.Models[0].Name(t), why[0])
}

// sameOutcome compares what two worlds' steps led to, leaving out how: answers,
// who took the batch, what was sealed, panics.
func sameOutcome(a, b coalesce.Events) bool {
	pick := func(es coalesce.Events) (out []coalesce.Event) {
		for _, e := range es {
			switch e.Kind {
			case coalesce.AnsweredNone, coalesce.AnsweredSome, coalesce.Took, coalesce.Sealed, coalesce.Lost, coalesce.Panicked:
				e.A = 0
				out = append(out, e)
			}
		}
		return out
	}
	x, y := pick(a), pick(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// Over tells whether no thread is enabled in any world.
func (w *Worlds) Over(m *Moment) bool {
	for i, model := range w.Models {
		if model.Running(&m.Sides[i].State) {
			return false
		}
	}
	return true
}

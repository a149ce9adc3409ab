package proof

import (
	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/explore"
)

// Question is what to search.
type Question struct {
	Config     coalesce.Config
	Grain      Grain
	Last       []string // threads, by name, that move only when no other can
	NoSymmetry bool
	MaxStates  int   // 0: no limit
	MaxBytes   int64 // 0: MaxBytes
}

// MaxBytes is how much memory a search holds at most unless asked otherwise.
const MaxBytes = 512 << 20

// Search is a search in progress or done. It runs in slices, so that whoever owns a
// clock can show progress, set a limit of time and cancel.
type Search interface {
	// Run expands at most budget states and tells whether the search is done.
	Run(budget int) bool
	// Stop ends the search for a reason that the result states.
	Stop(reason string)
	Progress() explore.Progress
	// Answer is what was found so far.
	Answer() *Answer
	// Begin is Answer in parts, for whoever has no time to wait for it: the answer is
	// complete when each of the rest has been called.
	Begin() (a *Answer, rest []func())
	// WaysLeft looks up a state: how many ways there are to go on, in all and after
	// each enabled thread. ok is false if the search has not counted from there.
	WaysLeft(s *coalesce.State) (w Ways, ok bool)
	// Find is the place of a state in the picture of the space.
	Find(s *coalesce.State) (explore.Node, bool)
	// Cell describes the state with an index, by which states are numbered depth by depth.
	Cell(index int) explore.Node
	// Ends lists how the schedules end, or is nil when there are more than most.
	Ends(most int) []explore.Verdict
}

// Ways are the ways to go on from a state.
type Ways struct {
	explore.Ways
	Threads []coalesce.Thread // by index of After
}

// New starts a search. The error is that of the configuration.
func New(q Question) (Search, error) {
	m, err := coalesce.New(q.Config)
	if err != nil {
		return nil, err
	}
	for _, name := range q.Last {
		if _, ok := m.ByName(name); !ok {
			return nil, brief.Errorf("last: %q: this set-up has %v", name, m.Names())
		}
	}
	if n := m.Packing().Words(); n > maxWords {
		return nil, brief.Errorf("the set-up is too large to search: a state has %d bytes: allowed are %d", 8*n, 8*maxWords)
	}
	return sized(m, q)
}

// maxWords is the largest of the sizes that words lists.
const maxWords = 128

type search[K words] struct {
	*explore.Search[K]
	sp *space[K]
	q  Question
}

func newSearch[K words](m *coalesce.Model, q Question) *search[K] {
	limits := explore.Limits{States: q.MaxStates, Bytes: q.MaxBytes}
	if limits.Bytes == 0 {
		limits.Bytes = MaxBytes
	}
	sp := newSpace[K](m, &q)
	if !q.NoSymmetry && len(m.Interchangeable()) > 0 && len(q.Last) == 0 {
		return &search[K]{explore.New(newSymmetric(sp), limits), sp, q}
	}
	limits.NoSymmetry = true
	return &search[K]{explore.New(sp, limits), sp, q}
}

func (s *search[K]) WaysLeft(state *coalesce.State) (Ways, bool) {
	w, ok := s.Search.Ways(s.sp.pack(state))
	if !ok {
		return Ways{}, false
	}
	out := Ways{Ways: w}
	for _, a := range w.After {
		out.Threads = append(out.Threads, s.sp.threads[a.Thread])
	}
	return out, true
}

func (s *search[K]) Find(state *coalesce.State) (explore.Node, bool) {
	return s.Search.Find(s.sp.pack(state))
}

func (s *search[K]) Cell(index int) explore.Node { return s.Search.Node(index) }

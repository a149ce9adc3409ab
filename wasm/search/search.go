package main

import (
	"math/big"
	"strconv"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/proof"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/core/schedule"
	"sharedbatches/wasm/talk"
)

const (
	// searchBytes is what the searches of all worlds hold together, at most.
	searchBytes = 512 << 20
	// keepBytes is what a finished search may hold while the next one runs.
	keepBytes = searchBytes / 2
	// tellEvery is the time between two messages of progress, in milliseconds.
	tellEvery = 100
)

// searcher is the search itself, wherever it runs: it hears messages and tells
// messages. After an ask it works whenever [searcher.work] is called, world by world,
// and keeps what it found for queries. It knows no DOM.
type searcher struct {
	now  func() float64 // milliseconds
	tell func(message)

	ask     ask
	worlds  []scenario.Scenario // by name and set-up
	models  []*coalesce.Model
	found   []proof.Search // by world; nil before it is done and when its memory was needed
	picture []*proof.Picture
	search  proof.Search  // of the world that is being searched, or nil
	answer  *proof.Answer // of the search that is done, complete when rest is empty
	rest    []func()
	world   int
	started float64 // when the world began
	stopped bool
	told    float64
}

// hear takes a message of the page.
func (s *searcher) hear(text string) {
	m, err := decode(text)
	if err != nil {
		panic(err)
	}
	switch m := m.(type) {
	case *ask:
		s.begin(m)
	case *query:
		if m.Number == s.ask.Number {
			s.tell(s.look(m))
		}
	}
}

func (s *searcher) begin(m *ask) {
	*s = searcher{now: s.now, tell: s.tell, ask: *m}
	var err error
	if s.worlds, err = compact.Decode(m.Worlds); err != nil {
		panic(err)
	}
	n := len(s.worlds)
	s.models, s.found, s.picture = make([]*coalesce.Model, n), make([]proof.Search, n), make([]*proof.Picture, n)
	s.next()
}

// next begins the search of s.world.
func (s *searcher) next() {
	var held int64
	for i, f := range s.found {
		if f == nil {
			continue
		}
		if bytes := f.Progress().Bytes; bytes <= keepBytes {
			held += bytes
		} else {
			s.found[i] = nil
		}
	}
	q := proof.Question{
		Config: s.worlds[s.world].Setup, Last: s.ask.Last,
		MaxStates: s.ask.States, MaxBytes: searchBytes - held,
	}
	if s.ask.Whole {
		q.Grain = proof.Call
	}
	var err error
	if s.models[s.world], err = coalesce.New(q.Config); err == nil {
		s.search, err = proof.New(q)
	}
	if err != nil {
		s.tell(&failed{Number: s.ask.Number, Why: s.worlds[s.world].ID + ": " + err.Error()})
		s.search = nil
		return
	}
	s.started, s.stopped = s.now(), false
}

// work goes on for a number of states and tells whether there is more to do.
func (s *searcher) work(states int) bool {
	if s.search == nil {
		return false
	}
	if s.answer != nil {
		if len(s.rest) == 0 {
			s.finish()
		} else {
			s.rest[0]()
			s.rest = s.rest[1:]
		}
		return s.search != nil
	}
	done := s.search.Run(states)
	now := s.now()
	if !done && !s.stopped && s.ask.Seconds > 0 && now-s.started > float64(s.ask.Seconds)*1000 {
		s.stopped = true
		s.search.Stop("seconds")
	}
	if done {
		s.answer, s.rest = s.search.Begin()
	} else if now-s.told >= tellEvery {
		s.told = now
		s.tell(s.progress(now))
	}
	return s.search != nil
}

func (s *searcher) progress(now float64) *progress {
	p := s.search.Progress()
	ms := max(now-s.started, 1)
	return &progress{
		Number: s.ask.Number, World: s.world, Phase: p.Phase, States: p.States, Transitions: p.Transitions, Depth: p.Depth, Frontier: p.Frontier,
		Milliseconds: int(ms), PerSecond: int(float64(p.States) / ms * 1000), Bytes: int(p.Bytes), Asked: len(s.worlds),
	}
}

// finish tells a world's answer and begins the next one.
func (s *searcher) finish() {
	took := max(s.now()-s.started, 0.1)
	a := s.answer
	s.answer = nil
	m := s.models[s.world]
	r := report{
		Answer: a, world: s.worlds[s.world].ID, index: s.world, model: m, ask: &s.ask,
		milliseconds: int(took), perSecond: int(float64(a.States) / took * 1000),
	}
	if a.Counted && a.Exhaustive && a.Schedules.Cmp(big.NewInt(talk.TicksMost)) <= 0 {
		r.ends = s.search.Ends(talk.TicksMost)
	}
	if a.Counted {
		r.picture = proof.NewPicture(r.world, a)
		s.picture[s.world] = r.picture
		s.found[s.world] = s.search
	}
	s.search = nil
	last := s.world+1 == len(s.worlds)
	s.tell(&found{Number: s.ask.Number, World: s.world, Claim: a.Claim(), Markup: r.markup(), Last: last})
	if !last {
		s.world++
		s.next()
	}
}

// look answers a query.
func (s *searcher) look(q *query) *ways {
	w := &ways{Number: q.Number, Tag: q.Tag}
	for i := range s.worlds {
		in := waysIn{}
		if s.found[i] != nil {
			in = s.lookIn(i, q.Letters)
		}
		w.Worlds = append(w.Worlds, in)
	}
	return w
}

// lookIn follows the letters in one world; one that is blocked there is a skip.
func (s *searcher) lookIn(world int, letters []schedule.Letter) (in waysIn) {
	m, f, picture := s.models[world], s.found[world], s.picture[world]
	state := m.Start()
	var spots []proof.Spot
	spot := func() {
		if n, ok := f.Find(&state); ok {
			if at := picture.SpotOf(f, n); len(spots) == 0 || spots[len(spots)-1] != at {
				spots = append(spots, at)
			}
		}
	}
	spot()
	for _, l := range letters {
		if t, ok := m.ByName(l); ok && m.Step(&state, t, nil).Kind == coalesce.Free {
			spot()
		}
	}
	in.Path = picture.Path(spots)
	left, ok := f.WaysLeft(&state)
	if !ok {
		in.Here = "Not a state of this search"
		if s.ask.Whole {
			in.Here += ": in the middle of a call"
		}
		return in
	}
	in.Here = "Step " + strconv.Itoa(len(letters)) + ": " + proof.WaysText(left.Counts, proof.Exact) + "."
	for i, a := range left.After {
		in.Threads = append(in.Threads, waysOf{Name: m.Name(left.Threads[i]), Text: proof.WaysText(a.Counts, proof.Short), Exact: proof.WaysText(a.Counts, proof.Exact)})
	}
	return in
}

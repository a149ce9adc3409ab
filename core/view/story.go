package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// A state knows who holds a batch now; that somebody held it and left is history.
// The story of a world is read off the moments up to the cursor.

// life is one batch from its creation on, and what became of it.
type life struct {
	slot, entry, sink, n int
	holds                []hold
	owner                coalesce.Thread
	taken                int // step at which the owner took the state; 0: never
	delivered, empty     int // step at which the owner answered with the batch; with None
	died                 int // step at which the state died without an owner
	orphan               bool
	finished             int // step at which the builder task finished
	discarded            int
	closed               bool
	panicked             coalesce.Panic
	queue                []int
	got                  coalesce.Parts
	count, was, counted  int // strong count, the one before, and the step that changed it
	touched              int
	state                *coalesce.Batch // as it was when it was last touched; nil: never
}

// finishQueued stands in a queue for the barrier's Finish; parts are their ids.
const finishQueued = -1

// hold is one string: a handle, a sweep's temporary, or a look that held nothing.
type hold struct {
	t    coalesce.Thread
	kind holdKind
	left int    // step at which it was given back; 0: still there
	read int    // what the look read
	how  string // what the holder got when it left
}

type holdKind uint8

const (
	byHandle holdKind = iota
	byTemporary
	byLook
)

// story is every batch of a world so far, in the order of creation, and what the
// write tasks answered last.
type story struct {
	lives   []*life
	open    map[int]*life
	outcome coalesce.Event // the last answer
	step    int            // its step, or 0
}

func (v *View) story(r *worlds.Run, world int) *story {
	st := &story{open: map[int]*life{}}
	for k := 1; k <= r.Cursor(); k++ {
		for _, e := range r.At(k).Sides[world].Events {
			st.add(e, k)
		}
		batches := &r.At(k).Sides[world].State.Batches
		for slot, l := range st.open {
			if b := &batches[slot]; int(b.Id) == l.entry+1 {
				l.state = b
			}
		}
	}
	return st
}

// of is the batch that a registry entry stood for last, or nil.
func (st *story) of(entry int) *life {
	for i := len(st.lives) - 1; i >= 0; i-- {
		if st.lives[i].entry == entry {
			return st.lives[i]
		}
	}
	return nil
}

// main is the batch of an entry that is drawn: the one touched last or, once its
// interval is sealed, the last one that had data.
func (st *story) main(entry int, sealed bool) *life {
	var best *life
	for _, l := range st.lives {
		if l.entry != entry {
			continue
		}
		if sealed && best != nil && best.hasData() != l.hasData() {
			if l.hasData() {
				best = l
			}
			continue
		}
		if best == nil || l.touched >= best.touched {
			best = l
		}
	}
	return best
}

func (st *story) add(e coalesce.Event, k int) {
	switch e.Kind {
	case coalesce.AnsweredNone, coalesce.AnsweredSome:
		st.outcome, st.step = e, k
	case coalesce.Created:
		sink, n := coalesce.EntryInterval(int(e.Entry))
		l := &life{slot: int(e.Slot), entry: int(e.Entry), sink: sink, n: n}
		st.lives = append(st.lives, l)
		st.open[l.slot] = l
	}
	l := st.open[int(e.Slot)]
	if e.Slot < 0 {
		if e.Entry >= 0 {
			l = st.of(int(e.Entry))
		}
		if e.Kind == coalesce.Panicked {
			st.leaves(e.Thread, k)
		}
	}
	if l == nil {
		return
	}
	l.touched = k
	switch e.Kind {
	case coalesce.Created, coalesce.Joined:
		l.holds = append(l.holds, hold{t: e.Thread})
		l.counts(e, k)
	case coalesce.ProbeTook:
		l.look(hold{t: e.Thread, kind: byTemporary})
		l.counts(e, k)
	case coalesce.ProbeLoaded:
		if e.Slot >= 0 {
			l.look(hold{t: e.Thread, kind: byLook, read: int(e.A)})
		}
	case coalesce.ProbeDropped:
		how := "let go"
		if e.B == 0 {
			how = "last one out"
		}
		l.leave(e.Thread, byTemporary, k, how)
		l.counts(e, k)
	case coalesce.ProbeKept:
		l.leave(e.Thread, byLook, k, "held nothing")
	case coalesce.Decremented:
		how := "got None"
		if e.B == 0 {
			how = "last one out"
		}
		l.leave(e.Thread, byHandle, k, how)
		l.counts(e, k)
	case coalesce.HandleDropped:
		l.leave(e.Thread, byHandle, k, "dropped it")
		l.counts(e, k)
	case coalesce.SkipLooked:
		l.look(hold{t: e.Thread, kind: byTemporary})
		l.counts(e, k)
	case coalesce.SkipDropped:
		l.leave(e.Thread, byTemporary, k, "let go")
		l.counts(e, k)
	case coalesce.Took:
		l.owner, l.taken = e.Thread, k
		if l.count > 0 {
			l.leave(e.Thread, byHandle, k, "last one out")
			l.was, l.count, l.counted = l.count, 0, k
		}
	case coalesce.Closed:
		l.closed = true
	case coalesce.Pushed:
		l.queue = append(l.queue, e.Parts.List()...)
	case coalesce.Received:
		if len(l.queue) > 0 {
			l.queue = l.queue[1:]
		}
		l.got |= e.Parts
	case coalesce.FinishSent:
		l.queue = append(l.queue, finishQueued)
	case coalesce.FinishedFull, coalesce.FinishedNone:
		l.finished, l.queue = k, nil
	case coalesce.Discarded:
		l.discarded = k
	case coalesce.Destroyed:
		l.died, l.closed = k, true
		l.orphan = e.Parts != 0
		l.count = 0
	case coalesce.AnsweredSome:
		// With the barrier the last handle goes before the answer is given.
		l.owner, l.delivered = e.Thread, k
		l.died, l.orphan = 0, false
	case coalesce.AnsweredNone:
		if coalesce.NoneReason(e.A) == coalesce.NothingToWrite {
			l.owner, l.empty = e.Thread, k
		}
	case coalesce.Panicked:
		if e.Thread.Role() == coalesce.BuilderTask {
			l.panicked, l.queue = coalesce.Panic(e.A), nil
		} else {
			l.leave(e.Thread, byHandle, k, "panicked")
		}
	}
}

// leaves ends what a thread that panicked still held.
func (st *story) leaves(t coalesce.Thread, k int) {
	for _, l := range st.lives {
		for i := range l.holds {
			if h := &l.holds[i]; h.t == t && h.kind == byHandle && h.left == 0 {
				h.left, h.how = k, "panicked"
				l.was, l.count, l.counted = l.count, max(l.count-1, 0), k
				l.touched = k
			}
		}
	}
}

func (l *life) counts(e coalesce.Event, k int) {
	l.was, l.count, l.counted = int(e.A), int(e.B), k
}

// look replaces the look of an earlier sweep: one is enough on the rail.
func (l *life) look(h hold) {
	keep := l.holds[:0]
	for _, old := range l.holds {
		if old.kind == byHandle {
			keep = append(keep, old)
		}
	}
	l.holds = append(keep, h)
}

func (l *life) leave(t coalesce.Thread, kind holdKind, k int, how string) {
	for i := range l.holds {
		if h := &l.holds[i]; h.t == t && h.kind == kind && h.left == 0 {
			h.left, h.how = k, how
		}
	}
}

// hasData tells whether the batch ever got a part.
func (l *life) hasData() bool { return l.parts() != 0 }

// parts is everything that the batch ever got.
func (l *life) parts() coalesce.Parts {
	ps := l.got
	for _, p := range l.queue {
		if p != finishQueued {
			ps |= 1 << p
		}
	}
	return ps
}

// queued is how many parts wait in the channel.
func (l *life) queued() int {
	n := 0
	for _, p := range l.queue {
		if p != finishQueued {
			n++
		}
	}
	return n
}

// live tells whether somebody still holds it, in whatever way.
func (l *life) live() bool { return l.died == 0 && l.delivered == 0 && l.empty == 0 }

// handles is how many handles are left.
func (l *life) handles() int {
	n := 0
	for _, h := range l.holds {
		if h.kind == byHandle && h.left == 0 {
			n++
		}
	}
	return n
}

// focus is the registry entry whose batch the step at the cursor is about, or the
// last step that was about one; both worlds show the same. -1: there was none.
func (v *View) focus(r *worlds.Run) int {
	for k := r.Cursor(); k > 0; k-- {
		m := r.At(k)
		for i := range v.w.Models {
			for _, e := range m.Sides[i].Events {
				if entry := v.entryOf(r, k, i, e); entry >= 0 {
					return entry
				}
			}
		}
	}
	return -1
}

// entryOf is the registry entry that an event is about, or -1.
func (v *View) entryOf(r *worlds.Run, k, world int, e coalesce.Event) int {
	switch {
	case e.Kind == coalesce.Sealed || e.Kind == coalesce.Lost:
		return v.model().Sink(e.Thread)*coalesce.MaxIntervals + int(e.A)
	case e.Kind == coalesce.Opened || e.Kind == coalesce.Retained:
		return -1
	case e.Slot >= 0:
		for _, at := range []int{k, k - 1} {
			if id := r.At(at).Sides[world].State.Batches[e.Slot].Id; id != 0 {
				return int(id - 1)
			}
		}
		return -1
	}
	return int(e.Entry)
}

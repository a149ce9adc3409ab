package coalesce

import "math/bits"

// Where a thread is in its program, whether it can move, and its next step.

// Line is the index of the thread's next line in its program.
func (m *Model) Line(s *State, t Thread) int {
	switch t.Role() {
	case WriteTask:
		return m.writeLine(s, t)
	case BuilderTask:
		if m.Persist == WholePersist {
			return m.taskLine(s, t.Slot())
		}
		return s.Batches[t.Slot()].line()
	case Append:
		return m.appendLine(s, int(t-firstAppend))
	case Timely:
		return m.timelyLine(s, t)
	case Teardown, Mint, Replica, Uploads, Cleaner:
		return 0
	}
	return min(int(s.Sweeper), SweepRetain)
}

// Blocked is why the thread cannot move, or a zero Block.
func (m *Model) Blocked(s *State, t Thread) Block {
	if b := m.outside(s, t); b.Kind != Free {
		return b
	}
	return program(t)[m.Line(s, t)].ready(m, s, t)
}

// outside is the block of a thread that has no next line.
func (m *Model) outside(s *State, t Thread) Block {
	switch t.Role() {
	case WriteTask:
		return m.outsideTurn(s, t)
	case BuilderTask:
		return m.outsideTask(s, t)
	case Append:
		if m.appendOver(s, int(t-firstAppend)) {
			return Block{Kind: HasFinished}
		}
		if s.Torn&m.sinkTask[t-firstAppend] != 0 {
			return Block{Kind: TornDown}
		}
	case Timely:
		k := &s.Timely[t.WriteTask()]
		if k.Line >= skipPanicked {
			return Block{HasPanicked, int64(k.Line - skipPanicked)}
		}
		if m.Whole == WholeSink {
			if m.timelyOver(s, int(t.WriteTask())) {
				return Block{Kind: HasFinished}
			}
			// The operator goes with its write task, between two activations.
			if s.Torn>>t.WriteTask()&1 != 0 && k.Skip == 0 {
				return Block{Kind: TornDown}
			}
		} else if int(k.Done) == len(m.Tasks[t.WriteTask()].Skips) {
			return Block{Kind: HasFinished}
		}
	case Sweeper:
		switch s.Sweeper {
		case sweepOver:
			return Block{Kind: HasFinished}
		case sweepPanicked:
			return Block{HasPanicked, int64(PoisonedLock)}
		}
	case Teardown:
		if bits.OnesCount8(s.Torn) == len(m.tasks) {
			return Block{Kind: HasFinished}
		}
	case Mint:
		sink := int(t - firstMint)
		if int(s.Sinks[sink].Upper) == m.Intervals(sink) {
			return Block{Kind: HasFinished}
		}
		if s.Torn&m.sinkTask[sink] != 0 {
			return Block{Kind: TornDown}
		}
	case Replica:
		sink := int(t - firstReplica)
		if k := &s.Sinks[sink]; int(k.Upper) == m.Intervals(sink) || int(k.Replica) == m.Sinks[sink].Replica {
			return Block{Kind: HasFinished}
		}
	case Uploads:
		if _, _, ok := m.oldestUpload(s, int(t.UploadsOf())); !ok {
			return Block{Kind: NotSpawned}
		}
	case Cleaner:
		if _, _, ok := m.firstLeaked(s); !ok {
			return Block{Kind: NotSpawned}
		}
	}
	return Block{}
}

// outsideTurn is outside of a write task.
func (m *Model) outsideTurn(s *State, t Thread) Block {
	k := &s.Tasks[t]
	switch {
	case k.Panic != NoPanic:
		return Block{HasPanicked, int64(k.Panic)}
	case k.Line == lineStopped, k.Interval == m.tasks[t].intervals:
		return Block{Kind: HasFinished}
	case m.Whole == WholeSink && k.Command == 0 && k.Line == m.tasks[t].first && m.timelyOver(s, int(t)):
		return Block{Kind: HasFinished}
	}
	return Block{}
}

// outsideTask is outside of a builder task.
func (m *Model) outsideTask(s *State, t Thread) Block {
	b := &s.Batches[t.Slot()]
	switch {
	case b.Id == 0:
		if m.neverAgain(s, t) {
			return Block{Kind: HasFinished}
		}
		return Block{Kind: NotSpawned}
	case b.Panic != NoPanic:
		return Block{HasPanicked, int64(b.Panic)}
	case b.Gone:
		return Block{Kind: HasFinished}
	}
	return Block{}
}

// Unspawned tells cheaply of a builder task that no batch has it now, so that it cannot
// move; it is false of every other thread.
func (s *State) Unspawned(t Thread) bool {
	return t >= firstBuilder && t < firstAppend && s.Batches[t-firstBuilder].Id == 0
}

// neverAgain tells whether a free slot will stay free: its
// spawner is past the create of that parity and will not create there again.
func (m *Model) neverAgain(s *State, t Thread) bool {
	k := &s.Tasks[t.Spawner()]
	if k.Panic != NoPanic || k.Line == lineStopped {
		return true
	}
	left := m.Intervals(m.tasks[t.Spawner()].sink) - int(k.Interval)
	if k.Line > LineJoin {
		left--
	}
	return left <= 0 || left == 1 && (m.Intervals(m.tasks[t.Spawner()].sink)-1)&1 != t.Slot()&1
}

// Step performs the thread's next line on s and adds what happened to es, which
// may be nil. When the thread is blocked it returns the reason and changes nothing.
func (m *Model) Step(s *State, t Thread, es *Events) Block {
	// A search steps write tasks and builder tasks most of all.
	var line *Line
	switch {
	case t < firstBuilder:
		if b := m.outsideTurn(s, t); b.Kind != Free {
			return b
		}
		at := int(s.Tasks[t].Line)
		if s.Torn != 0 {
			at = m.writeLine(s, t)
		}
		line = &writeProgram[at]
	case t < firstAppend:
		if b := m.outsideTask(s, t); b.Kind != Free {
			return b
		}
		at := s.Batches[t-firstBuilder].line()
		if m.Persist == WholePersist {
			at = m.taskLine(s, t.Slot())
		}
		line = &builderProgram[at]
	default:
		if b := m.outside(s, t); b.Kind != Free {
			return b
		}
		line = &program(t)[m.Line(s, t)]
	}
	if b := line.ready(m, s, t); b.Kind != Free {
		return b
	}
	line.do(m, s, t, es)
	return Block{}
}

func free(*Model, *State, Thread) Block { return Block{} }

// CallOver tells whether the call that thread t began with line first is over: the
// next line is of another call, or begins a new one, or there is none.
func (m *Model) CallOver(s *State, t Thread, first int) bool {
	if m.outside(s, t).Kind != Free {
		return true
	}
	p := program(t)
	line := &p[m.Line(s, t)]
	return line.Call != p[first].Call || line.Starts
}

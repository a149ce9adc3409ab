package coalesce

import "math/bits"

// Dropping the dataflow: each write task is told to stop, in order, and stops at
// its next await, where its future is dropped and its handle with it. Builder tasks
// are never aborted.

func doTeardown(m *Model, s *State, t Thread, es *Events) {
	i := bits.OnesCount8(s.Torn)
	s.Torn |= 1 << i
	e := event(AbortAsked, t)
	e.A = int32(i)
	es.add(e)
}

// writeLine is the next line of a write task: the abort, once it was told to stop
// and stands at an await; else where its program is.
func (m *Model) writeLine(s *State, t Thread) int {
	line := min(int(s.Tasks[t].Line), LineAbort)
	if s.Torn>>t&1 == 0 {
		return line
	}
	switch line {
	case LineLock, LineOwnWrite, LinePush, LineAwait, LineWait, LineSendFinish, LineReply:
		return LineAbort
	}
	return line
}

func doAbort(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	if k.Handle != 0 {
		b := &s.Batches[k.Handle-1]
		b.Registered &^= 1 << t
		b.Notified &^= 1 << t
		m.dropHandle(s, t, es)
	}
	*k = Task{Interval: k.Interval, Line: lineStopped}
	es.add(event(Aborted, t))
	es.add(event(Done, t))
}

package coalesce

import "math/bits"

// Dropping the dataflow: each write task is told to stop, in order, and stops at
// its next await, where its future is dropped and its handle with it. Builder tasks
// are never aborted. The append goes with the last write task of its sink; on which
// worker it runs is not modelled.

func doTeardown(m *Model, s *State, t Thread, es *Events) {
	i := bits.OnesCount8(s.Torn)
	s.Torn |= 1 << i
	e := event(AbortAsked, t)
	e.A = int32(i)
	es.add(e)
	m.loseAnswer(s, i, es)
	sink := m.tasks[i].sink
	if m.sinkTask[sink]&^s.Torn == 0 {
		m.loseStaged(s, sink, es)
	}
}

// loseAnswer drops a Timely side's channel of answers. A batch in it is in its
// transmittable form, which counts as consumed: it leaks and nothing warns (facts.md O12).
func (m *Model) loseAnswer(s *State, i int, es *Events) {
	k := &s.Timely[i]
	if k.Response >= 2 {
		m.leak(s, AnswerLost, timelyOf(i), int(k.Response-2), int(k.InFlight-1), es)
	}
	k.Response = 0
}

// loseStaged drops what the append of a sink holds: each batch warns and leaks.
func (m *Model) loseStaged(s *State, sink int, es *Events) {
	k := &s.Sinks[sink]
	n := int(k.Upper)
	if m.Whole == WholeSink {
		n = int(k.Stash) - 1
	}
	for spawner := range m.tasks {
		if k.Staged>>spawner&1 != 0 {
			m.leak(s, Discarded, appendOf(sink), spawner, n, es)
		}
	}
	k.Staged, k.Stash = 0, 0
}

// leak loses the batch of a spawner and interval, and its blobs stay.
func (m *Model) leak(s *State, why EventKind, t Thread, spawner, n int, es *Events) {
	b := &s.Blobs[spawner][n]
	b.Status = Leaked
	e := event(why, t)
	e.Slot, e.Entry, e.Parts = int8(builderOf(spawner, n).Slot()), int8(entryOf(m.tasks[spawner].sink, n)), b.Parts
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
		s.Batches[k.Handle-1].forgetFuture(t)
		m.dropHandle(s, t, es)
	}
	*k = Task{Interval: k.Interval, Line: lineStopped}
	es.add(event(Aborted, t))
	es.add(event(Done, t))
}

package coalesce

// The sink around the mechanism, when all of it moves: mint makes descriptions,
// every worker's Timely side absorbs, starts and takes answers, the append waits for
// the capabilities, and another replica may seal first.
//
// A description's bounds are an interval of the set-up, so mint's desired frontier
// is always the end of the interval that the shard has reached. Descriptions reach a
// worker in order, so one that arrives is never older than the one it holds. The
// read-back reaches all workers in the line that moves the upper; a write task that
// has begun goes on with what it had read.

func readyMint(m *Model, s *State, t Thread) Block {
	sink := int(t - firstMint)
	if k := &s.Sinks[sink]; k.Minted>>k.Upper != 0 {
		return Block{Described, int64(k.Upper)}
	}
	return Block{}
}

// appendWorker is the worker whose append acts on the description of interval n: mint
// picks them round robin (facts.md 2.2). The append is one thread of a sink here,
// whichever worker it runs on, since its own place delays nobody.
func (m *Model) appendWorker(n uint8) int {
	return int(n) % (m.tasks[len(m.tasks)-1].worker + 1)
}

// doMint makes the description of the interval that the shard has reached and
// broadcasts it, with a fresh shared id, to every worker of every process.
func doMint(m *Model, s *State, t Thread, es *Events) {
	k := &s.Sinks[t-firstMint]
	k.Minted |= 1 << k.Upper
	e := event(Minted, t)
	e.A, e.B = int32(k.Upper), int32(m.appendWorker(k.Upper))
	es.add(e)
}

// nextAfter is the first minted interval at or after n; ok is false for none.
func nextAfter(minted, n uint8) (interval uint8, ok bool) {
	for i := n; i < MaxIntervals; i++ {
		if minted>>i&1 != 0 {
			return i, true
		}
	}
	return 0, false
}

// timelyLine is what one activation of a Timely side does next: finish a skip,
// absorb, take an answer, start.
func (m *Model) timelyLine(s *State, t Thread) int {
	i := t.WriteTask()
	k := &s.Timely[i]
	if m.Whole == ShortSink {
		return min(int(k.Line), SkipDrop)
	}
	if k.Skip != 0 {
		return min(int(k.Line), SkipDrop)
	}
	if _, ok := nextAfter(s.Sinks[m.tasks[i].sink].Minted, k.Absorbed); ok {
		return TimelyAbsorb
	}
	if k.Response != 0 {
		return TimelyRespond
	}
	return TimelyStart
}

// timelyOver tells whether a Timely side will never have anything to do again.
func (m *Model) timelyOver(s *State, i int) bool {
	k := &s.Timely[i]
	sink := m.tasks[i].sink
	if _, more := nextAfter(s.Sinks[sink].Minted, k.Absorbed); more {
		return false
	}
	return int(s.Sinks[sink].Upper) == m.Intervals(sink) && k.Held == 0 && k.InFlight == 0 && k.Skip == 0
}

// doAbsorb takes the next description. One that is held and not started is
// superseded: its capability is dropped, and with the barrier it is reported as
// skipped.
func doAbsorb(m *Model, s *State, t Thread, es *Events) {
	i := t.WriteTask()
	k := &s.Timely[i]
	n, _ := nextAfter(s.Sinks[m.tasks[i].sink].Minted, k.Absorbed)
	e := event(Absorbed, t)
	e.A = int32(n)
	es.add(e)
	if k.Held != 0 {
		e.Kind, e.A = Superseded, int32(k.Held-1)
		es.add(e)
		if m.Mode == Barrier && m.tasks[i].barrier {
			k.Skip = k.Held
		}
	}
	k.Absorbed = n + 1
	k.Held = n + 1
}

func readyStart(m *Model, s *State, t Thread) Block {
	if k := &s.Timely[t.WriteTask()]; k.InFlight != 0 || k.Held == 0 {
		return Block{Kind: NothingNew}
	}
	return Block{}
}

// doStart sends WriteBatch: the frontiers have passed the description's bounds,
// since it was minted at the shard's upper. One batch is in flight for each worker.
func doStart(m *Model, s *State, t Thread, es *Events) {
	i := t.WriteTask()
	k := &s.Timely[i]
	k.InFlight, k.Held = k.Held, 0
	s.Tasks[i].Command = k.InFlight
	e := event(Started, t)
	e.A = int32(k.InFlight - 1)
	es.add(e)
}

// doRespond takes the write task's answer and gives a batch on to the append at the
// retained capability, which is dropped either way. The append deletes a batch whose
// lower it has left behind.
func doRespond(m *Model, s *State, t Thread, es *Events) {
	i := t.WriteTask()
	k := &s.Timely[i]
	n := k.InFlight - 1
	sink := &s.Sinks[m.tasks[i].sink]
	e := event(Responded, t)
	e.A = int32(n)
	if k.Response >= 2 {
		spawner := k.Response - 2
		b := &s.Blobs[spawner][n]
		e.Parts = b.Parts
		es.add(e)
		if newest := max(sink.Desc, sink.Stash, sink.Taken); newest > n+1 {
			b.Status = Deleted
			e.Kind = Outdated
			es.add(e)
		} else {
			if sink.Stash != 0 && sink.Stash < n+1 {
				m.deleteStaged(s, t, int(sink.Stash-1), Outdated, es)
			}
			sink.Stash = n + 1
			sink.Staged |= 1 << spawner
		}
	} else {
		es.add(e)
	}
	k.InFlight, k.Response = 0, 0
}

// appendLine is the append's next line: take a description that has come, else append.
func (m *Model) appendLine(s *State, sink int) int {
	if m.Whole == ShortSink {
		return LineAppend
	}
	if _, ok := nextAfter(s.Sinks[sink].Minted, s.Sinks[sink].Taken); ok {
		return LineTake
	}
	return LineAppend
}

// doTake makes a description the one to append. Batches staged for an older one are
// deleted.
func doTake(m *Model, s *State, t Thread, es *Events) {
	k := &s.Sinks[t-firstAppend]
	n, _ := nextAfter(k.Minted, k.Taken)
	if k.Stash != 0 && k.Stash < n+1 {
		m.deleteStaged(s, t, int(k.Stash-1), Outdated, es)
		k.Stash = 0
	}
	k.Taken, k.Desc = n+1, n+1
	e := event(TookDescription, t)
	e.A = int32(n)
	es.add(e)
}

// readyFrontier is whether the frontier of batches has passed the description's
// lower: no Timely side of any process holds a capability at or before it, or has
// still to absorb it.
func (m *Model) readyFrontier(s *State, sink int) Block {
	d := s.Sinks[sink].Desc
	if d == 0 {
		return Block{Kind: NoDescription}
	}
	var holds int64
	for i := range m.tasks {
		k := &s.Timely[i]
		if m.tasks[i].sink != sink {
			continue
		}
		if k.Absorbed < d || k.Held != 0 && k.Held <= d || k.InFlight != 0 && k.InFlight <= d {
			holds |= 1 << i
		}
	}
	if holds != 0 {
		return Block{Capability, holds}
	}
	return Block{}
}

// appendOver tells whether the append will never have anything to do again.
func (m *Model) appendOver(s *State, sink int) bool {
	k := &s.Sinks[sink]
	if int(k.Upper) < m.Intervals(sink) {
		return false
	}
	if m.Whole == ShortSink {
		return true
	}
	if _, more := nextAfter(k.Minted, k.Taken); more || k.Desc != 0 {
		return false
	}
	return true
}

// doReplica seals the interval that the shard has reached with what the view should
// contain there, corrections of earlier intervals included: the other replica
// computes the same view. This replica's append of it will be a mismatch.
func doReplica(m *Model, s *State, t Thread, es *Events) {
	sink := int(t - firstReplica)
	k := &s.Sinks[sink]
	n := k.Upper
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink == sink && m.parts[p].interval <= int(n) && s.Sealed[p] == 0 {
			s.Sealed[p] = n + 1
		}
	}
	k.Upper++
	k.Replica++
	e := event(ReplicaSealed, t)
	e.A = int32(n)
	es.add(e)
}

// doOwnWrite is the path without sharing: a worker writes its corrections into a
// batch of its own and uploads it. Nobody else can see the batch before the answer,
// so its adds and its flush are one line.
func doOwnWrite(m *Model, s *State, t Thread, es *Events) {
	m.begin(s, t, es)
	k := &s.Tasks[t]
	list, n := m.due(s, int(t))
	var ps Parts
	for _, p := range list[:n] {
		ps |= 1 << p
	}
	if ps != 0 {
		e := event(Uploaded, t)
		e.Entry, e.Parts = int8(entryOf(m.tasks[t].sink, int(k.Interval))), ps
		if m.Persist == WholePersist {
			m.touch(s, t, m.tasks[t].sink, m.process(t), OwnLabel, es)
			m.ownFlushes(s, t, list[:n], es)
		} else {
			m.put(s, int(t), int(k.Interval), ps, InFlight)
			es.add(e)
		}
		e.Kind = WroteOwn
		es.add(e)
	}
	k.Line = LineOwnAnswer
}

func doOwnAnswer(m *Model, s *State, t Thread, es *Events) {
	n := s.Tasks[t].Interval
	b := &s.Blobs[t][n]
	slot := 2*int(t) + int(n&1)
	if b.Status == InFlight && b.Given == 0 {
		m.deliver(s, t, slot, b.Parts, es)
		return
	}
	m.answerNone(s, t, slot, NothingToWrite, es)
}

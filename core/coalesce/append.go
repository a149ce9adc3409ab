package coalesce

// The append of one sink: it waits for every participant's answer and seals.

func readyAppend(m *Model, s *State, t Thread) Block {
	sink := int(t - firstAppend)
	if missing := m.sinkTask[sink] &^ s.Sinks[sink].Answered; missing != 0 {
		return Block{Unanswered, int64(missing)}
	}
	return Block{}
}

// doAppend seals the open interval with whatever batches were handed over, lets
// the read-back reach every worker and raises the corrections that are still
// held. All of it is one line: the append is a single compare-and-set in the
// original, and what follows from it can be seen only through the next interval,
// which opens with the new upper.
func doAppend(m *Model, s *State, t Thread, es *Events) {
	sink := int(t - firstAppend)
	k := &s.Sinks[sink]
	n := int(k.Upper)
	upper := m.Sinks[sink].Bounds[n+1]
	var in, late Parts
	for spawner := range m.tasks {
		if k.Staged>>spawner&1 == 0 {
			continue
		}
		b := &s.Blobs[spawner][n]
		b.Status = Referenced
		in |= b.Parts
	}
	for _, p := range in.List() {
		// Times at or beyond the upper are cut by the batch's bounds.
		if m.timeIn(p, n) < upper {
			s.Sealed[p] = uint8(n) + 1
		}
	}
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink == sink && m.parts[p].interval <= n && s.Sealed[p] == 0 {
			late |= 1 << p
		}
	}
	k.Upper++
	k.Answered, k.Staged = 0, 0
	e := event(Sealed, t)
	e.A, e.Parts = int32(n), in
	es.add(e)
	if late != 0 {
		e.Kind, e.Parts = Lost, late
		es.add(e)
		e.Kind, e.A = Raised, int32(upper)
		es.add(e)
	}
	if int(k.Upper) == m.Intervals(sink) {
		es.add(event(Done, t))
	}
}

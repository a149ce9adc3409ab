package view

import "sharedbatches/core/coalesce"

// tales tells each kind of event: a lead without its full stop, and what came of it,
// which is another text where the event's A is 1 or 0. See [View.phrase] for the
// places that are filled in.
var tales = [...]struct{ lead, body, one, zero string }{
	coalesce.SweepTested:  {"$w asks whether the registry needs a sweep", "", "", ""},
	coalesce.ProbeTook:    {"$w’s sweep probes $e", "the probe takes hold of the batch, $>: the sweep has a temporary of its own now.", "", ""},
	coalesce.ProbeLoaded:  {"$w’s sweep probes $e", "the probe reads the count, $a, and holds nothing.", "", "the probe reads the count, 0: this batch is gone."},
	coalesce.ProbeMissed:  {"$w’s sweep probes $e", "the batch is gone, so there is nothing to take hold of.", "", ""},
	coalesce.ProbeDropped: {"$w’s sweep ends its probe of $e", "the sweep lets go, $>", "", ""},
	coalesce.ProbeKept:    {"$w’s sweep ends its probe of $e", "the sweep had read $a, and $a > 0: $e stays in the map, and no batch was touched.", "", ""},
	coalesce.ProbeDead:    {"$w’s sweep ends its probe of $e", "$e is dead: its entry will be removed.", "", ""},
	coalesce.Retained:     {"$w’s sweep removes the dead entries", "", "", ""},
	coalesce.Created:      {"$w starts batch $e", "There is no living batch $e, so $w creates one and has its only handle, $>. It starts builder task $k and unlocks the registry.", "", ""},
	coalesce.Joined:       {"$w joins batch $e", "", "", ""},
	coalesce.Pushed:       {"$w pushes $p", "The part, $s, waits for $k in the channel, slot $b of 4.", "", ""},
	coalesce.Closed:       {"$w closes the channel", "No more parts can come. What is queued stays readable, and $k finishes after it.", "", ""},
	coalesce.AnsweredSome: {"$w receives the batch", "$k hands over $p, and $w answers the append with **Some(batch)**.", "", ""},
	coalesce.AnsweredNone: {"$w answers None", "Nothing was pushed, so $k has no batch: the normal **None**.", "", ""},

	coalesce.Tried:         {"$w tries to take the state", "The count is $a, not 1: it does not get the state and must drop its handle in a step of its own.", "The count is 1: $w is the last one out and takes it.", ""},
	coalesce.HandleDropped: {"$w drops its handle", "$>.", "", ""},
	coalesce.Arrived:       {"$w reports to the barrier", "Reports still missing: $>", "", ""},
	coalesce.NotifiedAll:   {"$w wakes the waiters", "$a waiters are woken.", "1 waiter is woken.", "Nobody had registered yet, so nobody is woken, and the wakeup is not kept."},
	coalesce.Registered:    {"$w registers for the wakeup", "From now on a wakeup reaches it, even before it waits.", "", ""},
	coalesce.TestedFinal:   {"$w asks whether everybody has reported", "Not yet.", "Yes: it goes on.", ""},
	coalesce.Woke:          {"$w is woken", "It looks again whether everybody has reported.", "", ""},
	coalesce.Chosen:        {"$w asks who delivers", "Another writer reported after it, so $w gets **None** and drops its handle.", "It was the last writer to report: $w delivers.", ""},
	coalesce.FinishSent:    {"$w sends Finish", "It is queued behind every part, in slot $b of 4.", "", ""},
	coalesce.SkipLooked:    {"$w looks up the batch that its worker skips", "It takes the registry lock and, for a moment, a temporary: $>.", "It takes the registry lock and, for a moment, a temporary: $>.", "It takes the registry lock; nobody has opened this batch yet."},
	coalesce.SkipNoted:     {"$w notes a skip", "Nobody has opened the batch: the registry remembers $a of $b skips for whoever opens it.", "", ""},
	coalesce.SkipDropped:   {"$w is done with a skip", "$>: the temporary is dropped, and the registry is unlocked.", "", ""},
	coalesce.Unlocked:      {"$w is done with a skip", "It unlocks the registry.", "", ""},
	coalesce.AbortAsked:    {"The dataflow is dropped: $t is told to stop", "It stops the next time it waits for something.", "", ""},
	coalesce.Aborted:       {"$w stops", "It held no handle.", "", ""},

	// The sink around the mechanism.
	coalesce.Mismatched:      {"$w finds $i of $x sealed already", "Another replica was first, with the same contents.", "", ""},
	coalesce.Minted:          {"$w makes the description $i", "", "", ""},
	coalesce.Absorbed:        {"$w takes the description $i", "It keeps it, with the right to write at that time.", "", ""},
	coalesce.Started:         {"$w starts $i", "It tells its write task to write this interval.", "", ""},
	coalesce.Responded:       {"$w takes the answer for $i", "It is None: nothing is given to the append.", "", ""},
	coalesce.TookDescription: {"$w takes the description $i", "It will append this interval once every worker is done with it.", "", ""},
	coalesce.Outdated:        {"$w deletes what came too late", "The batches staged for $i are of no use any more.", "", ""},
	coalesce.ReplicaSealed:   {"Another replica seals $i", "It computes the same view, so the contents are right; this replica’s append of it will fail.", "", ""},
	coalesce.WroteOwn:        {"$w writes a batch of its own", "One PUT of $s, $p; nobody shares it.", "", ""},
}

// phrase fills in what a template of tales leaves open about an event.
func (v *View) phrase(template string, m moment, t coalesce.Thread, e coalesce.Event) string {
	var o out
	for i := 0; i < len(template); i++ {
		if template[i] != '$' {
			o.WriteByte(template[i])
			continue
		}
		i++
		word := ""
		switch template[i] {
		case 'w': // who moved
			word = v.name(t)
		case 't': // the thread that A names
			word = v.name(coalesce.Thread(e.A))
		case 'k':
			word = v.name(coalesce.Builder(int(e.Slot)))
		case 'e':
			word = v.entryName(m, int(e.Entry))
		case 'i': // the interval that A names
			word = v.span(v.model().Sink(t), int(e.A))
		case 'x':
			word = v.sinkOf(t)
		case 'a':
			word = itoa(int(e.A))
		case 'b':
			word = itoa(int(e.B))
		case '>':
			word = arrow(e.A, e.B)
		case 'p':
			word = v.partsOf(e.Parts)
		case 's':
			bytes, _ := v.model().Sizes(e.Parts)
			word = size(bytes)
		}
		o.put(word)
	}
	return o.String()
}

// tale tells an event, with what other events of the step add to it; own is for a
// worker with a batch of its own.
func (v *View) tale(m moment, i int, es events, e coalesce.Event, own bool) (lead, body string, ok bool) {
	if int(e.Kind) >= len(tales) || tales[e.Kind].lead == "" {
		return "", "", false
	}
	t := &tales[e.Kind]
	lead, body = t.lead, t.body
	switch {
	case e.A == 1 && t.one != "":
		body = t.one
	case e.A == 0 && t.zero != "":
		body = t.zero
	}
	d, dead := es.find(coalesce.Destroyed)
	tail := ""
	if dead && (e.Kind == coalesce.HandleDropped || e.Kind == coalesce.SkipDropped || e.Kind == coalesce.Chosen) {
		tail = " It was the last reference: the batch dies, without data."
		if d.Parts != 0 {
			tail = " It was the last reference: the batch dies with " + v.partsOf(d.Parts) + " in it, **orphaned**."
		}
	}
	switch e.Kind {
	case coalesce.SweepTested:
		now := count(int(e.A), "entry", "entries")
		body = now + " now, $b kept by the last sweep: $a > 2 × $b is false, so there is no sweep."
		if e.A > 2*e.B {
			body = "$w first sweeps the registry: it has grown (" + now + ", $b kept by the last sweep: $a > 2 × $b)."
		}
	case coalesce.ProbeDropped:
		switch {
		case !dead:
			tail = ": $e stays in the map."
		case d.Parts != 0:
			tail = ": it held the last reference. The batch dies with " + v.partsOf(d.Parts) + " in it: **orphaned**."
		default:
			tail = ": it held the last reference. The batch dies; it had no data yet."
		}
	case coalesce.WroteOwn:
		if v.model().Persist == coalesce.WholePersist {
			puts := 0
			for _, x := range es {
				if x.Kind == coalesce.Uploaded {
					puts++
				}
			}
			body = "It has $s, $p, and costs " + count(puts, "PUT", "PUTs") + "; nobody shares it."
		}
	case coalesce.Retained:
		body = v.tellRetain(e)
		if _, done := es.find(coalesce.Unlocked); done {
			tail = " $w gives the lock back and is done."
		}
	case coalesce.Joined:
		body = "$>" + v.joined(&m.Sides[i].State, m.Thread, int(e.Slot)) + " It unlocks the registry."
	case coalesce.Pushed:
		part, _ := v.model().Part(e.Parts.List()[0])
		if n := v.intervalOf(m, m.Thread, e); n > part.Interval {
			lower, _ := v.model().Interval(v.model().Sink(m.Thread), n)
			body = filled("They are the correction: their time was $, which is sealed, so they carry time $ now.", itoa64(part.At), itoa64(lower))
		}
	case coalesce.AnsweredSome, coalesce.AnsweredNone:
		switch {
		case own && e.Parts != 0:
			lead, body = "$w answers with its batch", "**Some(batch)**: $p go to the append."
		case own:
			body = "It had nothing to write: the normal **None**."
		}
		if _, gone := es.find(coalesce.Unsent); gone {
			tail = " Its Timely side is gone, so nobody takes the answer, and the batch is deleted."
		}
	case coalesce.AbortAsked:
		if lost, ok := es.find(coalesce.AnswerLost); ok {
			tail = " An answer that its Timely side had not taken is lost with it: " + v.partsOf(lost.Parts) + " are stored, nothing refers to them, and not even a warning is logged."
		} else if _, ok := es.find(coalesce.Discarded); ok {
			tail = " The append goes too; what was handed to it is leaked, with a warning in the log."
		}
	case coalesce.HandleDropped:
		if _, stopped := es.find(coalesce.Aborted); stopped {
			lead = "$w stops and drops its handle"
		}
		if _, found := es.find(coalesce.AnsweredNone); found {
			body = "$>: $w gets **None**."
		}
	case coalesce.SkipDropped:
		if dead && d.Parts == 0 {
			tail = ""
		}
	case coalesce.Arrived:
		tail = "."
		if m.Thread.Role() == coalesce.Timely {
			lead = "$w reports a skip to the barrier"
		} else {
			tail = ". $w is the last writer so far: it would deliver."
		}
		if _, all := es.find(coalesce.Finalized); all {
			tail = ": everybody has reported."
			if n, woken := es.find(coalesce.NotifiedAll); woken {
				_, says, _ := v.tale(m, i, nil, n, false)
				tail += " " + says
			}
		}
	case coalesce.Mismatched:
		if e.Parts != 0 {
			tail = " What was brought for it is deleted."
		}
	case coalesce.Minted:
		body = filled("It goes out to every worker, with the id that they share: this is the interval to write next. The append on worker $ is to seal it.", string(rune('A'+e.B)))
	case coalesce.Absorbed:
		if old, dropped := es.find(coalesce.Superseded); dropped {
			body = v.phrase("The one it had not started yet, $i, is superseded and dropped.", m, m.Thread, old)
		}
	case coalesce.Responded:
		if e.Parts != 0 {
			body = "The batch of $p goes to the append."
		}
		if _, late := es.find(coalesce.Outdated); late {
			tail = " A batch that comes too late for its interval is deleted."
		}
	}
	return v.phrase(lead, m, m.Thread, e), upperIf(v.phrase(body+tail, m, m.Thread, e), e.Kind > coalesce.ProbeDead), true
}

// upperIf starts a sentence, where it may not go on after "With ...,".
func upperIf(s string, upper bool) string {
	if upper {
		return upperFirst(s)
	}
	return s
}

func (v *View) tellRetain(e coalesce.Event) string {
	kept, removed := count(int(e.A), "entry stays", "entries stay"), count(int(e.B), "is removed", "are removed")
	if e.B == 0 {
		removed = "none is removed"
	}
	if e.A == 0 {
		kept = "No entry stays"
	}
	return mixed("$, $; last_retained_len is #.", ints{int(e.A)}, kept, removed)
}

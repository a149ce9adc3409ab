package view

import "sharedbatches/core/coalesce"

// tellBarrier tells a step of the barrier, of a skip, of try_unwrap or of a
// teardown; ok is false for an event that is none of them.
func (v *View) tellBarrier(m moment, es events, e coalesce.Event) (lead, body string, ok bool) {
	who := v.model().Name(m.Thread)
	waiters := func(n int32) string {
		if n == 0 {
			return "nobody had registered yet, so nobody is woken, and the wakeup is not kept"
		}
		return count(int(n), "waiter is woken", "waiters are woken")
	}
	switch e.Kind {
	case coalesce.Tried:
		lead = who + " tries to take the state"
		if e.A == 1 {
			return lead, "The count is 1: " + who + " is the last one out and takes it.", true
		}
		return lead, "The count is " + itoa(int(e.A)) + ", not 1: it does not get the state and must drop its handle in a step of its own.", true
	case coalesce.HandleDropped:
		if _, received := es.find(coalesce.AnsweredSome); received {
			return "", "", false
		}
		lead, body = who+" drops its handle", arrow(e.A, e.B)+"."
		if _, stopped := es.find(coalesce.Aborted); stopped {
			lead = who + " stops and drops its handle"
		}
		if _, found := es.find(coalesce.AnsweredNone); found {
			body = arrow(e.A, e.B) + ": " + who + " gets **None**."
		}
		if d, dead := es.find(coalesce.Destroyed); dead && d.Parts != 0 {
			body += " It was the last reference: the batch dies with " + v.partsOf(d.Parts) + " in it, **orphaned**."
		} else if dead {
			body += " It was the last reference: the batch dies, without data."
		}
		return lead, body, true
	case coalesce.Arrived:
		lead = who + " reports to the barrier"
		body = "Reports still missing: " + arrow(e.A, e.B) + "."
		if m.Thread.Role() == coalesce.Timely {
			lead = who + " reports a skip to the barrier"
		} else {
			body += " " + who + " is the last writer so far: it would deliver."
		}
		if _, all := es.find(coalesce.Finalized); all {
			body = "Reports still missing: " + arrow(e.A, e.B) + ": everybody has reported."
			if n, woken := es.find(coalesce.NotifiedAll); woken {
				body += " " + upperFirst(waiters(n.A)) + "."
			}
		}
		return lead, body, true
	case coalesce.NotifiedAll:
		return who + " wakes the waiters", upperFirst(waiters(e.A)) + ".", true
	case coalesce.Registered:
		return who + " registers for the wakeup", "A wakeup from now on reaches it, even before it waits.", true
	case coalesce.TestedFinal:
		lead = who + " asks whether everybody has reported"
		if e.A == 1 {
			return lead, "Yes: it goes on.", true
		}
		return lead, "Not yet.", true
	case coalesce.Woke:
		return who + " is woken", "It looks again whether everybody has reported.", true
	case coalesce.Chosen:
		lead = who + " asks who delivers"
		if e.A == 1 {
			return lead, "It was the last writer to report: " + who + " delivers.", true
		}
		return lead, "Another writer reported after it, so " + who + " gets **None** and drops its handle.", true
	case coalesce.FinishSent:
		return who + " sends Finish", "It is queued behind every part; " + itoa(int(e.B)) + " of " + itoa(coalesce.ChannelSlots) + " slots are used.", true
	case coalesce.SkipLooked:
		lead = who + " looks up the batch that its worker skips"
		if e.Slot >= 0 {
			return lead, "It takes the registry lock and, for a moment, a temporary: " + arrow(e.A, e.B) + ".", true
		}
		return lead, "It takes the registry lock; nobody has opened this batch yet.", true
	case coalesce.SkipNoted:
		return who + " notes a skip", "Nobody has opened the batch: the registry remembers " + itoa(int(e.A)) + " of " + itoa(int(e.B)) + " skips for whoever opens it.", true
	case coalesce.SkipDropped:
		body = arrow(e.A, e.B) + ": the temporary is dropped, and the registry is unlocked."
		if d, dead := es.find(coalesce.Destroyed); dead && d.Parts != 0 {
			body += " It was the last reference: the batch dies with " + v.partsOf(d.Parts) + " in it, **orphaned**."
		}
		return who + " is done with a skip", body, true
	case coalesce.Unlocked:
		if m.Thread.Role() == coalesce.Timely {
			return who + " is done with a skip", "It unlocks the registry.", true
		}
	case coalesce.AbortAsked:
		return "The dataflow is dropped: " + v.model().Name(coalesce.Thread(e.A)) + " is told to stop", "It stops the next time it waits for something.", true
	case coalesce.Aborted:
		return who + " stops", "It held no handle.", true
	case coalesce.Mismatched:
		lower, upper := v.model().Interval(v.model().Sink(m.Thread), int(e.A))
		lead = who + " finds " + span(lower, upper) + " of " + v.model().SinkName(v.model().Sink(m.Thread)) + " sealed already"
		body = "Another replica was first, with the same contents."
		if e.Parts != 0 {
			body += " What was brought for it is deleted."
		}
		return lead, body, true
	}
	return v.tellSink(m, es, e)
}

// tellSink tells a step of the sink around the mechanism: mint, Timely sides, the
// append's bookkeeping, another replica, and the path without sharing.
func (v *View) tellSink(m moment, es events, e coalesce.Event) (lead, body string, ok bool) {
	who := v.model().Name(m.Thread)
	bounds := ""
	if sink := v.model().Sink(m.Thread); sink >= 0 && e.A >= 0 && int(e.A) < v.model().Intervals(sink) {
		bounds = span(v.model().Interval(sink, int(e.A)))
	}
	switch e.Kind {
	case coalesce.Minted:
		return who + " makes the description " + bounds, "It goes out to every worker: this is the interval to write next.", true
	case coalesce.Absorbed:
		body = "It keeps it, with the right to write at that time."
		if old, dropped := es.find(coalesce.Superseded); dropped {
			body = "The one it had not started yet, " + span(v.model().Interval(v.model().Sink(m.Thread), int(old.A))) + ", is superseded and dropped."
		}
		return who + " takes the description " + bounds, body, true
	case coalesce.Started:
		return who + " starts " + bounds, "It tells its write task to write this interval.", true
	case coalesce.Responded:
		body = "It is None: nothing is given to the append."
		if e.Parts != 0 {
			body = "The batch of " + v.partsOf(e.Parts) + " goes to the append."
		}
		if _, late := es.find(coalesce.Outdated); late {
			body += " A batch that comes too late for its interval is deleted."
		}
		return who + " takes the answer for " + bounds, body, true
	case coalesce.TookDescription:
		return who + " takes the description " + bounds, "It will append this interval once every worker is done with it.", true
	case coalesce.Outdated:
		return who + " deletes what came too late", "The batches staged for " + bounds + " are of no use any more.", true
	case coalesce.ReplicaSealed:
		return "Another replica seals " + bounds, "It computes the same view, so the contents are right; this replica’s append of it will fail.", true
	case coalesce.Uploaded:
		if _, own := es.find(coalesce.WroteOwn); own {
			bytes, updates := v.model().Sizes(e.Parts)
			return who + " writes a batch of its own", "One PUT of " + size(bytes) + ", " + count(updates, "update", "updates") + "; nobody shares it.", true
		}
	}
	return "", "", false
}

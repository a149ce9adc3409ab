package view

import "sharedbatches/core/coalesce"

// persistLeads begins the sentences about windows, flushes, uploads and the cleaner.
var persistLeads = [...]string{
	coalesce.Received:     "$w receives a part of $p",
	coalesce.Added:        "$w adds the part in its hand",
	coalesce.Flushed:      "$w flushes its window, $p",
	coalesce.FinishedFull: "$w finishes",
	coalesce.Uploaded:     "$w completes an upload",
	coalesce.Cleaned:      "$w deletes a leaked object",
}

// tellPersist tells a step of a builder task that flushes, of an upload or of the
// cleaner. Its first event says what it was.
func (v *View) tellPersist(m moment, i int, es events) (lead, body string) {
	model, s, e := v.w.Models[i], &m.Sides[i].State, es[0]
	switch e.Kind {
	case coalesce.Received, coalesce.Added:
		bytes, _ := model.Sizes(model.Window(s, m.Thread.Slot()))
		body = "Its window has " + size(bytes) + " of " + size(model.Target)
		switch b := &s.Batches[m.Thread.Slot()]; {
		case b.Hand != 0:
			body = "It does not fit into the window, which must be flushed first: the part stays in its hand"
		case bytes > model.Target:
			body += ": it will be flushed alone, for a part is never split"
		case b.Destroyed():
			body += ". Nobody holds the batch any more; $w does not know that and works on"
		}
		body += ". Evaluations of goodbytes: $a." + v.labelled(es)
	case coalesce.Flushed:
		body = "It makes one part of $s and starts its upload."
		if e.B != 0 {
			body = "$s are below the inline limit: no PUT, the part travels in the shard’s metadata."
		}
	case coalesce.FinishedFull:
		body = "It is all stored, in runs: $a. The batch is ready for its owner."
		if _, lost := es.find(coalesce.Discarded); lost {
			body = "It is all stored. **Nobody is left to receive it**: the batch is dropped with a warning, its objects stay."
		}
	case coalesce.Uploaded:
		body = "One PUT of $s, $p."
		_, n := coalesce.EntryInterval(int(e.Entry))
		if s.Blobs[m.Thread.UploadsOf()][n].Status == coalesce.Abandoned {
			body += " **Nobody refers to it**: its builder task has panicked."
		}
	default:
		body = "$s, $p, are gone from the blob store. What a reader misses stays missing."
	}
	return v.phrase(persistLeads[e.Kind], m, m.Thread, e), v.phrase(body, m, m.Thread, e)
}

// labelled says under which name the shard's costs are counted, when a step decides it.
func (v *View) labelled(es events) string {
	if e, ok := es.find(coalesce.Labelled); ok {
		return " The first to touch the shard names its metrics: " + coalesce.MetricsLabel(e.A).String() + "."
	}
	return ""
}

package coalesce

import (
	"strconv"
	"strings"

	"sharedbatches/core/brief"
)

var eventNames = [eventKindCount]string{
	Locked: "locked", SweepTested: "sweep test", ProbeTook: "took", ProbeMissed: "missed",
	ProbeLoaded: "loaded", ProbeDropped: "dropped", ProbeKept: "kept", ProbeDead: "dead",
	Destroyed: "destroyed", Retained: "retained", Created: "created", Joined: "joined",
	Unlocked: "unlocked", Opened: "opened", Pushed: "pushed", Decremented: "into_inner",
	Took: "took the state", Closed: "closed", Received: "received", Uploaded: "PUT",
	FinishedFull: "finished", FinishedNone: "finished empty", Discarded: "discarded, un-consumed batch",
	AnsweredNone: "answered None", AnsweredSome: "answered batch", Sealed: "sealed", Lost: "sealed without",
	Raised: "raised", Panicked: "panicked", Done: "done",
	Tried: "try_unwrap", HandleDropped: "handle dropped", Arrived: "arrived", Finalized: "finalized",
	NotifiedAll: "notified", Registered: "registered", TestedFinal: "finalized?", Woke: "woke",
	Chosen: "deliverer?", FinishSent: "sent Finish", SkipLooked: "looked up", SkipNoted: "pending skips",
	SkipDropped: "dropped", AbortAsked: "abort", Aborted: "aborted", Mismatched: "mismatch, deleted",
	Minted: "minted", Absorbed: "absorbed", Superseded: "superseded", Started: "WriteBatch", Responded: "capability dropped",
	Outdated: "outdated, deleted", TookDescription: "holds description", ReplicaSealed: "other replica sealed", WroteOwn: "wrote own batch",
	AnswerLost: "answer lost", Unsent: "not sent, deleted",
	Flushed: "flushed", Added: "added", Labelled: "metrics are counted under", Cleaned: "deleted",
}

// Describe is an event in the short form of traces, such as "took Y1 1->2". It is
// stable: golden traces hold it.
func (m *Model) Describe(e Event) string {
	var b strings.Builder
	b.WriteString(eventNames[e.Kind])
	if e.Entry >= 0 {
		sink, n := EntryInterval(int(e.Entry))
		b.WriteString(" " + m.SinkName(sink) + strconv.Itoa(n+1))
	} else if e.Slot >= 0 {
		b.WriteString(" " + m.names[Builder(int(e.Slot))])
	}
	switch e.Kind {
	case SweepTested:
		b.WriteString(brief.Sprintf(" %d > 2*%d", e.A, e.B))
	case ProbeTook, ProbeDropped, Joined, Created, Decremented, HandleDropped, Arrived, SkipLooked, SkipDropped:
		b.WriteString(brief.Sprintf(" %d->%d", e.A, e.B))
	case ProbeLoaded, NotifiedAll, TestedFinal, Chosen, Tried:
		b.WriteString(brief.Sprintf(" %d", e.A))
	case Retained:
		b.WriteString(brief.Sprintf(" %d, removed %d", e.A, e.B))
	case Opened:
		b.WriteString(brief.Sprintf(" interval %d with %d to push", e.A+1, e.B))
	case SkipNoted:
		b.WriteString(brief.Sprintf(" %d of %d", e.A, e.B))
	case AbortAsked:
		b.WriteString(" " + m.names[e.A])
	case Pushed, FinishSent:
		b.WriteString(brief.Sprintf(", %d queued", e.B))
	case AnsweredNone:
		b.WriteString([...]string{", others deliver", ", only the sweep is left", ", nothing to write", ", not the deliverer"}[e.A])
	case Sealed, Lost, Mismatched, Minted, Absorbed, Superseded, Started, Responded, Outdated, TookDescription, ReplicaSealed:
		b.WriteString(brief.Sprintf(" interval %d", e.A+1))
		if e.Kind == Minted {
			b.WriteString(", append worker " + string(rune('A'+e.B)))
		}
	case Flushed:
		b.WriteString(brief.Sprintf(" part %d", e.A+1))
		if e.B != 0 {
			b.WriteString(" inline")
		}
	case Uploaded:
		if e.A > 0 {
			b.WriteString(brief.Sprintf(" part %d", e.A+1))
		}
	case Received, Added:
		if e.A > 0 {
			b.WriteString(brief.Sprintf(", goodbytes asked %d times,", e.A))
		}
	case Labelled:
		b.WriteString(" " + MetricsLabel(e.A).String())
	case Cleaned:
		b.WriteString(" " + m.names[e.B] + brief.Sprintf("’s object %d", e.A+1))
	case Raised:
		b.WriteString(brief.Sprintf(" to %d", e.A))
	case Panicked:
		b.WriteString(": " + Panic(e.A).String())
	}
	if e.Parts != 0 {
		b.WriteString(brief.Sprintf(" parts %v", e.Parts.List()))
	}
	return b.String()
}

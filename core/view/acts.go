package view

import (
	"math/bits"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// acts says of every line what a press of its button does, and what comes next with
// its numbers, where that is said otherwise. See [View.phrase].
var acts = [...][]struct{ act, next string }{
	coalesce.WriteTask: {
		coalesce.LineLock:       {"open $x, lock the registry", "lock the registry"},
		coalesce.LineTest:       {"is a sweep due?", "test $a > 2 × $b"},
		coalesce.LineProbeBegin: {"sweep, take hold of $e", "take hold of $e, $>"},
		coalesce.LineProbeEnd:   {"sweep, let go of $e", "let go of $e, $>"},
		coalesce.LineRetain:     {"sweep, remove dead entries", "remove dead entries"},
		coalesce.LineJoin:       {"create batch $x, unlock", ""},
		coalesce.LinePush:       {"push $p", ""},
		coalesce.LineIntoInner:  {"finish $x", "give the handle back, $>"},
		coalesce.LineClose:      {"close the channel", ""},
		coalesce.LineAwait:      {"take the result", "take $k’s result"},
		coalesce.LineTryUnwrap:  {"try to take the state", "try: the count is $a"},
		coalesce.LineDropHandle: {"drop the handle", "drop the handle, $>"},
		coalesce.LineArrive:     {"report to the barrier", "report, missing $>"},
		coalesce.LineNotify:     {"wake the waiters", ""},
		coalesce.LineRegister:   {"register for the wakeup", ""},
		coalesce.LineTestFinal:  {"has everybody reported?", ""},
		coalesce.LineWait:       {"wait for the wakeup", "wake up, look again"},
		coalesce.LineChosen:     {"who delivers?", ""},
		coalesce.LineSendFinish: {"send Finish", ""},
		coalesce.LineReply:      {"take the reply", "take $k’s reply"},
		coalesce.LineOwnWrite:   {"write a batch of its own", ""},
		coalesce.LineOwnAnswer:  {"answer", ""},
		coalesce.LineAbort:      {"stop, drop what it holds", ""},
	},
	coalesce.BuilderTask: {
		coalesce.LineReceive:       {"receive the part", "receive $p"},
		coalesce.LineFinish:        {"finish and upload", "finish, upload $s"},
		coalesce.LineFinishCommand: {"take Finish, upload, reply", "take Finish, upload $s, reply"},
		coalesce.LineFlush:         {"flush the window", "flush $s"},
		coalesce.LineAdd:           {"add the part in hand", "add $p"},
	},
	coalesce.Append: {
		coalesce.LineAppend: {"seal $i", "seal $i with $p"},
		coalesce.LineTake:   {"take the description", ""},
	},
	coalesce.Timely: {
		coalesce.SkipLook:      {"skip, lock and look up $e", "lock, look up $e"},
		coalesce.SkipReport:    {"skip, report", "report the skip, missing $>"},
		coalesce.SkipDrop:      {"skip, let go and unlock", "let go of $e, $>, unlock"},
		coalesce.TimelyAbsorb:  {"take the description", ""},
		coalesce.TimelyRespond: {"take the answer, drop the capability", ""},
		coalesce.TimelyStart:   {"start $i", ""},
	},
	coalesce.Sweeper: {
		coalesce.SweepLock:   {"lock the registry", ""},
		coalesce.SweepRetain: {"sweep, remove dead entries, unlock", "remove dead entries, unlock"},
	},
	coalesce.Teardown: {{"stop $t", ""}},
	coalesce.Mint:     {{"make the description $i", ""}},
	coalesce.Replica:  {{"seal $i first", ""}},
	coalesce.Uploads:  {{"complete an upload", ""}},
	coalesce.Cleaner:  {{"delete a leaked object", ""}},
}

// wholeCalls says what a press does that goes to the end of a call.
var wholeCalls = [...]string{
	coalesce.CallBuilder: "open $x",
	coalesce.CallPush:    "push",
	coalesce.CallFinish:  "finish",
	coalesce.CallSweep:   "sweep",
	coalesce.CallSkip:    "report the skip",
	coalesce.CallAbort:   "",
}

// doing is the next line of a thread in a world: its words, and the line as an event
// that has not happened yet.
func (v *View) doing(m moment, i int, t coalesce.Thread) (act, next string) {
	model, s := v.w.Models[i], &m.Sides[i].State
	line, role, sink := model.Line(s, t), t.Role(), max(model.Sink(t), 0)
	probe := role == coalesce.Sweeper && (line == coalesce.SweepBegin || line == coalesce.SweepEnd)
	if probe {
		role, line = coalesce.WriteTask, line+coalesce.LineProbeBegin-coalesce.SweepBegin
	}
	a := &acts[role][line]
	act, next = a.act, a.next
	e := coalesce.Event{Thread: t, Slot: -1}
	reg, n, delta := model.Registry(s, t), int(s.Sinks[sink].Upper), int32(-1)
	find := func(entry int) bool {
		e.Entry = int8(entry)
		slot, alive := reg.Entries[entry].Slot()
		if alive {
			e.Slot = int8(slot)
		}
		return alive
	}
	switch {
	case role == coalesce.WriteTask && !probe:
		k := &s.Tasks[t]
		n = int(k.Interval)
		if e.Slot = int8(k.Handle) - 1; line == coalesce.LineJoin && find(sink*coalesce.MaxIntervals+n) {
			act = "join batch $x, unlock"
		}
		if due := model.Due(s, t); line == coalesce.LinePush && int(k.Pushed) < len(due) {
			e.Parts = 1 << due[k.Pushed]
		}
	case role == coalesce.BuilderTask:
		b := &s.Batches[t.Slot()]
		switch e.Parts = b.Got; {
		case line == coalesce.LineReceive:
			e.Parts = 0
			if q := b.Queue[0]; q != 0 {
				e.Parts = 1 << (q - 1)
			}
		case line == coalesce.LineFlush:
			e.Parts = model.Window(s, t.Slot())
		case line == coalesce.LineAdd:
			e.Parts = 1 << (b.Hand - 1)
		case b.Got == 0:
			act, next = "finish, got nothing", "finish with nothing"
		case model.Persist == coalesce.WholePersist:
			act, next = "finish", ""
		}
		if b.Destroyed() {
			next += ", for nobody"
		}
	case role == coalesce.Append:
		if d := int(s.Sinks[sink].Desc); model.Whole == coalesce.WholeSink {
			n = max(d-1, 0)
		}
		for _, w := range model.Threads() {
			if w.Role() == coalesce.WriteTask && s.Sinks[sink].Staged>>w&1 != 0 {
				e.Parts |= s.Blobs[w][n].Parts
			}
		}
		if e.Parts == 0 && line == coalesce.LineAppend {
			next = "seal $i empty"
		}
	case role == coalesce.Timely:
		w := t.WriteTask()
		k := &s.Timely[w]
		n = max(int(max(k.Held, k.Skip))-1, 0)
		if skips := model.Tasks[w].Skips; int(k.Done) < len(skips) {
			n = skips[k.Done]
		}
		live := find(sink*coalesce.MaxIntervals + n)
		if line == coalesce.SkipReport && !live {
			next = "note a pending skip"
		}
		if line == coalesce.SkipDrop && !live {
			next = "unlock"
		}
	case role == coalesce.Teardown:
		n = bits.OnesCount8(s.Torn)
	}
	if line == coalesce.LineProbeBegin || line == coalesce.LineProbeEnd {
		if role == coalesce.WriteTask {
			act, next = v.probing(model, reg, line, find(int(reg.Cursor)), act, next)
			delta = 1
		}
	}
	e.A, e.B = int32(n), 0
	if e.Slot >= 0 {
		b := &s.Batches[e.Slot]
		e.A = int32(b.Count())
		switch {
		case line == coalesce.LineArrive && role == coalesce.WriteTask, line == coalesce.SkipReport && role == coalesce.Timely:
			e.A = int32(b.Pending)
		case line == coalesce.LineProbeEnd:
			delta = -1
		}
		e.B = max(e.A+delta, 0)
		if role == coalesce.Timely && line == coalesce.TimelyStart {
			e.A = int32(n)
		}
	} else if probe || role == coalesce.WriteTask && line != coalesce.LineTest {
		e.A = 0
	}
	if role == coalesce.WriteTask && line == coalesce.LineTest {
		e.A, e.B = int32(reg.Size()), int32(reg.LastRetained)
	}
	if line == coalesce.LineProbeEnd && role == coalesce.WriteTask && model.Probe == coalesce.StrongCount {
		e.A = int32(reg.Loaded) - 1
	}
	if next == "" {
		next = act
	}
	return v.phrase(act, m, t, e), v.phrase(next, m, t, e)
}

// probing is a probe's words, which depend on the rule and on whether the entry is alive.
func (v *View) probing(model *coalesce.Model, reg *coalesce.Registry, line int, alive bool, act, next string) (string, string) {
	begins := line == coalesce.LineProbeBegin
	switch {
	case model.Probe == coalesce.StrongCount && begins:
		return "sweep, read count of $e", "read the count of $e: $a"
	case model.Probe == coalesce.StrongCount:
		next = "compare 0 > 0, drop $e"
		if reg.Loaded > 1 {
			next = "compare the $a it read: $a > 0, keep $e"
			if !alive {
				next += " (out of date, and harmless)"
			}
		}
		return "sweep, compare", next
	case alive:
		return act, next
	case begins:
		return act, "find $e dead"
	}
	return act, "judge $e dead"
}

func (v *View) actIn(m moment, i int, t coalesce.Thread, grain worlds.Grain) string {
	model, s := v.w.Models[i], &m.Sides[i].State
	row := &model.Program(t)[model.Line(s, t)]
	switch {
	case grain == worlds.Sweep && row.InSweep:
		return "sweep to its end"
	case grain == worlds.Call && row.Call == coalesce.CallTask:
		return "work until it waits"
	case grain == worlds.Call && int(row.Call) < len(wholeCalls) && wholeCalls[row.Call] != "":
		rest := " (whole call)"
		if !row.Starts {
			rest = " (rest of the call)"
		}
		return v.phrase(wholeCalls[row.Call], m, t, coalesce.Event{}) + rest
	}
	act, _ := v.doing(m, i, t)
	return act
}

// nextWords is what the thread's next line does in world i, with its numbers.
func (v *View) nextWords(m moment, i int, t coalesce.Thread) string {
	model, s := v.w.Models[i], &m.Sides[i].State
	if b := model.Blocked(s, t); b.Kind != coalesce.Free {
		if task := coalesce.Thread(b.A); b.Kind == coalesce.ChannelFull {
			if why := model.Blocked(s, task); why.Kind == coalesce.UploadsOut {
				return filled("$; it waits itself: $", model.Reason(t, b), model.Reason(task, why))
			}
		}
		return model.Reason(t, b) + v.between(m, i, t, b, "; done with $")
	}
	_, next := v.doing(m, i, t)
	return next
}

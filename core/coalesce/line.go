package coalesce

// Line is one atomic step of a program.
type Line struct {
	Label string // what the step is called
	Code  string // the real call beside the plain words, as the page shows it
	Call  Call   // the call it belongs to
	// Starts marks the first line of a call, InSweep a line of the sweep.
	Starts, InSweep bool
	ready           func(m *Model, s *State, t Thread) Block
	do              func(m *Model, s *State, t Thread, es *Events)
}

// Call is the unit that "whole call" steps: a call of the original's interface.
type Call uint8

const (
	CallBuilder  Call = iota // builder(): join or create, under the registry lock
	CallPush                 // push(part)
	CallFinish               // finish()
	CallTask                 // the builder task's loop
	CallAppend               // compare_and_append and what follows from it
	CallSweep                // the bare sweeper's one sweep
	CallSkip                 // note_skip() on a worker's Timely side
	CallTeardown             // the dataflow is dropped, one write task at a time
	CallOwn                  // a batch of the worker's own
	CallMint                 // one activation of mint
	CallTimely               // one activation of a write operator's Timely side
	CallReplica              // another replica's append
	CallAbort                // an aborted write task drops what it holds
	CallUpload               // an upload that a builder task has spawned
	CallClean                // the leaked-blob cleaner
)

func (c Call) String() string {
	return [...]string{"builder", "push", "finish", "builder task", "append", "sweep", "note_skip", "teardown", "own batch", "mint", "activation", "other replica", "abort", "upload", "cleaner"}[c]
}

// Lines of a write task's program.
const (
	LineLock = iota
	LineTest
	LineProbeBegin
	LineProbeEnd
	LineRetain
	LineJoin
	LinePush
	LineIntoInner
	LineClose
	LineAwait

	// In place of into_inner under the rule try_unwrap.
	LineTryUnwrap
	LineDropHandle

	// Finish of the barrier.
	LineArrive
	LineNotify
	LineRegister
	LineTestFinal
	LineWait
	LineChosen
	LineSendFinish
	LineReply

	// The per-worker path, in place of all of it.
	LineOwnWrite
	LineOwnAnswer

	// What a write task does at its next await once the teardown has stopped it.
	LineAbort
	lineStopped
)

var writeProgram = []Line{
	LineLock:       {"lock registry", "registry.lock()", CallBuilder, true, false, readyLock, doLock},
	LineTest:       {"sweep test", "map.len() > 2 * last_retained_len", CallBuilder, false, true, free, doTest},
	LineProbeBegin: {"probe begin", "", CallBuilder, false, true, free, doProbeBegin},
	LineProbeEnd:   {"probe end", "", CallBuilder, false, true, free, doProbeEnd},
	LineRetain:     {"remove dead entries", "map.retain(alive)", CallBuilder, false, true, free, doRetain},
	LineJoin:       {"join or create, unlock", "map.entry(id).upgrade() or spawn", CallBuilder, false, false, readyJoin, doJoin},
	LinePush:       {"push part", "tx.send(Push(part))", CallPush, true, false, readyPush, doPush},
	LineIntoInner:  {"finish: into_inner", "Arc::into_inner(state)", CallFinish, true, false, free, doIntoInner},
	LineClose:      {"finish: close channel", "drop(state.tx)", CallFinish, false, false, free, doClose},
	LineAwait:      {"finish: await task, answer", "state.handle.await", CallFinish, false, false, readyAwait, doAwait},

	LineTryUnwrap:  {"finish: try_unwrap", "Arc::try_unwrap(state)", CallFinish, true, false, free, doTryUnwrap},
	LineDropHandle: {"finish: drop handle", "drop(state)", CallFinish, false, false, free, doDropHandle},

	LineArrive:     {"finish: arrive", "deliverer = me; pending -= 1", CallFinish, true, false, free, doArrive},
	LineNotify:     {"finish: notify all", "notify.notify_waiters()", CallFinish, false, false, free, doNotify},
	LineRegister:   {"finish: register", "notify.notified()", CallFinish, false, false, free, doRegister},
	LineTestFinal:  {"finish: test finalized", "barrier.finalized", CallFinish, false, false, free, doTestFinal},
	LineWait:       {"finish: wait", "notified.await", CallFinish, false, false, readyWait, doWait},
	LineChosen:     {"finish: who delivers", "deliverer == me", CallFinish, false, false, free, doChosen},
	LineSendFinish: {"finish: send Finish", "tx.send(Finish(reply))", CallFinish, false, false, readyPush, doSendFinish},
	LineReply:      {"finish: await reply, answer", "reply.await", CallFinish, false, false, readyReply, doReply},

	LineOwnWrite:  {"write own batch, upload", "builder.add(updates); finish(upper)", CallOwn, true, false, readyTurn, doOwnWrite},
	LineOwnAnswer: {"answer", "response.send(batch)", CallOwn, false, false, free, doOwnAnswer},

	LineAbort: {"aborted: drop handle", "drop(future)", CallAbort, true, false, free, doAbort},
}

// Lines of a builder task's program.
const (
	LineReceive = iota
	LineFinish
	LineFinishCommand
	LineFlush // whole persist
	LineAdd
)

var builderProgram = []Line{
	LineReceive:       {"receive part, add it", "builder.add_part(rx.recv())", CallTask, false, false, readyReceive, doReceive},
	LineFinish:        {"channel closed: finish, upload", "builder.finish(upper)", CallTask, false, false, readyFinish, doFinish},
	LineFinishCommand: {"receive Finish: finish, upload, reply", "reply.send(builder.finish(upper))", CallTask, false, false, readyFinish, doFinish},

	LineFlush: {"flush the window", "builder.flush_parts()", CallTask, false, false, readyFlush, doFlush},
	LineAdd:   {"add the part in hand", "finished_parts.push(part)", CallTask, false, false, free, doAdd},
}

// Lines of an append's program; the second is the whole sink's.
const (
	LineAppend = iota
	LineTake
)

var appendProgram = []Line{
	LineAppend: {"append: seal, read back", "compare_and_append_batch(batches)", CallAppend, true, false, readyAppend, doAppend},
	LineTake:   {"append: take description", "lower = description.lower", CallAppend, true, false, free, doTake},
}

// Lines of the bare sweeper's program.
const (
	SweepLock = iota
	SweepBegin
	SweepEnd
	SweepRetain
	sweepOver
	sweepPanicked
)

var sweeperProgram = []Line{
	SweepLock:   {"lock registry", "registry.lock()", CallSweep, true, false, readyLock, doSweepLock},
	SweepBegin:  {"probe begin", "", CallSweep, false, true, free, doProbeBegin},
	SweepEnd:    {"probe end", "", CallSweep, false, true, free, doProbeEnd},
	SweepRetain: {"remove dead entries, unlock", "map.retain(alive)", CallSweep, false, true, free, doSweepRetain},
}

// Lines of a Timely side's program: note_skip, once for each skip.
const (
	SkipLook = iota
	SkipReport
	SkipDrop
	TimelyAbsorb
	TimelyRespond
	TimelyStart
	skipPanicked
)

var timelyProgram = []Line{
	SkipLook:   {"skip: lock, look up", "registry.lock(); weak.upgrade()", CallSkip, true, false, readyLock, doSkipLook},
	SkipReport: {"skip: arrive, notify", "pending -= 1; notify_waiters()", CallSkip, false, false, free, doSkipReport},
	SkipDrop:   {"skip: drop temporary, unlock", "drop(temporary)", CallSkip, false, false, free, doSkipDrop},

	TimelyAbsorb:  {"absorb description", "absorb(description)", CallTimely, true, false, free, doAbsorb},
	TimelyRespond: {"take answer, drop capability", "batches.give(batch); drop(capability)", CallTimely, true, false, free, doRespond},
	TimelyStart:   {"start batch", "commands.send(WriteBatch(description))", CallTimely, true, false, readyStart, doStart},
}

var mintProgram = []Line{
	{"mint description", "broadcast(description)", CallMint, true, false, readyMint, doMint},
}

var replicaProgram = []Line{
	{"other replica appends", "compare_and_append_batch(...)", CallReplica, true, false, free, doReplica},
}

var teardownProgram = []Line{
	{"abort next write task", "drop(operator)", CallTeardown, true, false, free, doTeardown},
}

var uploadProgram = []Line{
	{"upload completes", "blob.set(key, part).await", CallUpload, true, false, free, doUpload},
}

var cleanerProgram = []Line{
	{"delete a leaked object", "blob.delete(key)", CallClean, true, false, free, doClean},
}

// probeCode is the real call of the two probe lines, which depends on the rule.
var probeCode = [2][2]string{
	Upgrade:     {"weak.upgrade()", "drop(temporary)"},
	StrongCount: {"weak.strong_count()", "count > 0"},
}

// Program is the table of lines that the thread runs, with the calls of this
// model's rules.
func (m *Model) Program(t Thread) []Line {
	p := append([]Line(nil), program(t)...)
	first := -1
	switch t.Role() {
	case WriteTask:
		first = LineProbeBegin
	case Sweeper:
		first = SweepBegin
	case BuilderTask:
		if m.Persist == WholePersist {
			p[LineFinish].Label = "channel closed: finish"
			p[LineFinishCommand].Label = "receive Finish: finish, reply"
		}
	}
	if first < 0 {
		return p
	}
	p[first].Code = probeCode[m.Probe][0]
	p[first+1].Code = probeCode[m.Probe][1]
	return p
}

func program(t Thread) []Line {
	switch t.Role() {
	case WriteTask:
		return writeProgram
	case BuilderTask:
		return builderProgram
	case Append:
		return appendProgram
	case Timely:
		return timelyProgram
	case Teardown:
		return teardownProgram
	case Mint:
		return mintProgram
	case Replica:
		return replicaProgram
	case Uploads:
		return uploadProgram
	case Cleaner:
		return cleanerProgram
	}
	return sweeperProgram
}

var (
	builderLines = []int{LineLock, LineTest, LineProbeBegin, LineProbeEnd, LineRetain, LineJoin, LinePush}
	finishLines  = map[uint8][]int{
		LineIntoInner: {LineIntoInner, LineClose, LineAwait},
		LineTryUnwrap: {LineTryUnwrap, LineDropHandle, LineClose, LineAwait},
		LineArrive:    {LineArrive, LineNotify, LineRegister, LineTestFinal, LineWait, LineChosen, LineSendFinish, LineReply},
	}
)

// Lines lists the lines of the thread's program that this model's rules use, in
// the order in which they stand on the page.
func (m *Model) Lines(t Thread) []int {
	switch t.Role() {
	case WriteTask:
		k := &m.tasks[t]
		lines := append(append([]int(nil), builderLines...), finishLines[k.finish]...)
		if k.first == LineOwnWrite {
			lines = []int{LineOwnWrite, LineOwnAnswer}
		}
		if k.finish == LineArrive && m.Wait == CheckFirst {
			for i, l := range lines {
				if l == LineRegister {
					lines[i], lines[i+1] = LineTestFinal, LineRegister
					break
				}
			}
		}
		if m.Teardown {
			lines = append(lines, LineAbort)
		}
		return lines
	case BuilderTask:
		lines := []int{LineReceive}
		if m.Persist == WholePersist {
			lines = append(lines, LineFlush, LineAdd)
		}
		if m.tasks[t.Spawner()].finish == LineArrive {
			lines = append(lines, LineFinishCommand)
		}
		return append(lines, LineFinish)
	case Append:
		if m.Whole == WholeSink {
			return []int{LineTake, LineAppend}
		}
		return []int{LineAppend}
	case Timely:
		switch {
		case m.Whole == ShortSink:
			return []int{SkipLook, SkipReport, SkipDrop}
		case m.Mode == Barrier:
			return []int{TimelyAbsorb, SkipLook, SkipReport, SkipDrop, TimelyRespond, TimelyStart}
		}
		return []int{TimelyAbsorb, TimelyRespond, TimelyStart}
	}
	lines := make([]int, len(program(t)))
	for i := range lines {
		lines[i] = i
	}
	return lines
}

// finishLine is the first line of finish under the rules.
func (c *Config) finishLine(barrier bool) uint8 {
	switch {
	case c.Finish == TryUnwrap:
		return LineTryUnwrap
	case barrier && c.Finish == ByMode:
		return LineArrive
	}
	return LineIntoInner
}

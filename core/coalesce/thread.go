package coalesce

// Thread is one line of control that the scheduler picks. Which threads a set-up
// has is [Model.Threads]; all of them exist in every state, builder tasks too,
// which are blocked until they are spawned.
type Thread uint8

const (
	firstBuilder Thread = MaxTasks
	firstAppend  Thread = firstBuilder + 2*MaxTasks
	firstTimely  Thread = firstAppend + MaxSinks
	sweeper      Thread = firstTimely + MaxTasks
	teardown     Thread = sweeper + 1
	firstMint    Thread = teardown + 1
	firstReplica Thread = firstMint + MaxSinks
	firstUpload  Thread = firstReplica + MaxSinks
	cleaner      Thread = firstUpload + MaxTasks
	threadLimit         = cleaner + 1
)

// Role is the kind of program that a thread runs.
type Role uint8

const (
	WriteTask Role = iota
	BuilderTask
	Append
	Timely // a worker's Timely side, which reports skips
	Sweeper
	Teardown
	Mint    // makes descriptions for one sink
	Replica // another replica, which appends to the same shard
	Uploads // the uploads of a write task's batches, whole persist
	Cleaner // deletes leaked objects
)

func (r Role) String() string {
	return [...]string{"write task", "builder task", "append", "Timely side", "sweeper", "teardown", "mint", "other replica", "uploads", "cleaner"}[r]
}

// Role tells which program the thread runs.
func (t Thread) Role() Role {
	switch {
	case t < firstBuilder:
		return WriteTask
	case t < firstAppend:
		return BuilderTask
	case t < firstTimely:
		return Append
	case t < sweeper:
		return Timely
	case t == sweeper:
		return Sweeper
	case t == teardown:
		return Teardown
	case t < firstReplica:
		return Mint
	case t < firstUpload:
		return Replica
	case t < cleaner:
		return Uploads
	}
	return Cleaner
}

// builderOf is the builder task of the batch that a write task creates in interval
// n. Its index is the batch's slot too, so that a state does not depend on the
// order in which batches were created.
func builderOf(task, n int) Thread { return firstBuilder + Thread(2*task+n&1) }

func appendOf(sink int) Thread { return firstAppend + Thread(sink) }

func mintOf(sink int) Thread { return firstMint + Thread(sink) }

func replicaOf(sink int) Thread { return firstReplica + Thread(sink) }

func timelyOf(task int) Thread { return firstTimely + Thread(task) }

func uploadsOf(task int) Thread { return firstUpload + Thread(task) }

// UploadsOf is the write task whose batches' uploads an upload thread completes.
func (t Thread) UploadsOf() Thread { return t - firstUpload }

// WriteTask is the write task whose skips a Timely side reports.
func (t Thread) WriteTask() Thread { return t - firstTimely }

// Slot is where a state keeps the batch that this builder task fills.
func (t Thread) Slot() int { return int(t - firstBuilder) }

// Builder is the builder task of the batch in a slot.
func Builder(slot int) Thread { return firstBuilder + Thread(slot) }

// Threads lists the threads of the set-up: write tasks, builder tasks, appends, Timely sides,
// uploads, cleaner, sweeper, teardown.
func (m *Model) Threads() []Thread { return m.threads }

// Name is the thread's name in schedules, such as A, By, Ka or Py.
func (m *Model) Name(t Thread) string { return m.names[t] }

// ByName finds a thread by its full name.
func (m *Model) ByName(name string) (Thread, bool) {
	t, ok := m.byName[name]
	return t, ok
}

// Names lists the names of all threads, in the order of [Model.Threads].
func (m *Model) Names() []string {
	list := make([]string, len(m.threads))
	for i, t := range m.threads {
		list[i] = m.names[t]
	}
	return list
}

// Sink is the sink that a write task, builder task or append works for, or -1.
func (m *Model) Sink(t Thread) int {
	switch t.Role() {
	case WriteTask:
		return m.tasks[t].sink
	case BuilderTask:
		return m.tasks[t.Slot()/2].sink
	case Append:
		return int(t - firstAppend)
	case Timely:
		return m.tasks[t.WriteTask()].sink
	case Mint:
		return int(t - firstMint)
	case Replica:
		return int(t - firstReplica)
	case Uploads:
		return m.tasks[t.UploadsOf()].sink
	}
	return -1
}

// Worker is the worker (0 is A) to which a thread belongs: its own for a write
// task, its spawner's for a builder task, and -1 for the others.
func (m *Model) Worker(t Thread) int {
	switch t.Role() {
	case WriteTask:
		return m.tasks[t].worker
	case BuilderTask:
		return m.tasks[t.Slot()/2].worker
	case Timely:
		return m.tasks[t.WriteTask()].worker
	case Uploads:
		return m.tasks[t.UploadsOf()].worker
	}
	return -1
}

// Spawner is the write task whose create starts this builder task.
func (t Thread) Spawner() Thread { return Thread(t.Slot() / 2) }

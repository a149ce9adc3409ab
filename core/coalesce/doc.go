// Package coalesce models the shared-batch coalescing of Materialize's
// materialized-view sink: a registry of weak references, a shared batch builder
// and the append that waits for every worker's answer.
//
// # What is modelled
//
// A [Config] names the sinks, the write tasks (one for each worker and sink) and
// the parts that each has to write; [New] turns it into a [Model]. A [State] is a
// comparable value: copy it with =, compare it with ==. [Model.Step] performs one
// line of one thread's program on it and says what happened as [Event] values; it
// reads no clock, draws no random number and starts no goroutine.
//
// Each kind of thread runs a table of numbered lines ([Model.Program]). The table
// is at once the code panel of the page, the documentation and the model: what a
// learner reads is what executes.
//
// Which rules a dataflow follows is decided when it is rendered: [Flags] gives the mode,
// and [Rerender] renders another dataflow over the same shard.
//
// # What is atomic
//
// One line is one effect that another thread can see or disturb. Lines that are
// merged say so, with the reason, where they are written. A probe of one registry
// entry is two lines under either rule, because what lies between them is the
// window in which a batch can be lost.
//
// What persist makes of a batch is a switch ([Persist]): one object at once, or windows
// that are flushed at the target, inline parts, uploads in the background and what a
// panic leaves of them.
//
// # What is left out
//
// Rows, Arrow arrays and bytes are not in the state: a part id names them. The
// ids of shared batches are random in the original, so the order in which a sweep
// visits the map is arbitrary there; here it is the order of sinks and intervals.
// The participants of a sink are the write tasks that the configuration lists for
// it, in all its intervals, while the original renders a sink on every worker.
// With the short sink ([Around]) Timely, its frontiers and its capabilities are
// represented only by their consequence: an interval opens when the sink's upper
// reaches its lower, and the append waits until every participant has answered.
package coalesce

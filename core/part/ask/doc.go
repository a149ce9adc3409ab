// Package ask is what data.wasm answers, as plain Go: JSON in, JSON or bytes out. The
// program in wasm/data only carries it across the boundary; this page is where the
// boundary is documented.
//
// # Requests
//
// A request of [Data.Rows] and [Data.Bytes] is an object:
//
//	scenario  {"id": "sweep"}, {"yaml": TEXT} or {"compiled": OBJECT as Parse gave it}
//	rules     {"mode": "barrier"}: changed rules, by the words of links; optional
//	schedule  "A4 B3 A": letters; left out: the scenario's own
//	cursor    steps played; left out: all
//	world     "upgrade"; left out: the scenario's first
//	open      one of
//	          {"part": {"id": 0, "interval": 1}}       interval from 1; left out: where the state has it
//	          {"slot": {"builder": "Ka", "index": 0}}  a queued push of that builder's channel
//	          {"batch": "Ka"}                          what that builder has received so far
//	          {"crate": {"builder": "Ka", "interval": 1}}  that batch, or the object that it became
//	          {"blob": "sY/wa/p1"}                     an object of the store
//	          {"objects": true}                        the store's list
//	          {"contents": true}                       all that can be opened
//	          {"trace": true}                          the whole run, step by step
//	          {"read": {"sink": "Y", "as_of": 1500}}   SELECT ... AS OF, beside the truth
//	          {"subscribe": {"sink": "Y", "as_of": 0}} SUBSCRIBE ... AS OF, all it has sent
//	offset    first row of the answer, from 0
//	limit     rows of the answer at most: 100 if left out, 10,000 at most
//	only      "wrong": of a read, only the rows where view and truth differ
//
// Unknown fields are refused.
//
// # Answers
//
// part, slot, batch, crate and blob answer with a [Table], objects with [Objects],
// contents with [Contents], trace with [Trace], read with [Reading], subscribe with
// [Subscription]; [Data.Bytes] with the Arrow IPC file of the first five. What a page
// shows is in says, facts and tone, as it is. An error is {"error": "place: what: why"} and nothing else.
//
// Times and numbers beyond 2^53 come as strings of digits, since a JavaScript number
// does not hold them; see [Int].
//
// [Data.Parse] takes YAML and answers with [Parsed].
package ask

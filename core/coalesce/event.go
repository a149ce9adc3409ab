package coalesce

// Event is one thing that a step did. Which fields mean something depends on Kind;
// the comment of each kind names them.
type Event struct {
	Kind   EventKind
	Thread Thread // who did it, or whom it befell
	Slot   int8   // the batch concerned, or -1
	Entry  int8   // the registry entry concerned, or -1
	A, B   int32
	Parts  Parts
}

// EventKind is what happened.
type EventKind uint8

const (
	Locked          EventKind = iota // the registry mutex was taken
	SweepTested                      // A entries, B last_retained_len
	ProbeTook                        // upgrade: count A became B, the sweep holds a temporary
	ProbeMissed                      // the probe found a dead entry
	ProbeLoaded                      // strong_count: A was loaded
	ProbeDropped                     // upgrade: the temporary was dropped, count A became B
	ProbeKept                        // the entry was judged alive; A is the loaded count under strong_count
	ProbeDead                        // the entry was judged dead
	Destroyed                        // the shared state died with nobody to receive; Parts is what it had
	Retained                         // A entries stayed, B were removed
	Created                          // a new batch and its builder task
	Joined                           // count A became B
	Unlocked                         // the registry mutex was released
	Opened                           // Thread starts interval A (from 0); B is its number of parts to push
	Pushed                           // Parts was sent; B pushes are queued now
	Decremented                      // into_inner: count A became B
	Took                             // the last handle took the state by value
	Closed                           // the sender was dropped by the owner
	Received                         // the builder task took Parts from the channel and added it; whole persist: A evaluations of goodbytes
	Uploaded                         // one PUT of Parts; A is the flush, from 0
	FinishedFull                     // the builder task finished a batch of Parts; whole persist: A runs
	FinishedNone                     // the builder task got nothing and answers None
	Discarded                        // the batch of Parts has no receiver: un-consumed batch warning
	AnsweredNone                     // a write task answered the append with None; A is a [NoneReason]
	AnsweredSome                     // a write task answered with a batch of Parts
	Sealed                           // interval A was sealed with Parts; B bytes of state diff
	Lost                             // interval A was sealed without Parts, which were pushed for it
	Raised                           // corrections of Parts now carry time A
	Panicked                         // A is the [Panic]
	Done                             // Thread has nothing left to do
	Tried                            // try_unwrap saw count A
	HandleDropped                    // a handle went without finish: count A became B
	Arrived                          // a report came: pending A became B
	Finalized                        // all expected reports have come
	NotifiedAll                      // A waiters were woken
	Registered                       // Thread has a future that a notify will complete
	TestedFinal                      // A is 1 if finalized
	Woke                             // the future was complete
	Chosen                           // A is 1 if Thread delivers
	FinishSent                       // Finish was queued; B commands are queued now
	SkipLooked                       // note_skip: count A became B by its temporary, or both are 0: no live state
	SkipNoted                        // no live state: A pending skips of B participants
	SkipDropped                      // note_skip's temporary was dropped: count A became B
	AbortAsked                       // the teardown told write task A to stop at its next await
	Aborted                          // the write task stopped
	Mismatched                       // another replica had sealed interval A; staged batches of Parts were deleted
	Minted                           // the description of interval A went out to every worker; worker B (from 0) is to append
	Absorbed                         // the Timely side took the description of interval A
	Superseded                       // ... and dropped the one of interval A, with its capability
	Started                          // WriteBatch for interval A went to the write task
	Responded                        // the answer was taken and the capability of interval A dropped; Parts is its batch
	Outdated                         // a batch of Parts came for interval A that the append has left behind; it was deleted
	TookDescription                  // the append holds the description of interval A now
	ReplicaSealed                    // another replica sealed interval A
	WroteOwn                         // a worker wrote a batch of its own of Parts
	AnswerLost                       // the operator went with an answer that it had not taken: the batch of Parts is leaked, without a warning
	Unsent                           // the operator is gone, so the answer could not be sent: the batch of Parts in interval A was deleted
	Flushed                          // flush A of a batch: Parts became one part; B is 1 if it is inline
	Added                            // the builder task added Parts, which it had in hand; A as in Received
	Labelled                         // process B counts the shard's costs under [MetricsLabel] A now
	Cleaned                          // the cleaner deleted the object of flush A of write task B's batch, with Parts
	eventKindCount
)

// NoneReason is why a write task answered None. The append cannot tell them apart.
type NoneReason int32

const (
	OthersDeliver  NoneReason = iota // another handle still holds the batch and will deliver
	OnlySweep                        // the only other holder was a sweep's temporary
	NothingToWrite                   // last one out of a batch that got no data
	NotDeliverer                     // the barrier chose another writer to deliver
)

// Events collects what a step did. A nil *Events discards, which is what a search wants.
type Events []Event

func (es *Events) add(e Event) {
	if es != nil {
		*es = append(*es, e)
	}
}

// event starts an event that concerns no batch and no entry.
func event(k EventKind, t Thread) Event { return Event{Kind: k, Thread: t, Slot: -1, Entry: -1} }

package view

// term is one entry of the glossary: what a word on the page means, in one plain
// sentence that assumes no Rust and no Materialize.
type term struct {
	key    string
	common bool     // an everyday word: narration does not mark it
	forms  []string // how it is written; a lower-case form also matches at the start of a sentence
	says   string
}

var terms = [...]term{
	{"goodbytes", false, []string{"goodbytes"}, "The bytes of a part as persist counts them: its keys and values, its times and its diffs."},
	{"state diff", false, []string{"state diff", "state-diff"}, "What one append changes in the shard’s metadata; it grows with the number of parts."},
	{"window", false, []string{"window"}, "The parts that a builder has taken and not yet flushed."},
	{"handle", false, []string{"handle", "handles"}, "A worker’s share in a batch: while anyone has a handle, the batch lives, and only who has a handle can push to it or receive it."},
	{"strong reference", false, []string{"strong reference", "strong references", "reference", "references"}, "A reference that keeps the thing alive: it goes away when the last strong reference goes."},
	{"weak reference", false, []string{"weak reference", "weak references", "weak"}, "A reference that knows where a thing is but does not keep it alive; the registry holds only these."},
	{"strong count", false, []string{"strong count", "count", "counts"}, "How many strong references there are right now: the number of strings that the batch hangs on."},
	{"upgrade", false, []string{"upgrade", "weak.upgrade"}, "Turns a weak reference into a strong one if the thing is still alive; while you have it, you are one of the holders."},
	{"strong_count", false, []string{"strong_count", "weak.strong_count"}, "Reads the number of strong references and takes none, so nobody else can notice that you looked."},
	{"into_inner", false, []string{"into_inner", "Arc::into_inner"}, "Gives a handle back; only who brings the count from 1 to 0 gets what is inside, everyone else gets None."},
	{"None", false, []string{"None"}, "“I have no batch to deliver”: somebody else will, or there was nothing to write; the answer does not say which."},
	{"Some", false, []string{"Some"}, "“Here is the batch”: the answer of the worker that delivers."},
	{"sweep", false, []string{"sweep", "sweeps", "sweeping", "swept"}, "A cleaning round over the registry that removes the entries of batches that are gone."},
	{"probe", false, []string{"probe", "probes", "probing"}, "The sweep’s question to one entry: is this batch still alive?"},
	{"temporary", false, []string{"temporary", "temporaries"}, "The strong reference that the sweep takes only to look; it counts like any other, but it delivers to nobody."},
	{"registry", false, []string{"registry"}, "The list, shared by all workers of the process, of batches that may still be alive; only one thread at a time may have its lock."},
	{"last_retained_len", false, []string{"last_retained_len"}, "How many entries the last sweep kept; the next sweep runs once the list is longer than twice that."},
	{"lock", false, []string{"lock", "locks", "locked", "unlock", "unlocks", "unlocked"}, "Only one thread at a time can hold it; the others wait until it is given back."},
	{"map", false, []string{"map"}, "The registry’s table: one entry for each batch id, dead ones included until a sweep removes them."},
	{"entry", true, []string{"entry", "entries"}, "One line of the registry: a batch’s id with a weak reference to it."},
	{"the state", false, []string{"the state"}, "What the holders of a batch share: the way to push and the only way to the result; only the last one out gets it."},
	{"deleted", true, []string{"deleted"}, "Removed from the blob store on purpose, because nobody needs it any more."},
	{"retain", false, []string{"retain", "map.retain"}, "Keeps the entries that were found alive and removes the rest."},
	{"sink", false, []string{"sink", "sinks"}, "What writes one view’s changes to storage; every worker has a write task for it."},
	{"interval", true, []string{"interval", "intervals"}, "A range of times, from its lower up to but without its upper, that is written in one go."},
	{"lower", false, []string{"lower"}, "The first time that an interval covers."},
	{"batch", true, []string{"batch", "batches"}, "All changes of one sink for one interval, collected from all workers so that they are stored as one object."},
	{"part", true, []string{"part", "parts"}, "A piece of a batch: the changes that one worker sends with one push."},
	{"push", true, []string{"push", "pushes", "pushed"}, "Sends a part to the batch’s builder task."},
	{"finish", true, []string{"finish", "finishes", "finished"}, "The worker has nothing more for this batch and gives its handle back; the last one out receives the batch."},
	{"channel", false, []string{"channel"}, "The queue from the workers to the builder task; it holds 4 parts, then pushing waits."},
	{"builder task", false, []string{"builder task", "builder tasks", "builder"}, "A background thread of one batch: it takes the parts from the channel, adds them up and uploads the result."},
	{"spawn", false, []string{"spawn", "spawns", "spawned", "spawner"}, "Starts a background thread that runs on by itself."},
	{"append", false, []string{"append", "appends", "compare_and_append", "compare_and_append_batch"}, "The last act for an interval: once every worker has answered, everything that was delivered is added to the shard and the interval is sealed."},
	{"seal", false, []string{"seal", "seals", "sealed"}, "Declares an interval complete: its contents can be read from now on and can never be changed."},
	{"shard", false, []string{"shard"}, "The stored contents of one view over time."},
	{"upper", false, []string{"upper"}, "All times below it are sealed and can be read; it only ever moves forward."},
	{"since", false, []string{"since"}, "The oldest time that can still be read."},
	{"as of", false, []string{"AS OF"}, "A read of the view as it was at that time; it answers for times from the since up to the upper, and waits beyond."},
	{"select", false, []string{"SELECT"}, "A query: it asks the view for rows."},
	{"bucket", false, []string{"bucket", "buckets"}, "The view counts orders in groups; a bucket is one group, and n is its number of orders."},
	{"blob", false, []string{"blob", "blobs", "blob store", "object", "objects"}, "A stored file with the changes of one batch; the blob store keeps it until somebody deletes it."},
	{"flush", false, []string{"flush", "flushes", "flushed"}, "Makes one part of everything that a builder has collected since the last time."},
	{"inline", false, []string{"inline"}, "Kept in the shard’s own metadata, because it is too small to be worth an object."},
	{"state diff", false, []string{"state diff"}, "What an append writes down about the shard: a description of each new part, or the part itself where it is inline."},
	{"put", false, []string{"PUT", "PUTs", "upload", "uploads", "uploaded"}, "One write of an object to the blob store; each costs money, which is why workers share batches."},
	{"in flight", false, []string{"in flight"}, "Stored, and somebody still holds the batch that it belongs to."},
	{"referenced", false, []string{"referenced"}, "The shard needs it: a sealed interval has its contents there."},
	{"leaked", false, []string{"leaked", "leak"}, "Stored, but nobody knows of it any more, so nobody will ever use or delete it."},
	{"orphaned", false, []string{"orphaned", "orphan"}, "A batch with data and without anybody who could receive it."},
	{"view", true, []string{"view", "views"}, "The stored answer of a query, kept up to date; readers read it instead of running the query."},
	{"truth", true, []string{"truth"}, "What the query answers when it is run afresh over everything that happened."},
	{"correction", false, []string{"correction", "corrections"}, "A change that the view still lacks; the worker keeps it until it reads it back from the shard."},
	{"update", true, []string{"update", "updates"}, "One change of the view: a row that comes or goes, with its time."},
	{"hole", false, []string{"hole", "holes"}, "A range of sealed times in which the view lacks changes that happened."},
	{"worker", true, []string{"worker", "workers"}, "One of several threads that share the work; each handles the rows that fall to it."},
	{"write task", false, []string{"write task", "write tasks"}, "The part of a worker that writes one sink’s changes."},
	{"thread", true, []string{"thread", "threads"}, "Something that runs by itself, step by step; you decide which one moves next."},
	{"step", true, []string{"step", "steps"}, "The smallest thing that a thread does and that another thread can notice."},
	{"schedule", true, []string{"schedule", "schedules"}, "The order in which the threads took their steps, such as A4 B3: A four times, then B three times."},
	{"whole call", false, []string{"whole call"}, "All steps of one call at once, until it returns or has to wait."},
	{"skip", false, []string{"skip", "skips", "skipped"}, "A step of the schedule that this world cannot take, because the thread is waiting here."},
	{"blocked", true, []string{"blocked"}, "The thread cannot move until somebody else does something."},
	{"invariant", false, []string{"invariant", "invariants"}, "Something that must be true at every moment, whatever the order of steps."},
	{"deadlock", false, []string{"deadlock"}, "Threads are left that will never move again, because each waits for another."},
	{"panic", false, []string{"panic", "panics", "panicked"}, "The program notices that something is badly wrong and stops this thread."},
	{"description", false, []string{"description", "descriptions"}, "The bounds of the interval that a batch is for; all who share the batch must agree on them."},
	{"barrier", false, []string{"barrier"}, "A meeting point: nobody delivers before every worker has reported, and the last writer to report delivers."},
	{"report", true, []string{"report", "reports", "reported"}, "A worker’s word to the barrier that it has nothing more for this batch, or that it skips it."},
	{"capability", false, []string{"capability", "capabilities"}, "A promise that something may still come for a time; the append waits until nobody holds one for its interval."},
	{"subscribe", false, []string{"SUBSCRIBE", "subscriber"}, "A reader that is told every change as it is sealed, and how far the times are complete; it keeps what it was told."},
	{"progress", true, []string{"progress"}, "The word to a subscriber that all changes below a time have been told."},
	{"notify", false, []string{"wakeup", "waiters", "waiter"}, "Who waits is woken by a call that reaches only those who have registered for it before."},
	{"replica", false, []string{"replica", "replicas"}, "Another copy of the whole machinery that writes the same view; whoever appends first wins."},
	{"scheduler", true, []string{"scheduler"}, "Who decides which thread moves next: here it is you."},
	{"poisoned", false, []string{"poisoned"}, "The thread that held the lock panicked, so nobody trusts what it guards."},
}

// Term is the sentence that explains a term, or "".
func Term(key string) string {
	for i := range terms {
		if terms[i].key == key {
			return terms[i].says
		}
	}
	return ""
}

// TermKeys lists the keys of the glossary in its order.
func TermKeys() []string {
	keys := make([]string, len(terms))
	for i := range terms {
		keys[i] = terms[i].key
	}
	return keys
}

// form is one way to write a term.
type form struct {
	text  string
	index int
}

// formsByWord finds the forms that begin with a word, the longest first.
var formsByWord = func() map[string][]form {
	index := map[string][]form{}
	for i, t := range terms {
		for _, f := range t.forms {
			word := f[:wordEnd(f)]
			list := index[word]
			at := 0
			for at < len(list) && len(list[at].text) >= len(f) {
				at++
			}
			list = append(list, form{})
			copy(list[at+1:], list[at:])
			list[at] = form{f, i}
			index[word] = list
		}
	}
	return index
}()

func wordChar(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func wordEnd(s string) int {
	n := 0
	for n < len(s) && wordChar(s[n]) {
		n++
	}
	return n
}

// writeTerms escapes a text and marks in it the first occurrence of each term that
// was not seen before.
func writeTerms(o *out, text string, how marking, seen *[len(terms)]bool) {
	if how == noTerms {
		o.put(esc(text))
		return
	}
	start := 0
	for at := 0; at < len(text); {
		n := wordEnd(text[at:])
		if n == 0 {
			at++
			continue
		}
		f, ok := findForm(text[at:], n)
		if !ok || seen[f.index] || how == jargon && terms[f.index].common {
			at += n
			continue
		}
		seen[f.index] = true
		o.put(esc(text[start:at]), `<span class="term"`)
		if how == allTerms {
			o.put(` tabindex="0"`)
		}
		o.put(` data-term="`, terms[f.index].key, `">`, esc(text[at:at+len(f.text)]), `</span>`)
		at += len(f.text)
		start = at
	}
	o.put(esc(text[start:]))
}

func findForm(text string, word int) (form, bool) {
	first := text[:word]
	list := formsByWord[first]
	if list == nil && first[0] >= 'A' && first[0] <= 'Z' {
		list = formsByWord[string(first[0]-'A'+'a')+first[1:]]
	}
	for _, f := range list {
		if len(text) >= len(f.text) && text[0]|32 == f.text[0]|32 && text[1:len(f.text)] == f.text[1:] &&
			(len(text) == len(f.text) || !wordChar(text[len(f.text)])) {
			return f, true
		}
	}
	return form{}, false
}

// termSpan marks one word as a term; key is its key.
func termSpan(key, word string, stop bool) string {
	if stop {
		return `<span class="term" tabindex="0" data-term="` + key + `">` + esc(word) + `</span>`
	}
	return `<span class="term" data-term="` + key + `">` + esc(word) + `</span>`
}

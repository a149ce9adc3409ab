// Package explore searches every schedule of a small concurrent program whose state is a plain comparable value.
//
// # Goals
//
// Exactness first. A [Search] visits every state that some schedule reaches, merges equal states after comparing them
// in full, and counts schedules as exact integers: how many there are, and how many of them panic, deadlock, lose
// everything, lose a part, or are safe. Merged schedules are covered, not run: the number of schedules is commonly
// ten orders of magnitude above the number of states. For every state it knows how many ways lead on from there and
// how many of them lose, which is what a learner who is the scheduler wants to see before choosing.
//
// Counterexamples are schedules of concrete threads that replay with the program's own step function: fewest steps
// first, among those the fewest switches of thread, among those the smallest thread numbers.
//
// The search runs in slices of a given number of states, so that the caller shows progress, looks at a clock and
// cancels. It does no I/O, reads no clock, starts no goroutine, and gives the same result run after run.
//
// # Non-goals
//
// What is atomic is the caller's affair: one step is whatever [Space.Next] does in one call. The package knows nothing
// of memory models, fairness, or what it means to lose. A thread has at most one successor in a state; a choice of data
// is a thread of its own, and so is a choice of start state. The package does not reduce schedules by independence: it
// counts each order of steps once.
//
// # What a count means
//
// A schedule is a maximal run: it goes on until no thread is enabled. Each is counted once, whatever its length. The
// share of schedules that lose is therefore not the chance that a machine loses; nor is the chance under a scheduler
// that picks uniformly among the enabled threads, which the search computes beside it (float64, for comparison only).
//
// A program that can go round for ever has infinitely many prefixes and no count: the result names the cycle instead.
//
// A search that a limit stopped holds lower bounds. Schedules that lead to a state it did not expand are counted as
// [Open]: each stands for one schedule at least, of unknown verdict. Such a result is never safe.
//
// # Symmetry
//
// Threads that are interchangeable may be sorted into a canonical form ([Symmetric]). States are then counted up to
// symmetry, but each enabled thread stays an edge of its own, so the counts of schedules, the chances and the shortest
// counterexamples are the same as without.
//
// # How it works
//
// Breadth-first, into an arena of states, an open-addressing table of visited states keyed by hash, and four bytes an
// edge. Some states are expanded together, so that memory is fetched for all their successors at once; a space that knows
// more than one step at a time can do its part of that faster ([Expander]). Two paths to one state can differ in length, so levels are not a topological order; the counts run over one
// found by repeatedly removing states without predecessors. Counts are rows of 64-bit limbs as wide as the total
// needs; math/big appears only in results.
package explore

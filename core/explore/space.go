package explore

// MaxThreads is the largest number of threads of a Space: the enabled threads of a state are kept as a 64-bit set.
const MaxThreads = 64

// A Space is the program to search: a start state and a step function. Its methods are pure functions of their
// arguments; none keeps a pointer it is given.
type Space[S comparable] interface {
	// Start is the state in which every schedule begins.
	Start() S

	// Threads is the number of threads, at most MaxThreads. It does not change during a search.
	Threads() int

	// Next performs one step of thread in *from. It reports false when thread is not enabled there; otherwise it
	// overwrites all of *to, whose old contents are arbitrary, with the successor. It does not change *from.
	Next(from *S, thread int, to *S) bool

	// End classifies a state in which no thread is enabled. It does not return Open.
	End(s *S) Verdict

	// Marks is the set of named conditions that hold in a state, condition k as bit k. What the bits mean is the
	// caller's affair: orphaned, sealed wrongly, an invariant broken.
	Marks(s *S) uint32

	// Hash is a function of everything that == compares. Equal hashes of different states cost time, never exactness.
	Hash(s *S) uint64
}

// Symmetric is a Space some of whose threads are interchangeable. The search uses it unless Limits.NoSymmetry is set.
//
// Renaming interchangeable threads must change neither which steps are possible nor End nor Marks; a Canon that
// merges states that differ in more than the names of threads gives plausible, wrong counts.
type Symmetric[S comparable] interface {
	Space[S]

	// Canon replaces *s by the representative of all states that differ from it only in the names of interchangeable
	// threads. If perm is not nil, it is the identity on entry, and on return perm[t] is the thread of the new *s
	// that thread t of the old *s has become. *s comes out the same whether perm is nil or not.
	Canon(s *S, perm []int)
}

// Expander is a Space that can tell all about a state at once, which is faster than to be asked thread by thread: the
// search then calls neither Next nor Hash nor Canon for the states that it expands. S is an array of 64-bit words, which
// the search compares one by one.
type Expander[S comparable] interface {
	Space[S]

	// Expands tells whether Expand returns canonical forms, if symmetry is used, or as they are, if not.
	Expands(symmetry bool) bool

	// Expand is Marks of *from, and Next and then Canon and Hash of each enabled thread, in ascending order. It
	// overwrites as many elements of to and hash, which are as long as there are threads.
	Expand(from *S, to []S, hash []uint64) (enabled uint64, marks uint32)
}

// A Verdict classifies how a schedule ends.
type Verdict uint8

const (
	// Open is no end: the search was stopped before it expanded the state.
	Open Verdict = iota
	Panicked
	Deadlocked
	LosingAll
	LosingPart
	Safe

	// Verdicts is the number of verdicts, for arrays indexed by them.
	Verdicts
)

var verdictNames = [Verdicts]string{"open", "panicked", "deadlocked", "losing all", "losing part", "safe"}

func (v Verdict) String() string { return verdictNames[v] }

// Losing reports whether v is LosingAll or LosingPart.
func (v Verdict) Losing() bool { return v == LosingAll || v == LosingPart }

// Classify is the order in which an end is judged: a schedule that panicked is not also deadlocked, one that
// deadlocked is not also losing. losesAll matters only if loses.
func Classify(panicked, deadlocked, loses, losesAll bool) Verdict {
	switch {
	case panicked:
		return Panicked
	case deadlocked:
		return Deadlocked
	case loses && losesAll:
		return LosingAll
	case loses:
		return LosingPart
	}
	return Safe
}

// Mix folds the word w into the hash h. A Hash method starts from any constant and mixes in the words of its state.
func Mix(h, w uint64) uint64 {
	h = (h ^ w) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

package explore

// A walker follows a schedule of concrete threads, with the concrete state beside the stored one that stands for it.
type walker[S comparable] struct {
	s     *Search[S]
	state S     // concrete
	index int   // of the stored state
	at    []int // at[t] is what concrete thread t is called in the stored state
}

// walk begins at the start.
func (s *Search[S]) walk() *walker[S] {
	w := &walker[S]{s: s, state: s.space.Start()}
	w.settle()
	return w
}

// step performs one step of a concrete thread; it reports false, and nothing changes, when that is not enabled or
// leads to a state that the search did not reach.
func (w *walker[S]) step(thread int) bool {
	var to S
	if thread < 0 || thread >= w.s.k || !w.s.space.Next(&w.state, thread, &to) {
		return false
	}
	before := *w
	w.state = to
	if !w.settle() {
		*w = before
		return false
	}
	return true
}

// settle finds the stored state of w.state, and the names there.
func (w *walker[S]) settle() bool {
	w.index, w.at = w.s.locate(&w.state)
	return w.index >= 0
}

// concrete is the concrete thread that is called t in the stored state.
func (w *walker[S]) concrete(t int) int {
	for thread, name := range w.at {
		if name == t {
			return thread
		}
	}
	panic("explore: Canon returned no permutation")
}

// locate is the index of the stored state that stands for *x, or -1, and what each thread of *x is called there.
func (s *Search[S]) locate(x *S) (int, []int) {
	stored := *x
	names := identity(make([]int, s.k))
	if s.canon != nil {
		s.canon.Canon(&stored, names)
	}
	return s.lookup(&stored), names
}

func identity(perm []int) []int {
	for i := range perm {
		perm[i] = i
	}
	return perm
}

package proof

import (
	"sharedbatches/core/coalesce"
)

// symmetric is a space whose set-up has interchangeable write tasks.
type symmetric[K words] struct {
	*space[K]
	groups [][]int // tasks that differ only in their names
	index  map[coalesce.Thread]int
	perm   []int
}

func newSymmetric[K words](sp *space[K]) *symmetric[K] {
	y := &symmetric[K]{space: sp, groups: sp.m.Interchangeable(), index: map[coalesce.Thread]int{}}
	for i, t := range sp.threads {
		y.index[t] = i
	}
	y.perm = make([]int, len(sp.m.Tasks))
	sp.canon = y.rename
	return y
}

// Canon sorts the tasks of each group by what a renaming cannot change about them.
// Tasks that are alike in all of that stay in order; if they differ all the same,
// two nodes stand for one orbit, which costs time and changes no count.
func (y *symmetric[K]) Canon(k *K, perm []int) {
	sp := y.space
	s := sp.put(k)
	if !y.sort(s) {
		return
	}
	sp.m.Rename(s, y.perm)
	sp.trial.Take(wordsOf(k))
	if perm == nil {
		return
	}
	for i, t := range sp.threads {
		perm[i] = y.index[sp.m.RenameThread(t, y.perm)]
	}
}

// rename is Canon for a successor that is being tried.
func (y *symmetric[K]) rename(s *coalesce.State) {
	if y.sort(s) {
		y.space.m.Rename(s, y.perm)
	}
}

// sort makes perm the renaming that sorts the tasks; it reports whether that moves any.
func (y *symmetric[K]) sort(s *coalesce.State) (moved bool) {
	for t := range y.perm {
		y.perm[t] = t
	}
	var keys [coalesce.MaxTasks]uint64
	for _, g := range y.groups {
		y.space.m.Sketch(s, g, &keys)
		var order [coalesce.MaxTasks]int
		n := copy(order[:], g)
		for i := 1; i < n; i++ {
			for j := i; j > 0 && keys[order[j]] < keys[order[j-1]]; j-- {
				order[j], order[j-1] = order[j-1], order[j]
				moved = true
			}
		}
		for i := range n {
			y.perm[order[i]] = g[i]
		}
	}
	return moved
}

package explore_test

import (
	"fmt"

	"sharedbatches/core/explore"
)

// Two threads increment a counter by a load and a store, and nothing keeps them apart.
type increments struct{}

type state struct {
	counter int
	loaded  [2]int
	pc      [2]int
}

func (increments) Start() state          { return state{} }
func (increments) Threads() int          { return 2 }
func (increments) Marks(s *state) uint32 { return 0 }

func (increments) Next(from *state, thread int, to *state) bool {
	*to = *from
	to.pc[thread]++
	switch from.pc[thread] {
	case 0:
		to.loaded[thread] = from.counter
	case 1:
		to.counter, to.loaded[thread] = from.loaded[thread]+1, 0
	default:
		return false
	}
	return true
}

func (increments) End(s *state) explore.Verdict {
	return explore.Classify(false, false, s.counter != 2, false)
}

func (increments) Hash(s *state) uint64 {
	h := explore.Mix(1, uint64(s.counter))
	for t := range s.pc {
		h = explore.Mix(h, uint64(s.loaded[t])<<8|uint64(s.pc[t]))
	}
	return h
}

func Example() {
	search := explore.New(increments{}, explore.Limits{Bytes: 512 << 20})
	for !search.Run(10_000) {
		// The caller shows search.Progress(), looks at a clock, calls search.Stop("time").
	}
	result := search.Result()
	fmt.Println(result)
	schedule := search.ToEnd(explore.LosingAll, explore.LosingPart)
	fmt.Println("shortest", schedule)
	lost, _, _ := search.NoReturn(schedule)
	fmt.Println("no return after step", lost)
	ways, _ := search.Ways(increments{}.Start())
	for _, after := range ways.After {
		fmt.Printf("thread %d: %v ways left, %v lose\n", after.Thread, after.Counts.Total(), after.Counts.Losing())
	}
	// Output:
	// 4 of 6 schedules lose
	// shortest [0 1 1 0]
	// no return after step 2
	// thread 0: 3 ways left, 2 lose
	// thread 1: 3 ways left, 2 lose
}

package explore

import (
	"encoding/binary"
	"math/bits"
)

// A race is one variant of the reduced race of the oracle: n finishers let go of a shared batch, each by a
// fetch_sub, while a sweeper probes it. One step is one atomic operation. Threads 0 to n-1 are the finishers, n is
// the sweeper.
type race struct {
	n       int
	push    bool // a finisher first pushes
	list    bool // and the queue keeps the order
	wait    bool // a finisher arrives, and waits for all, before its fetch_sub
	upgrade bool // the probe takes a reference; otherwise it reads the strong count
}

const maxFinishers = 12

// raceState is comparable in full: dead locals are zero. How many have pushed or arrived follows from the counters.
type raceState struct {
	pc     [maxFinishers]uint8
	strong uint8
	loaded uint8
	sweep  uint8  // the sweeper's counter
	taker  uint8  // finisher + 1 who took the batch, or orphaned
	queue  uint64 // finisher + 1 in each nibble, the latest lowest
}

const orphaned = 15

const (
	lock uint8 = iota
	load
	swap
	drop
	unlock
	finished
)

// Program counters of a finisher: push, arrive, wait, fetch_sub, with those left out that the variant lacks.
const (
	atPush uint8 = iota
	atArrive
	atWait
	atSub
	atEnd
)

func (r race) Threads() int { return r.n + 1 }

func (r race) Start() raceState {
	s := raceState{strong: uint8(r.n)}
	for i := range r.n {
		switch {
		case r.push:
			s.pc[i] = atPush
		case r.wait:
			s.pc[i] = atArrive
		default:
			s.pc[i] = atSub
		}
	}
	return s
}

func (r race) Next(from *raceState, thread int, to *raceState) bool {
	if thread == r.n {
		return r.sweep(from, to)
	}
	switch from.pc[thread] {
	case atPush:
		*to = *from
		to.pc[thread] = atSub
		if r.wait {
			to.pc[thread] = atArrive
		}
		if r.list {
			to.queue = to.queue<<4 | uint64(thread+1)
		}
	case atArrive:
		*to = *from
		to.pc[thread] = atWait
	case atWait:
		for _, pc := range from.pc[:r.n] {
			if pc < atWait {
				return false
			}
		}
		*to = *from
		to.pc[thread] = atSub
	case atSub:
		*to = *from
		to.pc[thread] = atEnd
		if to.strong == 1 {
			to.taker = uint8(thread + 1)
		}
		to.strong--
	default:
		return false
	}
	return true
}

func (r race) sweep(from, to *raceState) bool {
	if from.sweep == finished {
		return false
	}
	*to = *from
	switch from.sweep {
	case lock:
		to.sweep = load
	case load:
		to.sweep = unlock
		if r.upgrade && from.strong > 0 {
			to.sweep, to.loaded = swap, from.strong
		}
	case swap:
		switch {
		case from.strong == from.loaded:
			to.sweep, to.loaded = drop, 0
			to.strong++
		case from.strong == 0:
			to.sweep, to.loaded = unlock, 0
		default:
			to.loaded = from.strong
		}
	case drop:
		to.sweep = unlock
		if from.strong == 1 {
			to.taker = orphaned
		}
		to.strong--
	case unlock:
		to.sweep = finished
	}
	return true
}

func (r race) End(s *raceState) Verdict {
	return Classify(false, s.sweep != finished, s.taker == orphaned, true)
}

// Marks: bit 0 is orphaned.
func (r race) Marks(s *raceState) uint32 {
	if s.taker == orphaned {
		return 1
	}
	return 0
}

func (r race) Hash(s *raceState) uint64 {
	rest := uint64(binary.LittleEndian.Uint32(s.pc[8:])) | uint64(s.strong)<<32 | uint64(s.loaded)<<40 | uint64(s.sweep)<<48 | uint64(s.taker)<<56
	h := Mix(Mix(1, binary.LittleEndian.Uint64(s.pc[:8])), rest)
	if r.list {
		h = Mix(h, s.queue)
	}
	return h
}

// symmetricRace is a race whose finishers are interchangeable; not for queues that keep the order.
type symmetricRace struct{ race }

// Canon sorts the finishers by counter, and of equals puts the one who took the batch last; an insertion sort, which
// keeps the order of equals.
func (r symmetricRace) Canon(s *raceState, perm []int) {
	var was [maxFinishers]int // was[i] is who is finisher i now
	for i := range r.n {
		pc := s.pc[i]
		j := i
		for ; j > 0 && (pc < s.pc[j-1] || pc == s.pc[j-1] && int(s.taker) == was[j-1]+1); j-- {
			s.pc[j], was[j] = s.pc[j-1], was[j-1]
		}
		s.pc[j], was[j] = pc, i
	}
	taker := s.taker
	for i, old := range was[:r.n] {
		if int(taker) == old+1 {
			s.taker = uint8(i + 1)
		}
		if perm != nil {
			perm[old] = i
		}
	}
}

// wide is a race in states as large as those of a real mechanism.
type wide struct{ race }

type wideState struct {
	race raceState
	rest [22]uint64
}

func (w wide) Start() wideState { return wideState{race: w.race.Start()} }

func (w wide) Next(from *wideState, thread int, to *wideState) bool {
	if !w.race.Next(&from.race, thread, &to.race) {
		return false
	}
	to.rest = from.rest
	to.rest[thread]++
	to.rest[21] = to.race.queue * 0x9E3779B97F4A7C15
	return true
}

func (w wide) End(s *wideState) Verdict { return w.race.End(&s.race) }

func (w wide) Marks(s *wideState) uint32 { return w.race.Marks(&s.race) }

func (w wide) Hash(s *wideState) uint64 {
	h := w.race.Hash(&s.race)
	for i := 0; i < len(s.rest); i += 2 {
		h = Mix(h, s.rest[i]^bits.RotateLeft64(s.rest[i+1], 32))
	}
	return h
}

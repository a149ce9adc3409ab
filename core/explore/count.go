package explore

import (
	"math"
	"math/bits"
)

// counts are the rows of numbers kept of every state once the order is known. A count is a little-endian row of 64-bit
// limbs; all counts of a search share a width.
type counts struct {
	// estimate is the number of schedules as a float64, chance that of a uniformly picked schedule by verdict, and
	// present the verdicts that occur; all three come from the pass that finds the order.
	estimate float64
	chance   [Verdicts]float64
	present  [Verdicts]bool

	limbs    int           // width of a count
	columns  []Verdict     // which verdicts have a count in a row of back
	column   [Verdicts]int // index in columns, or -1
	stride   int           // words in a row of back
	back     []uint64      // per state: the ways on by verdict, then the chance of losing as float64 bits
	into     []uint64      // per state: the ways from the start to it
	overflow bool          // a count did not fit limbs
	ready    bool
}

// countReserve is set aside per state while searching under a limit of bytes, so that what was found can be counted.
const countReserve = 64

func (s *Search[S]) countBytes() int64 {
	return int64(cap(s.order))*4 + int64(len(s.sorting))*sortingBytes + int64(len(s.counts.back)+len(s.counts.into))*8
}

// planCounts chooses the columns, and a width that the estimate fills; the carry is checked all the same.
func (s *Search[S]) planCounts() {
	c := &s.counts
	c.columns = c.columns[:0]
	for v := range Verdicts {
		c.column[v] = -1
		if c.present[v] {
			c.column[v] = len(c.columns)
			c.columns = append(c.columns, v)
		}
	}
	if c.limbs == 0 {
		c.limbs = 17 // past the range of float64
		if !math.IsInf(c.estimate, 1) {
			_, exponent := math.Frexp(c.estimate)
			c.limbs = (exponent+1)/64 + 1
		}
	}
	if c.limbs == 1 {
		c.into = make([]uint64, s.arena.n)
		for i := range c.into {
			c.into[i] = s.sorting[i].ways
		}
	}
}

// widen starts the counts again with wider rows.
func (s *Search[S]) widen() {
	c := &s.counts
	c.limbs += (c.limbs + 1) / 2
	c.back, c.into, c.overflow = nil, nil, false
	s.enter(backward)
}

func (s *Search[S]) dropCounts() {
	s.order, s.sorting, s.fates = nil, nil, nil
	s.counts = counts{}
}

// countBackward fills the rows from the ends to the start: the ways on of a state are those of its successors.
func (s *Search[S]) countBackward(budget int) int {
	c := &s.counts
	if c.back == nil {
		c.stride = len(c.columns)*c.limbs + 1
		if s.exceeds(int64(s.arena.n) * int64(c.stride) * 8) {
			return budget
		}
		c.back = make([]uint64, s.arena.n*c.stride)
	}
	for ; budget > 0 && s.cursor < len(s.order); budget-- {
		s.cursor++
		s.backRow(int(s.order[len(s.order)-s.cursor]))
	}
	if c.overflow {
		s.widen()
	} else if s.cursor == len(s.order) {
		s.enter(forward)
		if c.into != nil {
			s.enter(summing)
		}
	}
	return budget
}

func (s *Search[S]) backRow(i int) {
	c := &s.counts
	row := c.back[i*c.stride : (i+1)*c.stride]
	last := len(row) - 1
	next := s.successorsOf(i)
	if len(next) == 0 {
		v := s.endOf(i)
		row[c.column[v]*c.limbs] = 1
		if v.Losing() {
			row[last] = math.Float64bits(1)
		}
		return
	}
	if c.limbs == 1 {
		s.backShort(row, next)
		return
	}
	var chance float64
	var carry uint64
	for _, j := range next {
		src := c.back[int(j)*c.stride : (int(j)+1)*c.stride]
		chance += math.Float64frombits(src[last])
		for k := 0; k < last; k += c.limbs {
			carry |= addLimbs(row[k:k+c.limbs], src[k:])
		}
	}
	row[last] = math.Float64bits(chance / float64(len(next)))
	if carry != 0 {
		c.overflow = true
	}
}

// backShort fills the row of a state whose counts are one limb each.
func (s *Search[S]) backShort(row []uint64, next []uint32) {
	c := &s.counts
	back, stride := c.back, len(row)
	var sums [Verdicts]uint64
	var chance float64
	var carry uint64
	last := stride - 1
	for _, j := range next {
		src := back[int(j)*stride:]
		src = src[:stride]
		chance += math.Float64frombits(src[last])
		for k, n := range src[:last] {
			var over uint64
			sums[k], over = bits.Add64(sums[k], n, 0)
			carry |= over
		}
	}
	copy(row, sums[:last])
	row[last] = math.Float64bits(chance / float64(len(next)))
	if carry != 0 {
		c.overflow = true
	}
}

// countForward fills the ways into each state. They fit wherever the ways on from the start do: each goes on to at
// least one end, and no two to the same schedule.
func (s *Search[S]) countForward(budget int) int {
	c := &s.counts
	if c.into == nil {
		if s.exceeds(int64(s.arena.n) * int64(c.limbs) * 8) {
			return budget
		}
		c.into = make([]uint64, s.arena.n*c.limbs)
		c.into[0] = 1
	}
	for ; budget > 0 && s.cursor < len(s.order); budget-- {
		i := int(s.order[s.cursor])
		s.cursor++
		ways := c.into[i*c.limbs : (i+1)*c.limbs]
		for _, j := range s.successorsOf(i) {
			at := int(j) * c.limbs
			if addLimbs(c.into[at:at+c.limbs], ways) != 0 {
				c.overflow = true
			}
		}
	}
	if c.overflow {
		s.widen()
	} else if s.cursor == len(s.order) {
		s.enter(summing)
	}
	return budget
}

// sumLevels counts the fates of the states of each depth.
func (s *Search[S]) sumLevels(budget int) int {
	if s.fates == nil {
		s.fates = make([]Level, 0, len(s.levels)-1)
	}
	for ; budget > 0 && s.cursor < s.arena.n; budget-- {
		if s.cursor == s.levels[len(s.fates)] {
			s.fates = append(s.fates, Level{})
		}
		level := &s.fates[len(s.fates)-1]
		switch s.fate(s.cursor) {
		case Always:
			level.Always++
		case Sometimes:
			level.Sometimes++
		case Never:
			level.Never++
		default:
			level.Unknown++
		}
		s.cursor++
	}
	if s.cursor == s.arena.n {
		s.counts.ready = true
		s.order = nil
		s.enter(done)
	}
	return budget
}

// successorsOf is successors by index.
func (s *Search[S]) successorsOf(i int) []uint32 { return s.arena.successors(s.arena.node(i)) }

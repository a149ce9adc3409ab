package part

import (
	"fmt"
	"slices"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
)

// Section is the rows of one part within a file: [From, To).
type Section struct {
	Part, From, To int
	Time           int64 // the time that its updates carry there
	Own            int64 // the time at which they happened
}

// Sections tells who wrote which rows of a file that holds parts written in interval n.
func Sections(m *coalesce.Model, ps coalesce.Parts, n int) []Section {
	var list []Section
	at := 0
	for _, p := range ps.List() {
		pc, _ := m.Part(p)
		list = append(list, Section{p, at, at + pc.Updates, row.Time(m, p, n), pc.At})
		at += pc.Updates
	}
	return list
}

// Written is an update as the shard has it.
type Written struct {
	row.Update
	Own      int64 // the time at which it happened; later than that is late
	Interval int   // in which it was appended; -1 for what was there before the first
}

// Shard is the content of one sink's shard, read from its objects.
type Shard struct {
	Since, Upper int64
	Updates      []Written
	bounds       []int64
}

// OtherReplica stands in for the key of the object that another replica has appended.
const OtherReplica = "another replica's object"

// Open reads the shard of a sink in a state. Its appended batches are the objects
// that the state refers to, which get fetches by key, and inline parts, which the
// state itself holds; what the state says another
// replica has sealed is made here and takes the same way through the bytes. Rows
// outside a batch's bounds are cut, as persist does.
func Open(mem Allocator, m *coalesce.Model, s *coalesce.State, sink int, get func(key string) ([]byte, error)) (*Shard, error) {
	before, err := row.Initial(m, sink)
	if err != nil {
		return nil, err
	}
	sh := &Shard{Since: m.Sinks[sink].Since, Upper: m.Upper(s, sink), bounds: m.Sinks[sink].Bounds}
	for _, u := range before {
		sh.Updates = append(sh.Updates, Written{u, u.Time, -1})
	}
	for n := range int(s.Sinks[sink].Upper) {
		var here coalesce.Parts
		for _, o := range m.Pieces(s) {
			if o.Sink != sink || o.N != n || o.Status != coalesce.Referenced {
				continue
			}
			here |= o.Parts
			key := o.Key
			data, err := pieceOf(mem, m, o, get)
			if err != nil {
				return nil, err
			}
			if err := sh.add(mem, m, key, data, o.Parts, n); err != nil {
				return nil, err
			}
		}
		var elsewhere coalesce.Parts
		for _, p := range row.Parts(m, sink) {
			if int(s.Sealed[p]) == n+1 && !here.Has(p) {
				elsewhere |= 1 << p
			}
		}
		if elsewhere != 0 {
			data, err := Blob(mem, m, elsewhere, n)
			if err != nil {
				return nil, err
			}
			if err := sh.add(mem, m, OtherReplica, data, elsewhere, n); err != nil {
				return nil, err
			}
		}
	}
	return sh, nil
}

// pieceOf is the bytes of a referenced part: an object's, which get fetches, or those
// that the shard's state holds of an inline one.
func pieceOf(mem Allocator, m *coalesce.Model, o coalesce.Object, get func(key string) ([]byte, error)) ([]byte, error) {
	if o.Inline {
		return Blob(mem, m, o.Parts, o.N)
	}
	return get(o.Key)
}

// add reads one appended batch.
func (sh *Shard) add(mem Allocator, m *coalesce.Model, key string, data []byte, ps coalesce.Parts, n int) error {
	p, err := Decode(mem, row.KeyOf(m, ps), data)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	defer p.Release()
	sections := Sections(m, ps, n)
	if last := sections[len(sections)-1]; last.To != p.Len() {
		return fmt.Errorf("%s: it has %d updates: its parts have %d", key, p.Len(), last.To)
	}
	for _, sec := range sections {
		for i := sec.From; i < sec.To; i++ {
			if u := p.Update(i); u.Time >= sh.bounds[n] && u.Time < sh.bounds[n+1] {
				sh.Updates = append(sh.Updates, Written{u, sec.Own, n})
			}
		}
	}
	return nil
}

func (sh *Shard) plain() []row.Update {
	us := make([]row.Update, len(sh.Updates))
	for i, w := range sh.Updates {
		us[i] = w.Update
	}
	return us
}

// Status is whether a read at time t is answered.
func (sh *Shard) Status(t int64) coalesce.ReadStatus {
	switch {
	case t < sh.Since:
		return coalesce.Refused
	case t >= sh.Upper:
		return coalesce.Waits
	}
	return coalesce.Answers
}

// AsOf answers SELECT ... AS OF t: the updates with a time of at most t, consolidated.
// A diff is the row's multiplicity. Errors are among them ([row.Failure]); while there is
// one, a query gets it and no row. Where the status is not Answers it is what the
// shard has so far, which no reader gets.
func (sh *Shard) AsOf(t int64) (coalesce.ReadStatus, []row.Update) {
	return sh.Status(t), row.At(sh.plain(), t)
}

// Count is a row's count and how often the row is there: 1, unless updates of one
// bucket were lost in part.
type Count struct{ N, Times int64 }

// Cell is one bucket of a view beside the truth.
type Cell struct {
	Bucket      string
	View, Truth []Count
}

// Wrong tells whether the view differs from the truth.
func (c Cell) Wrong() bool { return !slices.Equal(c.View, c.Truth) }

// Cells puts the rows of two contents side by side, in the order of buckets, without errors.
func Cells(view, truth []row.Update) []Cell {
	var cells []Cell
	view, _ = row.Split(view)
	truth, _ = row.Split(truth)
	for len(view) > 0 || len(truth) > 0 {
		var next string
		switch {
		case len(truth) == 0:
			next = view[0].Row[0].Text()
		case len(view) == 0:
			next = truth[0].Row[0].Text()
		default:
			next = min(view[0].Row[0].Text(), truth[0].Row[0].Text())
		}
		c := Cell{Bucket: next}
		view, c.View = take(view, next)
		truth, c.Truth = take(truth, next)
		cells = append(cells, c)
	}
	return cells
}

// take splits off the rows of one bucket, which stand first.
func take(us []row.Update, bucket string) (rest []row.Update, counts []Count) {
	for len(us) > 0 && us[0].Row[0].Text() == bucket {
		counts = append(counts, Count{us[0].Row[1].Int(), us[0].Diff})
		us = us[1:]
	}
	return us, counts
}

// Span is a range of times [From, To) at which reads fare alike.
type Span struct {
	From, To int64
	Status   coalesce.ReadStatus
	Wrong    int // rows that the view has and the truth has not, or the other way, with their multiplicity
	// Whether a query of the view fails, and whether it should. Where both do, nothing is
	// wrong, whatever rows there are.
	Fails, Should bool
}

// Strip divides the times from 0 to the sink's last bound. A span is never empty;
// times at or beyond the last bound are like those before it.
func (sh *Shard) Strip(truth []row.Update) []Span {
	// The difference between view and truth as updates of its own: what is left of it
	// at a time is wrong there.
	diff := sh.plain()
	for _, u := range truth {
		u.Diff = -u.Diff
		diff = append(diff, u)
	}
	diff = row.Consolidate(diff)
	cuts := []int64{0, sh.Since, sh.Upper, sh.bounds[len(sh.bounds)-1]}
	for _, u := range diff {
		cuts = append(cuts, u.Time)
	}
	_, fails := row.Split(sh.plain())
	_, should := row.Split(truth)
	for _, u := range append(slices.Clone(fails), should...) {
		cuts = append(cuts, u.Time)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	// Rows are sorted, so one row's updates stand together, with ascending times.
	wrong := make([]int, len(cuts))
	for i := 0; i < len(diff); {
		k := i
		for sum := int64(0); k < len(diff) && diff[k].Row.Compare(diff[i].Row) == 0; k++ {
			sum += diff[k].Diff
			from, _ := slices.BinarySearch(cuts, diff[k].Time)
			to := len(cuts)
			if k+1 < len(diff) && diff[k+1].Row.Compare(diff[i].Row) == 0 {
				to, _ = slices.BinarySearch(cuts, diff[k+1].Time)
			}
			for c := from; c < to; c++ {
				wrong[c] += int(max(sum, -sum))
			}
		}
		i = k
	}
	var spans []Span
	end := sh.bounds[len(sh.bounds)-1]
	for i := range cuts {
		if cuts[i] >= end {
			break
		}
		s := Span{From: cuts[i], To: cuts[i+1], Status: sh.Status(cuts[i]), Wrong: wrong[i]}
		if s.Status == coalesce.Answers && len(fails)+len(should) > 0 {
			s.Fails = row.Failure(row.At(fails, s.From)) != ""
			s.Should = row.Failure(row.At(should, s.From)) != ""
		}
		if s.Status != coalesce.Answers || s.Fails && s.Should {
			s.Wrong = 0
		}
		if n := len(spans) - 1; n >= 0 && spans[n].Status == s.Status && spans[n].Wrong == s.Wrong && spans[n].Fails == s.Fails && spans[n].Should == s.Should {
			spans[n].To = s.To
			continue
		}
		spans = append(spans, s)
	}
	return spans
}

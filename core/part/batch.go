package part

import (
	"fmt"
	"math"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
)

// BatchOptions are what a batch builder is told.
type BatchOptions struct {
	Lower  int64 // times below are refused
	Target int   // goodbytes at which it flushes; 0: [coalesce.TargetBytes]
	// Recompute measures what is in progress by evaluating the goodbytes of every
	// finished part anew, as the original did at first (facts.md D2). Otherwise a
	// running counter is kept. Both decide alike.
	Recompute bool
}

// BatchBuilder is persist's batch builder: it takes updates or whole parts and
// hands over one part for each flush.
//
// In-progress bytes are those of the open part builder and of the finished parts. A
// part that would bring them above the target flushes what is there first; if it is
// above the target by itself it is flushed alone, never split. Single updates flush
// when the target is reached. So one flush is one part and one object.
type BatchBuilder struct {
	BatchOptions
	Evaluations int // goodbytes evaluations of whole parts so far
	mem         Allocator
	flush       func(*Part) error
	open        *Builder
	finished    []*Part
	bytes       int   // of finished, unless Recompute
	latest      int64 // greatest time taken
}

// NewBatchBuilder starts a batch. Every flushed part is lent to flush until it returns.
func NewBatchBuilder(mem Allocator, s row.Schema, o BatchOptions, flush func(*Part) error) (*BatchBuilder, error) {
	if o.Target < 0 {
		return nil, fmt.Errorf("batch: target: %d bytes: allowed is 0 (the default) or more", o.Target)
	}
	if o.Target == 0 {
		o.Target = coalesce.TargetBytes
	}
	open, err := NewBuilder(mem, s)
	if err != nil {
		return nil, err
	}
	return &BatchBuilder{BatchOptions: o, mem: mem, flush: flush, open: open, latest: math.MinInt64}, nil
}

// goodbytes evaluates a whole part.
func (b *BatchBuilder) goodbytes(p *Part) int {
	b.Evaluations++
	return p.Goodbytes()
}

// InProgress is the goodbytes of everything that is not flushed yet.
func (b *BatchBuilder) InProgress() int {
	n := b.open.Goodbytes()
	if !b.Recompute {
		return n + b.bytes
	}
	for _, p := range b.finished {
		n += b.goodbytes(p)
	}
	return n
}

// Add takes one update.
func (b *BatchBuilder) Add(u row.Update) error {
	if u.Time < b.Lower {
		return fmt.Errorf("add: time %d: the batch's lower is %d", u.Time, b.Lower)
	}
	if err := b.open.Push(u.Row, u.Time, u.Diff); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	b.latest = max(b.latest, u.Time)
	if b.InProgress() >= b.Target {
		return b.flushAll()
	}
	return nil
}

// AddPart takes a whole part; the caller keeps its own reference. All of it is
// checked before anything is recorded, which the original does not do (facts.md D13).
func (b *BatchBuilder) AddPart(p *Part) error {
	latest := b.latest
	for i, t := range p.times().Int64Values() {
		if t < b.Lower {
			return fmt.Errorf("add part: times[%d]: %d: the batch's lower is %d", i, t, b.Lower)
		}
		latest = max(latest, t)
	}
	if !sameSchema(p.schema, b.open.schema) {
		return fmt.Errorf("add part: key: %v: the batch's is %v", p.schema, b.open.schema)
	}
	b.latest = latest
	b.closeOpen()
	size := 0
	if b.Recompute {
		if b.InProgress()+b.goodbytes(p) > b.Target {
			if err := b.flushAll(); err != nil {
				return err
			}
		}
	} else {
		size = b.goodbytes(p)
		if b.InProgress()+size > b.Target {
			if err := b.flushAll(); err != nil {
				return err
			}
		}
	}
	p.Retain()
	b.finished = append(b.finished, p)
	b.bytes += size
	if b.InProgress() > b.Target {
		return b.flushAll()
	}
	return nil
}

func sameSchema(a, b row.Schema) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// closeOpen turns the open part builder's updates into a finished part.
func (b *BatchBuilder) closeOpen() {
	if b.open.Len() == 0 {
		return
	}
	b.bytes += b.open.Goodbytes()
	b.finished = append(b.finished, b.open.Finish())
}

// flushAll hands over everything in progress as one part.
func (b *BatchBuilder) flushAll() error {
	b.closeOpen()
	one, err := Concat(b.mem, b.finished)
	if err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	b.drop()
	if one == nil {
		return nil
	}
	defer one.Release()
	if err := b.flush(one); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	return nil
}

// Finish flushes what is left and ends the batch. Every time taken must be below upper.
func (b *BatchBuilder) Finish(upper int64) error {
	if upper <= b.Lower {
		return fmt.Errorf("finish: upper %d: the lower is %d", upper, b.Lower)
	}
	if b.latest >= upper {
		return fmt.Errorf("finish: upper %d: there is an update at %d", upper, b.latest)
	}
	return b.flushAll()
}

// Release frees what was not flushed. The builder is not used again.
func (b *BatchBuilder) Release() {
	b.drop()
	b.open.Release()
}

func (b *BatchBuilder) drop() {
	for _, p := range b.finished {
		p.Release()
	}
	b.finished, b.bytes = nil, 0
}

// Inline tells whether persist keeps a flushed part in the shard's metadata and makes
// no PUT for it. Parts that are inline one by one may cost a PUT together (facts.md O4).
func Inline(p *Part) bool { return p.Goodbytes() < coalesce.InlineLimit }

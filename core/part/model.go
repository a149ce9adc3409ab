package part

import (
	"fmt"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
)

// Of makes part p as it is written in interval n (from 0) of its sink: with its own
// time in its own interval, raised to the lower of a later one.
func Of(mem Allocator, m *coalesce.Model, p, n int) (*Part, error) {
	us, err := row.Of(m, p, n)
	if err != nil {
		return nil, err
	}
	made, err := New(mem, row.KeyOf(m, 1<<p), us)
	if err != nil {
		return nil, fmt.Errorf("part %d: %w", p, err)
	}
	return made, nil
}

// Flushed makes the one part that a batch builder flushes from parts written in
// interval n, in the order of their ids.
func Flushed(mem Allocator, m *coalesce.Model, ps coalesce.Parts, n int) (*Part, error) {
	var parts []*Part
	defer func() {
		for _, p := range parts {
			p.Release()
		}
	}()
	for _, id := range ps.List() {
		p, err := Of(mem, m, id, n)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return Concat(mem, parts)
}

// Blob makes the bytes of the object that holds parts written in interval n.
func Blob(mem Allocator, m *coalesce.Model, ps coalesce.Parts, n int) ([]byte, error) {
	p, err := Flushed(mem, m, ps, n)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fmt.Errorf("blob: it has no parts: a batch without data is no object")
	}
	defer p.Release()
	return Encode(mem, p)
}

// Sizes makes part p by itself and measures it: its goodbytes, and the bytes of the
// file that would hold it. The package size computes the same without Arrow.
func Sizes(mem Allocator, m *coalesce.Model, p int) (goodbytes, encoded int, err error) {
	pc, _ := m.Part(p)
	made, err := Of(mem, m, p, pc.Interval)
	if err != nil {
		return 0, 0, err
	}
	defer made.Release()
	data, err := Encode(mem, made)
	return made.Goodbytes(), len(data), err
}

package part

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sharedbatches/core/coalesce"
)

// StoreLimit is how many bytes a store holds by default: the page's budget is 64 MiB.
const StoreLimit = 64 << 20

// Store is an in-memory blob store: keys and values, with a limit on all values
// together. The zero value has the limit [StoreLimit].
type Store struct {
	Limit int // in bytes; 0: StoreLimit
	Puts  int // puts made, replaced objects included
	data  map[string][]byte
	bytes int
	// What Act and Follow put, so that Follow need not make it again to see that it is there.
	model *coalesce.Model
	made  map[string]coalesce.Parts
}

// ErrFull is what a refused put wraps.
var ErrFull = errors.New("the store is full")

func (s *Store) limit() int {
	if s.Limit == 0 {
		return StoreLimit
	}
	return s.Limit
}

// Put stores a copy of value under key. Beyond the limit it is refused, and what was
// there stays.
func (s *Store) Put(key string, value []byte) error {
	if key == "" {
		return errors.New("put: key: it is empty")
	}
	after := s.bytes - len(s.data[key]) + len(value)
	if after > s.limit() {
		return fmt.Errorf("put %s: %d bytes: the store would hold %d: allowed are %d: %w", key, len(value), after, s.limit(), ErrFull)
	}
	if s.data == nil {
		s.data = map[string][]byte{}
	}
	s.data[key] = slices.Clone(value)
	delete(s.made, key)
	s.bytes = after
	s.Puts++
	return nil
}

// Get is the value under key, which must not be changed.
func (s *Store) Get(key string) ([]byte, error) {
	v, ok := s.data[key]
	if !ok {
		return nil, fmt.Errorf("get %s: there is no such object", key)
	}
	return v, nil
}

// Delete removes the object under key.
func (s *Store) Delete(key string) error {
	v, ok := s.data[key]
	if !ok {
		return fmt.Errorf("delete %s: there is no such object", key)
	}
	s.bytes -= len(v)
	delete(s.data, key)
	delete(s.made, key)
	return nil
}

// Stored is an object of a store as a list shows it.
type Stored struct {
	Key   string
	Bytes int
}

// List is all objects in the order of their keys.
func (s *Store) List() []Stored {
	list := make([]Stored, 0, len(s.data))
	for k, v := range s.data {
		list = append(list, Stored{k, len(v)})
	}
	slices.SortFunc(list, func(a, b Stored) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// Bytes is how much all values are together.
func (s *Store) Bytes() int { return s.bytes }

// Act does to the store what one event of a step did. An upload is a put: by the
// builder task of a batch, or by a worker that writes a batch of its own. Where a
// conflicting or outdated append deletes its staged batches, a write task one that it
// cannot send, or a cleaner what is leaked, their objects go. Other events are nothing
// to it. The model uploads a part once, so a put never replaces.
func (s *Store) Act(mem Allocator, m *coalesce.Model, e coalesce.Event) error {
	switch e.Kind {
	case coalesce.Uploaded:
		_, n := coalesce.EntryInterval(int(e.Entry))
		spawner := e.Thread
		if e.Slot >= 0 {
			spawner = coalesce.Builder(int(e.Slot)).Spawner()
		}
		return s.put(mem, m, m.Key(spawner, n, int(e.A)), n, e.Parts)
	case coalesce.Cleaned:
		_, n := coalesce.EntryInterval(int(e.Entry))
		return s.Delete(m.Key(coalesce.Thread(e.B), n, int(e.A)))
	case coalesce.Mismatched, coalesce.Outdated, coalesce.Unsent:
		// The event has the parts of all objects that go; a part is in one of them.
		sink, n := m.Sink(e.Thread), int(e.A)
		for _, t := range m.Threads() {
			if t.Role() != coalesce.WriteTask || m.Sink(t) != sink {
				continue
			}
			for k := range coalesce.MaxFlushes {
				key := m.Key(t, n, k)
				if ps := s.made[key]; ps != 0 && ps&^e.Parts == 0 {
					if err := s.Delete(key); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// put makes and stores an object of parts written in interval n.
func (s *Store) put(mem Allocator, m *coalesce.Model, key string, n int, ps coalesce.Parts) error {
	s.of(m)
	data, err := Blob(mem, m, ps, n)
	if err != nil {
		return fmt.Errorf("put %s: %w", key, err)
	}
	if err := s.Put(key, data); err != nil {
		return err
	}
	s.made[key] = ps
	return nil
}

// of makes the store one of a model's.
func (s *Store) of(m *coalesce.Model) {
	if s.model != m {
		s.model, s.made = m, map[string]coalesce.Parts{}
	}
}

// Follow makes the store hold exactly the objects of a state, whichever way the
// learner got there: objects that are gone are deleted, missing ones put.
func (s *Store) Follow(mem Allocator, m *coalesce.Model, state *coalesce.State) error {
	s.of(m)
	want := map[string]bool{}
	objects := m.List(state)
	for _, o := range objects {
		want[o.Key] = true
	}
	for _, o := range s.List() {
		if !want[o.Key] {
			if err := s.Delete(o.Key); err != nil {
				return err
			}
		}
	}
	for _, o := range objects {
		// The same key may stand for other parts on another branch of the run.
		if s.made[o.Key] == o.Parts {
			continue
		}
		if err := s.put(mem, m, o.Key, o.N, o.Parts); err != nil {
			return err
		}
	}
	return nil
}

// Writer hands flushed parts to the store as s<shard>/w<writer>/p1, p2, and so on.
// Parts below the inline limit are counted and not put.
type Writer struct {
	Store         *Store
	Shard, Writer string
	Mem           Allocator
	Parts, Inline int
}

// Flush is the flush of a [BatchBuilder].
func (w *Writer) Flush(p *Part) error {
	if Inline(p) {
		w.Inline++
		return nil
	}
	data, err := Encode(w.Mem, p)
	if err != nil {
		return err
	}
	w.Parts++
	return w.Store.Put(fmt.Sprintf("s%s/w%s/p%d", w.Shard, w.Writer, w.Parts), data)
}

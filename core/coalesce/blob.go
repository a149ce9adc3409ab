package coalesce

import (
	"strconv"
	"strings"

	"sharedbatches/core/brief"
)

// Blob is one object of the blob store: the finished batch of one spawner and
// interval. Every finished batch that got data is one part above the inline
// limit, hence one object; smaller sizes and flushes come with the persist side.
type Blob struct {
	Parts  Parts
	Status BlobStatus
	Given  uint8 // handles that received its batch
}

// BlobStatus is who refers to a blob.
type BlobStatus uint8

const (
	NoBlob     BlobStatus = iota
	InFlight              // its task, an answer or the append still holds its batch
	Referenced            // an appended batch of the shard refers to it
	Leaked                // nobody refers to it and nobody will delete it
	Deleted               // deleted explicitly
)

func (b BlobStatus) String() string {
	return [...]string{"none", "in flight", "referenced", "leaked", "deleted"}[b]
}

// Object is one object of the store as a list shows it.
type Object struct {
	Key     string // see [Model.Key]
	Sink    int
	Spawner Thread
	N       int // interval, from 0
	Blob
	Bytes, Updates int
}

// List is the content of the blob store in the order of keys' sinks, spawners and
// intervals. Deleted objects are left out.
func (m *Model) List(s *State) []Object {
	var list []Object
	for sink := range m.Sinks {
		for t := range m.tasks {
			if m.tasks[t].sink != sink {
				continue
			}
			for n := range m.Intervals(sink) {
				if o, ok := m.Get(s, Thread(t), n); ok {
					list = append(list, o)
				}
			}
		}
	}
	return list
}

// Get finds the object that the batch of a spawner and interval (from 0) was
// uploaded as; ok is false when there is none, or none any more.
func (m *Model) Get(s *State, spawner Thread, n int) (o Object, ok bool) {
	b := s.Blobs[spawner][n]
	if b.Status == NoBlob || b.Status == Deleted {
		return o, false
	}
	sink := m.tasks[spawner].sink
	o = Object{
		Key:  m.Key(spawner, n),
		Sink: sink, Spawner: spawner, N: n, Blob: b,
	}
	o.Bytes, o.Updates = m.Sizes(b.Parts)
	return o, true
}

// Key is the key of the object that the batch of a spawner and interval (from 0) is
// uploaded as, such as sY/wa/p1: shard, writer and part, as persist forms it; its
// random ids are names here.
func (m *Model) Key(spawner Thread, n int) string {
	return "s" + m.SinkName(m.Sink(spawner)) + "/w" + strings.ToLower(m.names[spawner]) + "/p" + strconv.Itoa(n+1)
}

// Sizes adds up the encoded bytes and the updates of a set of parts.
func (m *Model) Sizes(ps Parts) (bytes, updates int) {
	for _, p := range ps.List() {
		bytes += m.parts[p].Bytes
		updates += m.parts[p].Updates
	}
	return bytes, updates
}

// put uploads what a builder task made: one PUT.
func (m *Model) put(s *State, spawner, n int, ps Parts, status BlobStatus) {
	s.Blobs[spawner][n] = Blob{Parts: ps, Status: status}
	s.Puts++
}

// Delete removes the object of a spawner and interval. Only an object that nobody
// refers to may go.
func (m *Model) Delete(s *State, spawner Thread, n int) error {
	o, ok := m.Get(s, spawner, n)
	if !ok {
		return brief.Errorf("delete: %s, interval %d: there is no such object", m.names[spawner], n+1)
	}
	if o.Status != Leaked {
		return brief.Errorf("delete: %s: it is %s: only a leaked object may be deleted", o.Key, o.Status)
	}
	s.Blobs[spawner][n].Status = Deleted
	return nil
}

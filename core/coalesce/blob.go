package coalesce

import (
	"strconv"
	"strings"

	"sharedbatches/core/brief"
)

// Blob is one object of the blob store: the finished batch of one spawner and
// interval. With [ShortPersist] every finished batch that got data is one part above
// the inline limit, hence one object. With [WholePersist] it is as many parts as
// [Flushes] says, and Parts are those that were flushed.
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
	Abandoned             // a batch whose builder task panicked: what is stored of it is leaked
	Uploading             // one part of a batch: its upload is not complete
	blobStatusCount
)

func (b BlobStatus) String() string {
	return [...]string{"none", "in flight", "referenced", "leaked", "deleted", "abandoned", "uploading"}[b]
}

// Object is one object of the store as a list shows it.
type Object struct {
	Key     string // see [Model.Key]
	Sink    int
	Spawner Thread
	N       int  // interval, from 0
	Flush   int  // which of its batch's parts it is, from 0
	Inline  bool // it is in the shard's metadata, or in the batch's, and no object
	Blob
	Bytes, Updates int
}

// List is the content of the blob store in the order of keys' sinks, spawners and
// intervals. Deleted objects are left out, and so is what is no object: inline parts,
// and uploads that are not complete.
func (m *Model) List(s *State) []Object {
	all := m.Pieces(s)
	list := all[:0]
	for i := range all {
		if all[i].Stored() {
			list = append(list, all[i])
		}
	}
	return list
}

// Stored tells whether a part is an object of the store now.
func (o *Object) Stored() bool { return !o.Inline && o.Status != Uploading && o.Status != Deleted }

// Pieces is every part that was flushed, in the order of [Model.List]: objects, also
// deleted ones, uploads that are not complete, and inline parts.
func (m *Model) Pieces(s *State) []Object {
	var list []Object
	for sink := range m.Sinks {
		for t := range m.tasks {
			if m.tasks[t].sink != sink {
				continue
			}
			for n := range m.Intervals(sink) {
				for k := 0; ; k++ {
					o, ok := m.piece(s, t, n, k)
					if !ok {
						break
					}
					list = append(list, o)
				}
			}
		}
	}
	return list
}

// piece is flush k of a batch; ok is false when there is none.
func (m *Model) piece(s *State, spawner, n, k int) (o Object, ok bool) {
	b, most := s.Blobs[spawner][n], 1
	if m.Persist == WholePersist {
		most = int(s.Flushed[spawner][n].N)
	}
	if k >= most || b.Status == NoBlob {
		return o, false
	}
	o = Object{Key: m.Key(Thread(spawner), n, k), Sink: m.tasks[spawner].sink, Spawner: Thread(spawner), N: n, Flush: k}
	if m.Persist == WholePersist {
		f := &s.Flushed[spawner][n]
		b.Parts = f.of(b.Parts, k)
		o.Inline = m.inline(b.Parts)
		switch {
		case f.Deleted>>k&1 != 0:
			b.Status = Deleted
		case f.Up>>k&1 == 0 && !o.Inline:
			b.Status = Uploading
		case b.Status == Abandoned:
			b.Status = Leaked
		}
	}
	o.Blob = b
	o.Bytes, o.Updates = m.Sizes(b.Parts)
	return o, true
}

// Get finds the object that flush k of the batch of a spawner and interval (from 0)
// was uploaded as; ok is false when there is none, or none any more.
func (m *Model) Get(s *State, spawner Thread, n, k int) (o Object, ok bool) {
	o, ok = m.piece(s, int(spawner), n, k)
	return o, ok && o.Stored()
}

// Key is the key of the object that flush k of the batch of a spawner and interval
// (both from 0) is uploaded as, such as sY/wa/p1, and sY/wa/p1-2 for the second flush:
// shard, writer and part, as persist forms it; its random ids are names here.
func (m *Model) Key(spawner Thread, n, k int) string {
	key := "s" + m.SinkName(m.Sink(spawner)) + "/w" + strings.ToLower(m.names[spawner]) + "/p" + strconv.Itoa(n+1)
	if k > 0 {
		key += "-" + strconv.Itoa(k+1)
	}
	return key
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

// Delete removes the object of a flush of a spawner and interval. Only an object that
// nobody refers to may go.
func (m *Model) Delete(s *State, spawner Thread, n, k int) error {
	o, ok := m.Get(s, spawner, n, k)
	if !ok {
		return brief.Errorf("delete: %s, interval %d: there is no such object", m.names[spawner], n+1)
	}
	if o.Status != Leaked {
		return brief.Errorf("delete: %s: it is %s: only a leaked object may be deleted", o.Key, o.Status)
	}
	m.erase(s, blobAt{int(spawner), n}, k)
	return nil
}

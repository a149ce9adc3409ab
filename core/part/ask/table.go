package ask

import (
	"errors"
	"fmt"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part"
	"sharedbatches/core/part/row"
)

// Table is the rows of a part, or of parts flushed as one.
type Table struct {
	Kind      string      `json:"kind"` // part, slot, batch, blob or inline part
	Name      string      `json:"name"`
	File      string      `json:"file"` // name for a download
	Schema    string      `json:"schema"`
	Columns   []Column    `json:"columns"`
	Total     int         `json:"total"` // rows in all
	Offset    int         `json:"offset"`
	Rows      [][]any     `json:"rows"` // bucket, n, time, diff
	Sections  []Section   `json:"sections"`
	Goodbytes int         `json:"goodbytes"`
	Bytes     int         `json:"bytes"`  // of the Arrow file
	Inline    bool        `json:"inline"` // persist would make no PUT for it
	Object    *Object     `json:"object,omitempty"`
	Says      []string    `json:"says"`  // what it is, who refers to it, who wrote which rows
	Facts     [][2]string `json:"facts"` // its sizes, ready to show
}

// Column is one column as a table shows it.
type Column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
}

// Section tells who wrote the rows [From, To).
type Section struct {
	Part   int    `json:"part"`
	Thread string `json:"thread"`
	From   int    `json:"from"`
	To     int    `json:"to"`
	Time   Int    `json:"time"` // carried
	Own    Int    `json:"own"`  // at which it happened
	Late   bool   `json:"late"` // a correction: Time is later than Own
}

// Object is one object of the store.
type Object struct {
	Key       string `json:"key"`
	Status    string `json:"status"` // in flight, referenced, leaked
	Since     int    `json:"since"`  // step since when
	Put       int    `json:"put"`    // step of its PUT
	Sink      string `json:"sink"`
	Thread    string `json:"thread"` // the write task that created the batch
	Interval  int    `json:"interval"`
	Lower     Int    `json:"lower"`
	Upper     Int    `json:"upper"`
	Parts     []int  `json:"parts"`
	Updates   int    `json:"updates"`
	Goodbytes int    `json:"goodbytes"`
	Bytes     int    `json:"bytes"`
}

// Objects is the store's list.
type Objects struct {
	Objects []Object `json:"objects"`
	Bytes   int      `json:"bytes"`
	Limit   int      `json:"limit"`
}

// opened is what a request opens, before it is a table or bytes.
type opened struct {
	kind, name, file string
	parts            coalesce.Parts
	n                int // interval in which they are written
	data             []byte
	object           *Object
	says             []string
}

// Rows answers a request with JSON.
func (d *Data) Rows(request []byte) []byte {
	q, m, err := d.open(request)
	if err != nil {
		return Failure(err)
	}
	var v any
	switch o := &q.Open; {
	case o.count() != 1:
		err = errors.New("request: open: one of part, slot, batch, crate, blob, objects, contents, trace, read and subscribe is asked for")
	case o.Contents:
		v = m.contents()
	case o.Trace:
		v = d.trace(m)
	case o.Objects:
		v, err = d.objects(m)
	case o.Read != nil:
		v, err = d.read(q, m)
	case o.Subscribe != nil:
		v, err = d.subscribe(q, m)
	default:
		v, err = d.table(q, m)
	}
	if err != nil {
		return Failure(err)
	}
	return answer(v)
}

// Bytes answers a request for a part, slot, batch or blob with its Arrow file.
func (d *Data) Bytes(request []byte) ([]byte, error) {
	q, m, err := d.open(request)
	if err != nil {
		return nil, err
	}
	if o := q.Open; o.count() != 1 || o.Objects || o.Contents || o.Trace || o.Read != nil || o.Subscribe != nil {
		return nil, errors.New("request: open: one of part, slot, batch, crate and blob is asked for")
	}
	o, err := d.find(q, m)
	if err != nil {
		return nil, err
	}
	return o.data, nil
}

func (o *Open) count() int {
	n := 0
	for _, set := range []bool{o.Part != nil, o.Slot != nil, o.Batch != "", o.Crate != nil, o.Blob != "", o.Objects, o.Contents, o.Trace, o.Read != nil, o.Subscribe != nil} {
		if set {
			n++
		}
	}
	return n
}

// find makes what the request opens.
func (d *Data) find(q *Request, m *moment) (*opened, error) {
	o := &opened{}
	var err error
	switch open := &q.Open; {
	case open.Part != nil:
		err = o.part(m, open.Part)
	case open.Slot != nil:
		err = o.slot(m, open.Slot)
	case open.Batch != "":
		err = o.batch(m, open.Batch)
	case open.Crate != nil:
		t, ok := m.model.ByName(open.Crate.Builder)
		if !ok || t.Role() != coalesce.BuilderTask {
			return nil, fmt.Errorf("builder %q: this set-up has no such builder task", open.Crate.Builder)
		}
		n := open.Crate.Interval - 1
		if n >= 0 && n < m.model.Intervals(m.model.Sink(t)) {
			if _, ok := m.model.Get(m.state, t.Spawner(), n, 0); ok {
				return o, o.blob(d, m, m.model.Key(t.Spawner(), n, 0))
			}
		}
		err = o.crate(m, t, n)
	default:
		return o, o.blob(d, m, open.Blob)
	}
	if err != nil {
		return nil, err
	}
	o.data, err = part.Blob(d.mem(), m.model, o.parts, o.n)
	return o, err
}

func (o *opened) part(m *moment, p *PartOf) error {
	if p.ID < 0 || p.ID >= m.model.PartCount() {
		return fmt.Errorf("part %d: this set-up has parts 0 to %d", p.ID, m.model.PartCount()-1)
	}
	pc, task := m.model.Part(p.ID)
	sink := m.model.Sink(task)
	o.n = writtenIn(m, p.ID)
	if p.Interval != 0 {
		o.n = p.Interval - 1
	}
	if o.n < pc.Interval || o.n >= m.model.Intervals(sink) {
		return fmt.Errorf("part %d: interval %d: it is written in intervals %d to %d", p.ID, o.n+1, pc.Interval+1, m.model.Intervals(sink))
	}
	o.kind, o.parts = "part", 1<<p.ID
	o.name = fmt.Sprintf("part %d", p.ID)
	o.file = fmt.Sprintf("part-%d.arrow", p.ID)
	fate, _ := m.fate(p.ID)
	lower, upper := m.model.Interval(sink, pc.Interval)
	o.says = []string{fmt.Sprintf("A part of %s for view %s; its interval is %s. At step %d it is %s.", m.model.Name(task), m.model.SinkName(sink), span(Int(lower), Int(upper)), m.Cursor(), fate)}
	return nil
}

// writtenIn is the interval (from 0) in which the state has a part: where it was
// sealed, or where its write task would write it.
func writtenIn(m *moment, p int) int {
	pc, task := m.model.Part(p)
	if s := m.state.Sealed[p]; s != 0 {
		return int(s) - 1
	}
	sink := m.model.Sink(task)
	n := max(pc.Interval, int(m.state.Sinks[sink].Upper))
	if n >= m.model.Intervals(sink) {
		return pc.Interval // nobody will write it any more
	}
	return n
}

func (m *moment) builder(name string) (*coalesce.Batch, coalesce.Thread, error) {
	t, ok := m.model.ByName(name)
	if !ok || t.Role() != coalesce.BuilderTask {
		return nil, 0, fmt.Errorf("builder %q: this set-up has no such builder task", name)
	}
	b := &m.state.Batches[t.Slot()]
	if b.Id == 0 {
		return nil, 0, fmt.Errorf("builder %s: it has no batch at step %d", name, m.Cursor())
	}
	return b, t, nil
}

func (o *opened) slot(m *moment, s *SlotOf) error {
	b, _, err := m.builder(s.Builder)
	if err != nil {
		return err
	}
	if s.Index < 0 || s.Index >= b.Queued() {
		return fmt.Errorf("builder %s: slot %d: the channel holds %d", s.Builder, s.Index, b.Queued())
	}
	command := b.Queue[s.Index]
	if command&coalesce.FinishCommand != 0 {
		return fmt.Errorf("builder %s: slot %d: it holds Finish, which has no rows", s.Builder, s.Index)
	}
	_, o.n = coalesce.EntryInterval(int(b.Id - 1))
	o.kind, o.parts = "slot", 1<<(command-1)
	o.name = fmt.Sprintf("part %d in slot %d of %s", command-1, s.Index, s.Builder)
	o.file = fmt.Sprintf("part-%d.arrow", command-1)
	o.says = []string{fmt.Sprintf("A push in the channel of %s, place %d of %d; the builder task has not received it yet.", s.Builder, s.Index+1, coalesce.ChannelSlots)}
	return nil
}

// crate is a batch that has no object: what its builder task received and what is queued.
func (o *opened) crate(m *moment, t coalesce.Thread, n int) error {
	b, name := &m.state.Batches[t.Slot()], m.model.Name(t)
	sink := m.model.Sink(t)
	if s, of := coalesce.EntryInterval(int(b.Id) - 1); b.Id == 0 || s != sink || of != n {
		return fmt.Errorf("builder %s: its batch is gone at step %d, and it left no object", name, m.Cursor())
	}
	o.kind, o.n = "batch", n
	o.parts = b.Got | queued(b)
	if o.parts == 0 {
		return fmt.Errorf("builder %s: its batch has no rows at step %d: nothing was pushed yet", name, m.Cursor())
	}
	lower, upper := m.model.Interval(sink, n)
	o.name = fmt.Sprintf("the batch of %s for %s%d", name, m.model.SinkName(sink), n+1)
	o.file = file(m.model.Key(t.Spawner(), n, 0))
	o.says = []string{fmt.Sprintf("A batch in the making for view %s, interval %s: %s has received %s, and %s wait in the channel. There is no object yet.",
		m.model.SinkName(sink), span(Int(lower), Int(upper)), name, plural(b.Got.Len(), "part"), grouped(queued(b).Len()))}
	return nil
}

func (o *opened) batch(m *moment, name string) error {
	b, t, err := m.builder(name)
	if err != nil {
		return err
	}
	if b.Got == 0 {
		return fmt.Errorf("builder %s: it has received nothing yet", name)
	}
	sink, n := coalesce.EntryInterval(int(b.Id - 1))
	o.kind, o.parts, o.n = "batch", b.Got, n
	o.name = fmt.Sprintf("the batch of %s for %s%d", name, m.model.SinkName(sink), n+1)
	o.file = file(m.model.Key(t.Spawner(), n, 0))
	o.says = []string{fmt.Sprintf("What %s has received so far.", name)}
	return nil
}

func file(key string) string { return strings.ReplaceAll(key, "/", "-") + ".arrow" }

func (o *opened) blob(d *Data, m *moment, key string) error {
	for _, object := range m.model.Pieces(m.state) {
		if object.Key != key || object.Status == coalesce.Uploading || object.Status == coalesce.Deleted {
			continue
		}
		if object.Inline {
			return o.inline(d, m, object)
		}
		if err := m.store.Follow(d.mem(), m.model, m.state); err != nil {
			return err
		}
		data, err := m.store.Get(key)
		if err != nil {
			return err
		}
		o.kind, o.name, o.file = "blob", key, file(key)
		o.parts, o.n, o.data = object.Parts, object.N, data
		o.object = m.object(object, len(data))
		o.says = m.says(object, o.object)
		return nil
	}
	return fmt.Errorf("blob %s: the store has no such object at step %d", key, m.Cursor())
}

// inline shows a part that the metadata hold.
func (o *opened) inline(d *Data, m *moment, object coalesce.Object) (err error) {
	o.kind, o.name, o.file = "inline part", object.Key, file(object.Key)
	o.parts, o.n = object.Parts, object.N
	o.says = []string{"It is below the inline limit: no object, it travels in the shard’s metadata, " + object.Status.String() + "."}
	o.data, err = part.Blob(d.mem(), m.model, object.Parts, object.N)
	return err
}

// object describes an object and finds the steps at which it came to be what it is.
func (m *moment) object(o coalesce.Object, size int) *Object {
	lower, upper := m.model.Interval(o.Sink, o.N)
	out := &Object{
		Key: o.Key, Status: o.Status.String(),
		Sink: m.model.SinkName(o.Sink), Thread: m.model.Name(o.Spawner), Interval: o.N + 1,
		Lower: Int(lower), Upper: Int(upper), Parts: o.Parts.List(), Bytes: size,
	}
	for _, p := range out.Parts {
		pc, _ := m.model.Part(p)
		out.Updates += pc.Updates
		for r := range row.Rows(m.model, p) {
			out.Goodbytes += goodbytes(r)
		}
	}
	for n := m.Cursor(); n >= 0; n-- {
		b, ok := m.model.Get(&m.At(n).Sides[m.world].State, o.Spawner, o.N, o.Flush)
		if !ok {
			break
		}
		out.Put = n
		if b.Status == o.Status && (out.Since == 0 || out.Since == n+1) {
			out.Since = n
		}
	}
	return out
}

func (d *Data) objects(m *moment) (*Objects, error) {
	if err := m.store.Follow(d.mem(), m.model, m.state); err != nil {
		return nil, err
	}
	out := &Objects{Objects: []Object{}, Bytes: m.store.Bytes(), Limit: part.StoreLimit}
	for _, o := range m.model.List(m.state) {
		data, err := m.store.Get(o.Key)
		if err != nil {
			return nil, err
		}
		out.Objects = append(out.Objects, *m.object(o, len(data)))
	}
	return out, nil
}

// table reads the file that was found, so that what is shown is what the bytes say.
func (d *Data) table(q *Request, m *moment) (*Table, error) {
	o, err := d.find(q, m)
	if err != nil {
		return nil, err
	}
	p, err := part.Decode(d.mem(), row.View, o.data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	defer p.Release()
	t := &Table{
		Kind: o.kind, Name: o.name, File: o.file, Schema: p.Describe(), Total: p.Len(), Offset: q.Offset,
		Rows: [][]any{}, Goodbytes: p.Goodbytes(), Bytes: len(o.data), Inline: part.Inline(p), Object: o.object,
	}
	for _, c := range p.Schema() {
		t.Columns = append(t.Columns, Column{c.Name, c.Type.String(), c.Nullable})
	}
	t.Columns = append(t.Columns, Column{"time", "int64", false}, Column{"diff", "int64", false})
	for i := q.Offset; i < min(p.Len(), q.Offset+q.Limit); i++ {
		u := p.Update(i)
		t.Rows = append(t.Rows, append(cells(u.Row), Int(u.Time), Int(u.Diff)))
	}
	for _, s := range part.Sections(m.model, o.parts, o.n) {
		_, task := m.model.Part(s.Part)
		t.Sections = append(t.Sections, Section{s.Part, m.model.Name(task), s.From, s.To, Int(s.Time), Int(s.Own), s.Time > s.Own})
	}
	for i := range t.Sections {
		o.says = append(o.says, t.Sections[i].says(len(t.Sections) == 1))
	}
	inline := "no: it is an object of its own, one PUT"
	if t.Inline {
		inline = "yes: persist would keep it in the shard’s metadata, without a PUT"
	}
	t.Says = o.says
	t.Facts = [][2]string{
		{"updates", grouped(t.Total)}, {"goodbytes", grouped(t.Goodbytes)}, {"encoded as Arrow", plural(t.Bytes, "byte")},
		{"small enough to be inline", inline}, {"schema", t.Schema},
	}
	return t, nil
}

// cells are a row's values as JSON has them.
func cells(r row.Row) []any {
	out := make([]any, len(r), len(r)+2)
	for i, v := range r {
		out[i] = v.Any()
		if n, ok := out[i].(int64); ok {
			out[i] = Int(n)
		}
	}
	return out
}

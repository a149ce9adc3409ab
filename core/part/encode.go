package part

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/part/row"
)

// MaxFileBytes is the largest file that is decoded.
const MaxFileBytes = 256 << 20

// Encode writes a part as an Arrow IPC file with one record batch. An empty part is
// refused: nothing ever stores one.
func Encode(mem Allocator, p *Part) ([]byte, error) {
	if p.Len() == 0 {
		return nil, errors.New("encode: the part is empty: an empty part is never stored")
	}
	batch := trimmed(p)
	defer batch.Release()
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&b, ipc.WithSchema(batch.Schema()), ipc.WithAllocator(mem))
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	if err := w.Write(batch); err != nil {
		w.Close()
		return nil, fmt.Errorf("encode: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return b.Bytes(), nil
}

// trimmed is the part with its bitmaps cut to their rows. A builder leaves them as
// long as it happened to reserve, and arrow-go writes that; so equal parts would
// have unequal files, and sizes could not be told from the rows.
func trimmed(p *Part) arrow.RecordBatch {
	key := p.key()
	fields := make([]arrow.Array, key.NumField())
	for i := range fields {
		data := key.Field(i).Data()
		buffers := slices.Clone(data.Buffers())
		bitmaps := buffers[:1]
		if data.DataType().ID() == arrow.BOOL {
			bitmaps = buffers[:2]
		}
		for k, b := range bitmaps {
			if b != nil {
				bitmaps[k] = memory.SliceBuffer(b, 0, min(b.Len(), (p.Len()+7)/8))
				defer bitmaps[k].Release()
			}
		}
		cut := array.NewData(data.DataType(), p.Len(), buffers, nil, data.NullN(), 0)
		fields[i] = array.MakeFromData(cut)
		cut.Release()
		defer fields[i].Release()
	}
	children := make([]arrow.ArrayData, len(fields))
	for i, f := range fields {
		children[i] = f.Data()
	}
	data := array.NewData(key.DataType(), p.Len(), []*memory.Buffer{nil}, children, 0, 0)
	defer data.Release()
	cut := array.NewStructData(data)
	defer cut.Release()
	cols := append([]arrow.Array{cut}, p.batch.Columns()[1:]...)
	return array.NewRecordBatch(p.batch.Schema(), cols, int64(p.Len()))
}

// Decode reads a part with the given key from what [Encode] wrote. Any other bytes
// are an error that names the place. It uses memory in proportion to the data.
func Decode(mem Allocator, s row.Schema, data []byte) (*Part, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if len(data) > MaxFileBytes {
		return nil, fmt.Errorf("decode: %d bytes: allowed are %d", len(data), MaxFileBytes)
	}
	head, err := header(s)
	if err != nil {
		return nil, err
	}
	end, err := checkFrame(s, head, data)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	p, err := load(mem, s, data[len(magic)+2:end])
	if err != nil {
		return nil, fmt.Errorf("decode: byte %d: record batch: %w", len(head), err)
	}
	if err := checkValues(p); err != nil {
		p.Release()
		return nil, fmt.Errorf("decode: byte %d: record batch: %w", len(head), err)
	}
	// What passed so far is a sound part. Only if it is also the very file that a
	// writer of parts makes are footer, padding and metadata known to be in order.
	again, err := Encode(mem, p)
	if err == nil && !bytes.Equal(again, data) {
		err = fmt.Errorf("byte %d: this is not what a writer of parts puts there", firstDifference(again, data))
	}
	if err != nil {
		p.Release()
		return nil, fmt.Errorf("decode: %w", err)
	}
	return p, nil
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// load lets arrow-go read a stream of schema and one record batch. Its reader
// panics on some bad input that the checks before may not foresee; the panic ends
// here, because the bytes come from outside and a bad file must not stop the page.
func load(mem Allocator, s row.Schema, stream []byte) (p *Part, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("arrow: %v", r)
		}
	}()
	limit := int64(len(stream))
	messages := ipc.NewMessageReader(bytes.NewReader(stream), ipc.WithAllocator(mem),
		ipc.WithMetadataSizeLimit(limit), ipc.WithBodySizeLimit(limit))
	defer messages.Release()
	// The reader takes over one reference.
	messages.Retain()
	r, err := ipc.NewReaderFromMessageReader(messages, ipc.WithAllocator(mem), ipc.WithSchema(arrowSchema(s)))
	if err != nil {
		messages.Release()
		return nil, err
	}
	defer r.Release()
	batch, err := r.Read()
	if err != nil {
		return nil, err
	}
	batch.Retain()
	return &Part{slices.Clone(s), batch}, nil
}

// checkValues holds the columns to what their readers rely on.
func checkValues(p *Part) error {
	for i, c := range p.schema {
		col := p.key().Field(i)
		nulls := 0
		for k := range p.Len() {
			if col.IsNull(k) {
				nulls++
			}
		}
		if nulls != col.NullN() {
			return fmt.Errorf("column %q: %d nulls: its metadata say %d", c.Name, nulls, col.NullN())
		}
		text, ok := col.(*array.String)
		if !ok {
			continue
		}
		for k := range p.Len() {
			if !utf8.ValidString(text.Value(k)) {
				return fmt.Errorf("column %q: row %d: text is valid UTF-8", c.Name, k)
			}
		}
	}
	return nil
}

// headers caches the beginning of files by schema. Only the schemas that a program
// uses get in, so it stays small.
var headers sync.Map

// header is what the file of every part with this key begins with: magic and schema.
func header(s row.Schema) ([]byte, error) {
	name := fmt.Sprint(s)
	if h, ok := headers.Load(name); ok {
		return h.([]byte), nil
	}
	r := make(row.Row, len(s))
	for i, c := range s {
		r[i] = [...]row.Value{row.String: row.Text(""), row.Int64: row.Int(0), row.Bool: row.Flag(false)}[c.Type]
	}
	p, err := New(memory.DefaultAllocator, s, []row.Update{{Row: r}})
	if err != nil {
		return nil, err
	}
	defer p.Release()
	data, err := Encode(memory.DefaultAllocator, p)
	if err != nil {
		return nil, err
	}
	// The first message, after magic and padding, is the schema and has no body.
	at := len(magic) + 2
	h := data[:at+8+int(int32At(data, at+4))]
	headers.Store(name, h)
	return h, nil
}

package part

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/part/row"
	"sharedbatches/core/schedule"
)

// viewFile is the file of a small part of the view.
func viewFile(t testing.TB) []byte {
	var us []row.Update
	for i, key := range []string{"7", "", "größe", "12345678"} {
		us = append(us, row.Update{Row: row.Row{row.Text(key), row.Int(int64(i))}, Time: 1500, Diff: 1})
	}
	return file(t, row.View, us)
}

func file(t testing.TB, s row.Schema, us []row.Update) []byte {
	p, err := New(memory.DefaultAllocator, s, us)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	data, err := Encode(memory.DefaultAllocator, p)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// refuse decodes bytes that are no part, and wants an error with the place.
func refuse(t *testing.T, s row.Schema, data []byte, what string) string {
	t.Helper()
	p, err := Decode(checked(t), s, data)
	if err == nil {
		p.Release()
		t.Fatalf("%s: no error", what)
	}
	if !strings.HasPrefix(err.Error(), "decode: byte ") {
		t.Fatalf("%s: %v: it names no place", what, err)
	}
	return err.Error()
}

func TestDecodeTruncated(t *testing.T) {
	data := viewFile(t)
	for n := range data {
		refuse(t, row.View, data[:n], "cut")
	}
	refuse(t, row.View, append(slices.Clone(data), 0), "longer")
}

// TestDecodeFlipped changes each byte in turn: either the bytes still are what a
// writer makes, of other values, or they are refused.
func TestDecodeFlipped(t *testing.T) {
	data := viewFile(t)
	accepted := 0
	mem := checked(t)
	for i := range data {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			changed := slices.Clone(data)
			changed[i] ^= flip
			p, err := Decode(mem, row.View, changed)
			if err != nil {
				continue
			}
			accepted++
			if again, err := Encode(mem, p); err != nil || !bytes.Equal(again, changed) {
				t.Fatalf("byte %d ^ %#x: accepted, but not what a writer makes", i, flip)
			}
			p.Release()
		}
	}
	// Three flips of each of 4 counts, times and diffs can be told from nothing.
	if least := 3 * 8 * 4 * 3; accepted < least {
		t.Errorf("%d changed files accepted: at least the %d with other numbers are sound", accepted, least)
	}
}

func TestDecodeForeign(t *testing.T) {
	mem := checked(t)
	view := arrowSchema(row.View)
	cols := func(n int) []arrow.Array {
		p, err := New(mem, row.View, slices.Repeat([]row.Update{{Row: row.Row{row.Text("7"), row.Int(1)}}}, n))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Release()
		list := slices.Clone(p.batch.Columns())
		for _, c := range list {
			c.Retain()
		}
		return list
	}
	write := func(schema *arrow.Schema, batches int, stream bool, o ...ipc.Option) []byte {
		var b bytes.Buffer
		list := cols(100)
		defer func() {
			for _, c := range list {
				c.Release()
			}
		}()
		batch := array.NewRecordBatch(schema, list, 100)
		defer batch.Release()
		o = append(o, ipc.WithSchema(schema), ipc.WithAllocator(mem))
		var w interface {
			Write(arrow.RecordBatch) error
			Close() error
		}
		if stream {
			w = ipc.NewWriter(&b, o...)
		} else {
			fw, err := ipc.NewFileWriter(&b, o...)
			if err != nil {
				t.Fatal(err)
			}
			w = fw
		}
		for range batches {
			if err := w.Write(batch); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	meta := arrow.NewMetadata([]string{"a"}, []string{"b"})
	withMeta := arrow.NewSchema(view.Fields(), &meta)
	renamed := slices.Clone(view.Fields())
	renamed[2].Name = "ts"
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"nothing", nil, "decode: byte 0: magic: this is not an Arrow file"},
		{"text", []byte("hello, this is a text and no Arrow file at all"), "decode: byte 0: magic: this is not an Arrow file"},
		{"a stream", write(view, 1, true), "decode: byte 0: magic: this is not an Arrow file"},
		{"no batch", write(view, 0, false), "there is none: a part has one"},
		{"two batches", write(view, 2, false), "end mark: a part has one record batch, and no other message"},
		{"compressed", write(view, 1, false, ipc.WithLZ4()), "metadata: the body is compressed: a part's is not"},
		{"zstd", write(view, 1, false, ipc.WithZstd()), "metadata: the body is compressed: a part's is not"},
		{"metadata", write(withMeta, 1, false), "schema: it is not that of a part with the key bucket string, n int64"},
		{"another name", write(arrow.NewSchema(renamed, nil), 1, false), "schema: it is not that of a part with the key bucket string, n int64"},
		{"another key", file(t, schemas[1], []row.Update{{Row: row.Row{row.Null(), row.Null()}}}), "schema: it is not that of a part with the key bucket string, n int64"},
	} {
		if got := refuse(t, row.View, c.data, c.what); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: got %q, want an end of %q", c.what, got, c.want)
		}
	}
	// What is written by the same library in the same form is the same file.
	if p, err := Decode(mem, row.View, write(view, 1, false)); err != nil {
		t.Errorf("a file of one batch: %v", err)
	} else {
		p.Release()
	}
}

// TestDecodeValues breaks what the frame cannot show.
func TestDecodeValues(t *testing.T) {
	data := viewFile(t)
	head, err := header(row.View)
	if err != nil {
		t.Fatal(err)
	}
	body := len(head) + 8 + int(int32At(data, len(head)+4))
	offsets := body // the first buffer with bytes: four texts of 0, 1, 1, 8, 16 bytes
	text := body + 24
	put := func(at int, v uint32) []byte {
		c := slices.Clone(data)
		binary.LittleEndian.PutUint32(c[at:], v)
		return c
	}
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"descending offsets", put(offsets+8, 0), `column "bucket": offsets[2]: 0: the one before is 1`},
		{"an offset before the text", put(offsets, 0xffffffff), `column "bucket": offsets[0]: -1: text begins at 0`},
		{"an offset behind the text", put(offsets+16, 99), `column "bucket": offsets[4]: 99: there are 16 bytes of text`},
		{"a far offset in between", put(offsets+4, 1<<30), `column "bucket": offsets[2]: 1: the one before is 1073741824`},
		{"no UTF-8", put(text, 0xffffffff), `column "bucket": row 0: text is valid UTF-8`},
	} {
		if got := refuse(t, row.View, c.data, c.what); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: got %q, want an end of %q", c.what, got, c.want)
		}
	}
	nullable := file(t, schemas[3], []row.Update{{Row: row.Row{row.Null()}}, {Row: row.Row{row.Int(1)}}})
	head, err = header(schemas[3])
	if err != nil {
		t.Fatal(err)
	}
	body = len(head) + 8 + int(int32At(nullable, len(head)+4))
	nullable[body] = 0b11
	if got := refuse(t, schemas[3], nullable, "a null fewer"); !strings.HasSuffix(got, `column "only": 0 nulls: its metadata say 1`) {
		t.Error(got)
	}
}

// TestDecodeMemory decodes damaged files with numbers of every size put at every
// place, and holds the memory that this takes to a multiple of the input.
func TestDecodeMemory(t *testing.T) {
	data := viewFile(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for at := 0; at+8 <= len(data); at += 4 {
		for _, v := range []uint64{1 << 20, 1 << 31, 1<<31 - 1, 1<<63 - 1, 1<<64 - 8} {
			c := slices.Clone(data)
			binary.LittleEndian.PutUint64(c[at:], v)
			if p, err := Decode(memory.DefaultAllocator, row.View, c); err == nil {
				p.Release()
			}
			n++
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / uint64(n); each > 50*uint64(len(data)) {
		t.Errorf("%d bytes a file of %d", each, len(data))
	}
}

func TestDecodeRandom(t *testing.T) {
	r := schedule.NewRandom(3)
	head, err := header(row.View)
	if err != nil {
		t.Fatal(err)
	}
	for range rounds(20_000) {
		data := make([]byte, r.Pick(400))
		for i := range data {
			data[i] = byte(r.Uint64())
		}
		if r.Pick(2) == 0 {
			data = slices.Concat(head, mark, []byte{byte(r.Pick(40)) * 8, 0, 0, 0}, data, endMark, magic)
		}
		if p, err := Decode(memory.DefaultAllocator, row.View, data); err == nil {
			p.Release()
			t.Fatalf("random bytes were a part: %x", data)
		}
	}
}

// FuzzDecode holds the reader to: no panic, and whatever is accepted is what the
// writer makes of it. The first byte picks a schema.
func FuzzDecode(f *testing.F) {
	r := schedule.NewRandom(5)
	for i, s := range schemas {
		f.Add(byte(i), file(f, s, randomUpdates(r, s)[:1]))
	}
	f.Fuzz(func(t *testing.T, pick byte, data []byte) {
		mem := checked(t)
		p, err := Decode(mem, schemas[int(pick)%len(schemas)], data)
		if err != nil {
			return
		}
		defer p.Release()
		p.Goodbytes()
		again, err := New(mem, p.Schema(), p.Updates())
		if err != nil {
			t.Fatal(err)
		}
		defer again.Release()
		if again.Len() != p.Len() {
			t.Fatalf("%d updates, then %d", p.Len(), again.Len())
		}
	})
}

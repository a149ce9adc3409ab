package part

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"sharedbatches/core/part/row"
)

// The frame of a file, in order: magic and two zeros; the schema's message; the record
// batch's message with its body; an end mark; the footer, its length, and magic. A
// message is a mark, a length and that many bytes of a flatbuffer.
//
// Flatbuffers are checked by hand here, because arrow-go believes the lengths in
// them: one bad number would make it ask for gigabytes, which no recover catches.

var magic = []byte("ARROW1")

var (
	mark    = []byte{0xff, 0xff, 0xff, 0xff}
	endMark = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}
)

func int32At(b []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }

func int64At(b []byte, at int) int64 { return int64(binary.LittleEndian.Uint64(b[at:])) }

// checkFrame checks everything that is read before the columns' values, and returns
// where the end mark ends.
func checkFrame(s row.Schema, head, data []byte) (end int, err error) {
	if !bytes.HasPrefix(data, magic) {
		return 0, fmt.Errorf("byte %d: magic: this is not an Arrow file", firstDifference(magic, data))
	}
	if !bytes.HasPrefix(data, head) {
		at := firstDifference(head, data)
		if at == len(data) {
			return 0, fmt.Errorf("byte %d: schema: the file is cut off", at)
		}
		return 0, fmt.Errorf("byte %d: schema: it is not that of a part with the key %s", at, describeSchema(s))
	}
	at := len(head)
	if len(data) < at+8 {
		return 0, fmt.Errorf("byte %d: record batch: the file is cut off", len(data))
	}
	if !bytes.Equal(data[at:at+4], mark) {
		return 0, fmt.Errorf("byte %d: record batch: no message begins there", at)
	}
	size := int(int32At(data, at+4))
	if size == 0 {
		return 0, fmt.Errorf("byte %d: record batch: there is none: a part has one", at)
	}
	at += 8
	if size < 0 || size%8 != 0 || size > len(data)-at {
		return 0, fmt.Errorf("byte %d: record batch: metadata of %d bytes: %d are left", at-4, size, len(data)-at)
	}
	body, err := checkMessage(s, data[at:at+size], data[at+size:])
	if err != nil {
		return 0, fmt.Errorf("byte %d: record batch: %w", at, err)
	}
	at += size + body
	if len(data) < at+len(endMark) {
		return 0, fmt.Errorf("byte %d: end mark: the file is cut off", len(data))
	}
	if !bytes.Equal(data[at:at+len(endMark)], endMark) {
		return 0, fmt.Errorf("byte %d: end mark: a part has one record batch, and no other message", at)
	}
	if !bytes.HasSuffix(data, magic) {
		return 0, fmt.Errorf("byte %d: magic at the end: the file is cut off", len(data))
	}
	return at + len(endMark), nil
}

func describeSchema(s row.Schema) string {
	var b bytes.Buffer
	for i, c := range s {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.Name + " " + describe(c))
	}
	return b.String()
}

// Fields of the two tables that are read, by their number in Arrow's Message.fbs.
const (
	messageVersion, messageHeaderType, messageHeader, messageBody, messageCustom = 0, 1, 2, 3, 4

	batchLength, batchNodes, batchBuffers, batchCompression = 0, 1, 2, 3

	headerRecordBatch = 3
)

// checkMessage checks a record batch's metadata, and the offsets of texts in its body,
// which rest begins with. It returns the body's length.
func checkMessage(s row.Schema, meta, rest []byte) (length int, err error) {
	message, ok := rootTable(meta)
	if !ok {
		return 0, fmt.Errorf("metadata: broken")
	}
	kind, ok := message.scalar(messageHeaderType, 1)
	if !ok || kind != headerRecordBatch {
		return 0, fmt.Errorf("metadata: message type %d: a record batch is %d", kind, headerRecordBatch)
	}
	body, ok := message.scalar(messageBody, 8)
	if !ok || body < 0 || body%8 != 0 || body > int64(len(rest)) {
		return 0, fmt.Errorf("metadata: a body of %d bytes: %d are left", body, len(rest))
	}
	// A writer of parts adds an empty list or none.
	if n, ok := message.vector(messageCustom, 4); !ok || n.count != 0 {
		return 0, fmt.Errorf("metadata: custom metadata: a part has none")
	}
	batch, ok := message.table(messageHeader)
	if !ok {
		return 0, fmt.Errorf("metadata: broken")
	}
	if batch.field(batchCompression) != 0 {
		return 0, fmt.Errorf("metadata: the body is compressed: a part's is not")
	}
	rows, ok := batch.scalar(batchLength, 8)
	if !ok || rows < 1 || rows > body {
		return 0, fmt.Errorf("metadata: %d rows in a body of %d bytes", rows, body)
	}
	nodes, ok := batch.vector(batchNodes, 16)
	if !ok || nodes.count != len(s)+4 {
		return 0, fmt.Errorf("metadata: %d columns: a part with this key has %d", nodes.count, len(s)+4)
	}
	buffers, ok := batch.vector(batchBuffers, 16)
	want := leastBuffers(s, rows)
	if !ok || buffers.count != len(want) {
		return 0, fmt.Errorf("metadata: %d buffers: a part with this key has %d", buffers.count, len(want))
	}
	for i := range nodes.count {
		length, nulls := int64At(meta, nodes.at+16*i), int64At(meta, nodes.at+16*i+8)
		allowed := int64(0)
		switch {
		case i >= 1 && i <= len(s) && s[i-1].Nullable:
			allowed = rows
		case i == len(s)+1: // val: all of it is null
			allowed = rows
		}
		if length != rows || nulls < 0 || nulls > allowed {
			return 0, fmt.Errorf("metadata: columns[%d]: %d rows, %d nulls: allowed are %d rows, %d nulls at most", i, length, nulls, rows, allowed)
		}
		if i >= 1 && i <= len(s) && nulls > 0 {
			want[bitmapOf(s, i-1)] = (rows + 7) / 8
		}
	}
	for i := range buffers.count {
		offset, length := int64At(meta, buffers.at+16*i), int64At(meta, buffers.at+16*i+8)
		if offset < 0 || length < want[i] || offset > body || length > body-offset {
			return 0, fmt.Errorf("metadata: buffers[%d]: %d bytes at %d: it needs %d, within a body of %d", i, length, offset, want[i], body)
		}
	}
	buffer := func(i int) []byte {
		from := int64At(meta, buffers.at+16*i)
		return rest[from : from+int64At(meta, buffers.at+16*i+8)]
	}
	for i, c := range s {
		if c.Type == row.String {
			at := bitmapOf(s, i) + 1
			if err := checkOffsets(buffer(at), int(rows), len(buffer(at+1))); err != nil {
				return 0, fmt.Errorf("column %q: %w", c.Name, err)
			}
		}
	}
	return int(body), nil
}

// checkOffsets holds a text column's offsets to its text. arrow-go looks at the last
// one only, and loses a reference when it finds that one wrong.
func checkOffsets(offsets []byte, rows, text int) error {
	before := int32(0)
	for i := range rows + 1 {
		at := int32At(offsets, 4*i)
		switch {
		case i == 0 && at != 0:
			return fmt.Errorf("offsets[0]: %d: text begins at 0", at)
		case at < before:
			return fmt.Errorf("offsets[%d]: %d: the one before is %d", i, at, before)
		}
		before = at
	}
	if int(before) > text {
		return fmt.Errorf("offsets[%d]: %d: there are %d bytes of text", rows, before, text)
	}
	return nil
}

// leastBuffers is how long each buffer must be at least, without bitmaps of nulls.
func leastBuffers(s row.Schema, rows int64) []int64 {
	least := []int64{0}
	for _, c := range s {
		switch c.Type {
		case row.String:
			least = append(least, 0, 4*(rows+1), 0)
		case row.Int64:
			least = append(least, 0, 8*rows)
		case row.Bool:
			least = append(least, 0, (rows+7)/8)
		}
	}
	return append(least, 0, 8*rows, 0, 8*rows)
}

// bitmapOf is the index of the buffer with the nulls of a key's column.
func bitmapOf(s row.Schema, column int) int {
	return len(leastBuffers(s[:column], 0)) - 4
}

// table is a flatbuffer's table. Every read stays within the bytes.
type table struct {
	buf    []byte
	at     int
	fields []byte // of the vtable: two bytes for each field, its distance from at
}

func rootTable(buf []byte) (table, bool) {
	if len(buf) < 8 {
		return table{}, false
	}
	return tableAt(buf, int64(binary.LittleEndian.Uint32(buf)))
}

func tableAt(buf []byte, at int64) (table, bool) {
	if at < 0 || at > int64(len(buf)-4) {
		return table{}, false
	}
	v := at - int64(int32At(buf, int(at)))
	if v < 0 || v > int64(len(buf)-4) {
		return table{}, false
	}
	size := int64(binary.LittleEndian.Uint16(buf[v:]))
	if size < 4 || v+size > int64(len(buf)) {
		return table{}, false
	}
	return table{buf, int(at), slices.Clip(buf[v+4 : v+size])}, true
}

// field is where a field is, or 0 when it is left out.
func (t table) field(n int) int {
	if len(t.fields) < 2*n+2 {
		return 0
	}
	d := int(binary.LittleEndian.Uint16(t.fields[2*n:]))
	if d == 0 {
		return 0
	}
	return t.at + d
}

// scalar reads a number of 1 or 8 bytes; one that is left out is 0.
func (t table) scalar(n, size int) (int64, bool) {
	at := t.field(n)
	switch {
	case at == 0:
		return 0, true
	case at > len(t.buf)-size:
		return 0, false
	case size == 1:
		return int64(t.buf[at]), true
	}
	return int64At(t.buf, at), true
}

func (t table) target(n int) (int64, bool) {
	at := t.field(n)
	if at == 0 || at > len(t.buf)-4 {
		return 0, false
	}
	return int64(at) + int64(binary.LittleEndian.Uint32(t.buf[at:])), true
}

func (t table) table(n int) (table, bool) {
	to, ok := t.target(n)
	if !ok {
		return table{}, false
	}
	return tableAt(t.buf, to)
}

// vector is where a vector's elements begin and how many there are.
type vector struct{ at, count int }

func (t table) vector(n, element int) (vector, bool) {
	if t.field(n) == 0 {
		return vector{}, true
	}
	to, ok := t.target(n)
	if !ok || to > int64(len(t.buf)-4) {
		return vector{}, false
	}
	count := int64(binary.LittleEndian.Uint32(t.buf[to:]))
	if count*int64(element) > int64(len(t.buf))-to-4 {
		return vector{}, false
	}
	return vector{int(to) + 4, int(count)}, true
}

// Package size is how large the parts of a set-up are, computed without Arrow: a
// program that shows sizes and no bytes, such as page.wasm, imports it. The tests of
// the package above hold every formula to arrow-go.
//
// There are two sizes of a part. Goodbytes is what persist compares with its limits
// and with the target: values only. Goodbytes of parts add up. Encoded is the length
// of the Arrow IPC file that the store holds, with offsets, bitmaps, padding,
// schema and footer. It does not add up, since every file has its own frame.
package size

import (
	"iter"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
)

// Goodbytes is the size of one update: 8 for the time, 8 for the diff, nothing for
// the unit value, and for each value of the key 8 (int64), 1 (bool) or its bytes
// (string). A null counts as its slot does: 8, 1 and 0. Offsets, bitmaps and
// padding do not count. (facts.md section 3; the original says: not counting nulls,
// dictionary encoding, or other space optimizations.)
func Goodbytes(s row.Schema, r row.Row) int {
	n := 16
	for i, c := range s {
		switch c.Type {
		case row.Int64:
			n += 8
		case row.Bool:
			n++
		case row.String:
			n += len(r[i].Text())
		}
	}
	return n
}

// Body is the length of the buffers of the record batch that holds rows, each padded
// to 8 bytes.
func Body(s row.Schema, rows iter.Seq[row.Row]) int {
	n := 0
	var nulls, text [row.MaxColumns]int
	for r := range rows {
		n++
		for i := range s {
			if r[i].IsNull() {
				nulls[i]++
			}
			text[i] += len(r[i].Text())
		}
	}
	if n == 0 {
		return 0
	}
	body := 2 * 8 * n // time and diff; val is an Arrow null, which has no buffers
	for i, c := range s {
		switch {
		case nulls[i] == n: // arrow-go writes this one padded to 64 bytes
			body += padded(bitmap(n), 64)
		case nulls[i] > 0:
			body += padded(bitmap(n), 8)
		}
		switch c.Type {
		case row.Int64:
			body += 8 * n
		case row.Bool:
			body += padded(bitmap(n), 8)
		case row.String:
			body += padded(4*(n+1), 8) + padded(text[i], 8)
		}
	}
	return body
}

func bitmap(n int) int { return (n + 7) / 8 }

func padded(n, to int) int { return (n + to - 1) / to * to }

// ViewFrame is what the file of a part of [row.View] is longer than its body: magic,
// schema, the batch's metadata and the footer.
const ViewFrame = 1186

// SourceFrame is the same for a part of [row.Source].
const SourceFrame = 1338

func frame(s row.Schema) int {
	if len(s) == len(row.Source) {
		return SourceFrame
	}
	return ViewFrame
}

// Part is the goodbytes and the encoded bytes of part p written by itself. ok is
// false for a part of which no rows can be made.
func Part(m *coalesce.Model, p int) (goodbytes, encoded int, ok bool) {
	return Parts(m, coalesce.Parts(1)<<p)
}

// Parts is the goodbytes and the encoded bytes of some parts written as one, as a
// batch builder flushes them.
func Parts(m *coalesce.Model, ps coalesce.Parts) (goodbytes, encoded int, ok bool) {
	for _, p := range ps.List() {
		if row.Check(m, p) != nil {
			return 0, 0, false
		}
	}
	key := row.KeyOf(m, ps)
	body := Body(key, func(yield func(row.Row) bool) {
		for _, p := range ps.List() {
			for r := range row.Rows(m, p) {
				goodbytes += Goodbytes(key, r)
				if !yield(r) {
					return
				}
			}
		}
	})
	return goodbytes, frame(key) + body, true
}

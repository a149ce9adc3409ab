package part

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/part/row"
)

// MaxGoodbytes is the largest part, in goodbytes. It keeps a column's text within
// Arrow's 32-bit offsets.
const MaxGoodbytes = 1 << 30

// Allocator is arrow-go's, under a name that spares callers the import.
type Allocator = memory.Allocator

// NewAllocator is one that leaves memory to Go's collector.
func NewAllocator() Allocator { return memory.NewGoAllocator() }

// Part is an immutable columnar chunk of updates.
type Part struct {
	schema row.Schema
	batch  arrow.RecordBatch // key, val, time, diff
}

// New makes a part of some updates.
func New(mem Allocator, s row.Schema, us []row.Update) (*Part, error) {
	b, err := NewBuilder(mem, s)
	if err != nil {
		return nil, err
	}
	defer b.Release()
	for i, u := range us {
		if err := b.Push(u.Row, u.Time, u.Diff); err != nil {
			return nil, fmt.Errorf("updates[%d]: %w", i, err)
		}
	}
	return b.Finish(), nil
}

// Retain adds a reference.
func (p *Part) Retain() { p.batch.Retain() }

// Release drops a reference; the last one frees the columns.
func (p *Part) Release() { p.batch.Release() }

// Schema is the columns of the key.
func (p *Part) Schema() row.Schema { return p.schema }

// Len is the number of updates.
func (p *Part) Len() int { return int(p.batch.NumRows()) }

func (p *Part) key() *array.Struct { return p.batch.Column(0).(*array.Struct) }

func (p *Part) times() *array.Int64 { return p.batch.Column(2).(*array.Int64) }

func (p *Part) diffs() *array.Int64 { return p.batch.Column(3).(*array.Int64) }

// Update copies update i out of the columns.
func (p *Part) Update(i int) row.Update {
	r := make(row.Row, len(p.schema))
	for c := range p.schema {
		switch col := p.key().Field(c).(type) {
		case *array.String:
			if col.IsValid(i) {
				r[c] = row.Text(strings.Clone(col.Value(i)))
			}
		case *array.Int64:
			if col.IsValid(i) {
				r[c] = row.Int(col.Value(i))
			}
		case *array.Boolean:
			if col.IsValid(i) {
				r[c] = row.Flag(col.Value(i))
			}
		}
	}
	return row.Update{Row: r, Time: p.times().Value(i), Diff: p.diffs().Value(i)}
}

// Updates copies all updates out of the columns.
func (p *Part) Updates() []row.Update {
	us := make([]row.Update, p.Len())
	for i := range us {
		us[i] = p.Update(i)
	}
	return us
}

// Goodbytes is the size that persist's limits are about: of each key column its
// values' bytes, 8 for a number, 1 for a bool and the text's length for a string,
// whatever is null; nothing for the unit; 8 for each time and each diff. Offsets,
// bitmaps and padding do not count. It is computed from the columns at every call.
func (p *Part) Goodbytes() int {
	n := 16 * p.Len()
	for c := range p.schema {
		switch col := p.key().Field(c).(type) {
		case *array.String:
			if col.Len() > 0 {
				offsets := col.ValueOffsets()
				n += int(offsets[col.Len()] - offsets[0])
			}
		case *array.Int64:
			n += 8 * col.Len()
		case *array.Boolean:
			n += col.Len()
		}
	}
	return n
}

// Concat makes one part of several of one schema: nil for none, the same part for
// one, and a copy of all, column by column, for more.
func Concat(mem Allocator, parts []*Part) (*Part, error) {
	switch len(parts) {
	case 0:
		return nil, nil
	case 1:
		parts[0].Retain()
		return parts[0], nil
	}
	total := 0
	for i, p := range parts {
		if !arrow.TypeEqual(p.key().DataType(), parts[0].key().DataType()) {
			return nil, fmt.Errorf("concat: parts[%d]: its key is %s: that of the first is %s", i, p.key().DataType(), parts[0].key().DataType())
		}
		total += p.Goodbytes()
	}
	if total > MaxGoodbytes {
		return nil, fmt.Errorf("concat: %d goodbytes: allowed are %d", total, MaxGoodbytes)
	}
	cols := make([]arrow.Array, 4)
	defer func() {
		for _, c := range cols {
			if c != nil {
				c.Release()
			}
		}
	}()
	rows := 0
	for _, p := range parts {
		rows += p.Len()
	}
	for c := range cols {
		if c == 1 {
			cols[c] = array.NewNull(rows)
			continue
		}
		list := make([]arrow.Array, len(parts))
		for i, p := range parts {
			list[i] = p.batch.Column(c)
		}
		var err error
		if cols[c], err = array.Concatenate(list, mem); err != nil {
			return nil, fmt.Errorf("concat: column %d: %w", c, err)
		}
	}
	return &Part{parts[0].schema, array.NewRecordBatch(parts[0].batch.Schema(), cols, int64(rows))}, nil
}

// Builder is persist's part builder: it takes updates one by one.
type Builder struct {
	mem       Allocator
	schema    row.Schema
	arrow     *arrow.Schema
	key       *array.StructBuilder
	time      *array.Int64Builder
	diff      *array.Int64Builder
	goodbytes int
}

// NewBuilder starts an empty part.
func NewBuilder(mem Allocator, s row.Schema) (*Builder, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	a := arrowSchema(s)
	return &Builder{
		mem: mem, schema: s, arrow: a,
		key:  array.NewStructBuilder(mem, a.Field(0).Type.(*arrow.StructType)),
		time: array.NewInt64Builder(mem),
		diff: array.NewInt64Builder(mem),
	}, nil
}

// arrowSchema is the four columns of a part.
func arrowSchema(s row.Schema) *arrow.Schema {
	fields := make([]arrow.Field, len(s))
	for i, c := range s {
		fields[i] = arrow.Field{Name: c.Name, Nullable: c.Nullable, Type: [...]arrow.DataType{
			row.String: arrow.BinaryTypes.String,
			row.Int64:  arrow.PrimitiveTypes.Int64,
			row.Bool:   arrow.FixedWidthTypes.Boolean,
		}[c.Type]}
	}
	return arrow.NewSchema([]arrow.Field{
		{Name: "key", Type: arrow.StructOf(fields...)},
		{Name: "val", Type: arrow.Null, Nullable: true},
		{Name: "time", Type: arrow.PrimitiveTypes.Int64},
		{Name: "diff", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
}

// Len is the number of updates pushed so far.
func (b *Builder) Len() int { return b.time.Len() }

// Goodbytes is what the part will have, kept as a running sum.
func (b *Builder) Goodbytes() int { return b.goodbytes }

// Push adds an update. An error leaves the builder as it was.
func (b *Builder) Push(r row.Row, time, diff int64) error {
	if len(r) != len(b.schema) {
		return fmt.Errorf("row: it has %d values: the key has %d columns", len(r), len(b.schema))
	}
	size := 16
	for i, c := range b.schema {
		if !r[i].Is(c) {
			return fmt.Errorf("row: %s: %s: the column is %s", c.Name, r[i], describe(c))
		}
		switch c.Type {
		case row.String:
			if !utf8.ValidString(r[i].Text()) {
				return fmt.Errorf("row: %s: %s: text is valid UTF-8", c.Name, r[i])
			}
			size += len(r[i].Text())
		case row.Int64:
			size += 8
		case row.Bool:
			size++
		}
	}
	if b.goodbytes > MaxGoodbytes-size || b.Len() == math.MaxInt32 {
		return fmt.Errorf("row: the part has %d goodbytes: allowed are %d", b.goodbytes, MaxGoodbytes)
	}
	b.goodbytes += size
	b.key.Append(true)
	for i := range b.schema {
		v := r[i]
		switch f := b.key.FieldBuilder(i).(type) {
		case *array.StringBuilder:
			if v.IsNull() {
				f.AppendNull()
			} else {
				f.Append(v.Text())
			}
		case *array.Int64Builder:
			if v.IsNull() {
				f.AppendNull()
			} else {
				f.Append(v.Int())
			}
		case *array.BooleanBuilder:
			if v.IsNull() {
				f.AppendNull()
			} else {
				f.Append(v.Flag())
			}
		}
	}
	b.time.Append(time)
	b.diff.Append(diff)
	return nil
}

func describe(c row.Column) string {
	if c.Nullable {
		return c.Type.String() + " or null"
	}
	return c.Type.String()
}

// Finish makes the part and leaves the builder empty and ready for the next.
func (b *Builder) Finish() *Part {
	n := b.Len()
	cols := []arrow.Array{b.key.NewArray(), array.NewNull(n), b.time.NewArray(), b.diff.NewArray()}
	batch := array.NewRecordBatch(b.arrow, cols, int64(n))
	for _, c := range cols {
		c.Release()
	}
	b.goodbytes = 0
	return &Part{b.schema, batch}
}

// Release frees what was pushed since the last Finish. The builder is not used again.
func (b *Builder) Release() {
	b.key.Release()
	b.time.Release()
	b.diff.Release()
}

// Describe is the schema in words, such as
// key: struct<bucket: utf8, n: int64>, val: null, time: int64, diff: int64.
func (p *Part) Describe() string {
	var b strings.Builder
	for i, f := range p.batch.Schema().Fields() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Name + ": ")
		if s, ok := f.Type.(*arrow.StructType); ok {
			b.WriteString("struct<")
			for k, c := range s.Fields() {
				if k > 0 {
					b.WriteString(", ")
				}
				b.WriteString(c.Name + ": " + c.Type.Name())
			}
			b.WriteString(">")
			continue
		}
		b.WriteString(f.Type.Name())
	}
	return b.String()
}

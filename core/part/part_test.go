package part

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/part/row"
	"sharedbatches/core/part/size"
	"sharedbatches/core/schedule"
)

// checked is an allocator whose test fails when anything is still allocated at its end.
func checked(t testing.TB) memory.Allocator {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

// schemas are what random parts are made of.
var schemas = []row.Schema{
	row.View,
	{{Name: "bucket", Type: row.String, Nullable: true}, {Name: "n", Type: row.Int64, Nullable: true}},
	{{Name: "ключ", Type: row.String, Nullable: true}, {Name: "flag", Type: row.Bool, Nullable: true}, {Name: "b", Type: row.Bool}},
	{{Name: "only", Type: row.Int64, Nullable: true}},
	{{Name: "a", Type: row.String}, {Name: "b", Type: row.String, Nullable: true}, {Name: "c", Type: row.Int64}, {Name: "d", Type: row.Bool, Nullable: true}},
	row.Source,
}

var texts = []string{"", "7", "bucket", "größe", "日本語", "🫖🫖", "\x00", "e\u0301", strings.Repeat("long ", 400), "a\nb\t\"c\""}

func randomRow(r *schedule.Random, s row.Schema, nulls int) row.Row {
	out := make(row.Row, len(s))
	for i, c := range s {
		if c.Nullable && r.Pick(4) < nulls {
			continue
		}
		switch c.Type {
		case row.String:
			out[i] = row.Text(texts[r.Pick(len(texts))])
		case row.Int64:
			out[i] = row.Int(int64(r.Uint64()))
		case row.Bool:
			out[i] = row.Flag(r.Pick(2) == 0)
		}
	}
	return out
}

// randomUpdates are 1 to 600 updates, most often few; nulls are none, some or all.
func randomUpdates(r *schedule.Random, s row.Schema) []row.Update {
	n := 1 + r.Pick(20)
	if r.Pick(8) == 0 {
		n = 1 + r.Pick(600)
	}
	nulls := r.Pick(5)
	us := make([]row.Update, n)
	for i := range us {
		us[i] = row.Update{Row: randomRow(r, s, nulls), Time: int64(r.Uint64() >> 1), Diff: int64(r.Pick(5)) - 2}
	}
	return us
}

// rounds is how many random parts a test makes: fewer under js/wasm, which is slower.
func rounds(n int) int {
	if runtime.GOOS == "js" {
		return n / 20
	}
	return n
}

func rowsOf(us []row.Update) func(func(row.Row) bool) {
	return func(yield func(row.Row) bool) {
		for _, u := range us {
			if !yield(u.Row) {
				return
			}
		}
	}
}

// frames measures what files of a schema are longer than their bodies.
func frames(t *testing.T, mem memory.Allocator, s row.Schema) int {
	us := []row.Update{{Row: randomRow(schedule.NewRandom(1), s, 0)}}
	p, err := New(mem, s, us)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	data, err := Encode(mem, p)
	if err != nil {
		t.Fatal(err)
	}
	return len(data) - size.Body(s, rowsOf(us))
}

// TestSizes holds the formulas of the package size, the running sum of a builder and
// the evaluation of a part to one another and to arrow-go, and every part to its
// round trip, for 10,000 random parts and for the concat of each with the one before.
func TestSizes(t *testing.T) {
	mem := checked(t)
	r := schedule.NewRandom(1)
	frame := map[int]int{}
	for i, s := range schemas {
		frame[i] = frames(t, mem, s)
	}
	if frame[0] != size.ViewFrame {
		t.Errorf("a file of the view's schema is %d bytes longer than its body: ViewFrame is %d", frame[0], size.ViewFrame)
	}
	if last := frame[len(schemas)-1]; last != size.SourceFrame {
		t.Errorf("a file of a key with errors is %d bytes longer than its body: SourceFrame is %d", last, size.SourceFrame)
	}
	var before *Part
	var beforeUpdates []row.Update
	for n := range rounds(10_000) {
		if n == 1000 {
			mem = memory.NewGoAllocator() // the checked one takes most of the time
		}
		i := n / 2 % len(schemas)
		s := schemas[i]
		us := randomUpdates(r, s)
		p, err := New(mem, s, us)
		if err != nil {
			t.Fatal(err)
		}
		check := func(p *Part, us []row.Update) {
			t.Helper()
			want := 0
			for _, u := range us {
				want += size.Goodbytes(s, u.Row)
			}
			if got := p.Goodbytes(); got != want {
				t.Fatalf("part %d: %d goodbytes, want %d", n, got, want)
			}
			data, err := Encode(mem, p)
			if err != nil {
				t.Fatal(err)
			}
			if want := frame[i] + size.Body(s, rowsOf(us)); len(data) != want {
				t.Fatalf("part %d, schema %d: %d rows: %d bytes, want %d", n, i, len(us), len(data), want)
			}
			back, err := Decode(mem, s, data)
			if err != nil {
				t.Fatalf("part %d: %v", n, err)
			}
			defer back.Release()
			if got := back.Updates(); !reflect.DeepEqual(got, us) {
				t.Fatalf("part %d: read back %v, want %v", n, got, us)
			}
			if back.Goodbytes() != p.Goodbytes() {
				t.Fatalf("part %d: %d goodbytes when read back, want %d", n, back.Goodbytes(), p.Goodbytes())
			}
		}
		check(p, us)
		if n%2 == 1 {
			both, err := Concat(mem, []*Part{before, p})
			if err != nil {
				t.Fatal(err)
			}
			check(both, slices.Concat(beforeUpdates, us))
			both.Release()
		}
		if before != nil {
			before.Release()
		}
		before, beforeUpdates = p, us
	}
	before.Release()
}

// TestGoodbytesByHand counts what goodbytes is made of.
func TestGoodbytesByHand(t *testing.T) {
	mem := checked(t)
	s := schemas[4] // a string, b string?, c int64, d bool?
	p, err := New(mem, s, []row.Update{
		{Row: row.Row{row.Text("ab"), row.Null(), row.Int(1), row.Null()}},
		{Row: row.Row{row.Text(""), row.Text("ü"), row.Int(2), row.Flag(true)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	// a: 2 + 0; b: 0 + 2; c: 8 + 8; d: 1 + 1; time and diff: 8 each, twice.
	if got := p.Goodbytes(); got != 2+2+16+2+32 {
		t.Errorf("%d goodbytes, want %d", got, 2+2+16+2+32)
	}
}

// TestEncodeIsStable makes the same part twice and by way of a concat.
func TestEncodeIsStable(t *testing.T) {
	mem := checked(t)
	us := randomUpdates(schedule.NewRandom(7), schemas[4])
	file := func(us []row.Update) []byte {
		p, err := New(mem, schemas[4], us)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Release()
		data, err := Encode(mem, p)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(file(us), file(us)) {
		t.Error("the same part has two files")
	}
}

func TestRefusals(t *testing.T) {
	mem := checked(t)
	for _, c := range []struct {
		schema row.Schema
		row    row.Row
		want   string
	}{
		{row.Schema{}, nil, "schema: there are 0 columns: allowed are 1 to 64"},
		{row.Schema{{Name: "a"}, {Name: "a"}}, nil, `schema: columns[1]: name: "a" is taken`},
		{row.View, row.Row{row.Text("7")}, "updates[0]: row: it has 1 values: the key has 2 columns"},
		{row.View, row.Row{row.Null(), row.Int(1)}, "updates[0]: row: bucket: null: the column is string"},
		{row.View, row.Row{row.Text("\xff"), row.Int(1)}, `updates[0]: row: bucket: "\xff": text is valid UTF-8`},
		{row.View, row.Row{row.Text("7"), row.Flag(true)}, "updates[0]: row: n: true: the column is int64"},
	} {
		p, err := New(mem, c.schema, []row.Update{{Row: c.row}})
		if err == nil {
			p.Release()
			t.Errorf("%v: %v: no error", c.schema, c.row)
		} else if err.Error() != c.want {
			t.Errorf("got %q, want %q", err, c.want)
		}
	}
	empty, err := New(mem, row.View, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Release()
	if _, err := Encode(mem, empty); err == nil {
		t.Error("an empty part was encoded")
	}
	if one, err := Concat(mem, nil); one != nil || err != nil {
		t.Errorf("concat of nothing: %v, %v", one, err)
	}
}

// TestConsolidate adds up by hand.
func TestConsolidate(t *testing.T) {
	u := func(key string, n, time, diff int64) row.Update {
		return row.Update{Row: row.Row{row.Text(key), row.Int(n)}, Time: time, Diff: diff}
	}
	got := row.Consolidate([]row.Update{u("b", 1, 5, 1), u("a", 2, 5, -1), u("a", 1, 5, 1), u("a", 2, 5, 1), u("a", 1, 4, 1), u("b", 1, 5, 1)})
	want := []row.Update{u("a", 1, 4, 1), u("a", 1, 5, 1), u("b", 1, 5, 2)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if c := (row.Row{row.Null()}).Compare(row.Row{row.Int(math.MaxInt64)}); c != 1 {
		t.Error("nulls come last")
	}
	if s := fmt.Sprint(row.Row{row.Null(), row.Text("a\n"), row.Int(-1), row.Flag(true)}); s != `[null "a\n" -1 true]` {
		t.Error(s)
	}
}

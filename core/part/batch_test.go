package part

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
	"sharedbatches/core/schedule"
)

// narrow makes a part of n updates of 32 goodbytes each: 8 bytes of text, a number,
// time and diff. Times are ascending from 0.
func narrow(t testing.TB, mem memory.Allocator, n int) *Part {
	b, err := NewBuilder(mem, row.View)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	for i := range n {
		if err := b.Push(row.Row{row.Text(fmt.Sprintf("%08d", i)), row.Int(int64(i))}, int64(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish()
}

// collect is a batch builder that notes the lengths of what it flushes.
func collect(t testing.TB, mem memory.Allocator, o BatchOptions) (*BatchBuilder, *[]int) {
	var lengths []int
	b, err := NewBatchBuilder(mem, row.View, o, func(p *Part) error {
		lengths = append(lengths, p.Len())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, &lengths
}

// TestFlushRules meets each rule of the batch builder once, under both ways of
// measuring what is in progress. Sizes are in updates of 32 goodbytes; the target is 10.
func TestFlushRules(t *testing.T) {
	for _, c := range []struct {
		what string
		do   string // a number n: a part of n updates; +n: n single updates
		want []int
	}{
		{"below the target nothing is flushed before the end", "4 5", []int{9}},
		{"at the target parts are not flushed", "4 6", []int{10}},
		{"a part that would pass the target flushes what is there", "4 7", []int{4, 7}},
		{"what was flushed no longer counts", "4 7 3", []int{4, 10}},
		{"an oversized part is flushed alone, unsplit", "4 25 3", []int{4, 25, 3}},
		{"an oversized part first", "25 3", []int{25, 3}},
		{"single updates flush when the target is reached", "+10 +1", []int{10, 1}},
		{"single updates before a part count with it", "+4 7", []int{4, 7}},
		{"single updates and a part become one", "+4 6", []int{10}},
		{"single updates behind a part count with it", "6 +4 +1", []int{10, 1}},
		{"nothing", "", nil},
	} {
		for _, recompute := range []bool{false, true} {
			mem := checked(t)
			b, got := collect(t, mem, BatchOptions{Target: 320, Recompute: recompute})
			for _, word := range strings.Fields(c.do) {
				n, single := 0, strings.HasPrefix(word, "+")
				fmt.Sscan(strings.TrimPrefix(word, "+"), &n)
				p := narrow(t, mem, n)
				if single {
					for _, u := range p.Updates() {
						if err := b.Add(u); err != nil {
							t.Fatal(err)
						}
					}
				} else if err := b.AddPart(p); err != nil {
					t.Fatal(err)
				}
				p.Release()
			}
			if err := b.Finish(1000); err != nil {
				t.Fatal(err)
			}
			b.Release()
			if !slices.Equal(*got, c.want) {
				t.Errorf("%s (%s, recompute %t): flushed %v, want %v", c.what, c.do, recompute, *got, c.want)
			}
		}
	}
}

// TestEvaluations counts how often goodbytes of a part are evaluated in one flush
// window of n parts. The first way recomputes all finished parts twice for each part:
// n^2 + n in all (facts.md D2). The running counter needs one for each part. Before
// the first flush at 128 MiB there are 4,194 parts of 1,000 updates of 32 bytes.
func TestEvaluations(t *testing.T) {
	mem := memory.NewGoAllocator()
	p := narrow(t, mem, 1000)
	defer p.Release()
	if got := p.Goodbytes(); got != 32_000 {
		t.Fatalf("%d goodbytes, want 32000", got)
	}
	for _, c := range []struct {
		n                 int
		recompute, stored int
	}{
		{1, 2, 1},
		{2, 6, 2},
		{3, 12, 3},
		{100, 10_100, 100},
		{coalesce.TargetBytes / 32_000, 17_593_830, 4194},
	} {
		for _, recompute := range []bool{false, true} {
			b, flushed := collect(t, mem, BatchOptions{Recompute: recompute})
			for range c.n {
				if err := b.AddPart(p); err != nil {
					t.Fatal(err)
				}
			}
			want := c.stored
			if recompute {
				want = c.recompute
			}
			if b.Evaluations != want || len(*flushed) != 0 {
				t.Errorf("%d parts, recompute %t: %d evaluations and %d flushes, want %d and 0", c.n, recompute, b.Evaluations, len(*flushed), want)
			}
			b.Release()
		}
	}
}

// TestBothWaysAgree flushes random parts under both ways of measuring.
func TestBothWaysAgree(t *testing.T) {
	mem := checked(t)
	r := schedule.NewRandom(2)
	for range rounds(200) {
		target := 32 * (1 + r.Pick(60))
		one, a := collect(t, mem, BatchOptions{Target: target})
		two, b := collect(t, mem, BatchOptions{Target: target, Recompute: true})
		for range 1 + r.Pick(20) {
			p := narrow(t, mem, 1+r.Pick(25))
			for _, builder := range []*BatchBuilder{one, two} {
				if err := builder.AddPart(p); err != nil {
					t.Fatal(err)
				}
			}
			if one.InProgress() != two.InProgress() {
				t.Fatalf("in progress: %d and %d", one.InProgress(), two.InProgress())
			}
			p.Release()
		}
		for _, builder := range []*BatchBuilder{one, two} {
			if err := builder.Finish(1000); err != nil {
				t.Fatal(err)
			}
			builder.Release()
		}
		if !slices.Equal(*a, *b) {
			t.Fatalf("flushed %v and %v", *a, *b)
		}
	}
}

func TestBatchRefusals(t *testing.T) {
	mem := checked(t)
	b, flushed := collect(t, mem, BatchOptions{Lower: 10})
	defer b.Release()
	p := narrow(t, mem, 20) // times 0 to 19
	defer p.Release()
	want := func(err error, text string) {
		t.Helper()
		if err == nil || err.Error() != text {
			t.Errorf("got %v, want %s", err, text)
		}
	}
	want(b.AddPart(p), "add part: times[0]: 0: the batch's lower is 10")
	want(b.Add(p.Update(3)), "add: time 3: the batch's lower is 10")
	other, err := New(mem, schemas[3], []row.Update{{Row: row.Row{row.Int(1)}, Time: 15}})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	want(b.AddPart(other), "add part: key: [{only int64 true}]: the batch's is [{bucket string false} {n int64 false}]")
	// Nothing that was refused is remembered, so any upper will do.
	if err := b.Add(p.Update(12)); err != nil {
		t.Fatal(err)
	}
	want(b.Finish(12), "finish: upper 12: there is an update at 12")
	want(b.Finish(10), "finish: upper 10: the lower is 10")
	if err := b.Finish(13); err != nil || !slices.Equal(*flushed, []int{1}) {
		t.Errorf("%v, flushed %v", err, *flushed)
	}
	full := errors.New("full")
	bad, err := NewBatchBuilder(mem, row.View, BatchOptions{}, func(*Part) error { return full })
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Release()
	if err := bad.AddPart(p); err != nil {
		t.Fatal(err)
	}
	if err := bad.Finish(100); !errors.Is(err, full) {
		t.Errorf("got %v, want the flush's error", err)
	}
}

// TestInlineCrossover has eight parts that cost no PUT one by one, and one when they
// are coalesced (facts.md O4).
func TestInlineCrossover(t *testing.T) {
	mem := checked(t)
	var store Store
	alone := &Writer{Store: &store, Shard: "Y", Writer: "alone", Mem: mem}
	together := &Writer{Store: &store, Shard: "Y", Writer: "together", Mem: mem}
	shared, err := NewBatchBuilder(mem, row.View, BatchOptions{}, together.Flush)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Release()
	for range 8 {
		p := narrow(t, mem, 64) // 2,048 bytes
		own, err := NewBatchBuilder(mem, row.View, BatchOptions{}, alone.Flush)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []*BatchBuilder{own, shared} {
			if err := b.AddPart(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := own.Finish(1000); err != nil {
			t.Fatal(err)
		}
		own.Release()
		p.Release()
	}
	if err := shared.Finish(1000); err != nil {
		t.Fatal(err)
	}
	if alone.Parts != 0 || alone.Inline != 8 || together.Parts != 1 || together.Inline != 0 || store.Puts != 1 {
		t.Errorf("alone %d and %d inline, together %d and %d inline, %d PUTs", alone.Parts, alone.Inline, together.Parts, together.Inline, store.Puts)
	}
}

func TestStore(t *testing.T) {
	s := Store{Limit: 10}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	value := []byte("12345")
	must(s.Put("b", value))
	value[0] = 'x'
	must(s.Put("a", []byte("12345")))
	if err := s.Put("c", []byte("1")); !errors.Is(err, ErrFull) || err.Error() != "put c: 1 bytes: the store would hold 11: allowed are 10: the store is full" {
		t.Errorf("got %v", err)
	}
	must(s.Put("b", []byte("1234"))) // replacing counts the difference
	if got, err := s.Get("b"); err != nil || string(got) != "1234" {
		t.Errorf("%q, %v", got, err)
	}
	if got := s.List(); !slices.Equal(got, []Stored{{"a", 5}, {"b", 4}}) || s.Bytes() != 9 || s.Puts != 3 {
		t.Errorf("%v, %d bytes, %d puts", got, s.Bytes(), s.Puts)
	}
	must(s.Delete("a"))
	if s.Bytes() != 4 {
		t.Errorf("%d bytes", s.Bytes())
	}
	for _, err := range []error{s.Delete("a"), s.Put("", nil)} {
		if err == nil {
			t.Error("no error")
		}
	}
	if _, err := s.Get("a"); err == nil || err.Error() != "get a: there is no such object" {
		t.Error(err)
	}
}

// BenchmarkAddPart takes updates through part builder, add_part, flush and encoding
// into the store. It is linear when the time for one update stays the same.
func BenchmarkAddPart(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		for _, recompute := range []bool{false, true} {
			name := fmt.Sprintf("updates=%d/running", n)
			if recompute {
				name = fmt.Sprintf("updates=%d/recompute", n)
			}
			b.Run(name, func(b *testing.B) {
				mem := memory.NewGoAllocator()
				rows := make([]row.Row, 1000)
				for i := range rows {
					rows[i] = row.Row{row.Text(fmt.Sprintf("%08d", i)), row.Int(int64(i))}
				}
				b.ReportAllocs()
				evaluations, bytes := 0, 0
				for b.Loop() {
					store := Store{}
					w := &Writer{Store: &store, Shard: "Y", Writer: "bench", Mem: mem}
					batch, err := NewBatchBuilder(mem, row.View, BatchOptions{Recompute: recompute}, w.Flush)
					if err != nil {
						b.Fatal(err)
					}
					open, err := NewBuilder(mem, row.View)
					if err != nil {
						b.Fatal(err)
					}
					for i := range n {
						if err := open.Push(rows[i%len(rows)], int64(i), 1); err != nil {
							b.Fatal(err)
						}
						if open.Len() == 1000 {
							p := open.Finish()
							if err := batch.AddPart(p); err != nil {
								b.Fatal(err)
							}
							p.Release()
						}
					}
					if err := batch.Finish(int64(n)); err != nil {
						b.Fatal(err)
					}
					evaluations, bytes = batch.Evaluations, store.Bytes()
					open.Release()
					batch.Release()
				}
				per := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
				b.ReportMetric(per, "ns/update")
				b.ReportMetric(1e9/per, "updates/s")
				b.ReportMetric(float64(bytes)/float64(n), "B/update")
				b.ReportMetric(float64(evaluations), "evaluations")
			})
		}
	}
}

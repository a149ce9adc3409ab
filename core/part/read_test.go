package part

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
	"sharedbatches/core/part/size"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

// asked is the times worth asking for in a sink: those at which something happens or
// is sealed, and their neighbours.
func asked(m *coalesce.Model, sink int) []int64 {
	times := []int64{0, m.Sinks[sink].Since}
	times = append(times, m.Sinks[sink].Bounds...)
	for _, p := range row.Parts(m, sink) {
		pc, _ := m.Part(p)
		times = append(times, pc.At)
	}
	for _, t := range slices.Clone(times) {
		times = append(times, t+1, max(t-1, 0))
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// agree holds a read over the bytes to the model's reader, for every key and time
// asked, and the strip to the model's first hole.
func agree(t *testing.T, mem memory.Allocator, m *coalesce.Model, s *coalesce.State, store *Store) {
	t.Helper()
	if err := store.Follow(mem, m, s); err != nil {
		t.Fatal(err)
	}
	for sink := range m.Sinks {
		sh, err := Open(mem, m, s, sink, store.Get)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := row.Truth(m, sink)
		if err != nil {
			t.Fatal(err)
		}
		strip := sh.Strip(truth)
		for _, at := range asked(m, sink) {
			status, view := sh.AsOf(at)
			right := row.At(truth, at)
			for _, key := range m.Keys(sink) {
				want := m.ReadAsOf(s, sink, key, at)
				got := coalesce.Read{Status: status, View: count(view, key), Truth: count(right, key), ViewError: row.Failure(view), TruthError: row.Failure(right)}
				if got != want {
					t.Fatalf("sink %s, key %q, AS OF %d: the bytes say %+v, the model %+v", m.SinkName(sink), key, at, got, want)
				}
			}
			wrong := 0
			for _, c := range Cells(view, right) {
				if c.Wrong() {
					wrong++
				}
			}
			if failed, should := row.Failure(view) != "", row.Failure(right) != ""; failed || should {
				wrong = 0
				if failed != should {
					wrong = 1
				}
			}
			for _, span := range strip {
				if span.From <= at && at < span.To && (span.Status != status || status == coalesce.Answers && (span.Wrong > 0) != (wrong > 0)) {
					t.Fatalf("sink %s, AS OF %d: %d cells are wrong, status %d: the strip has %+v", m.SinkName(sink), at, wrong, status, span)
				}
			}
			subscribed(t, sh, at)
		}
		from, _, ok := m.FirstHole(s, sink)
		hole := slices.IndexFunc(strip, func(s Span) bool { return s.Wrong > 0 })
		// Where a query fails and has to, what is missing is not seen.
		if hole >= 0 && !ok || !m.Fails(sink) && ok && (hole < 0 || strip[hole].From != from) {
			t.Fatalf("sink %s: the first hole is at %d, %t: the strip has %+v", m.SinkName(sink), from, ok, strip)
		}
	}
}

// count is what a content has for a key in the terms of the model.
func count(content []row.Update, key string) int {
	sum, rows := 0, 0
	if row.Failure(content) != "" {
		return coalesce.Absent
	}
	for _, u := range content {
		if u.Row[0].Text() == key {
			rows += int(u.Diff)
			sum += int(u.Diff * u.Row[1].Int())
		}
	}
	if rows == 0 {
		return coalesce.Absent
	}
	return sum
}

// subscribed adds up what a consumer got and wants what reads say, at every time,
// for the view and for the second view that is fed by it.
func subscribed(t *testing.T, sh *Shard, from int64) {
	t.Helper()
	status, messages := sh.Subscribe(from)
	if status != coalesce.Answers {
		if len(messages) > 0 {
			t.Fatalf("SUBSCRIBE AS OF %d is not answered and sends %d messages", from, len(messages))
		}
		return
	}
	var got []row.Update
	progress := from
	for i := range messages {
		m := &messages[i]
		if m.Kind == Progress {
			progress = m.Time
			continue
		}
		if m.Time < progress || m.Time < m.Own {
			t.Fatalf("%s at %d behind progress to %d, of %d", m.Kind, m.Time, progress, m.Own)
		}
		got = append(got, m.Rows...)
		if m.Kind == Snapshot {
			for i := range m.Rows {
				got[i].Time = from
			}
		}
	}
	if progress != sh.Upper {
		t.Fatalf("SUBSCRIBE AS OF %d: progress to %d, the upper is %d", from, progress, sh.Upper)
	}
	fed := Feed(messages)
	for _, at := range []int64{from, (from + sh.Upper) / 2, sh.Upper - 1} {
		_, want := sh.AsOf(at)
		if cells := Cells(row.At(got, at), want); slices.ContainsFunc(cells, Cell.Wrong) {
			t.Fatalf("SUBSCRIBE AS OF %d adds up to other rows than AS OF %d has", from, at)
		}
		second := row.At(fed, at)
		if len(second) != 1 || second[0].Diff != 1 || second[0].Row.Compare(Total(want)) != 0 {
			t.Fatalf("the second view from %d AS OF %d: %v, want %v", from, at, second, Total(want))
		}
	}
}

// TestReadScenarios reads every scenario at every step that seals something.
func TestReadScenarios(t *testing.T) {
	mem := checked(t)
	list, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range run.Models {
			store, acting := &Store{}, &Store{}
			for n := 0; n <= run.Len(); n++ {
				side := &run.At(n).Sides[i]
				for _, e := range side.Events {
					if err := acting.Act(mem, m, e); err != nil {
						t.Fatal(err)
					}
				}
				if n == 0 || slices.ContainsFunc(side.Events, func(e coalesce.Event) bool { return e.Kind == coalesce.Sealed }) {
					agree(t, mem, m, &side.State, store)
				}
			}
			last := &run.At(run.Len()).Sides[i].State
			if err := store.Follow(mem, m, last); err != nil {
				t.Fatal(err)
			}
			// Following the events leads to the same.
			if !slices.Equal(store.List(), acting.List()) || acting.Puts != int(last.Puts) {
				t.Errorf("%s, %s: %v by state, %v by events, %d PUTs", s.ID, run.Names[i], store.List(), acting.List(), last.Puts)
			}
		}
	}
}

// randomConfig is a small set-up, which may be one that [coalesce.New] refuses.
func randomConfig(r *schedule.Random) coalesce.Config {
	c := coalesce.Config{Probe: coalesce.Probe(r.Pick(3) / 2), Mode: coalesce.Mode(r.Pick(3) / 2), Descriptions: coalesce.Descriptions(r.Pick(2)), Processes: 1 + r.Pick(2)}
	for i := range 1 + r.Pick(2) {
		k := coalesce.SinkConfig{Name: byte('X' + i), Since: int64(r.Pick(1001)), Bounds: []int64{1000}}
		for n := range 1 + r.Pick(3) {
			k.Bounds = append(k.Bounds, int64(2000+1000*n))
			if r.Pick(6) == 0 {
				k.Superseded = append(k.Superseded, n)
			}
		}
		c.Sinks = append(c.Sinks, k)
	}
	for w := range 1 + r.Pick(3) {
		for sink := range c.Sinks {
			if w > 0 && r.Pick(3) == 0 {
				continue
			}
			t := coalesce.TaskConfig{Worker: w, Sink: sink}
			if r.Pick(8) == 0 {
				t.Upper = 1600
			}
			for n := range len(c.Sinks[sink].Bounds) - 1 {
				for range r.Pick(3) {
					p := coalesce.PartConfig{Interval: n, At: int64(1000*(n+1) + 100*r.Pick(10)), Bytes: coalesce.InlineLimit}
					for range r.Pick(4) {
						change := coalesce.Change{Key: string("0123abcz"[r.Pick(8)]), From: r.Pick(5) - 1, To: r.Pick(5) - 1}
						if change.From < 0 {
							change.From = coalesce.Absent
						}
						if change.To < 0 {
							change.To = coalesce.Absent
						}
						if change.From != change.To {
							p.Changes = append(p.Changes, change)
						}
					}
					p.Updates = 2*len(p.Changes) + 1 + r.Pick(9)
					if r.Pick(5) == 0 {
						p.Changes, p.Updates = nil, 1+r.Pick(3)
						p.Error, p.Gone = fmt.Sprint("error ", w, r.Pick(2)), r.Pick(3) == 0
					}
					t.Parts = append(t.Parts, p)
				}
				if c.Mode == coalesce.Barrier && slices.Contains(c.Sinks[sink].Superseded, n) && r.Pick(2) == 0 {
					t.Skips = append(t.Skips, n)
				}
			}
			c.Tasks = append(c.Tasks, t)
		}
	}
	return c
}

// TestReadRandom runs random set-ups with random schedules and reads after every seal.
func TestReadRandom(t *testing.T) {
	mem := checked(t)
	r := schedule.NewRandom(11)
	sealed, lost, mismatched := 0, 0, 0
	for range rounds(600) {
		m, err := coalesce.New(randomConfig(r))
		if err != nil {
			continue
		}
		s := m.Start()
		store := &Store{}
		for {
			var enabled []coalesce.Thread
			for _, t := range m.Threads() {
				if m.Blocked(&s, t).Kind == coalesce.Free {
					enabled = append(enabled, t)
				}
			}
			if len(enabled) == 0 {
				break
			}
			var es coalesce.Events
			m.Step(&s, enabled[r.Pick(len(enabled))], &es)
			for _, e := range es {
				switch e.Kind {
				case coalesce.Lost:
					lost++
				case coalesce.Mismatched:
					mismatched++
					agree(t, mem, m, &s, store)
				case coalesce.Sealed:
					sealed++
					agree(t, mem, m, &s, store)
				}
			}
		}
		agree(t, mem, m, &s, store)
	}
	t.Logf("%d seals, %d of them lost something, %d mismatches", sealed, lost, mismatched)
	if runtime.GOOS != "js" && (sealed == 0 || lost == 0 || mismatched == 0) {
		t.Errorf("%d seals, %d lost, %d mismatches: each is asked for", sealed, lost, mismatched)
	}
}

func sweep(t testing.TB) *worlds.Run {
	s, err := scenarios.Load("sweep")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	run.Last()
	return run
}

// TestSweepHole has the leaked blob hold exactly what the AS OF table lacks.
func TestSweepHole(t *testing.T) {
	mem := checked(t)
	run := sweep(t)
	m := run.Models[0]
	s := &run.Now().Sides[0].State
	store := &Store{}
	if err := store.Follow(mem, m, s); err != nil {
		t.Fatal(err)
	}
	data, err := store.Get("sY/wa/p1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Decode(mem, row.View, data)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	const y = 1
	sh, err := Open(mem, m, s, y, store.Get)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := row.Truth(m, y)
	if err != nil {
		t.Fatal(err)
	}
	_, view := sh.AsOf(1500)
	// The difference of truth and view is what the leaked object would have changed.
	lacks := row.At(truth, 1500)
	for _, u := range view {
		u.Diff = -u.Diff
		lacks = append(lacks, u)
	}
	lacks = row.Consolidate(lacks)
	holds := row.Consolidate(p.Updates())
	if len(holds) != 512 || !slices.EqualFunc(lacks, holds, func(a, b row.Update) bool {
		return a.Row.Compare(b.Row) == 0 && a.Time == b.Time && a.Diff == b.Diff
	}) {
		t.Errorf("the object has %d updates, the view lacks %d", len(holds), len(lacks))
	}
	want := []Span{
		{From: 0, To: 1500}, {From: 1500, To: 2000, Wrong: 512}, {From: 2000, To: 3000}, // all answered
	}
	if got := sh.Strip(truth); !slices.Equal(got, want) {
		t.Errorf("strip %v, want %v", got, want)
	}
	_, messages := sh.Subscribe(1000)
	var kinds []string
	for i := range messages {
		kind := messages[i].Kind.String()
		if messages[i].Late() {
			kind += ", late"
		}
		kinds = append(kinds, kind)
	}
	if want := []string{"snapshot", "progress", "diffs, late", "progress"}; !slices.Equal(kinds, want) {
		t.Errorf("messages %q, want %q", kinds, want)
	}
}

// TestFollow goes through a run forwards, backwards and to another branch, and wants
// the objects of the state each time, made once each.
func TestFollow(t *testing.T) {
	mem := checked(t)
	run := sweep(t)
	m := run.Models[0]
	store := &Store{}
	check := func(n, puts int) {
		t.Helper()
		s := &run.At(n).Sides[0].State
		if err := store.Follow(mem, m, s); err != nil {
			t.Fatal(err)
		}
		var want []Stored
		for _, o := range m.List(s) {
			data, err := Blob(mem, m, o.Parts, o.N)
			if err != nil {
				t.Fatal(err)
			}
			key := o.Key
			if got, err := store.Get(key); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("step %d: %s: %v, or other bytes", n, key, err)
			}
			want = append(want, Stored{key, len(data)})
		}
		slices.SortFunc(want, func(a, b Stored) int { return strings.Compare(a.Key, b.Key) })
		if !slices.Equal(store.List(), want) || store.Puts != puts {
			t.Fatalf("step %d: %v after %d puts, want %v after %d", n, store.List(), store.Puts, want, puts)
		}
	}
	check(0, 0)
	check(12, 1)
	check(54, 3)
	check(54, 3)
	check(11, 3)
	check(12, 4)
	// An object that somebody else put is made anew.
	if err := store.Put("sY/wa/p1", []byte("x")); err != nil {
		t.Fatal(err)
	}
	check(12, 6)
	// So are all of another set-up.
	m = run.Models[1]
	check(12, 7)
}

// TestPartOf holds the rows of random parts to what the package row promises, and
// their sizes to arrow-go.
func TestPartOf(t *testing.T) {
	mem := checked(t)
	r := schedule.NewRandom(23)
	for range rounds(300) {
		m, err := coalesce.New(randomConfig(r))
		if err != nil {
			continue
		}
		taken := map[string]int{}
		listed := map[string]bool{}
		for sink := range m.Sinks {
			for _, k := range m.Keys(sink) {
				listed[k] = true
			}
		}
		for p := range m.PartCount() {
			pc, task := m.Part(p)
			n := pc.Interval + r.Pick(m.Intervals(m.Sink(task))-pc.Interval)
			us, err := row.Of(m, p, n)
			if err != nil {
				t.Fatal(err)
			}
			if len(us) != pc.Updates {
				t.Fatalf("part %d: %d updates, want %d", p, len(us), pc.Updates)
			}
			changes := 0
			for _, c := range pc.Changes {
				for _, side := range []struct{ n, diff int }{{c.From, -1}, {c.To, +1}} {
					if side.n == coalesce.Absent {
						continue
					}
					u := us[changes]
					if u.Row[0].Text() != c.Key || u.Row[1].Int() != int64(side.n) || u.Diff != int64(side.diff) {
						t.Fatalf("part %d: update %d: %v, want %q, %d, %+d", p, changes, u, c.Key, side.n, side.diff)
					}
					changes++
				}
			}
			at := pc.At
			if n > pc.Interval {
				at, _ = m.Interval(m.Sink(task), n)
			}
			for i, u := range us {
				if u.Time != at {
					t.Fatalf("part %d in interval %d: update %d at %d, want %d", p, n, i, u.Time, at)
				}
				message, failed := row.Failed(u.Row)
				if failed != (pc.Error != "") || !strings.HasPrefix(message, pc.Error) || failed && (u.Diff > 0) == pc.Gone {
					t.Fatalf("part %d: update %d is %v, its error %q, gone %t", p, i, u, pc.Error, pc.Gone)
				}
				if i < changes || failed {
					continue
				}
				key := u.Row[0].Text()
				if before, ok := taken[key]; listed[key] || ok && before != p {
					t.Fatalf("part %d: filler %q is listed or part %d's", p, key, before)
				}
				taken[key] = p
				lone := i == len(us)-1 && (len(us)-changes)%2 == 1
				if want := int64(1 - 2*((i-changes+1)%2)); u.Diff != want && !lone || lone && u.Diff != 1 {
					t.Fatalf("part %d: update %d has diff %d", p, i, u.Diff)
				}
			}
			goodbytes, encoded, err := Sizes(mem, m, p)
			if err != nil {
				t.Fatal(err)
			}
			if g, e, ok := size.Part(m, p); !ok || g != goodbytes || e != encoded {
				t.Fatalf("part %d: arrow-go has %d and %d bytes, the formula %d and %d", p, goodbytes, encoded, g, e)
			}
		}
		for sink := range m.Sinks {
			var all coalesce.Parts
			for _, p := range row.Parts(m, sink) {
				all |= 1 << p
			}
			if all == 0 {
				continue
			}
			data, err := Blob(mem, m, all, m.Intervals(sink)-1)
			if err != nil {
				t.Fatal(err)
			}
			if _, encoded, ok := size.Parts(m, all); !ok || encoded != len(data) {
				t.Fatalf("parts %v: a file of %d bytes, the formula says %d", all.List(), len(data), encoded)
			}
		}
	}
}

func TestPartRefusals(t *testing.T) {
	model := func(p coalesce.PartConfig) *coalesce.Model {
		p.At, p.Bytes = 1500, coalesce.InlineLimit
		m, err := coalesce.New(coalesce.Config{
			Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}},
			Tasks: []coalesce.TaskConfig{{Parts: []coalesce.PartConfig{p}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		p    coalesce.PartConfig
		want string
	}{
		{coalesce.PartConfig{Updates: row.MaxUpdates + 1}, "part 0: updates: there are 1048577: rows are made for 1048576 at most"},
		{coalesce.PartConfig{Updates: 1, Changes: []coalesce.Change{{Key: "7", From: 5, To: 6}}}, "part 0: changes: they are 2 updates: the part has 1"},
	} {
		m := model(c.p)
		if _, err := row.Of(m, 0, 0); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if _, _, ok := size.Part(m, 0); ok {
			t.Error("it has a size")
		}
	}
	full := &Store{Limit: 1000}
	run := sweep(t)
	err := full.Follow(memory.DefaultAllocator, run.Models[0], &run.Now().Sides[0].State)
	if err == nil || full.Bytes() != 0 {
		t.Errorf("%v, %d bytes", err, full.Bytes())
	}
	t.Log(err)
}

// TestScenarioSizes logs what the parts of the scenarios really are.
func TestScenarioSizes(t *testing.T) {
	mem := checked(t)
	list, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		m, err := coalesce.New(s.Setup)
		if err != nil {
			t.Fatal(err)
		}
		for p := range m.PartCount() {
			goodbytes, encoded, err := Sizes(mem, m, p)
			if err != nil {
				t.Fatal(err)
			}
			if g, e, ok := size.Part(m, p); !ok || g != goodbytes || e != encoded {
				t.Errorf("%s: part %d: arrow-go has %d and %d bytes, the formula %d and %d", s.ID, p, goodbytes, encoded, g, e)
			}
			pc, _ := m.Part(p)
			t.Logf("%s: part %d: %d updates, declared %d, goodbytes %d, encoded %d", s.ID, p, pc.Updates, pc.Bytes, goodbytes, encoded)
		}
	}
}

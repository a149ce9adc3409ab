package ask

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"sharedbatches/core/part"
	"sharedbatches/core/part/row"
	"sharedbatches/core/scenario"
	"sharedbatches/scenarios"
)

func fresh(t testing.TB) *Data {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return &Data{Mem: mem}
}

// get asks and decodes the answer strictly, so that the types are the document.
func get[T any](t testing.TB, d *Data, request string) T {
	t.Helper()
	var v T
	if text := d.Rows([]byte(request)); strict(text, &v) != nil {
		t.Fatalf("%s: %s", request, text)
	}
	return v
}

const leaked = `{"scenario": {"id": "sweep"}, "world": "upgrade", "open": {"blob": "sY/wa/p1"}, "limit": 3}`

func TestTable(t *testing.T) {
	d := fresh(t)
	got := get[Table](t, d, leaked)
	want := Table{
		Kind: "blob", Name: "sY/wa/p1", File: "sY-wa-p1.arrow",
		Schema:  "key: struct<bucket: utf8, n: int64>, val: null, time: int64, diff: int64",
		Columns: []Column{{"bucket", "string", false}, {"n", "int64", false}, {"time", "int64", false}, {"diff", "int64", false}},
		Total:   512,
		Rows: [][]any{
			{"7", 5.0, 1500.0, -1.0}, {"7", 6.0, 1500.0, 1.0}, {"0", 1.0, 1500.0, -1.0},
		},
		Sections:  []Section{{0, "A", 0, 512, 1500, 1500, false, false}},
		Goodbytes: 14256, Bytes: 17498,
		Object: &Object{
			Key: "sY/wa/p1", Status: "leaked", Since: 12, Put: 12, Sink: "Y", Thread: "A", Interval: 1,
			Lower: 1000, Upper: 2000, Parts: []int{0}, Updates: 512, Goodbytes: 14256, Bytes: 17498,
		},
		Says: []string{
			"The batch of A for view Y, interval [1000, 2000). One PUT, at step 12.",
			"Leaked since step 12: nobody refers to it, and nothing will delete it. How: step 8, A got None, because a sweep’s temporary was the only other holder; " +
				"step 9, the last reference went with B, and the batch died with nobody to receive it; step 12, Ka uploaded it; step 12, Ka discarded the batch that nobody consumed.",
			"All 512 rows: part 0, written by A, of changes at 1500.",
		},
		Facts: [][2]string{
			{"updates", "512"}, {"goodbytes", "14,256"}, {"encoded as Arrow", "17,498 bytes"},
			{"small enough to be inline", "no: it is an object of its own, one PUT"},
			{"schema", "key: struct<bucket: utf8, n: int64>, val: null, time: int64, diff: int64"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	// The correction's object: the same rows at a later time.
	late := get[Table](t, d, strings.Replace(leaked, "p1", "p2", 1))
	if want := []Section{{0, "A", 0, 512, 2000, 1500, true, false}}; !reflect.DeepEqual(late.Sections, want) {
		t.Errorf("got %v, want %v", late.Sections, want)
	}
	if o := late.Object; o.Status != "referenced" || o.Put >= o.Since {
		t.Errorf("got %+v", o)
	}
	// A page behind the end is empty.
	if end := get[Table](t, d, strings.Replace(leaked, `"limit": 3`, `"offset": 511, "limit": 3`, 1)); len(end.Rows) != 1 || end.Offset != 511 {
		t.Errorf("got %d rows from %d", len(end.Rows), end.Offset)
	}
	file, err := d.Bytes([]byte(leaked))
	if err != nil || len(file) != 17498 {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	p, err := part.Decode(d.Mem, row.View, file)
	if err != nil {
		t.Fatal(err)
	}
	p.Release()
}

// TestOpen opens a part on its way: in the channel, in the batch, by its id.
func TestOpen(t *testing.T) {
	d := fresh(t)
	at := func(cursor int, open string) string {
		return fmt.Sprintf(`{"scenario": {"id": "sweep"}, "cursor": %d, "open": %s, "limit": 1}`, cursor, open)
	}
	pushed, received := 0, 0
	for n := 0; n <= 12 && received == 0; n++ {
		if slot := string(d.Rows([]byte(at(n, `{"slot": {"builder": "Ka", "index": 0}}`)))); !strings.Contains(slot, "error") {
			pushed = n
		}
		if batch := string(d.Rows([]byte(at(n, `{"batch": "Ka"}`)))); !strings.Contains(batch, "error") {
			received = n
		}
	}
	if pushed == 0 || received <= pushed {
		t.Fatalf("pushed at %d, received at %d", pushed, received)
	}
	for _, c := range []struct {
		cursor int
		open   string
		name   string
	}{
		{pushed, `{"slot": {"builder": "Ka", "index": 0}}`, "part 0 in slot 0 of Ka"},
		{received, `{"batch": "Ka"}`, "the batch of Ka for Y1"},
		{0, `{"part": {"id": 0}}`, "part 0"},
	} {
		got := get[Table](t, d, at(c.cursor, c.open))
		if got.Name != c.name || got.Total != 512 || got.Sections[0].Time != 1500 {
			t.Errorf("step %d, %s: %+v", c.cursor, c.open, got)
		}
	}
	// A crate is the batch, and later the object that it became.
	crate := `{"crate": {"builder": "Ka", "interval": 1}}`
	for cursor, want := range map[int]string{pushed: "the batch of Ka for Y1", received: "the batch of Ka for Y1", 12: "sY/wa/p1", 54: "sY/wa/p1"} {
		if got := get[Table](t, d, at(cursor, crate)); got.Name != want || got.Total != 512 || len(got.Says) < 2 {
			t.Errorf("step %d: %+v, want %s", cursor, got, want)
		}
	}
	// Sealed without it at step 30: from there on the part is a correction.
	for cursor, want := range map[int]Int{29: 1500, 30: 2000, 54: 2000} {
		if got := get[Table](t, d, at(cursor, `{"part": {"id": 0}}`)); got.Sections[0].Time != want {
			t.Errorf("step %d: time %d, want %d", cursor, got.Sections[0].Time, want)
		}
	}
	list := get[Objects](t, d, at(54, `{"objects": true}`))
	var text []string
	for _, o := range list.Objects {
		text = append(text, fmt.Sprintf("%s %s since %d, put %d", o.Key, o.Status, o.Since, o.Put))
	}
	if got, want := strings.Join(text, "; "), "sX/wb/p1 referenced since 22, put 20; sY/wa/p1 leaked since 12, put 12; sY/wa/p2 referenced since 54, put 38"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if list.Limit != part.StoreLimit || list.Bytes != 17506+2*17498 {
		t.Errorf("%d of %d bytes", list.Bytes, list.Limit)
	}
}

func TestReading(t *testing.T) {
	d := fresh(t)
	ask := func(cursor, at int, more string) Reading {
		return get[Reading](t, d, fmt.Sprintf(`{"scenario": {"id": "sweep"}, "cursor": %d, "open": {"read": {"sink": "Y", "as_of": %d}}, "limit": 1000%s}`, cursor, at, more))
	}
	wrong := ask(54, 1500, `, "only": "wrong"`)
	if wrong.Status != "answers" || wrong.Wrong != 256 || wrong.Buckets != 256 || wrong.Total != 256 || len(wrong.Cells) != 256 {
		t.Errorf("%d of %d wrong, %d, %d, %s", wrong.Wrong, wrong.Buckets, wrong.Total, len(wrong.Cells), wrong.Status)
	}
	found := false
	for _, c := range wrong.Cells {
		if c.Bucket == "7" {
			found = true
			if want := (Cell{"7", []Count{{5, 1}}, []Count{{6, 1}}, true, [3]string{"5", "6", "✗ 5 in place of 6"}}); !reflect.DeepEqual(c, want) {
				t.Errorf("got %v, want %v", c, want)
			}
		}
	}
	if !found {
		t.Error("bucket 7 is missing")
	}
	if want := []Span{
		{0, 1500, "answers", 0, "right", "right"}, {1500, 2000, "answers", 512, "wrong", "wrong: 512 rows too many or missing"},
		{2000, 3000, "answers", 0, "right", "right"}, {3000, 3500, "waits", 0, "waits", "a read waits: not sealed yet"},
	}; !reflect.DeepEqual(wrong.Strip, want) {
		t.Errorf("strip %v, want %v", wrong.Strip, want)
	}
	if s := wrong.Second; !s.Wrong || s.View[0] != 256 || s.Truth[1] != s.View[1]+256 {
		t.Errorf("second view %+v: each of 256 buckets has one row more in truth", s)
	}
	for _, c := range []struct {
		cursor, at int
		status     string
		wrong      int
	}{{54, 1499, "answers", 0}, {54, 2000, "answers", 0}, {54, 3000, "waits", 0}, {30, 1999, "answers", 256}, {29, 1500, "waits", 0}} {
		if got := ask(c.cursor, c.at, ""); got.Status != c.status || got.Wrong != c.wrong || len(got.Cells) != 256 {
			t.Errorf("step %d AS OF %d: %s, %d wrong of %d", c.cursor, c.at, got.Status, got.Wrong, len(got.Cells))
		}
	}
	sub := get[Subscription](t, d, `{"scenario": {"id": "sweep"}, "open": {"subscribe": {"sink": "Y", "as_of": 1000}}, "limit": 2}`)
	var kinds []string
	for _, m := range sub.Messages {
		kinds = append(kinds, fmt.Sprintf("%s %d late %t, %d rows", m.Kind, m.Time, m.Late, m.Total))
	}
	if got, want := strings.Join(kinds, "; "), "snapshot 1000 late false, 256 rows; progress 2000 late false, 0 rows; diffs 2000 late true, 512 rows; progress 3000 late false, 0 rows"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var second []string
	for _, s := range sub.Second {
		second = append(second, fmt.Sprintf("%d %t", s.Time, s.Wrong))
	}
	if got, want := strings.Join(second, "; "), "1000 false; 1500 true; 2000 false"; got != want {
		t.Errorf("second view wrong: %s, want %s", got, want)
	}
}

// TestContents opens all that a moment has, in every scenario and world.
func TestContents(t *testing.T) {
	d := fresh(t)
	opened := map[string]int{}
	for _, id := range scenarios.IDs {
		s, err := scenarios.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		for cursor := 0; cursor <= run.Len(); cursor += 1 + cursor%3 {
			if testing.Short() && cursor%10 != 0 {
				continue
			}
			for _, world := range run.Names {
				ask := func(open string) string {
					return fmt.Sprintf(`{"scenario": {"id": %q}, "cursor": %d, "world": %q, "limit": 1, "open": %s}`, id, cursor, world, open)
				}
				for _, g := range get[Contents](t, d, ask(`{"contents": true}`)).Groups {
					for _, item := range g.Items {
						opened[g.Name]++
						if table := get[Table](t, d, ask(string(item.Open))); table.Total == 0 || len(table.Says) < 2 || item.Says == "" {
							t.Errorf("%s, step %d, %s: %s: %+v", id, cursor, world, item.Open, table)
						}
					}
				}
			}
		}
	}
	if len(opened) != 3 {
		t.Errorf("opened %v", opened)
	}
}

func TestTrace(t *testing.T) {
	d := fresh(t)
	got := get[Trace](t, d, `{"scenario": {"id": "sweep"}, "cursor": 9, "open": {"trace": true}}`)
	if len(got.Steps) != 54 || got.Cursor != 9 || got.Differ != 7 || got.Outcome != 8 {
		t.Fatalf("%d steps, cursor %d, differ %d, outcome %d", len(got.Steps), got.Cursor, got.Differ, got.Outcome)
	}
	step := got.Steps[7]
	if step.Thread != "A" || len(step.Worlds) != 2 || !strings.Contains(strings.Join(step.Worlds[0].Changed, "; "), "answered None") || step.Worlds[0].Label == "" {
		t.Errorf("step 8: %+v", step)
	}
	if w := got.Steps[9].Worlds[1]; w.Skipped == "" && len(w.Changed) == 0 {
		t.Errorf("step 10: %+v", got.Steps[9])
	}
	// A changed probe leaves one world.
	one := get[Trace](t, d, `{"scenario": {"id": "sweep"}, "rules": {"probe": "strong_count"}, "schedule": "A4 B3", "open": {"trace": true}}`)
	if len(one.Worlds) != 1 || one.Worlds[0] != "strong_count" {
		t.Errorf("%v", one.Worlds)
	}
}

// TestSources asks the same by id, by text and by the compiled form.
func TestSources(t *testing.T) {
	d := fresh(t)
	for _, id := range scenarios.IDs {
		text, err := os.ReadFile("../../../scenarios/" + id + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var parsed struct {
			Parsed
			Scenario json.RawMessage `json:"scenario"`
		}
		if err := json.Unmarshal(d.Parse(id+".yaml", text), &parsed); err != nil || parsed.Errors != nil {
			t.Fatalf("%s: %v, %v", id, parsed.Errors, err)
		}
		s, err := scenarios.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		s.ID = ""
		var compiled scenario.Scenario
		if err := strict(parsed.Scenario, &compiled); err != nil || !reflect.DeepEqual(&compiled, s) {
			t.Errorf("%s: the compiled form is another scenario: %v", id, err)
		}
		if sum := parsed.Summary; len(sum.Differ) != 0 || sum.Title != s.Title || sum.Letters == 0 || len(sum.Parts) == 0 {
			t.Errorf("%s: %+v", id, sum)
		}
		yaml, _ := json.Marshal(string(text))
		var answers []string
		for _, source := range []string{fmt.Sprintf(`{"id": %q}`, id), fmt.Sprintf(`{"yaml": %s}`, yaml), fmt.Sprintf(`{"compiled": %s}`, parsed.Scenario)} {
			answers = append(answers, string(d.Rows([]byte(fmt.Sprintf(`{"scenario": %s, "open": {"objects": true}}`, source)))))
		}
		if answers[0] != answers[1] || answers[0] != answers[2] || strings.Contains(answers[0], "error") {
			t.Errorf("%s: answers differ: %q", id, answers)
		}
	}
	// A changed rule changes the run: with the barrier nothing is leaked.
	fixed := get[Objects](t, d, `{"scenario": {"id": "partial"}, "schedule": "A4", "rules": {"mode": "barrier"}, "open": {"objects": true}}`)
	if len(fixed.Objects) != 0 {
		t.Errorf("%+v", fixed)
	}
	// An empty schedule is a run of its own, right behind another scenario's failure too.
	d.Rows([]byte(`{"scenario": {"id": "share"}, "schedule": "Q", "open": {"objects": true}}`))
	if got := get[Table](t, d, `{"scenario": {"id": "share"}, "schedule": "", "open": {"part": {"id": 1}}}`); got.Sections[0].Thread != "B" || got.Sections[0].Time != 1600 {
		t.Errorf("%+v", got.Sections)
	}
	var parsed Parsed
	if err := json.Unmarshal(d.Parse("my.yaml", []byte("title: x\nsetup: 3\n")), &parsed); err != nil || len(parsed.Errors) == 0 {
		t.Fatalf("%v, %v", parsed, err)
	}
	if e := parsed.Errors[len(parsed.Errors)-1]; e.Line == 0 || !strings.HasPrefix(e.Text, "my.yaml:") {
		t.Errorf("%+v", e)
	}
}

func TestErrors(t *testing.T) {
	d := fresh(t)
	open := func(o string) string { return `{"scenario": {"id": "sweep"}, "open": ` + o + `}` }
	for _, c := range []struct{ request, want string }{
		{``, "request: EOF"},
		{`{} {}`, "request: there is something behind the object"},
		{`{"colour": 1}`, `request: unknown field "colour"`},
		{`{}`, "request: scenario: one of id, yaml and compiled is asked for"},
		{`{"scenario": {"id": "nope"}, "open": {"objects": true}}`, fmt.Sprintf(`scenario "nope": there are %q`, scenarios.IDs)},
		{open(`{}`), "request: open: one of part, slot, batch, crate, blob, objects, contents, trace, read and subscribe is asked for"},
		{open(`{"objects": true, "batch": "Ka"}`), "request: open: one of part, slot, batch, crate, blob, objects, contents, trace, read and subscribe is asked for"},
		{open(`{"part": {"id": 9}}`), "part 9: this set-up has parts 0 to 1"},
		{open(`{"part": {"id": 0, "interval": 3}}`), "part 0: interval 3: it is written in intervals 1 to 2"},
		{open(`{"blob": "sY/wa/p9"}`), "blob sY/wa/p9: the store has no such object at step 54"},
		{open(`{"batch": "A"}`), `builder "A": this set-up has no such builder task`},
		{open(`{"slot": {"builder": "Ka", "index": 0}}`), "builder Ka: it has no batch at step 54"},
		{open(`{"read": {"sink": "V", "as_of": 1}}`), `sink "V": this set-up has no such sink`},
		{open(`{"read": {"sink": "Y", "as_of": "x"}}`), `request: "x": a whole number is asked for`},
		{`{"scenario": {"id": "sweep"}, "cursor": 99, "open": {"objects": true}}`, "request: cursor: 99: allowed is 0 to 54, the length of the schedule"},
		{`{"scenario": {"id": "sweep"}, "world": "x", "open": {"objects": true}}`, `request: world: "x": this scenario has upgrade, strong_count`},
		{`{"scenario": {"id": "sweep"}, "limit": 99999, "open": {"objects": true}}`, "request: offset 0, limit 99999: allowed are 0 or more, and 1 to 10000"},
		{`{"scenario": {"id": "sweep"}, "only": "wrong", "open": {"objects": true}}`, `request: only: "wrong": allowed is wrong, with read`},
		{`{"scenario": {"id": "sweep"}, "rules": {"probe": "x"}, "open": {"objects": true}}`, `request: rules: rule probe: "x": allowed are upgrade, strong_count`},
	} {
		var got struct{ Error string }
		if err := json.Unmarshal(d.Rows([]byte(c.request)), &got); err != nil || got.Error != c.want {
			t.Errorf("%s: got %q, want %q", c.request, got.Error, c.want)
		}
	}
	if _, err := d.Bytes([]byte(open(`{"objects": true}`))); err == nil {
		t.Error("a list has bytes")
	}
	if got, _ := json.Marshal([]Int{1 << 53, 1<<53 + 1, -1<<53 - 1}); string(got) != `[9007199254740992,"9007199254740993","-9007199254740993"]` {
		t.Errorf("%s", got)
	}
}

// FuzzRows holds every request to an answer that is JSON.
func FuzzRows(f *testing.F) {
	f.Add([]byte(leaked))
	f.Add([]byte(`{"scenario": {"id": "share"}, "schedule": "A", "open": {"part": {"id": 0}}}`))
	var d Data
	f.Fuzz(func(t *testing.T, request []byte) {
		if text := d.Rows(request); !json.Valid(text) {
			t.Fatalf("%s", text)
		}
	})
}

// Benchmarks of what a learner waits for: a first question, and another about it.
func BenchmarkRows(b *testing.B) {
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			var d Data
			d.Rows([]byte(leaked))
		}
	})
	for _, c := range []struct{ name, request string }{
		{"blob", leaked},
		{"read", `{"scenario": {"id": "sweep"}, "open": {"read": {"sink": "Y", "as_of": 1500}}}`},
		{"subscribe", `{"scenario": {"id": "sweep"}, "open": {"subscribe": {"sink": "Y", "as_of": 0}}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			var d Data
			for b.Loop() {
				d.Rows([]byte(c.request))
			}
		})
	}
}

package coalesce_test

import (
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// A script is a story: each row names the thread that moves and then, by hand, the
// state after its line. The head names the columns: an interval such as Y1 is the
// registry's entry (-, dead, or the builder task of the live batch), a builder task
// such as Ka is the shared state it fills (strong count, holders, ~ the sweep's
// temporary, = the owner, q queued parts, got added parts, closed, done), and
// answers is what was answered so far. Parts are numbered in the order of tasks.
type script struct {
	name   string
	config coalesce.Config
	rows   string
}

func (sc script) play(t *testing.T) {
	p := start(t, sc.config)
	var head []string
	for i, row := range strings.Split(strings.TrimSpace(sc.rows), "\n") {
		cells := strings.Split(row, "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if i == 0 {
			head = cells
			continue
		}
		if len(cells) != len(head) {
			t.Fatalf("row %d: %d cells, want %d: %s", i, len(cells), len(head), row)
		}
		name, rest, _ := strings.Cut(cells[0], " ")
		why := ""
		if strings.HasPrefix(rest, "(") {
			why = strings.Trim(rest, "()")
		}
		if _, got := p.try(name); got != why {
			t.Fatalf("row %d: %s is blocked: %q, want %q", i, name, got, why)
		}
		for k, column := range head[1:] {
			var got string
			switch {
			case column == "answers":
				got = strings.Join(p.answers, ", ")
			case strings.Contains("VWXY", column[:1]):
				for sink := range p.m.Sinks {
					if p.m.SinkName(sink) == column[:1] {
						got = p.entry(sink, int(column[1]-'1'))
					}
				}
			default:
				got = p.batch(column)
			}
			if got != cells[k+1] {
				t.Errorf("row %d, after %s: %s is %q, want %q", i, cells[0], column, got, cells[k+1])
			}
		}
	}
}

// s1 is the two-sink orphan (facts.md 4.1 S1, D1). A and By share Y in the
// original; here A is alone on it, which is the same from the moment at which A is
// the last holder. The map holds one id: with a last_retained_len of 0 that is
// enough for the sweep test.
func s1(p coalesce.Probe) coalesce.Config {
	return coalesce.Config{Probe: p,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000), sink('X', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 1, 1500)}}
}

// s2 is the one-sink partial loss (S2, O1).
func s2(p coalesce.Probe) coalesce.Config {
	return coalesce.Config{Probe: p,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0, 1500)}}
}

// s2idle is its end with a B that has no rows.
func s2idle(p coalesce.Probe) coalesce.Config {
	c := s2(p)
	c.Tasks = []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0)}
	return c
}

var scripts = []script{
	{"S1 upgrade", s1(coalesce.Upgrade), `
		                                 | Y1   | X1   | Ka                    | Kb              | answers
		A lock                           | -    | -    | -                     | -               |
		A test: 0 > 0 is false           | -    | -    | -                     | -               |
		A create                         | Ka   | -    | 1 A                   | -               |
		A push                           | Ka   | -    | 1 A q0                | -               |
		B lock                           | Ka   | -    | 1 A q0                | -               |
		B test: 1 > 0                    | Ka   | -    | 1 A q0                | -               |
		B upgrades Y's weak              | Ka   | -    | 2 A ~B q0             | -               |
		A into_inner: 2 to 1             | Ka   | -    | 1 ~B q0               | -               | A None
		B drops the temporary: 1 to 0    | dead | -    | 0 q0 closed           | -               | A None
		B retain: it was alive           | dead | -    | 0 q0 closed           | -               | A None
		B create                         | dead | Kb   | 0 q0 closed           | 1 B             | A None
		Ka receives                      | dead | Kb   | 0 got0 closed         | 1 B             | A None
		Ka uploads for nobody            | dead | Kb   | -                     | 1 B             | A None
		B push                           | dead | Kb   | -                     | 1 B q1          | A None
		B into_inner: 1 to 0             | dead | dead | -                     | 0 =B q1         | A None
		B close                          | dead | dead | -                     | 0 =B q1 closed  | A None
		Kb receives                      | dead | dead | -                     | 0 =B got1 closed | A None
		B (Kb has not finished)          | dead | dead | -                     | 0 =B got1 closed | A None
		Kb uploads                       | dead | dead | -                     | 0 =B got1 closed done | A None
		B answers                        | dead | dead | -                     | -               | A None, B [1]
		Py seals Y without A's part      | dead | dead | -                     | -               | A None, B [1]
		Px seals X                       | dead | dead | -                     | -               | A None, B [1]`},
	{"S1 strong_count", s1(coalesce.StrongCount), `
		                                 | Y1   | X1   | Ka                    | Kb              | answers
		A lock                           | -    | -    | -                     | -               |
		A test                           | -    | -    | -                     | -               |
		A create                         | Ka   | -    | 1 A                   | -               |
		A push                           | Ka   | -    | 1 A q0                | -               |
		B lock                           | Ka   | -    | 1 A q0                | -               |
		B test                           | Ka   | -    | 1 A q0                | -               |
		B loads 1                        | Ka   | -    | 1 A q0                | -               |
		A into_inner: 1 to 0             | dead | -    | 0 =A q0               | -               |
		B compares 1 with 0              | dead | -    | 0 =A q0               | -               |
		B retain: a stale 1 keeps it     | dead | -    | 0 =A q0               | -               |
		B create                         | dead | Kb   | 0 =A q0               | 1 B             |
		A close                          | dead | Kb   | 0 =A q0 closed        | 1 B             |
		Ka receives                      | dead | Kb   | 0 =A got0 closed      | 1 B             |
		Ka uploads                       | dead | Kb   | 0 =A got0 closed done | 1 B             |
		A answers                        | dead | Kb   | -                     | 1 B             | A [0]
		Py seals Y                       | dead | Kb   | -                     | 1 B             | A [0]`},
	{"S2 upgrade", s2(coalesce.Upgrade), `
		                                 | Y1   | Ka              | Kb                    | answers
		A lock                           | -    | -               | -                     |
		A test                           | -    | -               | -                     |
		A create                         | Ka   | 1 A             | -                     |
		A push                           | Ka   | 1 A q0          | -                     |
		B lock                           | Ka   | 1 A q0          | -                     |
		B test                           | Ka   | 1 A q0          | -                     |
		B takes the temporary: 1 to 2    | Ka   | 2 A ~B q0       | -                     |
		A into_inner: 2 to 1             | Ka   | 1 ~B q0         | -                     | A None
		B drops it: 1 to 0               | dead | 0 q0 closed     | -                     | A None
		B retain                         | dead | 0 q0 closed     | -                     | A None
		Ka receives                      | dead | 0 got0 closed   | -                     | A None
		Ka uploads and discards          | dead | -               | -                     | A None
		B upgrade fails: a second batch  | Kb   | -               | 1 B                   | A None
		B push                           | Kb   | -               | 1 B q1                | A None
		B into_inner: 1 to 0             | dead | -               | 0 =B q1               | A None
		B close                          | dead | -               | 0 =B q1 closed        | A None
		Py (B has not answered for Y)    | dead | -               | 0 =B q1 closed        | A None
		Kb receives                      | dead | -               | 0 =B got1 closed      | A None
		Kb uploads                       | dead | -               | 0 =B got1 closed done | A None
		B answers with its rows only     | dead | -               | -                     | A None, B [1]
		Py seals half                    | dead | -               | -                     | A None, B [1]`},
	{"S2 strong_count", s2(coalesce.StrongCount), `
		                                 | Y1   | Ka                    | Kb              | answers
		A lock                           | -    | -                     | -               |
		A test                           | -    | -                     | -               |
		A create                         | Ka   | 1 A                   | -               |
		A push                           | Ka   | 1 A q0                | -               |
		B lock                           | Ka   | 1 A q0                | -               |
		B test                           | Ka   | 1 A q0                | -               |
		B loads 1                        | Ka   | 1 A q0                | -               |
		A into_inner: 1 to 0             | dead | 0 =A q0               | -               |
		B compares                       | dead | 0 =A q0               | -               |
		B retain                         | dead | 0 =A q0               | -               |
		Ka receives                      | dead | 0 =A got0             | -               |
		Ka (channel is empty and still open) | dead | 0 =A got0         | -               |
		A close                          | dead | 0 =A got0 closed      | -               |
		Ka uploads                       | dead | 0 =A got0 closed done | -               |
		B a second batch                 | Kb   | 0 =A got0 closed done | 1 B             |
		A answers                        | Kb   | -                     | 1 B             | A [0]
		B push                           | Kb   | -                     | 1 B q1          | A [0]
		B into_inner                     | dead | -                     | 0 =B q1         | A [0]
		B close                          | dead | -                     | 0 =B q1 closed  | A [0]
		Kb receives                      | dead | -                     | 0 =B got1 closed | A [0]
		Kb uploads                       | dead | -                     | 0 =B got1 closed done | A [0]
		B answers                        | dead | -                     | -               | A [0], B [1]
		Py seals both                    | dead | -                     | -               | A [0], B [1]`},
	{"S2 upgrade, B has no rows", s2idle(coalesce.Upgrade), `
		                                 | Y1   | Ka              | Kb                    | answers
		A lock                           | -    | -               | -                     |
		A test                           | -    | -               | -                     |
		A create                         | Ka   | 1 A             | -                     |
		A push                           | Ka   | 1 A q0          | -                     |
		B lock                           | Ka   | 1 A q0          | -                     |
		B test                           | Ka   | 1 A q0          | -                     |
		B takes the temporary            | Ka   | 2 A ~B q0       | -                     |
		A into_inner                     | Ka   | 1 ~B q0         | -                     | A None
		B drops it                       | dead | 0 q0 closed     | -                     | A None
		B retain                         | dead | 0 q0 closed     | -                     | A None
		B create                         | Kb   | 0 q0 closed     | 1 B                   | A None
		B into_inner                     | dead | 0 q0 closed     | 0 =B                  | A None
		B close                          | dead | 0 q0 closed     | 0 =B closed           | A None
		Kb finishes empty                | dead | 0 q0 closed     | 0 =B closed done      | A None
		B answers None too               | dead | 0 q0 closed     | -                     | A None, B None
		Py seals nothing at all          | dead | 0 q0 closed     | -                     | A None, B None
		Ka receives, after the append    | dead | 0 got0 closed   | -                     | A None, B None
		Ka uploads for nobody            | dead | -               | -                     | A None, B None`},
	{"S3 B joins before A's decrement, upgrade", s2(coalesce.Upgrade), s3before(`
		B takes the temporary            | Ka   | 2 A ~B q0       | -                     |
		B drops it                       | Ka   | 1 A q0          | -                     |`)},
	{"S3 B joins before A's decrement, strong_count", s2(coalesce.StrongCount), s3before(`
		B loads 1                        | Ka   | 1 A q0          | -                     |
		B compares                       | Ka   | 1 A q0          | -                     |`)},
	{"S3 B joins after A's decrement, upgrade", s2(coalesce.Upgrade), s3after(`
		B finds it dead                  | dead | 0 =A q0         | -                     |
		B keeps that in mind             | dead | 0 =A q0         | -                     |`)},
	{"S3 B joins after A's decrement, strong_count", s2(coalesce.StrongCount), s3after(`
		B loads 0                        | dead | 0 =A q0         | -                     |
		B compares 0 with 0              | dead | 0 =A q0         | -                     |`)},
}

// s3before is S3 with an undisturbed probe: one batch with everything, from B.
func s3before(probe string) string {
	return `
		                                 | Y1   | Ka              | Kb                    | answers
		A lock                           | -    | -               | -                     |
		A test                           | -    | -               | -                     |
		A create                         | Ka   | 1 A             | -                     |
		A push                           | Ka   | 1 A q0          | -                     |
		B lock                           | Ka   | 1 A q0          | -                     |
		B test                           | Ka   | 1 A q0          | -                     |` + probe + `
		B retain                         | Ka   | 1 A q0          | -                     |
		B join: 1 to 2                   | Ka   | 2 A,B q0        | -                     |
		A into_inner: 2 to 1             | Ka   | 1 B q0          | -                     | A None
		B push                           | Ka   | 1 B q0,1        | -                     | A None
		B into_inner: 1 to 0             | dead | 0 =B q0,1       | -                     | A None
		Ka receives A's part             | dead | 0 =B q1 got0    | -                     | A None
		B close                          | dead | 0 =B q1 got0 closed | -                 | A None
		Ka receives B's part             | dead | 0 =B got0,1 closed | -                  | A None
		Ka uploads                       | dead | 0 =B got0,1 closed done | -             | A None
		B answers with all               | dead | -               | -                     | A None, B [0 1]
		Py seals                         | dead | -               | -                     | A None, B [0 1]`
}

// s3after is S3 with A out of the way first: two batches, one append (D8).
func s3after(probe string) string {
	return `
		                                 | Y1   | Ka              | Kb                    | answers
		A lock                           | -    | -               | -                     |
		A test                           | -    | -               | -                     |
		A create                         | Ka   | 1 A             | -                     |
		A push                           | Ka   | 1 A q0          | -                     |
		A into_inner: 1 to 0             | dead | 0 =A q0         | -                     |
		B lock                           | dead | 0 =A q0         | -                     |
		B test: a dead entry counts      | dead | 0 =A q0         | -                     |` + probe + `
		B retain removes it              | -    | 0 =A q0         | -                     |
		B create                         | Kb   | 0 =A q0         | 1 B                   |
		A close                          | Kb   | 0 =A q0 closed  | 1 B                   |
		Ka receives                      | Kb   | 0 =A got0 closed | 1 B                  |
		Ka uploads                       | Kb   | 0 =A got0 closed done | 1 B             |
		A answers                        | Kb   | -               | 1 B                   | A [0]
		B push                           | Kb   | -               | 1 B q1                | A [0]
		B into_inner                     | dead | -               | 0 =B q1               | A [0]
		B close                          | dead | -               | 0 =B q1 closed        | A [0]
		Kb receives                      | dead | -               | 0 =B got1 closed      | A [0]
		Kb uploads                       | dead | -               | 0 =B got1 closed done | A [0]
		B answers                        | dead | -               | -                     | A [0], B [1]
		Py seals both                    | dead | -               | -                     | A [0], B [1]`
}

func TestScripts(t *testing.T) {
	for _, sc := range scripts {
		t.Run(sc.name, sc.play)
	}
}

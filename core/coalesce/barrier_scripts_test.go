package coalesce_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// A story is a script of the barrier and of the sink around it (facts.md 4.1, S4 to
// S12). What comes first is played without a look; then each row names the thread
// that moves and the state after its line. Columns are: a builder task, for the state
// it fills (strong count, holders, ~ the temporary, q queued, got added, F and whose
// Finish is queued, closed, gone); barrier, for the reports still pending, ! once
// finalized, > the deliverer, r who has registered, n who is notified; skips, the
// pending skips of Y1; upper, the view's; T, capabilities of each Timely side (held,
// * in flight); answers. A thread in brackets is blocked for the reason that follows.
type story struct {
	name   string
	config coalesce.Config
	first  string
	rows   string
	ends   coalesce.Verdict
	rest   string // what comes after the rows, played without a look
}

func (st story) play(t *testing.T) {
	p := start(t, st.config)
	p.run(st.first)
	var head []string
	for i, row := range strings.Split(strings.TrimSpace(st.rows), "\n") {
		cells := strings.Split(row, "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if i == 0 {
			head = cells
			continue
		}
		name, _, _ := strings.Cut(cells[0], " ")
		if blocked, ok := strings.CutPrefix(name, "["); ok {
			name = strings.TrimSuffix(blocked, "]")
			_, want, _ := strings.Cut(cells[0], " ")
			p.blocked(name, want)
		} else {
			p.step(name)
		}
		if len(cells) != len(head) {
			t.Fatalf("row %d: %d cells, want %d: %s\n%s", i, len(cells), len(head), row, p.cells(head))
		}
		for k, column := range head[1:] {
			if got := p.cell(column); got != cells[k+1] {
				t.Errorf("row %d, after %s: %s is %q, want %q", i, cells[0], column, got, cells[k+1])
			}
		}
	}
	p.run(st.rest)
	if p.m.Running(&p.s) {
		t.Error("the story has no end: a thread can still move")
	}
	equal(t, "the end", p.m.Classify(&p.s), st.ends)
}

func (p *play) cells(head []string) string {
	var list []string
	for _, column := range head[1:] {
		list = append(list, p.cell(column))
	}
	return strings.Join(list, " | ")
}

// cell is what a column says now.
func (p *play) cell(column string) string {
	switch column {
	case "answers":
		return strings.Join(p.answers, ", ")
	case "skips":
		return fmt.Sprint(p.s.Registries[0].Skips[0])
	case "upper":
		return fmt.Sprint(p.m.Upper(&p.s, 0))
	case "blobs":
		var list []string
		for i := range p.m.Tasks {
			for n := range p.m.Intervals(0) {
				if b := p.s.Blobs[i][n]; b.Status != coalesce.NoBlob {
					list = append(list, fmt.Sprintf("%s%d %s", p.m.Name(coalesce.Thread(i)), n+1, b.Status))
				}
			}
		}
		return strings.Join(list, ", ")
	case "T":
		var list []string
		for i := range p.m.Tasks {
			k := p.s.Timely[i]
			text := ""
			if k.Held != 0 {
				text = fmt.Sprint(k.Held)
			}
			if k.InFlight != 0 {
				text += fmt.Sprintf("*%d", k.InFlight)
			}
			list = append(list, cmp.Or(text, "-"))
		}
		return strings.Join(list, " ")
	}
	builder, barrier := strings.CutPrefix(column, "barrier ")
	b := p.s.Batches[p.thread(builder).Slot()]
	if b.Id == 0 {
		return "-"
	}
	if barrier {
		words := []string{fmt.Sprint(b.Pending)}
		if b.Finalized {
			words[0] += "!"
		}
		if b.Deliverer != 0 {
			words = append(words, ">"+p.m.Name(coalesce.Thread(b.Deliverer-1)))
		}
		if b.Registered != 0 {
			words = append(words, "r"+p.names(b.Registered))
		}
		if b.Notified != 0 {
			words = append(words, "n"+p.names(b.Notified))
		}
		return strings.Join(words, " ")
	}
	words := []string{fmt.Sprint(b.Count())}
	if b.Holders != 0 {
		words = append(words, p.names(b.Holders))
	}
	if b.Temp != 0 {
		words = append(words, "~"+p.m.Name(coalesce.Thread(b.Temp-1)))
	}
	if b.Queue[0] != 0 {
		var queue []string
		for _, q := range b.Queue[:b.Queued()] {
			if q&coalesce.FinishCommand != 0 {
				queue = append(queue, "F"+p.m.Name(coalesce.Thread(q&^coalesce.FinishCommand)))
			} else {
				queue = append(queue, fmt.Sprint(q-1))
			}
		}
		words = append(words, "q"+strings.Join(queue, ","))
	}
	if b.Got != 0 {
		words = append(words, "got"+strings.Trim(strings.ReplaceAll(fmt.Sprint(b.Got.List()), " ", ","), "[]"))
	}
	if b.Closed {
		words = append(words, "closed")
	}
	if b.Gone {
		words = append(words, "gone")
	}
	return strings.Join(words, " ")
}

// skipping is a set-up of workers A to C on Y1, which is superseded where some of
// them skip it. Who is named in parts has one.
func skipping(workers string, parts, skips string, change ...func(c *coalesce.Config)) coalesce.Config {
	c := coalesce.Config{Probe: coalesce.StrongCount, Mode: coalesce.Barrier, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}}
	for i, w := range workers {
		k := writes(i, 0)
		if strings.ContainsRune(parts, w) {
			k = writes(i, 0, 1500)
		}
		if strings.ContainsRune(skips, w) {
			k.Skips = []int{0}
			c.Sinks[0].Superseded = []int{0}
		}
		c.Tasks = append(c.Tasks, k)
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

// twice makes A report Y1 as skipped and write it all the same.
func twice(c *coalesce.Config) {
	c.Reports, c.Asserts = coalesce.ReportUnchecked, coalesce.Release
	c.Sinks[0].Superseded = nil
	c.Tasks[0].Skips, c.Tasks[0].Writes = []int{0}, true
}

var stories = []story{
	{"S4 naive order: the wakeup is lost", skipping("AB", "AB", "", func(c *coalesce.Config) { c.Wait = coalesce.CheckFirst }), "A4 B7", `
		                                                        | Ka                | barrier Ka | answers
		A arrives, not the last                                 | 2 A,B q0,1        | 1 >A       |
		A tests finalized: false                                | 2 A,B q0,1        | 1 >A       |
		B arrives: finalized                                    | 2 A,B q0,1        | 0! >B      |
		B notifies: nobody has registered, no permit is kept    | 2 A,B q0,1        | 0! >B      |
		A registers                                             | 2 A,B q0,1        | 0! >B rA   |
		[A] finalized, but the wakeup came before it registered | 2 A,B q0,1        | 0! >B rA   |
		B is the deliverer                                      | 2 A,B q0,1        | 0! >B rA   |
		B sends Finish                                          | 2 A,B q0,1,FB     | 0! >B rA   |
		Ka receives                                             | 2 A,B q1,FB got0  | 0! >B rA   |
		Ka receives                                             | 2 A,B qFB got0,1  | 0! >B rA   |
		Ka finishes                                             | 2 A,B got0,1 gone | 0! >B rA   |
		B answers                                               | 1 A gone          | 0! >B rA   | B [0 1]
		[Py] A has not answered for Y                           | 1 A gone          | 0! >B rA   | B [0 1]`, coalesce.Deadlocked, ""},
	{"S4 real order: a notify after the registration completes the wait", skipping("AB", "AB", ""), "A4 B7", `
		                         | Ka              | barrier Ka | answers
		A arrives                | 2 A,B q0,1      | 1 >A       |
		A registers              | 2 A,B q0,1      | 1 >A rA    |
		A tests finalized: false | 2 A,B q0,1      | 1 >A rA    |
		B arrives: finalized     | 2 A,B q0,1      | 0! >B rA   |
		[A] B has not reported   | 2 A,B q0,1      | 0! >B rA   |
		B notifies               | 2 A,B q0,1      | 0! >B nA   |
		A wakes                  | 2 A,B q0,1      | 0! >B      |
		A registers again        | 2 A,B q0,1      | 0! >B rA   |
		A tests: true            | 2 A,B q0,1      | 0! >B      |
		A is not the deliverer   | 1 B q0,1        | 0! >B      | A None
		B is                     | 1 B q0,1        | 0! >B      | A None
		B sends Finish           | 1 B q0,1,FB     | 0! >B      | A None
		Ka receives              | 1 B q1,FB got0  | 0! >B      | A None
		Ka receives              | 1 B qFB got0,1  | 0! >B      | A None
		Ka finishes              | 1 B got0,1 gone | 0! >B      | A None
		B answers                | -               | -          | A None, B [0 1]
		Py seals                 | -               | -          | A None, B [0 1]`, coalesce.Safe, ""},
	{"S4 real order: a finalization before the test is seen by the test", skipping("AB", "AB", ""), "A4 B7", `
		                       | Ka              | barrier Ka | answers
		A arrives              | 2 A,B q0,1      | 1 >A       |
		A registers            | 2 A,B q0,1      | 1 >A rA    |
		B arrives: finalized   | 2 A,B q0,1      | 0! >B rA   |
		A tests: true, no wait | 2 A,B q0,1      | 0! >B      |
		B notifies nobody      | 2 A,B q0,1      | 0! >B      |
		A is not the deliverer | 1 B q0,1        | 0! >B      | A None
		B is                   | 1 B q0,1        | 0! >B      | A None
		B sends Finish         | 1 B q0,1,FB     | 0! >B      | A None
		Ka receives            | 1 B q1,FB got0  | 0! >B      | A None
		Ka receives            | 1 B qFB got0,1  | 0! >B      | A None
		Ka finishes            | 1 B got0,1 gone | 0! >B      | A None
		B answers              | -               | -          | A None, B [0 1]
		Py seals               | -               | -          | A None, B [0 1]`, coalesce.Safe, ""},
	{"S5 C skips before any builder", skipping("ABC", "AB", "C"), "", `
		                                           | skips | Ka              | barrier Ka | answers
		Tc locks, finds no live state              | 0     | -               | -          |
		Tc counts a pending skip                   | 1     | -               | -          |
		Tc unlocks                                 | 1     | -               | -          |
		A locks                                    | 1     | -               | -          |
		A tests                                    | 1     | -               | -          |
		A creates: 3 less 1                        | 0     | 1 A             | 2          |
		A pushes                                   | 0     | 1 A q0          | 2          |
		A arrives                                  | 0     | 1 A q0          | 1 >A       |
		A registers                                | 0     | 1 A q0          | 1 >A rA    |
		A tests                                    | 0     | 1 A q0          | 1 >A rA    |
		B locks                                    | 0     | 1 A q0          | 1 >A rA    |
		B tests                                    | 0     | 1 A q0          | 1 >A rA    |
		B probes                                   | 0     | 1 A q0          | 1 >A rA    |
		B compares                                 | 0     | 1 A q0          | 1 >A rA    |
		B retains                                  | 0     | 1 A q0          | 1 >A rA    |
		B joins                                    | 0     | 2 A,B q0        | 1 >A rA    |
		B pushes                                   | 0     | 2 A,B q0,1      | 1 >A rA    |
		B arrives: the last                        | 0     | 2 A,B q0,1      | 0! >B rA   |
		B notifies                                 | 0     | 2 A,B q0,1      | 0! >B nA   |
		A wakes                                    | 0     | 2 A,B q0,1      | 0! >B      |
		A registers                                | 0     | 2 A,B q0,1      | 0! >B rA   |
		A tests                                    | 0     | 2 A,B q0,1      | 0! >B      |
		A sees deliverer B: None                   | 0     | 1 B q0,1        | 0! >B      | A None
		B sees itself                              | 0     | 1 B q0,1        | 0! >B      | A None
		B sends Finish                             | 0     | 1 B q0,1,FB     | 0! >B      | A None
		Ka receives                                | 0     | 1 B q1,FB got0  | 0! >B      | A None
		Ka receives                                | 0     | 1 B qFB got0,1  | 0! >B      | A None
		Ka finishes and replies                    | 0     | 1 B got0,1 gone | 0! >B      | A None
		B emits                                    | 0     | -               | -          | A None, B [0 1]
		Py a mismatch: the interval was superseded | 0     | -               | -          | A None, B [0 1]`, coalesce.Safe, ""},
	{"S5 variant: C skips last, and is no deliverer", skipping("ABC", "AB", "C"), "A4 B7 A3 B3", `
		                                               | Ka              | barrier Ka  | answers
		Tc locks, takes the temporary                  | 3 A,B ~Tc q0,1  | 1 >B rA,B   |
		Tc arrives: finalized, notifies                | 3 A,B ~Tc q0,1  | 0! >B nA,B  |
		Tc drops the temporary                         | 2 A,B q0,1      | 0! >B nA,B  |
		A wakes                                        | 2 A,B q0,1      | 0! >B nB    |
		A registers                                    | 2 A,B q0,1      | 0! >B rA nB |
		A tests                                        | 2 A,B q0,1      | 0! >B nB    |
		A sees B: None                                 | 1 B q0,1        | 0! >B nB    | A None
		B wakes                                        | 1 B q0,1        | 0! >B       | A None
		B registers                                    | 1 B q0,1        | 0! >B rB    | A None
		B tests                                        | 1 B q0,1        | 0! >B       | A None
		B sees itself, though C was the last to report | 1 B q0,1        | 0! >B       | A None
		B sends Finish                                 | 1 B q0,1,FB     | 0! >B       | A None
		Ka receives                                    | 1 B q1,FB got0  | 0! >B       | A None
		Ka receives                                    | 1 B qFB got0,1  | 0! >B       | A None
		Ka finishes                                    | 1 B got0,1 gone | 0! >B       | A None
		B emits                                        | -               | -           | A None, B [0 1]
		Py a mismatch                                  | -               | -           | A None, B [0 1]`, coalesce.Safe, ""},
	{"S6 all skip", skipping("AB", "A", "AB"), "", `
		                                                  | skips | Ka | blobs | answers
		Ta locks                                          | 0     | -  |       |
		Ta counts                                         | 1     | -  |       |
		Ta unlocks                                        | 1     | -  |       |
		Tb locks                                          | 1     | -  |       |
		Tb counts: all have skipped, the entry is deleted | 0     | -  |       |
		Tb unlocks                                        | 0     | -  |       |
		Py goes on: nobody writes                         | 0     | -  |       |`, coalesce.Safe, ""},
	{"S6 all finish, nobody pushed", skipping("AB", "", ""), "A3 B6", `
		                                | Ka       | barrier Ka | blobs | answers
		A arrives                       | 2 A,B    | 1 >A       |       |
		B arrives                       | 2 A,B    | 0! >B      |       |
		A registers                     | 2 A,B    | 0! >B rA   |       |
		A tests                         | 2 A,B    | 0! >B      |       |
		A sees B: None                  | 1 B      | 0! >B      |       | A None
		B notifies                      | 1 B      | 0! >B      |       | A None
		B sees itself                   | 1 B      | 0! >B      |       | A None
		B sends Finish                  | 1 B qFB  | 0! >B      |       | A None
		Ka has no builder, replies None | 1 B gone | 0! >B      |       | A None
		B answers None                  | -        | -          |       | A None, B None
		Py seals no change              | -        | -          |       | A None, B None`, coalesce.Safe, ""},
	{"S7 double report (a): C is quick enough", skipping("ABC", "BC", "", twice), "Ta3 B4 A6 C3 A3", `
		                                               | Kb              | barrier Kb | answers
		B arrives: finalized without C                 | 3 A,B,C q0      | 0! >B rA   |
		B notifies                                     | 3 A,B,C q0      | 0! >B nA   |
		C pushes                                       | 3 A,B,C q0,1    | 0! >B nA   |
		C arrives: a surplus report, and the deliverer | 3 A,B,C q0,1    | 0! >C nA   |
		C notifies                                     | 3 A,B,C q0,1    | 0! >C nA   |
		B sees C: None                                 | 2 A,C q0,1      | 0! >C nA   | B None
		C sees itself                                  | 2 A,C q0,1      | 0! >C nA   | B None
		A wakes                                        | 2 A,C q0,1      | 0! >C      | B None
		A registers                                    | 2 A,C q0,1      | 0! >C rA   | B None
		A tests                                        | 2 A,C q0,1      | 0! >C      | B None
		A sees C: None                                 | 1 C q0,1        | 0! >C      | B None, A None
		C sends Finish                                 | 1 C q0,1,FC     | 0! >C      | B None, A None
		Kb receives                                    | 1 C q1,FC got0  | 0! >C      | B None, A None
		Kb receives                                    | 1 C qFC got0,1  | 0! >C      | B None, A None
		Kb finishes                                    | 1 C got0,1 gone | 0! >C      | B None, A None
		C answers with all                             | -               | -          | B None, A None, C [0 1]
		Py seals all, by luck                          | -               | -          | B None, A None, C [0 1]`, coalesce.Safe, ""},
	{"S7 double report (b): pushed behind Finish", skipping("ABC", "BC", "", twice), "Ta3 B4 A6 C3 A3 B3", `
		                                       | Kb                 | barrier Kb | answers
		B sends Finish, with C still working   | 3 A,B,C q0,FB      | 0! >B nA   |
		C pushes behind it                     | 3 A,B,C q0,FB,1    | 0! >B nA   |
		Kb receives B's part                   | 3 A,B,C qFB,1 got0 | 0! >B nA   |
		Kb finishes: what is behind is dropped | 3 A,B,C got0 gone  | 0! >B nA   |
		B answers without C's part             | 2 A,C gone         | 0! >B nA   | B [0]
		C arrives                              | 2 A,C gone         | 0! >C nA   | B [0]
		C notifies                             | 2 A,C gone         | 0! >C nA   | B [0]
		C sees itself                          | 2 A,C gone         | 0! >C nA   | B [0]
		C finds the task gone: task failed     | 1 A gone           | 0! >C nA   | B [0]
		A wakes                                | 1 A gone           | 0! >C      | B [0]
		A registers                            | 1 A gone           | 0! >C rA   | B [0]
		A tests                                | 1 A gone           | 0! >C      | B [0]
		A sees C: None                         | -                  | -          | B [0], A None
		[Py] C has not answered for Y          | -                  | -          | B [0], A None`, coalesce.Crashed, ""},
	{"S7 double report (b): pushed to a task that is gone", skipping("ABC", "BC", "", twice), "Ta3 B4 A6 C3 A3 B4 Kb2", `
		                              | Kb              | barrier Kb | answers
		C pushes: task failed         | 2 A,B got0 gone | 0! >B nA   |
		B answers                     | 1 A gone        | 0! >B nA   | B [0]
		A wakes                       | 1 A gone        | 0! >B      | B [0]
		A registers                   | 1 A gone        | 0! >B rA   | B [0]
		A tests                       | 1 A gone        | 0! >B      | B [0]
		A sees B: None                | -               | -          | B [0], A None
		[Py] C has not answered for Y | -               | -          | B [0], A None`, coalesce.Crashed, ""},
	{"S7 double report (c): C opens after the state died", skipping("ABC", "BC", "", twice), "Ta3 B4 A6 A3 B2 A4 B2 Kb2", `
		                                             | Kb | Kc       | barrier Kc | answers
		B answers, the state dies                    | -  | -        | -          | A None, B [0]
		C locks                                      | -  | -        | -          | A None, B [0]
		C tests                                      | -  | -        | -          | A None, B [0]
		C creates a fresh state, which expects three | -  | 1 C      | 3          | A None, B [0]
		C pushes                                     | -  | 1 C q1   | 3          | A None, B [0]
		C arrives                                    | -  | 1 C q1   | 2 >C       | A None, B [0]
		C registers                                  | -  | 1 C q1   | 2 >C rC    | A None, B [0]
		C tests                                      | -  | 1 C q1   | 2 >C rC    | A None, B [0]
		[C] B has not reported                       | -  | 1 C q1   | 2 >C rC    | A None, B [0]
		Kc receives                                  | -  | 1 C got1 | 2 >C rC    | A None, B [0]
		[Py] C has not answered for Y                | -  | 1 C got1 | 2 >C rC    | A None, B [0]`, coalesce.Deadlocked, ""},
	{"S8 teardown leak", skipping("ABC", "AB", "", func(c *coalesce.Config) { c.Teardown = true }), "A4 B7 A3 B3", `
		                                            | Ka               | blobs     | answers
		Z stops A                                   | 2 A,B q0,1       |           |
		Z stops B                                   | 2 A,B q0,1       |           |
		Z stops C                                   | 2 A,B q0,1       |           |
		A drops its handle: 2 to 1                  | 1 B q0,1         |           |
		B drops its handle: 1 to 0                  | 0 q0,1 closed    |           |
		C has none                                  | 0 q0,1 closed    |           |
		Ka receives                                 | 0 q1 got0 closed |           |
		Ka receives                                 | 0 got0,1 closed  |           |
		Ka takes its closed arm, uploads for nobody | -                | A1 leaked |`, coalesce.Safe, ""},
	{"S9 the wait that never ends", skipping("AB", "AB", "", func(c *coalesce.Config) {
		c.Reports, c.Sinks[0].Participants = coalesce.ReportUnchecked, 3
	}), "A4 B7 A3", `
		                                                       | Ka            | barrier Ka | answers
		B arrives                                              | 2 A,B q0,1    | 1 >B rA    |
		B registers                                            | 2 A,B q0,1    | 1 >B rA,B  |
		B tests                                                | 2 A,B q0,1    | 1 >B rA,B  |
		[A] a participant that does not exist has not reported | 2 A,B q0,1    | 1 >B rA,B  |
		[B] a participant that does not exist has not reported | 2 A,B q0,1    | 1 >B rA,B  |
		Ka receives                                            | 2 A,B q1 got0 | 1 >B rA,B  |
		Ka receives                                            | 2 A,B got0,1  | 1 >B rA,B  |
		[Ka] channel is empty and still open                   | 2 A,B got0,1  | 1 >B rA,B  |
		[Py] A, B have not answered for Y                      | 2 A,B got0,1  | 1 >B rA,B  |`, coalesce.Deadlocked, ""},
	{"S9 a best-effort peer never reports", skipping("AB", "AB", "", func(c *coalesce.Config) {
		c.Modes, c.Tasks[1].BestEffort = coalesce.MixedModes, true
	}), "A4 B7 A3", `
		                              | Ka          | barrier Ka | answers
		B into_inner: 2 to 1, None    | 1 A q0,1    | 1 >A rA    | B None
		[A] B has not reported        | 1 A q0,1    | 1 >A rA    | B None
		Ka receives                   | 1 A q1 got0 | 1 >A rA    | B None
		Ka receives                   | 1 A got0,1  | 1 >A rA    | B None
		[Py] A has not answered for Y | 1 A got0,1  | 1 >A rA    | B None`, coalesce.Deadlocked, ""},
	{"S10 pending_skips residue", skipping("AB", "", "A", func(c *coalesce.Config) { c.Teardown = true }), "", `
		              | skips | Ka | answers
		Ta locks      | 0     | -  |
		Ta counts     | 1     | -  |
		Ta unlocks    | 1     | -  |
		Z stops A     | 1     | -  |
		Z stops B     | 1     | -  |
		B never opens | 1     | -  |`, coalesce.Safe, ""},
	{"S11 channel pressure", skipping("AB", "B", "", func(c *coalesce.Config) { c.Tasks[0] = writes(0, 0, 1500, 1500, 1500, 1500, 1500) }), "A7 B6", `
		                                              | Ka                      | barrier Ka | answers
		[A] 4 pushes are queued, Ka must receive one  | 2 A,B q0,1,2,3          | 2          |
		[B] 4 pushes are queued, Ka must receive one  | 2 A,B q0,1,2,3          | 2          |
		Ka receives                                   | 2 A,B q1,2,3 got0       | 2          |
		B pushes                                      | 2 A,B q1,2,3,5 got0     | 2          |
		[A] 4 pushes are queued, Ka must receive one  | 2 A,B q1,2,3,5 got0     | 2          |
		B arrives: not the last, since A still pushes | 2 A,B q1,2,3,5 got0     | 1 >B       |
		Ka receives                                   | 2 A,B q2,3,5 got0,1     | 1 >B       |
		A pushes its fifth                            | 2 A,B q2,3,5,4 got0,1   | 1 >B       |
		A arrives: the last                           | 2 A,B q2,3,5,4 got0,1   | 0! >A      |
		A notifies nobody                             | 2 A,B q2,3,5,4 got0,1   | 0! >A      |
		A sees itself                                 | 2 A,B q2,3,5,4 got0,1   | 0! >A      |
		[A] 4 pushes are queued, Ka must receive one  | 2 A,B q2,3,5,4 got0,1   | 0! >A      |
		B registers                                   | 2 A,B q2,3,5,4 got0,1   | 0! >A rB   |
		B tests                                       | 2 A,B q2,3,5,4 got0,1   | 0! >A      |
		B sees A: None                                | 1 A q2,3,5,4 got0,1     | 0! >A      | B None
		Ka receives                                   | 1 A q3,5,4 got0,1,2     | 0! >A      | B None
		A sends Finish behind every push              | 1 A q3,5,4,FA got0,1,2  | 0! >A      | B None
		Ka receives                                   | 1 A q5,4,FA got0,1,2,3  | 0! >A      | B None
		Ka receives                                   | 1 A q4,FA got0,1,2,3,5  | 0! >A      | B None
		Ka receives                                   | 1 A qFA got0,1,2,3,4,5  | 0! >A      | B None
		Ka finishes                                   | 1 A got0,1,2,3,4,5 gone | 0! >A      | B None
		A answers                                     | -                       | -          | B None, A [0 1 2 3 4 5]
		Py seals                                      | -                       | -          | B None, A [0 1 2 3 4 5]`, coalesce.Safe, ""},
	{"S12 superseded on C, finished on A and B", skipping("ABC", "AB", "", func(c *coalesce.Config) {
		c.Whole = coalesce.WholeSink
		c.Sinks[0] = sink('Y', 1000, 2000, 3000)
		c.Sinks[0].Replica = 2
	}), "My Ta Tb Tc Py Ta Tb A4 B7 A3 B3", `
		                                      | T        | barrier Ka  | upper | blobs        | answers
		Ry seals Y1 first                     | *1 *1 1  | 1 >B rA,B   | 2000  |              |
		My mints Y2                           | *1 *1 1  | 1 >B rA,B   | 2000  |              |
		Tc absorbs Y2: Y1 is superseded       | *1 *1 2  | 1 >B rA,B   | 2000  |              |
		Tc locks, takes the temporary         | *1 *1 2  | 1 >B rA,B   | 2000  |              |
		Tc arrives: finalized, notifies       | *1 *1 2  | 0! >B nA,B  | 2000  |              |
		Tc drops the temporary                | *1 *1 2  | 0! >B nA,B  | 2000  |              |
		B wakes                               | *1 *1 2  | 0! >B nA    | 2000  |              |
		B registers                           | *1 *1 2  | 0! >B rB nA | 2000  |              |
		B tests                               | *1 *1 2  | 0! >B nA    | 2000  |              |
		B sees itself                         | *1 *1 2  | 0! >B nA    | 2000  |              |
		B sends Finish                        | *1 *1 2  | 0! >B nA    | 2000  |              |
		Ka receives                           | *1 *1 2  | 0! >B nA    | 2000  |              |
		Ka receives                           | *1 *1 2  | 0! >B nA    | 2000  |              |
		Ka uploads                            | *1 *1 2  | 0! >B nA    | 2000  | A1 in flight |
		B answers                             | *1 *1 2  | 0! >B nA    | 2000  | A1 in flight | B [0 1]
		Py takes Y2                           | *1 *1 2  | 0! >B nA    | 2000  | A1 in flight | B [0 1]
		Tb absorbs Y2                         | *1 2*1 2 | 0! >B nA    | 2000  | A1 in flight | B [0 1]
		Tb gives the batch: outdated, deleted | *1 2 2   | 0! >B nA    | 2000  | A1 deleted   | B [0 1]
		A wakes                               | *1 2 2   | 0! >B       | 2000  | A1 deleted   | B [0 1]
		A registers                           | *1 2 2   | 0! >B rA    | 2000  | A1 deleted   | B [0 1]
		A tests                               | *1 2 2   | 0! >B       | 2000  | A1 deleted   | B [0 1]
		A answers None                        | *1 2 2   | -           | 2000  | A1 deleted   | B [0 1], A None
		Ta absorbs Y2                         | 2*1 2 2  | -           | 2000  | A1 deleted   | B [0 1], A None
		Ta drops its capability               | 2 2 2    | -           | 2000  | A1 deleted   | B [0 1], A None
		Ry seals Y2 too                       | 2 2 2    | -           | 3000  | A1 deleted   | B [0 1], A None
		Ta starts Y2                          | *2 2 2   | -           | 3000  | A1 deleted   | B [0 1], A None
		Tb starts Y2                          | *2 *2 2  | -           | 3000  | A1 deleted   | B [0 1], A None
		Tc starts Y2                          | *2 *2 *2 | -           | 3000  | A1 deleted   | B [0 1], A None`, coalesce.Safe, "A6 B6 C7 A4 B4 La C Ta Tb Tc Py"},
}

func TestStories(t *testing.T) {
	for _, st := range stories {
		t.Run(st.name, st.play)
	}
}

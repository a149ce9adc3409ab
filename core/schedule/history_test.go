package schedule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/schedule"
)

// plainHistory is a history without a tree: every path ever stepped is a text such as
// "/A/B/By", and maps remember what was recorded when it was stepped for the first time.
type plainHistory struct {
	moment    map[string]int      // path: the moment recorded
	children  map[string][]string // path: letters stepped from there, the oldest first
	preferred map[string]string   // path: the letter stepped or chosen last
	line      []string            // letters
	cursor    int
}

func newPlainHistory(start int) *plainHistory {
	return &plainHistory{map[string]int{"": start}, map[string][]string{}, map[string]string{}, nil, 0}
}

// path returns the path of moment step of the line.
func (p *plainHistory) path(step int) string {
	text := ""
	for _, letter := range p.line[:step] {
		text += "/" + letter
	}
	return text
}

// take makes the line go on with a letter after a step, and then as it was left.
func (p *plainHistory) take(step int, letter string) {
	path := p.path(step)
	p.preferred[path] = letter
	p.line = slices.Clone(p.line[:step])
	for letter != "" {
		p.line = append(p.line, letter)
		path += "/" + letter
		letter = p.preferred[path]
	}
}

func (p *plainHistory) step(letter string, moment int) {
	here := p.path(p.cursor)
	if _, stepped := p.moment[here+"/"+letter]; !stepped {
		p.moment[here+"/"+letter] = moment
		p.children[here] = append(p.children[here], letter)
	}
	p.take(p.cursor, letter)
	p.cursor++
}

// branchLen returns how long the way from a path goes on with a letter, as it was left.
func (p *plainHistory) branchLen(path, letter string) int {
	length := 0
	for letter != "" {
		length++
		path += "/" + letter
		letter = p.preferred[path]
	}
	return length
}

// ends lists the paths that were not gone on from, at every fork the oldest first.
func (p *plainHistory) ends(path string) []string {
	if len(p.children[path]) == 0 {
		return []string{path}
	}
	var ends []string
	for _, letter := range p.children[path] {
		ends = append(ends, p.ends(path+"/"+letter)...)
	}
	return ends
}

// sharedSteps counts the steps that two paths share from the start.
func sharedSteps(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func splitPath(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path[1:], "/")
}

// expectCursor compares what every operation may change.
func expectCursor(t *testing.T, h *schedule.History[int], p *plainHistory) {
	t.Helper()
	if h.Cursor() != p.cursor || h.Len() != len(p.line) || h.Now() != p.moment[p.path(p.cursor)] {
		t.Fatalf("cursor %d of %d at moment %d, want %d of %d at moment %d",
			h.Cursor(), h.Len(), h.Now(), p.cursor, len(p.line), p.moment[p.path(p.cursor)])
	}
}

// expectLine compares the whole current line and its forks.
func expectLine(t *testing.T, h *schedule.History[int], p *plainHistory) {
	t.Helper()
	if got := h.Letters(); !slices.Equal(got, p.line) {
		t.Fatalf("line %q, want %q", got, p.line)
	}
	for step := range len(p.line) + 1 {
		path := p.path(step)
		if got := h.At(step); got != p.moment[path] {
			t.Fatalf("moment %d of line %q is %d, want %d", step, p.line, got, p.moment[path])
		}
		if step > 0 && h.Letter(step) != p.line[step-1] {
			t.Fatalf("letter %d is %q, want %q", step, h.Letter(step), p.line[step-1])
		}
		var want []schedule.Branch
		for _, letter := range p.children[path] {
			want = append(want, schedule.Branch{
				Letter: letter, Len: p.branchLen(path, letter), Preferred: step < len(p.line) && letter == p.line[step]})
		}
		if got := h.Branches(step); !slices.Equal(got, want) {
			t.Fatalf("branches at step %d of %q: %v, want %v", step, p.line, got, want)
		}
		if got := h.Forked(step); got != (len(want) > 1) {
			t.Fatalf("forked at step %d of %q: %v, want %d branches", step, p.line, got, len(want))
		}
	}
}

// expectLines compares the list of all lines.
func expectLines(t *testing.T, h *schedule.History[int], p *plainHistory) {
	t.Helper()
	if h.Moments() != len(p.moment) {
		t.Fatalf("%d moments, want %d", h.Moments(), len(p.moment))
	}
	ends := p.ends("")
	lines := slices.Collect(h.Lines())
	if len(lines) != len(ends) || h.LineCount() != len(ends) {
		t.Fatalf("%d lines listed, %d counted, want %d", len(lines), h.LineCount(), len(ends))
	}
	for i, line := range lines {
		letters := splitPath(ends[i])
		fork := sharedSteps(letters, p.line)
		first := ""
		if fork < len(letters) {
			first = letters[fork]
		}
		current := slices.Equal(letters, p.line)
		if line.Fork != fork || line.Letter != first || line.Len != len(letters) || line.Current != current ||
			!slices.Equal(h.LineLetters(line), letters) {
			t.Fatalf("line %d of %d: %+v of letters %q, want %q, which leaves %q at %d by %q",
				i, len(ends), line, h.LineLetters(line), letters, p.line, fork, first)
		}
	}
}

func TestHistoryAgainstPlainModel(t *testing.T) {
	const operations = 100_000
	random := schedule.NewRandom(4)
	h, p := schedule.NewHistory(-1), newPlainHistory(-1)
	letters := []schedule.Letter{"A", "B", "By", "Ka", "M"}
	counts := map[string]int{}
	for operation := range operations {
		kind := random.Pick(100)
		name := ""
		switch {
		case kind < 35:
			name = "step"
			letter := letters[random.Pick(len(letters))]
			if random.Pick(3) > 0 && p.cursor < len(p.line) {
				letter = p.line[p.cursor]
			}
			// The number of the operation is a moment that no other step can offer.
			if err := h.Step(letter, operation); err != nil {
				t.Fatal(err)
			}
			p.step(letter, operation)
		case kind < 55:
			name = "back"
			if got, want := h.Back(), p.cursor > 0; got != want {
				t.Fatalf("Back is %v, want %v", got, want)
			}
			p.cursor = max(p.cursor-1, 0)
		case kind < 70:
			name = "forward"
			if got, want := h.Forward(), p.cursor < len(p.line); got != want {
				t.Fatalf("Forward is %v, want %v", got, want)
			}
			p.cursor = min(p.cursor+1, len(p.line))
		case kind < 72:
			name = "first"
			h.First()
			p.cursor = 0
		case kind < 78:
			name = "last"
			h.Last()
			p.cursor = len(p.line)
		case kind < 85:
			name = "jump"
			step := random.Pick(len(p.line)+3) - 1
			err := h.Jump(step)
			if inside := 0 <= step && step <= len(p.line); inside != (err == nil) {
				t.Fatalf("Jump(%d) of %d: %v", step, len(p.line), err)
			} else if inside {
				p.cursor = step
			}
		case kind < 95:
			name = "choose"
			step := random.Pick(len(p.line) + 1)
			letter := letters[random.Pick(len(letters))]
			err := h.Choose(step, letter)
			if there := slices.Contains(p.children[p.path(step)], letter); there != (err == nil) {
				t.Fatalf("Choose(%d, %s): %v", step, letter, err)
			} else if there {
				p.take(step, letter)
				p.cursor = min(p.cursor, len(p.line))
			}
		case kind < 99:
			name = "follow"
			wanted := random.Pick(h.LineCount())
			i := 0
			for line := range h.Lines() {
				if i == wanted {
					path := h.LineLetters(line)
					if err := h.Follow(line); err != nil {
						t.Fatal(err)
					}
					for step, letter := range path {
						p.take(step, letter)
					}
					p.cursor = min(p.cursor, len(p.line))
					break
				}
				i++
			}
		case len(p.moment) > 400:
			name = "forget"
			h.Forget()
			kept := newPlainHistory(p.moment[""])
			for step, letter := range p.line {
				kept.step(letter, p.moment[p.path(step+1)])
			}
			kept.cursor = p.cursor
			p = kept
		}
		counts[name]++
		expectCursor(t, h, p)
		if operation%97 == 0 {
			expectLine(t, h, p)
		}
		if operation%997 == 0 {
			expectLines(t, h, p)
		}
	}
	expectLine(t, h, p)
	expectLines(t, h, p)
	for _, name := range []string{"step", "back", "forward", "first", "last", "jump", "choose", "follow", "forget"} {
		if counts[name] < 20 {
			t.Errorf("only %d operations were %s", counts[name], name)
		}
	}
}

func TestHistoryKeepsTheAbandonedBranch(t *testing.T) {
	h := schedule.NewHistory("start")
	walk := func(text string) {
		t.Helper()
		for _, letter := range mustParse(t, text) {
			if err := h.Step(letter, h.Now()+" "+letter); err != nil {
				t.Fatal(err)
			}
		}
	}
	expect := func(line string, cursor int, now string) {
		t.Helper()
		if got := schedule.Print(h.Letters()); got != line || h.Cursor() != cursor || h.Now() != now {
			t.Errorf("line %q at %d: %q; want %q at %d: %q", got, h.Cursor(), h.Now(), line, cursor, now)
		}
	}
	walk("A B A2")
	h.Back()
	h.Back()
	expect("A B A2", 2, "start A B")
	walk("B")
	expect("A B2", 3, "start A B B")
	if want := []schedule.Branch{{"A", 2, false}, {"B", 1, true}}; !slices.Equal(h.Branches(2), want) {
		t.Errorf("branches at 2: %v, want %v", h.Branches(2), want)
	}
	// The step number stays where the other branch is long enough.
	if err := h.Choose(2, "A"); err != nil {
		t.Error(err)
	}
	expect("A B A2", 3, "start A B A")
	h.Last()
	if err := h.Choose(2, "B"); err != nil {
		t.Error(err)
	}
	expect("A B2", 3, "start A B B")
	if err := h.Jump(1); err != nil {
		t.Error(err)
	}
	if err := h.Choose(2, "A"); err != nil {
		t.Error(err)
	}
	expect("A B A2", 1, "start A")
	// A step onto a known branch keeps its moment and its continuation.
	h.First()
	if err := h.Step("A", "never stored"); err != nil {
		t.Error(err)
	}
	expect("A B A2", 1, "start A")
	if h.LineCount() != 2 || h.Moments() != 6 {
		t.Errorf("%d lines of %d moments, want 2 of 6", h.LineCount(), h.Moments())
	}
	h.Forget()
	expect("A B A2", 1, "start A")
	if h.LineCount() != 1 || h.Moments() != 5 || h.Forked(2) {
		t.Errorf("after Forget: %d lines of %d moments, want 1 of 5", h.LineCount(), h.Moments())
	}
}

func TestHistoryErrors(t *testing.T) {
	h := schedule.NewHistory(0)
	for i, letter := range mustParse(t, "A2") {
		if err := h.Step(letter, i+1); err != nil {
			t.Fatal(err)
		}
	}
	other := schedule.NewHistory(0)
	for i, letter := range mustParse(t, "A3") {
		if err := other.Step(letter, i); err != nil {
			t.Fatal(err)
		}
	}
	var foreign schedule.Line
	for foreign = range other.Lines() {
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{h.Jump(3), `history: step 3: the line has steps 0 to 2`},
		{h.Jump(-1), `history: step -1: the line has steps 0 to 2`},
		{h.Choose(3, "A"), `history: step 3: the line has steps 0 to 2`},
		{h.Choose(1, "B"), `step 2: thread "B": no branch begins with it here`},
		{h.Step("a", 9), `step 3: thread "a": a thread's name is a capital letter and at most 5 lower-case letters, as in A or By`},
		{h.Follow(foreign), `history: this line is not in it: list the lines again`},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got %v, want %s", test.err, test.want)
		}
	}
	if h.Cursor() != 2 || h.Len() != 2 || h.Moments() != 3 || h.LineLetters(foreign) != nil ||
		h.Branches(-1) != nil || h.Branches(3) != nil || h.Forked(-1) || h.Forked(2) || h.Forked(3) {
		t.Error("an operation that failed changed something or found something")
	}
}

func TestHistoryLimits(t *testing.T) {
	h := schedule.NewHistory(0)
	walk := func(first schedule.Letter) error {
		h.First()
		if err := h.Step(first, 1); err != nil {
			return err
		}
		for h.Cursor() < schedule.MaxLetters {
			if err := h.Step("A", h.Cursor()+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk("A"); err != nil {
		t.Fatal(err)
	}
	err := h.Step("A", 0)
	want := "history: 10000 steps in one line, the limit: go back and choose otherwise, or start again"
	if err == nil || err.Error() != want || h.Cursor() != schedule.MaxLetters {
		t.Errorf("step 10001 at cursor %d: %v, want %s", h.Cursor(), err, want)
	}
	if text := schedule.Print(h.Letters()); text != "A10000" {
		t.Errorf("the longest line prints as %.40q", text)
	}
	for i := range 9 {
		if err = walk(fmt.Sprintf("A%c", 'a'+i)); err != nil {
			break
		}
	}
	want = "history: 100000 moments in all branches, the limit: forget the other branches, or start again"
	if err == nil || err.Error() != want || h.Moments() != schedule.MaxMoments {
		t.Fatalf("with %d moments: %v, want %s", h.Moments(), err, want)
	}
	// What is stored can still be walked.
	h.First()
	if err := h.Step("A", 0); err != nil || h.Len() != schedule.MaxLetters || h.Now() != 1 {
		t.Errorf("a known step at the limit: %v", err)
	}
	h.Forget()
	h.First()
	if err := h.Step("B", 7); err != nil || h.Now() != 7 || h.Moments() != schedule.MaxLetters+2 {
		t.Errorf("a new step after Forget: %v, %d moments", err, h.Moments())
	}
}

// benchmarkMoment is about as large as two worlds and what their last step did.
type benchmarkMoment [512]byte

func longHistory(b *testing.B) *schedule.History[benchmarkMoment] {
	b.Helper()
	h := schedule.NewHistory(benchmarkMoment{})
	for h.Cursor() < schedule.MaxLetters {
		if err := h.Step([]schedule.Letter{"A", "By"}[h.Cursor()%2], benchmarkMoment{}); err != nil {
			b.Fatal(err)
		}
	}
	return h
}

func BenchmarkHistory(b *testing.B) {
	b.Run("back", func(b *testing.B) {
		h := longHistory(b)
		for b.Loop() {
			if !h.Back() {
				h.Last()
			}
			_ = h.Now()
		}
	})
	b.Run("forward", func(b *testing.B) {
		h := longHistory(b)
		for b.Loop() {
			if !h.Forward() {
				h.First()
			}
			_ = h.Now()
		}
	})
	b.Run("jump", func(b *testing.B) {
		h := longHistory(b)
		random := schedule.NewRandom(0)
		for b.Loop() {
			if err := h.Jump(random.Pick(h.Len() + 1)); err != nil {
				b.Fatal(err)
			}
			_ = h.Now()
		}
	})
	b.Run("choose", func(b *testing.B) {
		h := longHistory(b)
		h.First()
		if err := h.Step("B", benchmarkMoment{}); err != nil {
			b.Fatal(err)
		}
		// Turning to the 10,000-step branch walks it once; turning away costs nothing.
		for b.Loop() {
			if h.Choose(0, "A") != nil || h.Choose(0, "B") != nil {
				b.Fatal("a branch is missing")
			}
		}
	})
	b.Run("step", func(b *testing.B) {
		h := schedule.NewHistory(benchmarkMoment{})
		for b.Loop() {
			if h.Cursor() == schedule.MaxLetters {
				h = schedule.NewHistory(benchmarkMoment{})
			}
			if err := h.Step("A", benchmarkMoment{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

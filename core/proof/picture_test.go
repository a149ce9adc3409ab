package proof

import (
	"encoding/xml"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/explore"
)

func searched(t *testing.T, q Question) (Search, *Answer) {
	t.Helper()
	s, err := New(q)
	if err != nil {
		t.Fatal(err)
	}
	for !s.Run(1000) {
	}
	return s, s.Answer()
}

var cellsOf = regexp.MustCompile(`class="cell (\w+)" d="([^"]*)"`)
var subpath = regexp.MustCompile(`M(\d+) (\d+)v-(\d+)h(\d+)v(\d+)z`)

// TestPicture holds that the drawn cells are as many as the states of each fate, that
// they lie inside the drawing and on no other, and that every state has a cell of its fate.
func TestPicture(t *testing.T) {
	for _, c := range []coalesce.Config{twoSinks(), workers(2, 1, 2000), workers(3, 1, 2000)} {
		s, a := searched(t, Question{Config: c})
		p := NewPicture("upgrade", a)
		svg := p.SVG("")
		var sum explore.Level
		for _, l := range a.Levels {
			sum.Always, sum.Sometimes, sum.Never = sum.Always+l.Always, sum.Sometimes+l.Sometimes, sum.Never+l.Never
		}
		want := map[string]int{"always": sum.Always, "sometimes": sum.Sometimes, "never": sum.Never, "unknown": 0}
		taken := map[[2]int]string{}
		for _, group := range cellsOf.FindAllStringSubmatch(svg, -1) {
			cells := 0
			for _, at := range subpath.FindAllStringSubmatch(group[2], -1) {
				n := make([]int, len(at))
				for i := range at[1:] {
					n[i], _ = strconv.Atoi(at[i+1])
				}
				if n[0] < 0 || n[0]+n[3] > pictureWidth || n[1] > pictureHeight || n[1]-n[2] < 0 || n[2] != n[4] {
					t.Fatalf("%s is outside of the drawing", at[0])
				}
				for x := n[0]; x < n[0]+n[3]; x += p.side {
					for y := n[1]; y > n[1]-n[2]; y -= p.side {
						if other := taken[[2]int{x, y}]; other != "" {
							t.Fatalf("a cell of %s lies on one of %s", group[1], other)
						}
						taken[[2]int{x, y}] = group[1]
						cells++
					}
				}
			}
			if cells != want[group[1]] {
				t.Errorf("%d cells of %s, want %d", cells, group[1], want[group[1]])
			}
		}
		seen := map[Spot]bool{}
		for i := range a.States {
			spot := p.SpotOf(s, s.Cell(i))
			for group, f := range fates {
				if f == spot.Fate {
					x, y := p.place(spot.Depth, group, spot.Rank)
					if taken[[2]int{x, y}] != f.String() {
						t.Fatalf("state %d, which loses %s, stands on a cell of %q", i, f, taken[[2]int{x, y}])
					}
				}
			}
			if seen[spot] {
				t.Fatalf("two states stand at %v", spot)
			}
			seen[spot] = true
		}
		wellFormed(t, svg)
		wellFormed(t, "<g>"+p.Path([]Spot{p.SpotOf(s, s.Cell(0)), p.SpotOf(s, s.Cell(1))})+"</g>")
		if strings.Contains(svg, "style=") {
			t.Error("the policy of the page refuses style attributes")
		}
	}
}

// TestPictureMerged holds that a large space has fewer cells, which say what they stand for.
func TestPictureMerged(t *testing.T) {
	levels := []explore.Level{{Sometimes: 1}, {Always: 30_000, Sometimes: 1, Never: 60_000}, {Never: 3, Unknown: 2}}
	p := NewPicture("upgrade", &Answer{States: 90_007, Levels: levels})
	if p.Each != 5 || p.cells(1, explore.Always) != 6_000 || p.cells(1, explore.Sometimes) != 1 || p.cells(2, explore.Unknown) != 1 {
		t.Errorf("%d states a cell, %d, %d and %d cells", p.Each, p.cells(1, explore.Always), p.cells(1, explore.Sometimes), p.cells(2, explore.Unknown))
	}
	for _, want := range []string{"90,007 in all", "30,000 every way on loses", "of 2 it is not known", "up to 5 states"} {
		if !strings.Contains(p.Sentence(), want) {
			t.Errorf("%q does not say %q", p.Sentence(), want)
		}
	}
	wellFormed(t, p.SVG(""))
}

func wellFormed(t *testing.T, markup string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, markup)
		}
	}
}

// TestEnds lists the schedules of small spaces one by one and meets their counts.
func TestEnds(t *testing.T) {
	c := workers(1, 1, 2000)
	c.Tasks = append(c.Tasks, coalesce.TaskConfig{Worker: 1, Sink: 0})
	for _, grain := range []Grain{Atomic, Call} {
		s, a := searched(t, Question{Config: c, Grain: grain, Last: []string{"Py"}})
		ends := s.Ends(1_000_000)
		var counts [explore.Verdicts]int64
		for _, v := range ends {
			counts[v]++
		}
		if big.NewInt(int64(len(ends))).String() != a.Schedules.String() || big.NewInt(counts[explore.LosingAll]+counts[explore.LosingPart]).String() != a.Losing.String() {
			t.Errorf("%s: %d ends (%v), the search counts %v, %v losing", grain, len(ends), counts, a.Schedules, a.Losing)
		}
		if s.Ends(len(ends)-1) != nil || len(s.Ends(len(ends))) != len(ends) {
			t.Errorf("%s: the limit of Ends is not kept", grain)
		}
	}
}

func TestWords(t *testing.T) {
	number := func(s string) *big.Int {
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			t.Fatal(s)
		}
		return n
	}
	for _, c := range []struct{ part, whole, want string }{
		{"0", "10", "0 %"}, {"10", "10", "100 %"}, {"1", "100000000", "under 0.001 %"}, {"99999", "100000", "over 99.9 %"}, {"9994", "10000", "99.9 %"},
		{"27480", "1218636", "2.25 %"}, {"16", "85", "18.8 %"}, {"1", "3", "33.3 %"}, {"1", "1000", "0.100 %"}, {"1", "1600", "0.063 %"},
		{"14691378338115030348", "15109484072644224224", "97.2 %"}, {"9999", "1000000", "1.00 %"}, {"99999", "1000000", "10.0 %"},
	} {
		if got := Share(number(c.part), number(c.whole)); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.part, c.whole, got, c.want)
		}
	}
	for _, c := range []struct{ n, want string }{
		{"0", "0"}, {"126", "126"}, {"9999999", "9,999,999"}, {"10000000", "1.0 × 10⁷"}, {"15109484072644224224", "1.5 × 10¹⁹"}, {"99999999999", "1.0 × 10¹¹"},
	} {
		if got := strings.ReplaceAll(Short(number(c.n)), "\u00a0", " "); got != c.want {
			t.Errorf("%s is %q for short, want %q", c.n, got, c.want)
		}
	}
	for chance, want := range map[float64]string{0: "0 %", 1: "100 %", .125: "12.5 %", 1e-9: "under 0.001 %", .99999: "over 99.9 %"} {
		if got := Chance(chance); got != want {
			t.Errorf("a chance of %v is %q, want %q", chance, got, want)
		}
	}
	counts := func(losing, safe, open int64) (c explore.Counts) {
		c[explore.LosingAll], c[explore.LosingPart], c[explore.Safe], c[explore.Open] = big.NewInt(losing), new(big.Int), big.NewInt(safe), big.NewInt(open)
		return c
	}
	for want, c := range map[string]explore.Counts{
		"126 ways left, 16 lose": counts(16, 110, 0), "1 way left, it loses": counts(1, 0, 0), "1 way left, it does not lose": counts(0, 1, 0),
		"5 ways left, all lose": counts(5, 0, 0), "at least 8 ways left, at least 2 lose": counts(2, 5, 1), "3 ways left, 0 lose": counts(0, 3, 0),
	} {
		if got := WaysText(c, Exact); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestClaim holds that nothing is called safe that is not.
func TestClaim(t *testing.T) {
	fixed := twoSinks()
	fixed.Probe = coalesce.StrongCount
	_, a := searched(t, Question{Config: fixed})
	for _, c := range []struct {
		what string
		q    Question
		want string
	}{
		{"broken", Question{Config: twoSinks()}, "27,480 of 1,218,636 schedules lose (2.25 %)"},
		{"fixed", Question{Config: fixed}, "0 of 1,395,360 schedules lose, exhaustive"},
		{"by calls", Question{Config: twoSinks(), Grain: Call}, "it cannot happen when calls are indivisible"},
		{"stopped", Question{Config: fixed, MaxStates: 40}, "none of them losing so far; stopped by states. " + Smaller},
	} {
		_, a := searched(t, c.q)
		if got := a.Claim(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q does not say %q", c.what, got, c.want)
		}
		if strings.Contains(a.Claim(), "safe") || !a.Exhaustive && !strings.HasPrefix(a.Claim(), "at least") {
			t.Errorf("%s: %q", c.what, a.Claim())
		}
		wellFormed(t, Bar("upgrade", a, nil))
	}
	if !strings.Contains(Bar("strong_count", a, nil), `d="M0 240v-240h0v240z"`) {
		t.Error("a share of none is drawn as some")
	}
}

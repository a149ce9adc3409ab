package proof

import (
	"math/big"
	"strconv"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/explore"
)

// What the numbers mean, for whoever shows them. ChanceMeans goes on from "of runs lose
// under".
const (
	ShareMeans  = "A share of schedules counts orders, each once. It is not the chance that a machine loses the batch: where many threads can still interleave there are many orders, however seldom a scheduler gets there."
	ChanceMeans = "a scheduler that picks each step uniformly among the threads that can move. A machine is no such scheduler either."
	WaysMean    = "Ways left: how many different orders of all remaining steps there are once this step is made, and how many of them lose. They count orders, each once, and are no chance."
	Smaller     = "To make the question smaller: fewer workers, parts or intervals, whole calls, or threads that move last."
)

// Claim is the one sentence that the answer supports.
func (a *Answer) Claim() string {
	switch {
	case !a.Counted && a.Exhaustive:
		return "schedules were not counted"
	case !a.Counted:
		return "schedules were not counted; stopped by " + a.StoppedBy + ". " + Smaller
	}
	total, losing := Digits(a.Schedules.String()), Digits(a.Losing.String())
	none := a.Losing.Sign() == 0
	switch {
	case !a.Exhaustive && none:
		return brief.Sprintf("at least %s schedules, none of them losing so far; stopped by %s. %s", total, a.StoppedBy, Smaller)
	case !a.Exhaustive:
		return brief.Sprintf("at least %s of at least %s schedules lose; stopped by %s. %s", losing, total, a.StoppedBy, Smaller)
	case none && a.Grain == Call.String():
		return brief.Sprintf("0 of %s schedules lose: it cannot happen when calls are indivisible%s", total, a.unfinished())
	case none:
		return brief.Sprintf("0 of %s schedules lose, exhaustive%s", total, a.unfinished())
	}
	return brief.Sprintf("%s of %s schedules lose (%s)%s", losing, total, Share(a.Losing, a.Schedules), a.unfinished())
}

// unfinished adds to a claim what else goes wrong.
func (a *Answer) unfinished() string {
	text := ""
	if a.Deadlocked.Sign() > 0 {
		text += "; " + a.count(a.Deadlocked) + " deadlock"
	}
	if a.Panicked.Sign() > 0 {
		text += "; " + a.count(a.Panicked) + " panic"
	}
	return text
}

func (a *Answer) count(n *big.Int) string {
	if n.Cmp(a.Schedules) == 0 {
		return "all"
	}
	return Digits(n.String())
}

// Scope is which steps and threads the answer is about.
func (a *Answer) Scope() string {
	text := "atomic steps"
	if a.Grain == Call.String() {
		text = "whole calls"
	}
	if a.Symmetry {
		text += ", interchangeable workers merged"
	}
	text += "; free: " + strings.Join(a.Free, " ")
	if len(a.Last) > 0 {
		text += "; only when no other can move: " + strings.Join(a.Last, " ")
	}
	return text
}

// Share is part of whole in per cent, to three digits. It says 0 % and 100 % only
// when that is exact.
func Share(part, whole *big.Int) string {
	if whole.Sign() == 0 {
		return "0 %"
	}
	return percent(func(all int64) int64 { return shareOf(part, whole, all) }, part.Sign() == 0, part.Cmp(whole) == 0)
}

// shareOf is part of whole in units of which all are the whole, rounded: the largest n
// whose lower edge, n - 1/2 units, part reaches.
func shareOf(part, whole *big.Int, all int64) int64 {
	double := new(big.Int).Mul(part, big.NewInt(2*all))
	low, high := int64(0), all
	for low < high {
		n := (low + high + 1) / 2
		if double.Cmp(new(big.Int).Mul(whole, big.NewInt(2*n-1))) >= 0 {
			low = n
		} else {
			high = n - 1
		}
	}
	return low
}

// Chance is a chance in per cent, as [Share] is.
func Chance(chance float64) string {
	return percent(func(all int64) int64 { return int64(chance*float64(all) + .5) }, chance <= 0, chance >= 1)
}

// percent writes what of gives in units of which all are the whole.
func percent(of func(all int64) int64, none, all bool) string {
	places, unit := 3, int64(100_000)
	switch n := of(unit); {
	case none:
		return "0 %"
	case all:
		return "100 %"
	case n == 0:
		return "under 0.001 %"
	case n > 99_949:
		return "over 99.9 %"
	case n >= 10_000:
		places, unit = 1, 1_000
	case n >= 1_000:
		places, unit = 2, 10_000
	}
	digits := strconv.FormatInt(of(unit), 10)
	for len(digits) <= places {
		digits = "0" + digits
	}
	return digits[:len(digits)-places] + "." + digits[len(digits)-places:] + " %"
}

// Short is a number in few characters: its digits by threes, and from ten million on
// two of them and a power of ten. Its blanks do not break.
func Short(n *big.Int) string {
	digits := n.String()
	if len(digits) < 8 {
		return Digits(digits)
	}
	first, _ := brief.Int(digits[:3])
	top, power := (int(first)+5)/10, len(digits)-1
	if top == 100 {
		top, power = 10, power+1
	}
	text := strconv.Itoa(top)
	return text[:1] + "." + text[1:] + "\u00a0×\u00a010" + raised.Replace(strconv.Itoa(power))
}

var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// WaysText words the ways left, with numbers written by number. It says "at least"
// where a stopped search has not seen them all.
func WaysText(c explore.Counts, number func(*big.Int) string) string {
	total, losing := c.Total(), c.Losing()
	bound := ""
	if c[explore.Open] != nil && c[explore.Open].Sign() > 0 {
		bound = "at least "
	}
	text := bound + number(total) + " ways left, " + bound + number(losing) + " lose"
	if bound == "" && losing.Cmp(total) == 0 {
		text = number(total) + " ways left, all lose"
	}
	if total.String() == "1" && bound == "" {
		text = "1 way left, it does not lose"
		if losing.Sign() > 0 {
			text = "1 way left, it loses"
		}
	}
	for _, other := range []struct {
		verdict explore.Verdict
		name    string
	}{{explore.Deadlocked, " deadlock"}, {explore.Panicked, " panic"}} {
		if n := c[other.verdict]; n != nil && n.Sign() > 0 {
			text += ", " + number(n) + other.name
		}
	}
	return text
}

// Exact writes a number in full, by threes.
func Exact(n *big.Int) string { return Digits(n.String()) }

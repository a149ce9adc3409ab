package proof

import (
	"strconv"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/explore"
)

// Picture draws the states that a search reached: depth across, and over each depth
// its states as cells, stacked by what they still allow: losing always, sometimes,
// never. A state stands at the fewest steps that lead to it, so a schedule that
// reaches it by a longer way comes back to the left.
//
// The classes always, sometimes, never and unknown give the cells their patterns.
type Picture struct {
	Each   int    // states of one fate that a cell stands for, at most
	name   string // of the world
	levels []explore.Level
	states int
	side   int // of a cell
	across int // cells side by side in a column
	column int // width of one
}

// The picture is 400 by 160 pixels, in tenths, so that whole numbers do.
const (
	pictureWidth  = 4000
	pictureHeight = 1600
	cellMost      = 140    // side of a cell, at most
	cellApart     = 30     // side from which cells are drawn one by one
	mergedAbove   = 20_000 // states from which a cell stands for several
)

// fates are the stacked groups of a column, from the bottom.
var fates = [...]explore.Fate{explore.Always, explore.Sometimes, explore.Never, explore.Unknown}

// NewPicture lays out the picture of a world's answer that has levels.
func NewPicture(world string, a *Answer) *Picture {
	p := &Picture{Each: 1, name: world, levels: a.Levels, states: a.States}
	if a.States > mergedAbove {
		p.Each = (a.States + mergedAbove - 1) / mergedAbove
	}
	p.column = pictureWidth / max(len(p.levels), 1)
	for p.side = min(cellMost, p.column); p.side > 1; p.side-- {
		if p.across = p.column / p.side; p.fits() {
			break
		}
	}
	p.across = max(p.column/p.side, 1)
	return p
}

func (p *Picture) fits() bool {
	for i := range p.levels {
		if p.rows(i, len(fates))*p.side > pictureHeight {
			return false
		}
	}
	return true
}

// cells is how many cells the states of one fate at a depth take.
func (p *Picture) cells(depth int, f explore.Fate) int {
	l := &p.levels[depth]
	n := [...]int{explore.Unknown: l.Unknown, explore.Always: l.Always, explore.Sometimes: l.Sometimes, explore.Never: l.Never}[f]
	return (n + p.Each - 1) / p.Each
}

// rows is how many rows the first groups of a column take; each begins a new one.
func (p *Picture) rows(depth, groups int) (rows int) {
	for _, f := range fates[:groups] {
		rows += (p.cells(depth, f) + p.across - 1) / p.across
	}
	return rows
}

// place is the lower left corner of a cell: the n-th of a group.
func (p *Picture) place(depth, group, n int) (x, y int) {
	row := p.rows(depth, group) + n/p.across
	bottom := (pictureHeight + p.rows(depth, len(fates))*p.side) / 2
	left := depth*p.column + (p.column-p.across*p.side)/2
	return left + n%p.across*p.side, bottom - row*p.side
}

// SVG is the drawing. Inside stands in it after the cells, for a path of [Picture.Path].
func (p *Picture) SVG(inside string) string {
	var b strings.Builder
	b.WriteString(brief.Sprintf(`<svg class="space" viewBox="0 0 %d %d" role="img" aria-label="%s">`, pictureWidth, pictureHeight, p.Sentence()))
	for group, f := range fates {
		b.WriteString(`<path class="cell ` + f.String() + `" d="`)
		for depth := range p.levels {
			p.group(&b, depth, group, p.cells(depth, f))
		}
		b.WriteString(`"/>`)
	}
	b.WriteString(inside + `</svg>`)
	return b.String()
}

// group draws n cells: one by one where they are large, else as one area.
func (p *Picture) group(b *strings.Builder, depth, group, n int) {
	if p.side >= cellApart {
		for i := range n {
			x, y := p.place(depth, group, i)
			rectangle(b, x, y, p.side, p.side)
		}
		return
	}
	full := n / p.across
	x, y := p.place(depth, group, 0)
	if full > 0 {
		rectangle(b, x, y, p.across*p.side, full*p.side)
	}
	if rest := n % p.across; rest > 0 {
		rectangle(b, x, y-full*p.side, rest*p.side, p.side)
	}
}

// rectangle draws upwards from a lower left corner.
func rectangle(b *strings.Builder, x, y, width, height int) {
	b.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "v-" + strconv.Itoa(height) + "h" + strconv.Itoa(width) + "v" + strconv.Itoa(height) + "z")
}

// Sentence says what the picture shows.
func (p *Picture) Sentence() string {
	var sum explore.Level
	for _, l := range p.levels {
		sum.Always += l.Always
		sum.Sometimes += l.Sometimes
		sum.Never += l.Never
		sum.Unknown += l.Unknown
	}
	digits := func(n int) string { return Digits(strconv.Itoa(n)) }
	text := brief.Sprintf("The states of %s, by the fewest steps to them, from 0 to %d: %s in all. From %s every way on loses, from %s some ways do, from %s none does", p.name,
		len(p.levels)-1, digits(p.states), digits(sum.Always), digits(sum.Sometimes), digits(sum.Never))
	if sum.Unknown > 0 {
		text += "; of " + digits(sum.Unknown) + " it is not known"
	}
	return text + ". " + p.CellMeans()
}

// CellMeans says what one cell stands for.
func (p *Picture) CellMeans() string {
	if p.Each == 1 {
		return "Each cell is one state."
	}
	return "Each cell stands for up to " + Digits(strconv.Itoa(p.Each)) + " states."
}

// Spot is a state on the path of a schedule: its depth, its fate, and how many
// states of both were found before it.
type Spot struct {
	Depth, Rank int
	Fate        explore.Fate
}

// SpotOf is the place of a node in the picture of a search. In a picture of merged
// cells its rank is a guess by its order, which falls into the right group.
func (p *Picture) SpotOf(s Search, n explore.Node) Spot {
	at := Spot{Depth: n.Depth, Fate: n.Fate}
	if p.Each == 1 {
		for i := n.Index - n.Place; i < n.Index; i++ {
			if s.Cell(i).Fate == n.Fate {
				at.Rank++
			}
		}
		return at
	}
	l := &p.levels[n.Depth]
	at.Rank = n.Place * p.cells(n.Depth, n.Fate) * p.Each / max(l.Always+l.Sometimes+l.Never+l.Unknown, 1)
	return at
}

// Path draws the way of a schedule through the picture, from cell to cell, with a
// mark at its end.
func (p *Picture) Path(spots []Spot) string {
	if len(spots) == 0 {
		return ""
	}
	var d strings.Builder
	var x, y int
	for i, s := range spots {
		if s.Depth >= len(p.levels) {
			continue
		}
		for group, f := range fates {
			if f == s.Fate {
				x, y = p.place(s.Depth, group, min(s.Rank/p.Each, max(p.cells(s.Depth, f)-1, 0)))
			}
		}
		x, y = x+p.side/2, y-p.side/2
		d.WriteString("ML"[min(i, 1):][:1] + strconv.Itoa(x) + " " + strconv.Itoa(y))
	}
	line := d.String()
	return `<path class="trail under" d="` + line + `"/><path class="trail" d="` + line + `"/>` +
		brief.Sprintf(`<circle class="trail-end" cx="%d" cy="%d" r="50"/>`, x, y)
}

// Bar is a world's share of losing schedules in one bar, cut at the exact place, or
// one tick for each schedule where ends lists them.
func Bar(world string, a *Answer, ends []explore.Verdict) string {
	if !a.Counted || a.Schedules.Sign() == 0 {
		return ""
	}
	head := brief.Sprintf(`<svg class="share" viewBox="0 0 4000 240" preserveAspectRatio="none" role="img" aria-label="%s: %s of %s schedules lose, %s.">`,
		world, Exact(a.Losing), Exact(a.Schedules), Share(a.Losing, a.Schedules))
	if len(ends) > 0 {
		var lose, keep strings.Builder
		for i, v := range ends {
			x, next := i*4000/len(ends), (i+1)*4000/len(ends)
			if width := max((next-x)*2/3, 1); v.Losing() {
				rectangle(&lose, x, 240, width, 240)
			} else {
				rectangle(&keep, x, 240, width, 150)
			}
		}
		return head + `<path class="keeps" d="` + keep.String() + `"/><path class="loses" d="` + lose.String() + `"/></svg>`
	}
	return head + brief.Sprintf(`<path class="keeps" d="M0 240v-150h4000v150z"/><path class="loses" d="M0 240v-240h%dv240z"/></svg>`, cut(a))
}

// cut is where the bar is cut, of 4000. A share that is not 0 is seen, and so is one that
// is not all.
func cut(a *Answer) int64 {
	n := shareOf(a.Losing, a.Schedules, 4000)
	if a.Losing.Sign() > 0 {
		n = max(n, 10)
	}
	if a.Losing.Cmp(a.Schedules) < 0 {
		n = min(n, 3990)
	}
	return n
}

package meter

import (
	"slices"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
)

// Spread is the smallest, median and largest of a figure over seeds.
type Spread struct{ Min, Median, Max float64 }

func spread(values []float64) Spread {
	slices.Sort(values)
	return Spread{values[0], values[len(values)/2], values[len(values)-1]}
}

func (s Spread) String() string {
	if s.Min == s.Max {
		return decimal(s.Median)
	}
	return decimal(s.Median) + " (" + decimal(s.Min) + " to " + decimal(s.Max) + ")"
}

// decimal writes two digits after the point, and none for a whole number.
func decimal(v float64) string {
	hundredths := int(v*100 + 0.5)
	if hundredths%100 == 0 {
		return brief.Sprintf("%d", hundredths/100)
	}
	tail := brief.Sprintf("%d", hundredths%100)
	if len(tail) == 1 {
		tail = "0" + tail
	}
	return brief.Sprintf("%d.%s", hundredths/100, tail)
}

var rows = []struct {
	name   string
	figure func(c, own Cost) float64
}{
	{"parts per append", func(c, _ Cost) float64 { return float64(c.Parts) / float64(c.Appends) }},
	{"PUTs per append", func(c, _ Cost) float64 { return float64(c.Puts) / float64(c.Appends) }},
	{"PUTs against per worker, %", func(c, own Cost) float64 { return 100 * float64(c.Puts) / float64(own.Puts) }},
	{"state-diff bytes against per worker, %", func(c, own Cost) float64 { return 100 * float64(c.DiffBytes) / float64(own.DiffBytes) }},
	{"consensus commands", func(c, _ Cost) float64 { return float64(c.Appends) }},
	{"leaked blobs", func(c, _ Cost) float64 { return float64(c.Leaked) }},
	{"sweeps per builder call", func(c, _ Cost) float64 { return per(c.Sweeps, c.Builders) }},
	{"entries probed per sweep", func(c, _ Cost) float64 { return per(c.Probes, c.Sweeps) }},
	{"live entries of other sinks probed per sweep", func(c, _ Cost) float64 { return per(c.Foreign, c.Sweeps) }},
	{"longest map", func(c, _ Cost) float64 { return float64(c.Longest) }},
}

func per(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Modes are the columns of the table.
var Modes = []coalesce.Mode{coalesce.PerWorker, coalesce.BestEffort, coalesce.Barrier}

// Table measures a workload in every mode over seeds 0 to seeds-1 and writes the
// medians, with the smallest and largest, as a table.
func Table(w Workload, seeds int) (string, error) {
	costs := make([][]Cost, len(Modes))
	for seed := range seeds {
		w.Seed = uint64(seed)
		for i, mode := range Modes {
			w.Mode = mode
			c, err := Run(w)
			if err != nil {
				return "", err
			}
			costs[i] = append(costs[i], c)
		}
	}
	var b strings.Builder
	b.WriteString(brief.Sprintf("%d workers, %d views, %d intervals, probe %s, %d seeds: median (smallest to largest)\n", w.Workers, w.Sinks, w.Intervals, w.Probe, seeds))
	b.WriteString("| figure | per worker | best effort | barrier |\n| --- | --- | --- | --- |\n")
	for _, row := range rows {
		b.WriteString("| " + row.name + " |")
		for i := range Modes {
			var values []float64
			for seed := range seeds {
				values = append(values, row.figure(costs[i][seed], costs[0][seed]))
			}
			b.WriteString(" " + spread(values).String() + " |")
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// Published are the figures of the original's pull requests, and why these are not
// those.
const Published = `Published for the original (8 workers, a churning view; no absolute counts, no run length):
  blob PUTs about -67 % and state-diff bytes about -54 % from per worker to best effort, commands unchanged;
  parts per append about 1.4 at best effort and 1.0 with the barrier; PUTs about -30 % more from the one to the other.
These are two different systems. Here every worker has rows in every interval, every batch is one part above the
inline limit, and a scheduler picks each step among all threads with the same chance, so workers overlap more or less
than on a machine; there, how much they overlap depends on cores, loads and sizes. What both must have in common is
the shape: a part for each worker without sharing, exactly one for each process with the barrier, in between without
it, and one consensus command an append in all three.
`

package coalesce

import "strconv"

// Cost is what steps of one world came to: sums, and the longest map. It is added up by
// [Model.Count] alone, for the page and for runs of thousands of intervals alike.
type Cost struct {
	Steps       int
	Appends     int // compare-and-appends that sealed an interval, one consensus command each
	Parts       int // persist parts of the appended batches
	Puts        int
	Leaked      int // objects that came to be referred to by nobody, those included that a cleaner deletes later
	DiffBytes   int // state diffs written to consensus; see diff.go: only their growth means something
	Evaluations int // of goodbytes; 0 with [ShortPersist]
	Builders    int // calls of builder
	Sweeps      int // of which swept
	Probes      int // entries probed by sweeps, dead ones of long ago included
	Foreign     int // live entries of other sinks that were probed
	Longest     int // largest length of the map
}

// Count adds what one step of a thread did: its events, and the state after it. A skip is
// no step.
func (m *Model) Count(c *Cost, s *State, t Thread, es Events) {
	c.Steps++
	for i := range es {
		e := &es[i]
		switch e.Kind {
		case Uploaded:
			c.Puts++
			// An upload that outlives its builder task's panic is leaked as it completes.
			if _, n := EntryInterval(int(e.Entry)); t.Role() == Uploads && s.Blobs[t.UploadsOf()][n].Status == Abandoned {
				c.Leaked++
			}
		case Discarded, AnswerLost, Panicked:
			if e.Slot >= 0 {
				c.Leaked += m.leakedBy(s, e)
			}
		case Sealed:
			c.Appends++
			c.DiffBytes += int(e.B)
			for spawner := range m.tasks {
				switch {
				case m.tasks[spawner].sink != m.Sink(t) || s.Blobs[spawner][e.A].Status != Referenced:
				case m.Persist == WholePersist:
					c.Parts += int(s.Flushed[spawner][e.A].N)
				default:
					c.Parts++
				}
			}
		case Received, Added:
			c.Evaluations += int(e.A)
		case Created, Joined:
			c.Builders++
		case SweepTested:
			c.Longest = max(c.Longest, int(e.A))
			if e.A > 2*e.B {
				c.Sweeps++
				c.Probes += int(m.Registry(s, t).Old)
			}
		case ProbeTook, ProbeLoaded, ProbeMissed:
			c.Probes++
			if sink, _ := EntryInterval(int(e.Entry)); sink != m.Sink(t) && e.Slot >= 0 {
				c.Foreign++
			}
		}
	}
}

// leakedBy is how many objects an event leaves to nobody: those of its batch that are stored.
func (m *Model) leakedBy(s *State, e *Event) int {
	entry := e.Entry
	if entry < 0 { // a panic names its task's slot alone
		entry = int8(s.Batches[e.Slot].Id - 1)
	}
	_, n := EntryInterval(int(entry))
	at := blobAt{int(e.Slot) / 2, n}
	if s.Blobs[at.task][n].Status == NoBlob { // its task panicked before it had stored anything
		return 0
	}
	puts, _ := m.objects(s, at)
	return puts
}

// Figure is a line of the meter, from 0 to [FigureCount] - 1.
type Figure int

// FigureCount is how many lines the meter has.
const FigureCount Figure = 8

var figures = [FigureCount]struct {
	name, means string
	needs       need
}{
	{"PUTs", "Objects written to the blob store. Each costs money, and sharing is there to have fewer.", 0},
	{"parts per append", "Parts of all appended batches, in appends. A reader opens every part.", 0},
	{"state-diff bytes", "What appends wrote into the shard’s state. Only its growth means something, for sizes of fields are assumed.", 0},
	{"consensus commands", "One for each interval that was sealed, whoever wrote the parts.", 0},
	{"leaked blobs", "Objects that came to be referred to by nobody, those included that a cleaner deleted later.", 0},
	{"goodbytes evaluated", "How often builders of shared batches looked through a part for its size. A counter looks once at each part; a sum looks at all parts of the window, twice for each new one.", whole},
	{"sweeps per builder", "Calls of `builder` that swept, in all calls of it. A sweep holds the registry’s lock.", shared},
	{"others’ entries probed", "Live entries of other sinks that sweeps probed: a sweep of one sink is in the way of all.", shared | sinks},
}

// need is what a set-up must have so that it can have a figure.
type need uint8

const (
	whole  need = 1 << iota // the persist side
	shared                  // batches that are shared
	sinks                   // more than one
)

// alone stands for a figure that is counted and not set against another.
const alone = -1

// figure is a count, and what it is set against.
func (c *Cost) figure(f Figure) (n, in int) {
	p := [FigureCount][2]int{{c.Puts, alone}, {c.Parts, c.Appends}, {c.DiffBytes, alone}, {c.Appends, alone}, {c.Leaked, alone}, {c.Evaluations, alone}, {c.Sweeps, c.Builders}, {c.Foreign, alone}}[f]
	return p[0], p[1]
}

// Name is the figure in a few words.
func (f Figure) Name() string { return figures[f].name }

// Means is what the figure tells, in a sentence or two.
func (f Figure) Means() string { return figures[f].means }

// Shown tells whether the model's set-up can have the figure.
func (f Figure) Shown(m *Model) bool {
	var has need
	if m.Persist == WholePersist {
		has |= whole
	}
	if m.Mode != PerWorker {
		has |= shared
	}
	if len(m.Sinks) > 1 {
		has |= sinks
	}
	return figures[f].needs&^has == 0
}

// Text is the figure of a cost: a count, or two as "3 in 2", and "–" for none in none.
func (f Figure) Text(c *Cost) string {
	n, in := c.figure(f)
	text := strconv.Itoa(n)
	switch {
	case in == 0:
		return "–"
	case in > 0:
		text += " in " + strconv.Itoa(in)
	}
	return text
}

// Compare is below 0 when the figure of a is less than that of b, above when it is more,
// and 0 also where either has nothing to be set against.
func (f Figure) Compare(a, b *Cost) int {
	x, in := a.figure(f)
	y, other := b.figure(f)
	if in != alone {
		return x*other - y*in
	}
	return x - y
}

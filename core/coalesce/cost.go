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

// Figure is a line of the meter.
type Figure struct {
	Name, Means string
	of          func(c *Cost) (n, in int)
	shown       func(c *Config) bool // tells whether a set-up can have it; nil: always
}

// alone stands for a figure that is counted and not set against another.
const alone = -1

// Figures lists the meter's lines in their order.
var Figures = [...]Figure{
	{"PUTs", "Objects written to the blob store. Each costs money, and sharing is there to have fewer.", func(c *Cost) (int, int) { return c.Puts, alone }, nil},
	{"parts per append", "Parts of all appended batches, in appends. A reader opens every part.", func(c *Cost) (int, int) { return c.Parts, c.Appends }, nil},
	{"state-diff bytes", "What appends wrote into the shard’s state. Only its growth means something, for sizes of fields are assumed.", func(c *Cost) (int, int) { return c.DiffBytes, alone }, nil},
	{"consensus commands", "One for each interval that was sealed, whoever wrote the parts.", func(c *Cost) (int, int) { return c.Appends, alone }, nil},
	{"leaked blobs", "Objects that came to be referred to by nobody, those included that a cleaner deleted later.", func(c *Cost) (int, int) { return c.Leaked, alone }, nil},
	{"goodbytes evaluated", "How often a builder looked through a part for its size. A counter looks once at each part; a sum over the window looks at all parts, twice for each new one.", func(c *Cost) (int, int) { return c.Evaluations, alone }, wholePersist},
	{"sweeps per builder", "Calls of `builder` that swept, in all calls of it. A sweep holds the registry’s lock.", func(c *Cost) (int, int) { return c.Sweeps, c.Builders }, shares},
	{"others’ entries probed", "Live entries of other sinks that sweeps probed: a sweep of one sink is in the way of all.", func(c *Cost) (int, int) { return c.Foreign, alone }, func(c *Config) bool { return shares(c) && len(c.Sinks) > 1 }},
}

func shares(c *Config) bool { return c.Mode != PerWorker }

// Shown tells whether the model's set-up can have the figure.
func (f *Figure) Shown(m *Model) bool { return f.shown == nil || f.shown(&m.Config) }

// Text is the figure of a cost: a count, or two as "3 in 2", and "–" for none in none.
func (f *Figure) Text(c *Cost) string {
	n, in := f.of(c)
	switch in {
	case alone:
		return strconv.Itoa(n)
	case 0:
		return "–"
	}
	return strconv.Itoa(n) + " in " + strconv.Itoa(in)
}

// Compare is -1 when the figure of a is less than that of b, +1 when it is more, else 0:
// also where either has nothing to be set against.
func (f *Figure) Compare(a, b *Cost) int {
	x, in := f.of(a)
	y, other := f.of(b)
	if in != alone {
		x, y = x*other, y*in
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return +1
	}
	return 0
}

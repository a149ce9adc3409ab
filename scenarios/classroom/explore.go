package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/proof"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
)

type exploreCmd struct {
	File       string   `arg:"" help:"A scenario file, or the id of a built-in scenario."`
	JSON       bool     `name:"json" help:"Print the result as JSON."`
	Probe      string   `help:"Search one world only: upgrade or strong_count." enum:"upgrade,strong_count,both" default:"both"`
	Workers    int      `help:"Use this many workers, copies of the scenario's last one." placeholder:"N"`
	Grain      string   `help:"atomic steps, or whole calls." enum:"atomic,call" default:"atomic"`
	Last       []string `help:"Threads that move only when no other can." placeholder:"THREAD"`
	Rule       []string `help:"A changed rule, such as mode=barrier." placeholder:"KEY=VALUE"`
	NoSymmetry bool     `help:"Keep interchangeable workers apart."`
	MaxStates  int      `help:"Stop after this many states." placeholder:"N"`
	MaxSeconds float64  `help:"Stop after this many seconds." placeholder:"S"`
}

// slice is how many states are expanded between looks at the clock.
const slice = 2000

func (x *exploreCmd) Run(c *console) error {
	s, err := load(x.File)
	if err != nil {
		return err
	}
	if err := rules(s, x.Rule); err != nil {
		return err
	}
	if x.Workers != 0 {
		if err := workers(&s.Setup, x.Workers); err != nil {
			return err
		}
	}
	if x.Probe != "both" {
		if err := s.Change("probe", x.Probe); err != nil {
			return err
		}
	}
	w, err := s.Build()
	if err != nil {
		return fmt.Errorf("%s: setup: %w", x.File, err)
	}
	// A search holds much and frees nothing until its end.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	defer signal.Stop(interrupt)
	var results []result
	for i, m := range w.Models {
		r, err := x.search(m.Config, w.Names[i], c, interrupt)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	if x.JSON {
		e := json.NewEncoder(c.out)
		e.SetIndent("", "  ")
		if err := e.Encode(results); err != nil {
			return err
		}
	} else {
		for _, r := range results {
			r.write(c.out)
		}
	}
	return x.judge(s, results, c)
}

// search runs one world's search and watches the clock for it.
func (x *exploreCmd) search(config coalesce.Config, world string, c *console, interrupt <-chan os.Signal) (result, error) {
	q := proof.Question{Config: config, Last: x.Last, NoSymmetry: x.NoSymmetry, MaxStates: x.MaxStates}
	if x.Grain == "call" {
		q.Grain = proof.Call
	}
	search, err := proof.New(q)
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", x.File, err)
	}
	began := time.Now()
	shown := began
	for !search.Run(slice) {
		now := time.Now()
		if x.MaxSeconds > 0 && now.Sub(began).Seconds() > x.MaxSeconds {
			search.Stop("seconds")
		}
		select {
		case <-interrupt:
			search.Stop("interrupt")
		default:
		}
		if c.terminal && now.Sub(shown) > 200*time.Millisecond {
			shown = now
			p := search.Progress()
			fmt.Fprintf(c.err, "\r%s: %s states, depth %d, frontier %d, %.0f states/s ", world, proof.Digits(fmt.Sprint(p.States)), p.Depth, p.Frontier, float64(p.States)/now.Sub(began).Seconds())
		}
	}
	if c.terminal {
		fmt.Fprint(c.err, "\r\x1b[K")
	}
	r := newResult(search.Answer(), time.Since(began))
	r.World = world
	return r, nil
}

// judge compares with the file's expectation: how its one schedule is expected to end
// must be among the ends of all. A search over whole calls or with threads held back
// decides nothing.
func (x *exploreCmd) judge(s *scenario.Scenario, results []result, c *console) error {
	if x.Grain != "atomic" || len(x.Last) > 0 || len(x.Rule) > 0 || x.Workers != 0 || x.Probe != "both" {
		return nil
	}
	differs := false
	for i, e := range s.Expect {
		r := results[i]
		n := map[string]*string{"safe": r.Safe, "losing": r.Losing, "deadlocked": r.Deadlocking, "panicked": r.Panicking}[e.Verdict]
		if r.Exhaustive && n != nil && *n == "0" {
			fmt.Fprintf(c.err, "%s: %s: its schedule is expected to end %s, and none of %s schedules does\n", x.File, r.World, e.Verdict, proof.Digits(*r.Schedules))
			differs = true
		}
	}
	if differs {
		return errDiffers
	}
	return nil
}

// workers makes the set-up have n workers: the first ones, and copies of the last.
func workers(c *coalesce.Config, n int) error {
	have := c.Tasks[len(c.Tasks)-1].Worker + 1
	if n < 1 || n > coalesce.MaxWorkers {
		return fmt.Errorf("workers: %d: allowed are 1 to %d", n, coalesce.MaxWorkers)
	}
	model := slices.Clone(c.Tasks)
	c.Tasks = slices.DeleteFunc(slices.Clone(model), func(t coalesce.TaskConfig) bool { return t.Worker >= n })
	for w := have; w < n; w++ {
		for _, t := range model {
			if t.Worker == have-1 {
				t.Worker = w
				t.Parts = slices.Clone(t.Parts)
				// A row's updates, and an error's, are all on one worker.
				for i := range t.Parts {
					t.Parts[i].Changes = nil
				}
				rename(t.Parts, w)
				c.Tasks = append(c.Tasks, t)
			}
		}
	}
	return nil
}

// rename gives the errors of a copied worker's parts messages of their own.
func rename(parts []coalesce.PartConfig, worker int) {
	own := map[string]string{"": ""}
	for i := range parts {
		p := &parts[i]
		if _, ok := own[p.Error]; !ok {
			own[p.Error] = fmt.Sprintf("error %d of %c", len(own), 'A'+worker)
		}
		p.Error = own[p.Error]
	}
}

// result is the JSON of one world's search. Numbers of schedules are decimal texts,
// since they may be beyond what a reader of JSON keeps exactly.
type result struct {
	World        string   `json:"world"`
	Probe        string   `json:"probe"`
	States       int      `json:"states"`
	Transitions  int      `json:"transitions"`
	Symmetry     bool     `json:"symmetry"`
	Grain        string   `json:"grain"`
	FreeThreads  []string `json:"free_threads"`
	LastThreads  []string `json:"last_threads"`
	Exhaustive   bool     `json:"exhaustive"`
	StoppedBy    *string  `json:"stopped_by"`
	Schedules    *string  `json:"schedules"`
	Losing       *string  `json:"losing"`
	LosingAll    *string  `json:"losing_all"`
	LosingPart   *string  `json:"losing_part"`
	Deadlocking  *string  `json:"deadlocking"`
	Panicking    *string  `json:"panicking"`
	Safe         *string  `json:"safe"`
	ChanceLosing *float64 `json:"chance_losing"`

	ShortestOrphaning *path    `json:"shortest_orphaning"`
	ShortestWrongSeal *path    `json:"shortest_wrong_seal"`
	NoReturn          *path    `json:"no_return"`
	ShortestDeadlock  *path    `json:"shortest_deadlock"`
	Missing           string   `json:"missing,omitempty"`
	InvariantsBroken  []string `json:"invariants_broken"`
	SecondBatch       bool     `json:"second_batch"`

	Milliseconds    int64   `json:"milliseconds"`
	StatesPerSecond float64 `json:"states_per_second"`
	BytesPerState   float64 `json:"bytes_per_state"`
	BytesPerEdge    float64 `json:"bytes_per_edge"`

	claim, scope string
}

type path struct {
	Schedule string `json:"schedule"`
	Length   int    `json:"length"`
}

func newResult(a *proof.Answer, took time.Duration) result {
	r := result{
		Probe: a.Probe, States: a.States, Transitions: a.Transitions, Symmetry: a.Symmetry, Grain: a.Grain,
		FreeThreads: a.Free, LastThreads: append([]string{}, a.Last...), Exhaustive: a.Exhaustive,
		ShortestOrphaning: newPath(a.Orphaning), ShortestWrongSeal: newPath(a.WrongSeal), NoReturn: newPath(a.NoReturn),
		ShortestDeadlock: newPath(a.Deadlock), Missing: a.Missing, InvariantsBroken: []string{}, SecondBatch: a.SecondSeal,
		Milliseconds: took.Milliseconds(), StatesPerSecond: float64(a.States) / max(took.Seconds(), 1e-6),
		BytesPerState: a.BytesPerState, BytesPerEdge: a.BytesPerEdge,
		claim: a.Claim(), scope: a.Scope(),
	}
	if a.StoppedBy != "" {
		r.StoppedBy = &a.StoppedBy
	}
	for _, i := range a.Broken {
		r.InvariantsBroken = append(r.InvariantsBroken, scenario.InvariantKey(i))
	}
	if a.Counted {
		decimal := func(n *big.Int) *string { t := n.String(); return &t }
		r.Schedules, r.Losing, r.LosingAll, r.LosingPart = decimal(a.Schedules), decimal(a.Losing), decimal(a.LosingAll), decimal(a.LosingPart)
		r.Deadlocking, r.Panicking, r.Safe = decimal(a.Deadlocked), decimal(a.Panicked), decimal(a.Safe)
		r.ChanceLosing = &a.Chance
	}
	return r
}

func newPath(p *proof.Path) *path {
	if p == nil {
		return nil
	}
	return &path{schedule.Print(p.Letters), len(p.Letters)}
}

// write prints a result as the page words it.
func (r *result) write(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", r.World, r.claim)
	line := func(format string, args ...any) { fmt.Fprintf(w, "  "+format+"\n", args...) }
	if r.ChanceLosing != nil {
		line("%s of runs lose under %s", proof.Chance(*r.ChanceLosing), proof.ChanceMeans)
		line("%s", proof.ShareMeans)
	}
	for _, n := range []struct {
		name string
		n    *string
	}{{"lose all of an interval", r.LosingAll}, {"lose a part of it", r.LosingPart}, {"deadlock", r.Deadlocking}, {"panic", r.Panicking}} {
		if n.n != nil && *n.n != "0" {
			line("%s: %s", n.name, proof.Digits(*n.n))
		}
	}
	for _, p := range []struct {
		name string
		p    *path
	}{{"shortest to the orphaning", r.ShortestOrphaning}, {"shortest to the wrong seal", r.ShortestWrongSeal}, {"lost for good after", r.NoReturn}, {"shortest deadlock", r.ShortestDeadlock}} {
		if p.p != nil {
			line("%s: %d steps, %s", p.name, p.p.Length, p.p.Schedule)
		}
	}
	if r.Missing != "" {
		line("there: %s", r.Missing)
	}
	if len(r.InvariantsBroken) > 0 {
		line("invariants broken: %s", strings.Join(r.InvariantsBroken, ", "))
	}
	line("%s states, %s transitions covered by merging equal states; %s", proof.Digits(fmt.Sprint(r.States)), proof.Digits(fmt.Sprint(r.Transitions)), r.scope)
	line("%d ms, %.0f states/s, %.0f bytes a state", r.Milliseconds, r.StatesPerSecond, r.BytesPerState)
}

package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/yamlfile"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

// MaxRequest is the largest request, in bytes: a scenario file and some room.
const MaxRequest = 2 * yamlfile.MaxBytes

// Limits of the rows in one answer.
const (
	DefaultLimit = 100
	MaxLimit     = 10_000
)

// Request is what is asked; the package's documentation has the fields.
type Request struct {
	Scenario Source            `json:"scenario"`
	Rules    map[string]string `json:"rules"`
	Schedule *string           `json:"schedule"`
	Cursor   *int              `json:"cursor"`
	World    string            `json:"world"`
	Open     Open              `json:"open"`
	Offset   int               `json:"offset"`
	Limit    int               `json:"limit"`
	Only     string            `json:"only"`
}

// Source names a scenario or brings one along.
type Source struct {
	ID       string          `json:"id"`
	YAML     string          `json:"yaml"`
	Compiled json.RawMessage `json:"compiled"`
}

// Open says what to open; exactly one field is set.
type Open struct {
	Part      *PartOf  `json:"part"`
	Slot      *SlotOf  `json:"slot"`
	Batch     string   `json:"batch"`
	Crate     *CrateOf `json:"crate"`
	Blob      string   `json:"blob"`
	Objects   bool     `json:"objects"`
	Contents  bool     `json:"contents"`
	Trace     bool     `json:"trace"`
	Read      *ReadOf  `json:"read"`
	Subscribe *ReadOf  `json:"subscribe"`
}

// PartOf is a part id and, where not 0, the interval (from 1) to write it in.
type PartOf struct {
	ID       int `json:"id"`
	Interval int `json:"interval"`
}

// SlotOf is a place in a batch's channel.
type SlotOf struct {
	Builder string `json:"builder"`
	Index   int    `json:"index"`
}

// CrateOf is a batch by its builder task and its interval (from 1), whatever has become of it.
type CrateOf struct {
	Builder  string `json:"builder"`
	Interval int    `json:"interval"`
}

// ReadOf is a view and a time.
type ReadOf struct {
	Sink string `json:"sink"`
	AsOf Int    `json:"as_of"`
}

// Int is a number that crosses the boundary: a JSON number up to 2^53, and a string
// of digits beyond.
type Int int64

const exact = 1 << 53

// MarshalJSON writes a number, or a string where JavaScript would round it.
func (n Int) MarshalJSON() ([]byte, error) {
	text := strconv.FormatInt(int64(n), 10)
	if n > exact || n < -exact {
		text = `"` + text + `"`
	}
	return []byte(text), nil
}

// UnmarshalJSON reads either form.
func (n *Int) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("%s: a whole number is asked for", b)
	}
	*n = Int(v)
	return nil
}

// Data answers requests. The zero value is ready. It remembers the last run and the
// objects of its state, so that questions about one moment are cheap; it is for one
// goroutine.
type Data struct {
	Mem  part.Allocator // nil: Go's
	last struct {
		name, run string
		scenario  *scenario.Scenario
		worlds    *worlds.Run
		stores    map[int]*part.Store
		content   *content
	}
}

func (d *Data) mem() part.Allocator {
	if d.Mem == nil {
		d.Mem = part.NewAllocator()
	}
	return d.Mem
}

// strict decodes one JSON value and nothing more.
func strict(text []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("there is something behind the object")
	}
	return nil
}

// moment is a world of a run at its cursor.
type moment struct {
	*worlds.Run
	world int
	model *coalesce.Model
	state *coalesce.State
	store *part.Store
}

// open decodes a request and plays its run.
func (d *Data) open(text []byte) (*Request, *moment, error) {
	if len(text) > MaxRequest {
		return nil, nil, fmt.Errorf("request: %d bytes: allowed are %d", len(text), MaxRequest)
	}
	var q Request
	if err := strict(text, &q); err != nil {
		return nil, nil, fmt.Errorf("request: %w", err)
	}
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	if q.Limit < 1 || q.Limit > MaxLimit || q.Offset < 0 {
		return nil, nil, fmt.Errorf("request: offset %d, limit %d: allowed are 0 or more, and 1 to %d", q.Offset, q.Limit, MaxLimit)
	}
	if q.Only != "" && (q.Only != "wrong" || q.Open.Read == nil) {
		return nil, nil, fmt.Errorf("request: only: %q: allowed is wrong, with read", q.Only)
	}
	if err := d.play(&q); err != nil {
		return nil, nil, err
	}
	run := d.last.worlds
	cursor := run.Len()
	if q.Cursor != nil {
		cursor = *q.Cursor
	}
	if cursor < 0 || cursor > run.Len() {
		return nil, nil, fmt.Errorf("request: cursor: %d: allowed is 0 to %d, the length of the schedule", cursor, run.Len())
	}
	if err := run.Jump(cursor); err != nil {
		return nil, nil, fmt.Errorf("request: cursor: %w", err)
	}
	m := &moment{Run: run}
	if q.World != "" {
		m.world = -1
		for i, name := range run.Names {
			if name == q.World {
				m.world = i
			}
		}
		if m.world < 0 {
			return nil, nil, fmt.Errorf("request: world: %q: this scenario has %s", q.World, strings.Join(run.Names, ", "))
		}
	}
	m.model = run.Models[m.world]
	m.state = &run.Now().Sides[m.world].State
	if m.store = d.last.stores[m.world]; m.store == nil {
		m.store = &part.Store{}
		d.last.stores[m.world] = m.store
	}
	return &q, m, nil
}

// play makes the request's run the last one, unless it is.
func (d *Data) play(q *Request) error {
	name, err := q.Scenario.name()
	if err != nil {
		return err
	}
	if name != d.last.name {
		s, err := q.Scenario.load()
		if err != nil {
			return err
		}
		d.last.name, d.last.scenario, d.last.worlds = name, s, nil
	}
	s := *d.last.scenario
	if q.Schedule != nil {
		s.Schedule = *q.Schedule
	}
	s.Start = 0
	// Sorted, so that equal requests find the last run, and faults come in one order.
	var keys []string
	for k := range q.Rules {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	run := s.Schedule
	for _, k := range keys {
		if err := s.Change(k, q.Rules[k]); err != nil {
			return fmt.Errorf("request: rules: %w", err)
		}
		run += ";" + k + "=" + q.Rules[k]
	}
	if d.last.worlds != nil && d.last.run == run {
		return nil
	}
	w, err := s.Open()
	if err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	d.last.run, d.last.worlds, d.last.stores, d.last.content = run, w, map[int]*part.Store{}, nil
	return nil
}

// name tells sources apart.
func (s *Source) name() (string, error) {
	switch {
	case s.ID != "" && s.YAML == "" && s.Compiled == nil:
		return "id " + s.ID, nil
	case s.ID == "" && s.YAML != "" && s.Compiled == nil:
		return "yaml " + s.YAML, nil
	case s.ID == "" && s.YAML == "" && s.Compiled != nil:
		return "compiled " + string(s.Compiled), nil
	}
	return "", errors.New("request: scenario: one of id, yaml and compiled is asked for")
}

func (s *Source) load() (*scenario.Scenario, error) {
	switch {
	case s.ID != "":
		return scenarios.Load(s.ID)
	case s.YAML != "":
		return yamlfile.Decode("scenario.yaml", "", []byte(s.YAML))
	}
	var c scenario.Scenario
	if err := strict(s.Compiled, &c); err != nil {
		return nil, fmt.Errorf("request: scenario: compiled: %w", err)
	}
	return &c, nil
}

// Failure is the answer to what cannot be answered: an object with the error.
func Failure(err error) []byte { return answer(map[string]string{"error": err.Error()}) }

func answer(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("ask: " + err.Error())
	}
	return text
}

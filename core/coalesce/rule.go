package coalesce

import (
	"strings"

	"sharedbatches/core/brief"
)

// Rule is one switch of a [Config]: a key with its values, of which some are
// broken on purpose. Links and scenario files name rules by these words.
type Rule struct {
	Key    string
	Values []string
	Broken []bool               // which values are broken rules, or rules that only a broken set-up needs
	Says   []string             // each value in plain words
	Use    func(c *Config) bool // tells whether the rule matters for a set-up; nil: always
	field  func(c *Config) *uint8
}

// Rules lists all switches.
var Rules = []Rule{
	{
		Key: "probe", Values: []string{"upgrade", "strong_count"}, Broken: []bool{true, false},
		Says:  []string{"the sweep takes a temporary reference and drops it", "the sweep loads the count"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Probe) },
	},
	{
		Key: "mode", Values: []string{"best_effort", "barrier", "per_worker"}, Broken: []bool{false, false, false},
		Says:  []string{"the last handle given back receives the batch", "all report, then the last writer receives the batch", "each worker uploads a batch of its own: the shared path is off"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Mode) },
	},
	{
		Key: "sink", Values: []string{"short", "whole"}, Broken: []bool{false, false},
		Says:  []string{"an interval opens when the shard has reached it", "mint, descriptions, Timely sides and the append's capabilities move by themselves"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Whole) },
	},
	{
		Key: "finish", Values: []string{"by_mode", "into_inner", "try_unwrap"}, Broken: []bool{false, true, true},
		Says:  []string{"as the mode has it", "into_inner, even with the barrier", "try_unwrap, then drop: two steps where into_inner is one"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Finish) },
	},
	{
		Key: "wait", Values: []string{"register_first", "check_first"}, Broken: []bool{false, true},
		Says:  []string{"register for the wakeup, then check", "check, then register: a wakeup in between is lost"},
		Use:   barrierOnly,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Wait) },
	},
	{
		Key: "reports", Values: []string{"once", "unchecked"}, Broken: []bool{false, true},
		Says:  []string{"each worker reports once for an id", "a worker may report twice or never"},
		Use:   barrierOnly,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Reports) },
	},
	{
		Key: "modes", Values: []string{"same", "mixed"}, Broken: []bool{false, true},
		Says:  []string{"all workers render the sink in the same mode", "workers may differ in the mode"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Modes) },
	},
	{
		Key: "asserts", Values: []string{"debug", "release"}, Broken: []bool{false, false},
		Says:  []string{"a surplus report panics", "a surplus report is ignored"},
		Use:   barrierOnly,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Asserts) },
	},
	{
		Key: "descriptions", Values: []string{"asserted", "unchecked"}, Broken: []bool{false, true},
		Says:  []string{"joining under other bounds panics", "data is written under the creator's bounds"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Descriptions) },
	},
	{
		Key: "persist", Values: []string{"short", "whole"}, Broken: []bool{false, false},
		Says:  []string{"a finished batch is one object, made at once", "parts are flushed, kept inline or uploaded one by one"},
		field: func(c *Config) *uint8 { return (*uint8)(&c.Persist) },
	},
	{
		Key: "goodbytes", Values: []string{"counter", "recompute"}, Broken: []bool{false, true},
		Says:  []string{"a counter knows the window's bytes", "each part sums the window up twice"},
		Use:   wholePersist,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Goodbytes) },
	},
	{
		Key: "schema", Values: []string{"from_handle", "none"}, Broken: []bool{false, true},
		Says:  []string{"parts carry a schema id", "shared parts carry none"},
		Use:   wholePersist,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Schema) },
	},
	{
		Key: "label", Values: []string{"argument", "peek_stash"}, Broken: []bool{false, true},
		Says:  []string{"a builder names the metrics after the view", "a builder names them peek_stash"},
		Use:   wholePersist,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Label) },
	},
	{
		Key: "runs", Values: []string{"hard_coded", "configured"}, Broken: []bool{true, false},
		Says:  []string{"shared batches ignore max_runs", "shared batches keep to max_runs"},
		Use:   wholePersist,
		field: func(c *Config) *uint8 { return (*uint8)(&c.Runs) },
	},
}

func barrierOnly(c *Config) bool { return c.Mode == Barrier }

func wholePersist(c *Config) bool { return c.Persist == WholePersist }

// FindRule returns the rule with a key. The error lists the keys.
func FindRule(key string) (*Rule, error) {
	var keys []string
	for i := range Rules {
		if Rules[i].Key == key {
			return &Rules[i], nil
		}
		keys = append(keys, Rules[i].Key)
	}
	return nil, brief.Errorf("rule %q: allowed are %s", key, strings.Join(keys, ", "))
}

// Value is the rule's value in a configuration.
func (r *Rule) Value(c *Config) string { return r.Values[*r.field(c)] }

// Set changes the rule in a configuration. The error lists the values.
func (r *Rule) Set(c *Config, value string) error {
	for i, v := range r.Values {
		if v == value {
			*r.field(c) = uint8(i)
			return nil
		}
	}
	return brief.Errorf("rule %s: %q: allowed are %s", r.Key, value, strings.Join(r.Values, ", "))
}

// checkRules refuses values that no rule has.
func (c *Config) checkRules() error {
	for i := range Rules {
		r := &Rules[i]
		if v := *r.field(c); int(v) >= len(r.Values) {
			return brief.Errorf("%s: unknown rule %d: allowed are %s", r.Key, v, strings.Join(r.Values, ", "))
		}
	}
	return nil
}

// Mode is how a batch's receiver is found. In the original it follows from three
// flags: see [Flags.Mode].
type Mode uint8

const (
	BestEffort Mode = iota
	Barrier
	PerWorker
)

// Around is how much of the sink around the mechanism moves.
type Around uint8

const (
	ShortSink Around = iota
	WholeSink
)

// Finish is which call finish makes.
type Finish uint8

const (
	ByMode Finish = iota
	IntoInner
	TryUnwrap
)

// WaitOrder is the order of registering and checking in the barrier's wait.
type WaitOrder uint8

const (
	RegisterFirst WaitOrder = iota
	CheckFirst
)

// Reports is whether a set-up may break exactly-once reporting.
type Reports uint8

const (
	ReportOnce Reports = iota
	ReportUnchecked
)

// Modes is whether workers may differ in the mode of one sink.
type Modes uint8

const (
	SameMode Modes = iota
	MixedModes
)

// Asserts is whether debug assertions are compiled in.
type Asserts uint8

const (
	Debug Asserts = iota
	Release
)

// Package compact writes scenarios as one text and reads them back. It carries the
// built-in lessons and a reader's own file to page.wasm, which has neither YAML nor
// JSON. The text is no format to keep: the program that writes it and the one that
// reads it are built together.
package compact

import (
	"errors"
	"strconv"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
)

// Encode writes scenarios as one text.
func Encode(list []scenario.Scenario) string {
	c := codec{}
	each(&c, &list, lesson)
	return c.out.String()
}

// Decode reads what Encode wrote. The error says that it is something else.
func Decode(text string) ([]scenario.Scenario, error) {
	c := codec{reads: true, text: text}
	var list []scenario.Scenario
	each(&c, &list, lesson)
	if c.failed || c.text != "" {
		return nil, errors.New("compact: this is no list of scenarios of this version")
	}
	return list, nil
}

// codec visits fields in one order for both directions. A text is its length, a
// colon and itself; a number ends with a space.
type codec struct {
	reads  bool
	failed bool
	text   string // what is left to read
	out    strings.Builder
}

// until takes what stands before a mark.
func (c *codec) until(mark string) string {
	head, rest, ok := strings.Cut(c.text, mark)
	if !ok || c.failed {
		c.failed = true
		return ""
	}
	c.text = rest
	return head
}

func (c *codec) int64(v *int64) {
	if !c.reads {
		c.out.WriteString(strconv.FormatInt(*v, 10) + " ")
		return
	}
	n, ok := brief.Int(c.until(" "))
	c.failed = c.failed || !ok
	*v = n
}

func num[T ~int | ~uint8](c *codec, v *T) {
	n := int64(*v)
	c.int64(&n)
	*v = T(n)
}

func (c *codec) flag(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	num(c, &n)
	*v = n == 1
}

func str[T ~string](c *codec, v *T) {
	if !c.reads {
		c.out.WriteString(strconv.Itoa(len(*v)) + ":" + string(*v))
		return
	}
	n, ok := brief.Int(c.until(":"))
	if !ok || n < 0 || n > int64(len(c.text)) {
		c.failed = true
		return
	}
	*v, c.text = T(c.text[:n]), c.text[n:]
}

// each visits a list. A nil list stays nil, which an expectation tells from an empty one.
func each[T any](c *codec, v *[]T, visit func(*codec, *T)) {
	if n := c.length(len(*v), *v == nil); n >= 0 {
		*v = make([]T, n)
	}
	for i := range *v {
		visit(c, &(*v)[i])
	}
}

// length visits the length of a list and is what to make, or -1 for nothing. It is apart
// because each is compiled once for each type.
func (c *codec) length(n int, none bool) int {
	if none {
		n = -1
	}
	num(c, &n)
	if !c.reads || c.failed {
		return -1
	}
	if n > len(c.text) {
		c.failed = true
		return -1
	}
	return n
}

func strs[T ~string](c *codec, v *[]T) { each(c, v, str[T]) }

func lesson(c *codec, s *scenario.Scenario) {
	str(c, &s.ID)
	str(c, &s.Title)
	str(c, &s.Text)
	str(c, &s.Goal)
	config(c, &s.Setup)
	each(c, &s.Worlds, num[coalesce.Probe])
	each(c, &s.Variants, func(c *codec, w *scenario.World) {
		str(c, &w.Name)
		each(c, &w.Rules, func(c *codec, r *scenario.RuleValue) {
			str(c, &r.Key)
			str(c, &r.Value)
		})
	})
	str(c, &s.Schedule)
	num(c, &s.Start)
	str(c, &s.Grain)
	strs(c, &s.Panels)
	str(c, &s.Reader.Sink)
	str(c, &s.Reader.Key)
	each(c, &s.Reader.AsOf, (*codec).int64)
	each(c, &s.Notes, func(c *codec, n *scenario.Note) {
		num(c, &n.Step)
		str(c, &n.Text)
	})
	num(c, &s.Differ)
	num(c, &s.Outcome)
	each(c, &s.Expect, expect)
	class(c, s)
}

func class(c *codec, s *scenario.Scenario) {
	each(c, &s.Questions, func(c *codec, q *scenario.Question) {
		num(c, &q.Step)
		str(c, &q.Ask)
		each(c, &q.Answers, func(c *codec, a *scenario.Choice) {
			str(c, &a.Text)
			c.flag(&a.Right)
			str(c, &a.Because)
		})
	})
	strs(c, &s.Hints)
	strs(c, &s.Moves)
	each(c, &s.Reach, func(c *codec, r *scenario.Condition) {
		for _, field := range []*string{&r.World, &r.Broken, &r.Thread, &r.Got, &r.Verdict} {
			str(c, field)
		}
	})
	str(c, &s.Miss)
	num(c, &s.Next.Step)
	str(c, &s.Next.Text)
}

func expect(c *codec, e *scenario.Expect) {
	str(c, &e.Verdict)
	num(c, &e.Puts)
	num(c, &e.Leaked)
	num(c, &e.Evaluations)
	each(c, &e.Reads, func(c *codec, r *scenario.Read) {
		c.int64(&r.AsOf)
		str(c, &r.View)
		str(c, &r.Truth)
	})
	each(c, &e.Answers, func(c *codec, a *scenario.Answer) {
		str(c, &a.Thread)
		num(c, &a.Step)
		str(c, &a.Got)
	})
	each(c, &e.Broken, func(c *codec, b *scenario.Broken) {
		str(c, &b.Invariant)
		num(c, &b.Since)
	})
}

// config visits a set-up.
func config(c *codec, s *coalesce.Config) {
	num(c, &s.Probe)
	num(c, &s.Mode)
	num(c, &s.Whole)
	num(c, &s.Finish)
	num(c, &s.Wait)
	num(c, &s.Reports)
	num(c, &s.Modes)
	num(c, &s.Asserts)
	num(c, &s.Descriptions)
	num(c, &s.Persist)
	num(c, &s.Goodbytes)
	num(c, &s.Schema)
	num(c, &s.Label)
	num(c, &s.Runs)
	each(c, &s.Sinks, func(c *codec, k *coalesce.SinkConfig) {
		num(c, &k.Name)
		c.int64(&k.Since)
		each(c, &k.Bounds, (*codec).int64)
		each(c, &k.Superseded, num[int])
		num(c, &k.Replica)
		num(c, &k.Participants)
	})
	each(c, &s.Tasks, func(c *codec, t *coalesce.TaskConfig) {
		num(c, &t.Worker)
		num(c, &t.Sink)
		each(c, &t.Parts, partConfig)
		c.int64(&t.Upper)
		each(c, &t.Skips, num[int])
		c.flag(&t.Writes)
		c.flag(&t.BestEffort)
	})
	num(c, &s.Processes)
	c.flag(&s.Sweeper)
	c.flag(&s.Teardown)
	c.flag(&s.Cleaner)
	num(c, &s.Target)
	num(c, &s.Outstanding)
	num(c, &s.MaxRuns)
}

func partConfig(c *codec, p *coalesce.PartConfig) {
	num(c, &p.Interval)
	c.int64(&p.At)
	num(c, &p.Updates)
	num(c, &p.Bytes)
	each(c, &p.Changes, func(c *codec, k *coalesce.Change) {
		str(c, &k.Key)
		num(c, &k.From)
		num(c, &k.To)
	})
	str(c, &p.Error)
	c.flag(&p.Gone)
}

package coalesce

import (
	"slices"

	"sharedbatches/core/brief"
)

// What a configuration must fulfil. A message names the field and what is allowed;
// the broken rules that a set-up may ask for are asked for by name.

func (c *Config) check() error {
	if err := c.checkRules(); err != nil {
		return err
	}
	if c.Processes < 0 || c.Processes > MaxProcesses {
		return brief.Errorf("processes: %d: allowed are 1 and %d", c.Processes, MaxProcesses)
	}
	if n := len(c.Sinks); n < 1 || n > MaxSinks {
		return brief.Errorf("sinks: there are %d: allowed are 1 to %d", n, MaxSinks)
	}
	if n := len(c.Tasks); n < 1 || n > MaxTasks {
		return brief.Errorf("tasks: there are %d: allowed are 1 to %d", n, MaxTasks)
	}
	if c.Target < 0 {
		return brief.Errorf("target: %d bytes: allowed is 0 (the default) or more", c.Target)
	}
	for i, s := range c.Sinks {
		if err := s.check(c); err != nil {
			return brief.Errorf("sinks[%d]: %w", i, err)
		}
		for _, before := range c.Sinks[:i] {
			if before.Name == s.Name {
				return brief.Errorf("sinks[%d]: name: %c is taken: sinks have different names", i, s.Name)
			}
		}
	}
	parts := 0
	served := map[int]bool{}
	for i, t := range c.Tasks {
		if err := t.check(c); err != nil {
			return brief.Errorf("tasks[%d]: %w", i, err)
		}
		for _, before := range c.Tasks[:i] {
			if before.Worker == t.Worker && before.Sink == t.Sink {
				return brief.Errorf("tasks[%d]: worker %c has a write task for sink %c already", i, 'A'+t.Worker, c.Sinks[t.Sink].Name)
			}
			if before.Worker > t.Worker {
				return brief.Errorf("tasks[%d]: worker %c comes after %c: list tasks in the order of workers", i, 'A'+t.Worker, 'A'+before.Worker)
			}
		}
		served[t.Sink] = true
		parts += len(t.Parts)
	}
	for i, s := range c.Sinks {
		if !served[i] {
			return brief.Errorf("sinks[%d]: no worker has a write task for sink %c", i, s.Name)
		}
	}
	if parts > MaxParts {
		return brief.Errorf("parts: there are %d over all tasks: allowed are %d at most", parts, MaxParts)
	}
	if err := c.checkKeys(); err != nil {
		return err
	}
	if err := c.checkErrors(); err != nil {
		return err
	}
	return c.checkPersist()
}

// checkKeys refuses changes of a key that do not follow from each other, and keys
// that two workers change: rows are distributed by hash, so one worker has them all.
func (c *Config) checkKeys() error {
	type change struct {
		at    int64
		task  int
		from  int
		to    int
		place string
	}
	for sink := range c.Sinks {
		changes := map[string][]change{}
		var keys []string
		for ti, t := range c.Tasks {
			if t.Sink != sink {
				continue
			}
			for pi, p := range t.Parts {
				for ci, k := range p.Changes {
					if len(changes[k.Key]) == 0 {
						keys = append(keys, k.Key)
					}
					place := brief.Sprintf("tasks[%d]: parts[%d]: changes[%d]", ti, pi, ci)
					changes[k.Key] = append(changes[k.Key], change{p.At, ti, k.From, k.To, place})
				}
			}
		}
		for _, key := range keys {
			list := changes[key]
			for i := range list {
				for j := i; j > 0 && list[j].at < list[j-1].at; j-- {
					list[j], list[j-1] = list[j-1], list[j]
				}
			}
			for i := 1; i < len(list); i++ {
				before, k := list[i-1], list[i]
				if k.task != before.task {
					return brief.Errorf("%s: key: %q is changed by another worker too: a row’s updates are all on one worker", k.place, key)
				}
				if k.from != before.to {
					return brief.Errorf("%s: from: %s: the change before it left %q at %s", k.place, countText(k.from), key, countText(before.to))
				}
			}
		}
	}
	return nil
}

func countText(n int) string {
	if n == Absent {
		return "none"
	}
	return brief.Sprintf("%d", n)
}

// checkFlush refuses set-ups in which a batch could outgrow the target: the model
// flushes once, when the batch is finished.
func (c *Config) checkFlush() error {
	target := c.Target
	if target == 0 {
		target = TargetBytes
	}
	for i, s := range c.Sinks {
		bytes := 0
		for _, t := range c.Tasks {
			if t.Sink == i {
				for _, p := range t.Parts {
					bytes += p.Bytes
				}
			}
		}
		if bytes > target {
			return brief.Errorf("parts: those of sink %c are %d bytes together: allowed is the target, %d", s.Name, bytes, target)
		}
	}
	return nil
}

func (s *SinkConfig) check(c *Config) error {
	if s.Name < 'V' || s.Name > 'Y' {
		return brief.Errorf("name: %q: sinks are named V to Y", string(rune(s.Name)))
	}
	if n := len(s.Bounds) - 1; n < 1 || n > MaxIntervals {
		return brief.Errorf("intervals: there are %d: allowed are 1 to %d", max(n, 0), MaxIntervals)
	}
	for i := 1; i < len(s.Bounds); i++ {
		if s.Bounds[i] <= s.Bounds[i-1] {
			return brief.Errorf("intervals: [%d, %d) is empty: a lower is below its upper", s.Bounds[i-1], s.Bounds[i])
		}
	}
	if s.Since < 0 || s.Since > s.Bounds[0] {
		return brief.Errorf("since: %d: allowed is 0 to the first lower, %d", s.Since, s.Bounds[0])
	}
	if s.Replica != 0 && c.Whole != WholeSink {
		return brief.Errorf("replica: %d: another replica needs the rule sink to be whole", s.Replica)
	}
	if s.Replica < 0 || s.Replica > MaxIntervals {
		return brief.Errorf("replica: %d: allowed are 0 to %d appends", s.Replica, MaxIntervals)
	}
	if len(s.Superseded) > 0 && c.Whole == WholeSink {
		return brief.Errorf("superseded: with the whole sink another replica's appends (replica) supersede")
	}
	for _, n := range s.Superseded {
		if n < 0 || n >= len(s.Bounds)-1 {
			return brief.Errorf("superseded: %d: this sink has intervals 1 to %d", n+1, len(s.Bounds)-1)
		}
	}
	if s.Participants != 0 && c.Reports != ReportUnchecked {
		return brief.Errorf("participants: %d: they are the write tasks of a process, unless the rule reports is unchecked", s.Participants)
	}
	if s.Participants < 0 || s.Participants > MaxWorkers {
		return brief.Errorf("participants: %d: allowed are 1 to %d", s.Participants, MaxWorkers)
	}
	return nil
}

func (t *TaskConfig) check(c *Config) error {
	if t.Worker < 0 || t.Worker >= MaxWorkers {
		return brief.Errorf("worker: %d: workers are A to H", t.Worker)
	}
	if t.Sink < 0 || t.Sink >= len(c.Sinks) {
		return brief.Errorf("sink: %d: this set-up has %d sinks", t.Sink, len(c.Sinks))
	}
	bounds := c.Sinks[t.Sink].Bounds
	if t.Upper != 0 && (t.Upper <= bounds[0] || t.Upper == bounds[1]) {
		return brief.Errorf("upper: %d: a conflicting upper is above %d and not %d", t.Upper, bounds[0], bounds[1])
	}
	least := InlineLimit
	if c.Persist == WholePersist {
		least = 1
	}
	for i, p := range t.Parts {
		if err := p.check(bounds, t.Upper, least); err != nil {
			return brief.Errorf("parts[%d]: %w", i, err)
		}
	}
	if t.BestEffort && c.Modes != MixedModes {
		return brief.Errorf("best_effort: all workers render a sink in the same mode, unless the rule modes is mixed")
	}
	return t.checkSkips(c)
}

func (t *TaskConfig) checkSkips(c *Config) error {
	if len(t.Skips) > 0 && c.Mode != Barrier {
		return brief.Errorf("skips: only the barrier has them: the rule mode is %s", Rules[1].Value(c))
	}
	if len(t.Skips) > 0 && c.Whole == WholeSink {
		return brief.Errorf("skips: with the whole sink a Timely side skips what was superseded")
	}
	if len(t.Skips) > maxSkips {
		return brief.Errorf("skips: there are %d: allowed are %d at most", len(t.Skips), maxSkips)
	}
	if t.Writes && c.Reports != ReportUnchecked {
		return brief.Errorf("writes: a worker reports an interval once, unless the rule reports is unchecked")
	}
	s := &c.Sinks[t.Sink]
	for i, n := range t.Skips {
		if n < 0 || n >= len(s.Bounds)-1 {
			return brief.Errorf("skips[%d]: %d: this sink has intervals 1 to %d", i, n+1, len(s.Bounds)-1)
		}
		if c.Reports == ReportUnchecked {
			continue
		}
		if i > 0 && n <= t.Skips[i-1] {
			return brief.Errorf("skips[%d]: %d: a worker skips an interval once and in order, unless the rule reports is unchecked", i, n+1)
		}
		if !slices.Contains(s.Superseded, n) {
			return brief.Errorf("skips[%d]: %d: only a superseded interval is skipped, unless the rule reports is unchecked", i, n+1)
		}
	}
	return nil
}

func (p *PartConfig) check(bounds []int64, conflicting int64, least int) error {
	if p.Interval < 0 || p.Interval >= len(bounds)-1 {
		return brief.Errorf("interval: %d: this sink has intervals 1 to %d", p.Interval+1, len(bounds)-1)
	}
	lower, upper := bounds[p.Interval], bounds[p.Interval+1]
	if p.Interval == 0 && conflicting != 0 {
		upper = conflicting
	}
	if p.At < lower || p.At >= upper {
		return brief.Errorf("at: %d: allowed is %d to %d", p.At, lower, upper-1)
	}
	if p.Updates < 1 || p.Updates > 1<<31-1 {
		return brief.Errorf("updates: %d: allowed is 1 to %d (a push without updates sends nothing: leave the part out)", p.Updates, 1<<31-1)
	}
	if p.Bytes < least || p.Bytes > 1<<31-1 {
		why := ""
		if least == InlineLimit {
			why = " (below it a part would be inline)"
		}
		return brief.Errorf("bytes: %d: allowed is %d%s to %d", p.Bytes, least, why, 1<<31-1)
	}
	if err := p.checkError(); err != nil {
		return err
	}
	for i, c := range p.Changes {
		if c.Key == "" || len(c.Key) > 64 {
			return brief.Errorf("changes[%d]: key: %q: allowed are 1 to 64 bytes", i, c.Key)
		}
		for _, before := range p.Changes[:i] {
			if before.Key == c.Key {
				return brief.Errorf("changes[%d]: key: %q is changed twice in one part: allowed is once", i, c.Key)
			}
		}
		if c.From == c.To {
			return brief.Errorf("changes[%d]: from and to are both %d: that is no change", i, c.From)
		}
	}
	return nil
}

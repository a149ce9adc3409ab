package coalesce

import "sharedbatches/core/brief"

// Error rows. In the original a key is a row or an error, each kind with a correction
// buffer and a frontier of its own, and mint waits for the smaller of the two. Here there is
// one frontier: an interval opens and is sealed for rows and errors together. A part is of
// one kind.

// checkError refuses a part that is of both kinds.
func (p *PartConfig) checkError() error {
	switch {
	case p.Error == "" && p.Gone:
		return brief.Errorf("gone: only errors (error) are retracted by it; a row is by its changes")
	case len(p.Error) > 64:
		return brief.Errorf("error: it has %d bytes: allowed are 64", len(p.Error))
	case p.Error != "" && len(p.Changes) > 0:
		return brief.Errorf("changes: a part holds rows or errors: this one has an error")
	}
	return nil
}

// checkErrors refuses parts of one message that do not follow from each other, as
// checkKeys does for rows: inserted and gone take turns, with as many error rows, on
// one worker.
func (c *Config) checkErrors() error {
	for ti, t := range c.Tasks {
		for pi := range t.Parts {
			p := &t.Parts[pi]
			if p.Error == "" {
				continue
			}
			place := brief.Sprintf("tasks[%d]: parts[%d]", ti, pi)
			for ui := range c.Tasks {
				for qi := range c.Tasks[ui].Parts {
					if q := &c.Tasks[ui].Parts[qi]; ui != ti && c.Tasks[ui].Sink == t.Sink && q.Error == p.Error {
						return brief.Errorf("%s: error: %q comes from another worker too: a row’s updates are all on one worker", place, p.Error)
					}
				}
			}
			before := c.errorBefore(ti, pi)
			switch {
			case before == nil:
			case before.At == p.At:
				return brief.Errorf("%s: error: %q has another part at %d", place, p.Error, p.At)
			case before.Gone == p.Gone && p.Gone:
				return brief.Errorf("%s: gone: %q is gone already", place, p.Error)
			case before.Gone == p.Gone:
				return brief.Errorf("%s: error: %q is there already: the part after it retracts it (gone)", place, p.Error)
			case before.Updates != p.Updates:
				return brief.Errorf("%s: updates: %d: the part before it of %q has %d", place, p.Updates, p.Error, before.Updates)
			}
		}
	}
	return nil
}

// errorBefore is the latest other part of the same message that is not later, or nil.
func (c *Config) errorBefore(task, part int) (before *PartConfig) {
	list := c.Tasks[task].Parts
	for i := range list {
		q := &list[i]
		if i != part && q.Error == list[part].Error && q.At <= list[part].At && (before == nil || q.At > before.At) {
			before = q
		}
	}
	return before
}

// failure is the error that a read of a sink's view gets at time t when each part's
// updates carry the time that at gives, and are missing where it gives none: the first
// in the order of texts that is there, or "". One that was retracted and never inserted
// is there too: in the original a negative count of an error fails the read as well.
func (m *Model) failure(sink int, t int64, at func(p int) (int64, bool)) (first string) {
	for p := range m.parts {
		k := &m.parts[p]
		if k.sink != sink || k.Error == "" || first != "" && first <= k.Error {
			continue
		}
		count, earliest := 0, p
		for q := range m.parts {
			other := &m.parts[q]
			if other.sink != sink || other.Error != k.Error {
				continue
			}
			if other.At < m.parts[earliest].At {
				earliest = q
			}
			if when, ok := at(q); ok && when <= t {
				count += other.sign()
			}
		}
		// What the first part retracts was in the view before the first interval.
		if m.parts[earliest].Gone {
			count++
		}
		if count != 0 {
			first = k.Error
		}
	}
	return first
}

func (p *PartConfig) sign() int {
	if p.Gone {
		return -1
	}
	return +1
}

// Fails tells whether some part of a sink is of errors.
func (m *Model) Fails(sink int) bool {
	for p := range m.parts {
		if m.parts[p].sink == sink && m.parts[p].Error != "" {
			return true
		}
	}
	return false
}

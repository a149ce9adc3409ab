package view

import (
	"strings"

	"sharedbatches/core/coalesce"
)

// How things are called in sentences and labels.

// title names a thread as its card does.
func (v *View) title(t coalesce.Thread) string {
	name := v.model().Name(t)
	switch t.Role() {
	case coalesce.WriteTask:
		return "Worker " + name[:1]
	case coalesce.BuilderTask:
		return "Task " + name
	case coalesce.Append:
		return "Append " + name
	}
	switch t.Role() {
	case coalesce.Timely:
		return "Timely side " + name
	case coalesce.Teardown:
		return "Teardown " + name
	case coalesce.Mint:
		return "Mint " + name
	case coalesce.Replica:
		return "Other replica " + name
	}
	return "Sweeper " + name
}

// entryName names a registry entry, and so its batch: by its sink, and by its
// interval too once the sink is past its first one in some world.
func (v *View) entryName(m moment, entry int) string {
	sink, n := coalesce.EntryInterval(entry)
	name := v.model().SinkName(sink)
	if !v.onlyFirst(m, sink) {
		lower, upper := v.model().Interval(sink, n)
		name += " " + span(lower, upper)
	}
	return name
}

// onlyFirst tells whether no write task of a sink has gone beyond its first interval.
func (v *View) onlyFirst(m moment, sink int) bool {
	if v.model().Intervals(sink) == 1 {
		return true
	}
	for i := range v.w.Models {
		s := &m.Sides[i].State
		if s.Sinks[sink].Upper > 0 {
			return false
		}
	}
	return true
}

// partsOf describes a set of parts by its updates.
func (v *View) partsOf(ps coalesce.Parts) string {
	_, updates := v.model().Sizes(ps)
	return count(updates, "update", "updates")
}

// pushers names the threads whose parts are in a set.
func (v *View) pushers(ps coalesce.Parts) string {
	var names []string
	for _, p := range ps.List() {
		_, t := v.model().Part(p)
		if name := v.model().Name(t); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return list(names)
}

// holders names the write tasks in a bit set.
func (v *View) holders(set uint8) string {
	var names []string
	for _, t := range v.model().Threads() {
		if t.Role() == coalesce.WriteTask && set>>t&1 != 0 {
			names = append(names, v.model().Name(t))
		}
	}
	return list(names)
}

// query is the reader's question without its AS OF.
func (v *View) query() string {
	key := v.s.Reader.Key
	for _, c := range key {
		if c < '0' || c > '9' {
			return "SELECT n FROM view WHERE bucket = '" + strings.ReplaceAll(key, "'", "''") + "'"
		}
	}
	return "SELECT n FROM view WHERE bucket = " + key
}

// value is a count as a reader sees it.
func value(n int) string {
	if n == coalesce.Absent {
		return "no row"
	}
	return itoa(n)
}

package view

import (
	"slices"
	"strings"

	"sharedbatches/core/coalesce"
)

// How things are called in sentences and labels.

//go:noinline
func (v *View) name(t coalesce.Thread) string { return v.model().Name(t) }

//go:noinline
func (v *View) sinkName(sink int) string { return v.model().SinkName(sink) }

// sinkOf names the sink that a thread works for.
//
//go:noinline
func (v *View) sinkOf(t coalesce.Thread) string { return v.sinkName(v.model().Sink(t)) }

// span is an interval of a sink.
//
//go:noinline
func (v *View) span(sink, n int) string { return span(v.model().Interval(sink, n)) }

// roles name the threads by their role.
var roles = [...]struct{ title, lane string }{
	coalesce.WriteTask:   {"Worker ", "worker "},
	coalesce.BuilderTask: {"Task ", "builder tasks"},
	coalesce.Append:      {"Append ", "append"},
	coalesce.Timely:      {"Timely side ", "worker "},
	coalesce.Sweeper:     {"Sweeper ", "sweeper S"},
	coalesce.Teardown:    {"Teardown ", "teardown Z"},
	coalesce.Mint:        {"Mint ", "mint"},
	coalesce.Replica:     {"Other replica ", "other replica"},
	coalesce.Uploads:     {"Uploads ", "uploads"},
	coalesce.Cleaner:     {"Cleaner ", "cleaner J"},
}

// title names a thread as its card does.
func (v *View) title(t coalesce.Thread) string {
	name := v.name(t)
	if t.Role() == coalesce.WriteTask {
		if v.timely() {
			return "Write task " + name
		}
		name = name[:1]
		if len(v.model().Sinks) > 1 {
			name += " for " + v.sinkOf(t)
		}
	}
	return roles[t.Role()].title + name
}

// Names lists the threads in the order of their cards, which is that of
// [Frame.Threads]: where a worker has several cards they stand together, and so do
// the workers of a process.
func (v *View) Names() []string {
	var names []string
	for _, t := range v.threads {
		names = append(names, v.name(t))
	}
	return names
}

// timely tells whether workers have a Timely side to step.
func (v *View) timely() bool {
	return slices.ContainsFunc(v.model().Threads(), func(t coalesce.Thread) bool { return t.Role() == coalesce.Timely })
}

// group orders the threads for their cards. Only Timely sides and a second process
// need headings.
func (v *View) group() {
	model := v.model()
	v.threads = model.Threads()
	v.groups = make([]string, len(v.threads))
	timely := v.timely()
	if !timely && model.Processes < 2 {
		return
	}
	v.threads, v.groups = nil, nil
	add := func(heading string, fits func(t coalesce.Thread, worker int) bool) {
		for _, t := range model.Threads() {
			if fits(t, model.Worker(t)) {
				v.threads = append(v.threads, t)
				v.groups = append(v.groups, heading)
			}
		}
	}
	for p := range model.Processes {
		process := "Process " + itoa(p+1)
		for w := range coalesce.MaxWorkers {
			heading := process
			if timely {
				heading = "Worker " + string(rune('A'+w))
				if model.Processes > 1 {
					heading = process + ", worker" + heading[6:]
				}
			}
			add(heading, func(t coalesce.Thread, worker int) bool {
				return worker == w && model.Process(w) == p && t.Role() != coalesce.BuilderTask && t.Role() != coalesce.Uploads
			})
		}
		heading := "Builder tasks"
		if model.Processes > 1 {
			heading += " of process " + itoa(p+1)
		}
		add(heading, func(t coalesce.Thread, worker int) bool {
			return (t.Role() == coalesce.BuilderTask || t.Role() == coalesce.Uploads) && model.Process(worker) == p
		})
	}
	add("For all workers", func(t coalesce.Thread, worker int) bool { return worker < 0 })
}

// entryName names a registry entry, and so its batch: by its sink, and by its
// interval too once the sink is past its first one in some world.
func (v *View) entryName(m moment, entry int) string {
	sink, n := coalesce.EntryInterval(entry)
	name := v.sinkName(sink)
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

// partsOf describes a set of parts by its updates, those of rows and those of errors.
func (v *View) partsOf(ps coalesce.Parts) string {
	_, updates := v.model().Sizes(ps)
	errors := 0
	for _, p := range ps.List() {
		if part, _ := v.model().Part(p); part.Error != "" {
			errors += part.Updates
		}
	}
	says := count(updates-errors, "update", "updates")
	if errors > 0 {
		says += " and " + count(errors, "error row", "error rows")
		if updates == errors {
			says = says[len("0 updates and "):]
		}
	}
	return says
}

// pushers names the threads whose parts are in a set.
func (v *View) pushers(ps coalesce.Parts) string {
	var names []string
	for _, p := range ps.List() {
		_, t := v.model().Part(p)
		if name := v.name(t); len(names) == 0 || names[len(names)-1] != name {
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
			names = append(names, v.name(t))
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

// answered is what a reader of a key gets: a count, or the error that the query fails with.
func answered(n int, failure string) string {
	if failure != "" {
		return filled(`error<span class="wide-only">: $</span>`, esc(failure))
	}
	return value(n)
}

// said is the same in a sentence.
func said(n int, failure string) string {
	if failure != "" {
		return "an error"
	}
	return value(n)
}

// value is a count as a reader sees it.
func value(n int) string {
	if n == coalesce.Absent {
		return "no row"
	}
	return itoa(n)
}

//go:build js

package main

import (
	"strconv"
	"strings"
	"syscall/js"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/proof"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// explorer is the panel of the exhaustive search, and the ways left on the Step buttons.
type explorer struct {
	host *host

	panel, opener, closer, start, cancel, last, states, seconds, bar, count, says, now, ways, means, results *element
	grain                                                                                                    [2]*element
	world                                                                                                    [worlds.Limit]*element

	open, running, answered bool
	whole                   bool // the grain to ask with
	number                  int  // of the ask
	asked                   *ask
	progress                *progress
	claims                  []string

	at      string // the schedule of the moment on screen
	tag     int    // its number
	waiting int    // tag of the query that is out, or 0
	showing bool   // ways are on the buttons
}

func (p *page) findExplorer() {
	e := &p.explore
	*e = explorer{
		panel: byID("explore"), opener: byID("explore-open"), closer: byID("explore-close"), start: byID("explore-run"), cancel: byID("explore-cancel"),
		last: byID("explore-last"), states: byID("explore-states"), seconds: byID("explore-seconds"), bar: byID("explore-bar"), count: byID("explore-count"),
		says: byID("explore-says"), now: byID("explore-now"), ways: byID("explore-ways"), means: byID("ways-means"), results: byID("explore-results"),
		grain: [2]*element{byID("explore-grain-0"), byID("explore-grain-1")},
	}
	for i := range e.world {
		e.world[i] = byID("explore-world-" + strconv.Itoa(i))
	}
	e.host = newHost(p, func(m message) { p.heardSearch(m) })
	e.means.text(proof.WaysMean)
	p.press(e.opener, func() { p.toggleExplore() })
	p.press(e.closer, func() { p.closeExplore() })
	p.press(e.start, p.runSearch)
	p.press(e.cancel, p.cancelSearch)
	for i, g := range e.grain {
		p.press(g, func() {
			e.whole = i == 1
			e.grain[0].attribute("aria-pressed", yes(i == 0))
			e.grain[1].attribute("aria-pressed", yes(i == 1))
		})
	}
	p.on(e.ways.Underlying(), "change", func(js.Value) { p.switchWays() })
	p.on(e.results.Underlying(), "click", func(event js.Value) {
		if text, ok := closest(event, "data-load"); ok {
			p.loadSchedule(text)
		}
	})
	p.showSearch()
}

// toggleExplore opens or closes the panel, where the page has one.
func (p *page) toggleExplore() bool {
	e := &p.explore
	if e.panel.absent {
		return false
	}
	if e.open {
		return p.closeExplore()
	}
	e.open = true
	p.showExplore()
	e.host.start() // it is ready by the time that the reader presses Run
	e.start.Focus()
	p.lookAround()
	return true
}

// closeExplore closes the panel and gives the memory of the search back, unless the ways
// left are shown. It tells whether the panel was open.
func (p *page) closeExplore() bool {
	e := &p.explore
	if !e.open {
		return false
	}
	e.open = false
	if !e.showing {
		p.dropSearch()
	}
	p.showExplore()
	e.opener.Focus()
	return true
}

func (p *page) showExplore() {
	e := &p.explore
	e.panel.show(e.open)
	p.root.attribute("data-explore", either(e.open, "open", "shut"))
	e.opener.attribute("aria-expanded", yes(e.open))
}

// dropSearch ends the search. The answers stay to be read; what needs it is emptied.
func (p *page) dropSearch() {
	e := &p.explore
	e.host.end()
	if e.running {
		e.claims = nil
	}
	e.running, e.answered, e.waiting = false, false, 0
	p.showSearch()
}

// leaveSearch forgets what was found about another scenario or other rules.
func (p *page) leaveSearch() {
	e := &p.explore
	e.number++
	p.dropSearch()
	p.clearResults()
	e.says.text("")
	p.clearWays()
	two := len(p.now.run.Models) == worlds.Limit
	e.world[1].show(two)
	e.results.class(either(two, "explore-results", "explore-results one"))
	if e.showing {
		p.runSearch()
	}
}

func (p *page) clearResults() {
	e := &p.explore
	e.claims, e.progress = nil, nil
	for _, w := range e.world {
		w.html("")
	}
}

// runSearch asks about the scenario as it is played.
func (p *page) runSearch() {
	e := &p.explore
	if e.running {
		return
	}
	e.number++
	m := &ask{Number: e.number, Whole: e.whole, States: p.chosen(e.states), Seconds: p.chosen(e.seconds)}
	var list []scenario.Scenario
	for i, model := range p.now.run.Models {
		list = append(list, scenario.Scenario{ID: p.now.run.Names[i], Setup: model.Config})
	}
	m.Worlds = compact.Encode(list)
	if e.last.Get("checked").Bool() {
		m.Last = runLast(p.now.run.Models[0])
	}
	e.host.start()
	if e.host.barred && (m.States == 0 || m.States > pageStates) {
		m.States = pageStates
	}
	e.asked, e.running, e.answered, e.waiting = m, true, false, 0
	p.clearResults()
	p.clearWays()
	e.says.text("")
	p.showSearch()
	e.host.send(m)
}

// runLast names the threads that belong to no worker's call: builder tasks and append.
func runLast(m *coalesce.Model) (names []string) {
	for _, n := range m.Names() {
		if strings.IndexByte("KLP", n[0]) >= 0 {
			names = append(names, n)
		}
	}
	return names
}

func (p *page) chosen(list *element) int {
	n, _ := brief.Int(list.Get("value").String())
	return int(n)
}

func (p *page) cancelSearch() {
	e := &p.explore
	text := "Cancelled."
	if e.progress != nil {
		text = "Cancelled after " + digits(e.progress.States) + " states of " + p.now.run.Names[e.progress.World] + ". Nothing is claimed about the rest."
	}
	e.number++
	p.dropSearch()
	e.says.text(text)
	e.start.Focus()
}

func (p *page) heardSearch(m message) {
	e := &p.explore
	switch m := m.(type) {
	case *progress:
		if m.Number == e.number {
			e.progress = m
			p.showSearch()
		}
	case *found:
		if m.Number == e.number {
			p.heardFound(m)
		}
	case *failed:
		if m.Number == e.number || m.Number < 0 && e.running {
			p.dropSearch()
			e.says.text("The search could not run: " + m.Why)
		}
	case *ways:
		if m.Number == e.number {
			p.heardWays(m)
		}
	}
}

func (p *page) heardFound(m *found) {
	e := &p.explore
	e.world[m.World].html(m.Markup)
	e.claims = append(e.claims, "With "+p.now.run.Names[m.World]+", "+m.Claim)
	if !m.Last {
		return
	}
	e.running, e.answered = false, true
	e.says.text(strings.Join(e.claims, ". ") + ".")
	p.showSearch()
	p.lookAround()
}

// showSearch writes how far the search is.
func (p *page) showSearch() {
	e := &p.explore
	e.start.disable(e.running)
	e.cancel.disable(!e.running)
	e.start.text(either(e.claims != nil, "Run again", "Run"))
	e.bar.show(e.running)
	text := ""
	switch {
	case e.running && e.progress == nil:
		text = "Searching …"
	case e.running:
		q := e.progress
		text = p.now.run.Names[q.World] + ": at least " + digits(q.States) + " states and " + digits(q.Transitions) + " transitions so far, depth " + strconv.Itoa(q.Depth) + ", " +
			digits(q.Frontier) + " still to expand, " + digits(q.PerSecond) + " states/s"
		if q.Phase != "search" {
			text = p.now.run.Names[q.World] + ": " + digits(q.States) + " states, counting schedules"
		}
		e.bar.Set("value", 100*(q.States-q.Frontier)/max(q.States, 1))
	}
	if e.host.barred {
		text = strings.TrimSpace("No Worker can be started here, so the search runs on this page, between its other work, up to " + digits(pageStates) + " states of a world. " + text)
	}
	e.count.text(text)
}

// loadSchedule plays a schedule that the search found. What was tried before stays as a branch.
func (p *page) loadSchedule(text string) {
	letters, err := schedule.Parse(text)
	if err == nil {
		p.move(func() error { return p.now.play(letters, len(letters)) })
		p.explore.now.text(p.frame.StepNo + " of " + text + " is loaded. Close this panel to see it: Esc.")
		return
	}
	p.say(err.Error())
}

func (p *page) switchWays() {
	e := &p.explore
	e.showing = e.ways.Get("checked").Bool()
	p.root.attribute("data-ways", yes(e.showing))
	p.clearWays()
	switch {
	case e.showing && !e.answered && !e.running:
		p.runSearch()
	case !e.showing && !e.open:
		p.dropSearch()
	}
	p.lookAround()
}

// followExplore is called after every step: what is about another moment goes at once.
func (p *page) followExplore() {
	e := &p.explore
	if e.open {
		e.now.text(p.frame.StepNo + ": " + p.frame.SaysPlain)
	}
	if at := schedule.Print(p.now.upTo()); at != e.at || e.tag == 0 {
		e.at = at
		e.tag++
		p.clearWays()
		p.lookAround()
	}
}

// lookAround asks for the ways left and the path, one question at a time.
func (p *page) lookAround() {
	e := &p.explore
	if !e.answered || e.waiting != 0 || !e.open && !e.showing {
		return
	}
	e.waiting = e.tag
	e.host.send(&query{Number: e.number, Tag: e.tag, Letters: p.now.upTo()})
}

func (p *page) heardWays(m *ways) {
	e := &p.explore
	e.waiting = 0
	if m.Tag != e.tag {
		p.lookAround()
		return
	}
	for i, w := range m.Worlds {
		number := strconv.Itoa(i)
		if trail := document.Call("getElementById", "trail-"+number); !trail.IsNull() {
			trail.Set("innerHTML", w.Path)
		}
		if here := document.Call("getElementById", "here-"+number); !here.IsNull() {
			here.Set("textContent", w.Here)
		}
	}
	if e.showing {
		p.showWays(m)
	}
}

func (p *page) clearWays() {
	for i := range p.threads {
		t := &p.threads[i]
		t.ways.html("")
		t.dock.attribute("data-ways", "")
		t.step.attribute("aria-describedby", "reason-"+t.name)
		t.dock.attribute("aria-describedby", "reason-"+t.name)
	}
}

// showWays writes the ways left under each Step button: one line, or one for each world
// where they differ.
func (p *page) showWays(m *ways) {
	for i := range p.threads {
		t := &p.threads[i]
		var lines, exact, short []string
		same := len(m.Worlds) == len(p.now.run.Names)
		for w, in := range m.Worlds {
			text := ""
			for _, of := range in.Threads {
				if of.Name == t.name {
					text = of.Text
					lines = append(lines, `<code>`+escape(p.now.run.Names[w])+`</code> `+escape(of.Text))
					if _, lose, _ := strings.Cut(of.Text, ", "); len(short) == 0 || short[len(short)-1] != lose {
						short = append(short, lose)
					}
					exact = append(exact, p.now.run.Names[w]+": "+of.Exact)
				}
			}
			same = same && text != "" && strings.HasSuffix(lines[0], "</code> "+escape(text))
		}
		if same {
			_, text, _ := strings.Cut(lines[0], "</code> ")
			lines = []string{text}
		}
		if p.explore.asked.Whole && len(lines) > 0 {
			lines[0] = "after the whole call: " + lines[0]
		}
		t.ways.html(strings.Join(lines, "<br>"))
		if len(lines) > 0 {
			t.ways.attribute("title", strings.Join(exact, "; ")+". "+proof.WaysMean)
			t.dock.attribute("data-ways", strings.Join(short, "\n")) // the dock has room for what is lost only
			means := "reason-" + t.name + " ways-" + t.name + " ways-means"
			t.step.attribute("aria-describedby", means)
			t.dock.attribute("aria-describedby", means)
		}
	}
}

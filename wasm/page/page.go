//go:build js

package main

import (
	"strings"
	"syscall/js"

	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
)

// firstLesson is what the bare address opens.
const firstLesson = "sweep"

// page is the playground on screen.
type page struct {
	root    *element
	el      elements
	panels  []panel
	threads []threadCard

	switches *session            // whose rules are in the switches
	sessions map[string]*session // those opened so far, so that changing scenario loses nothing
	now      *session
	frame    view.Frame // as it is on screen

	address address
	explore explorer
	lesson  lessonPanel
	player  player
	terms   terms
	embed   *embed          // what an embed has besides; nil on the full page
	good    string          // fragment of the last moment that was shown without a panic
	trying  string          // thread that is being stepped, for the card
	opening string          // fragment that is being opened, for the card
	letters bool            // letter keys step threads
	starts  bool            // the start is not over: no event acts yet
	alone   bool            // not embedded: keys act also while nothing has the focus
	unfold  bool            // every panel is open
	opened  map[string]bool // rows of the rules and the meter that the reader opened or closed
}

func newPage() *page {
	fillEmbed()
	window := js.Global()
	p := &page{
		root: byID("playground"), el: findElements(), panels: findPanels(),
		sessions: map[string]*session{}, opened: map[string]bool{}, letters: true, starts: true, alone: window.Get("parent").Equal(window),
	}
	p.beEmbed()
	p.listen()
	return p
}

// start shows what the address asks for, or the first lesson with a message.
func (p *page) start() {
	p.breathe()
	loadLessons()
	p.fillMenu()
	p.breathe()
	if fragment := p.address.read(); fragment == "" {
		p.openLesson(p.firstLesson())
	} else if err := p.openFragment(fragment); err != nil {
		p.openLesson(p.firstLesson())
		p.sayLink(err)
	}
	byID("cover").show(false)
	byID("app").show(true)
	p.el.pick.show(true)
	p.el.tools.show(true)
	p.el.skip.show(true)
	p.root.SetAttribute("data-state", "running")
	p.embed.start(p)
}

// breathe lets the browser draw and scroll between the parts of the start, which in one
// piece would hold up a slow phone. After the start, whose goroutine alone can wait, it
// does nothing.
func (p *page) breathe() {
	if !p.starts {
		return
	}
	breathed := make(chan struct{})
	f := js.FuncOf(func(js.Value, []js.Value) any { close(breathed); return nil })
	defer f.Release()
	js.Global().Call("setTimeout", f, 0)
	<-breathed
}

// listen attaches every listener, once.
func (p *page) listen() {
	p.listenThreads()
	p.listenTransport()
	p.listenEntry()
	p.listenKeys()
	p.listenTerms()
	p.listenHelp()
	p.listenAddress()
	p.listenCard()
	p.listenMenu()
	p.findExplorer()
	p.listenRows()
	p.listenData()
	p.listenLesson()
	p.listenOpen()
	p.listenSwitches()
	p.press(p.el.skip, p.focusSteps)
	p.press(byID("theme"), p.nextTheme)
	p.press(p.el.unfold, func() { p.unfold = !p.unfold; p.foldPanels() })
}

// openLesson opens a built-in scenario where it was left, or at its start.
func (p *page) openLesson(id string) {
	if own := p.sessions[""]; id == "" && own != nil {
		p.enter(own)
		return
	}
	s, err := find(id)
	if err == nil {
		err = p.openScenario(s, nil)
	}
	if err != nil {
		p.say(err.Error())
	}
}

func (p *page) openScenario(s scenario.Scenario, rules []schedule.Rule) error {
	opened, ok := p.sessions[key(s.ID, rules)]
	if !ok {
		var err error
		if opened, err = open(s, rules); err != nil {
			return err
		}
		p.sessions[opened.key()] = opened
	}
	p.enter(opened)
	return nil
}

// openFragment goes to the moment that a link describes. On an error nothing has changed.
func (p *page) openFragment(text string) error {
	p.opening = text
	err := p.openLink(text)
	p.opening = ""
	return err
}

func (p *page) openLink(text string) error {
	f, err := schedule.ParseFragment(text)
	if err != nil {
		return inWords(err)
	}
	s, err := find(f.Scenario)
	if err != nil {
		return err
	}
	if strings.HasSuffix(text, "/") { // no moment: the lesson as such
		return p.openScenario(s, f.Rules)
	}
	opened, ok := p.sessions[key(s.ID, f.Rules)]
	if !ok {
		if opened, err = open(s, f.Rules); err != nil {
			return err
		}
	}
	if err := opened.play(f.Letters, f.Cursor); err != nil {
		return err
	}
	p.sessions[opened.key()] = opened
	p.enter(opened)
	return nil
}

// enter puts a session on screen.
func (p *page) enter(s *session) {
	if p.starts {
		p.breathe()
		s.view.Frame(s.run, s.grain) // compiles what paint needs, and keeps its sentences
		p.breathe()
	}
	p.player.stop(p)
	changed := p.now != s
	p.now = s
	if changed {
		p.buildThreads()
		p.showLesson()
		p.el.switched.text("")
		p.leaveSearch()
		p.breathe()
	}
	p.clearMessage()
	p.paint()
}

// move changes the moment that is shown. An error is shown instead, as it is.
func (p *page) move(do func() error) {
	p.player.stop(p)
	p.jump(do)
}

// jump is move without stopping what plays.
func (p *page) jump(do func() error) {
	p.clearMessage()
	p.el.ran.text("")
	if err := do(); err != nil {
		p.say(err.Error())
		return
	}
	p.paint()
	p.address.moved()
}

// step steps a thread by one unit of the grain.
func (p *page) step(name string, grain worlds.Grain) {
	t, ok := p.now.run.Models[0].ByName(name)
	if !ok {
		return
	}
	for i := range p.frame.Threads {
		if c := &p.frame.Threads[i]; c.Name == name && c.Disabled {
			p.el.ran.text(name + " is blocked: " + c.Reason)
			return
		}
	}
	p.trying = name // not reset by a panic: the card names it
	p.move(func() error {
		letters, why, err := p.now.run.Do(t, grain)
		if err == nil && (letters > 1 || why != "") {
			p.tellUnit(name, letters, why)
		}
		return err
	})
	p.trying = ""
}

//go:build js

package main

import (
	"slices"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
)

// elements are those of static/index.html that every scenario shares.
type elements struct {
	stepNo, says, ran, broken, why, note, explain, seam, rules, meter, strip, steps, asText, branches, schedule *element
	worlds                                                                                                      *element
	world                                                                                                       [worlds.Limit]world
	lessonTitle, lessonText, goal, goalRow, changed, changedRow                                                 *element
	suggest, suggestAct, suggestKey, suggestRow, begin                                                          *element
	grain                                                                                                       [3]*element
	first, back, play, forward, last, rest, speed, slider                                                       *element
	dock, dockBack, dockPlay, dockThreads, cards, threads                                                       *element
	copy, copied, entry, entryRun, entryError, link                                                             *element
	scenario, scenarioBack, scenarioNext, pick, tools, unfold                                                   *element
	message, messageText, linkSaid, skip, switches, switched                                                    *element
}

// world holds the elements of one world's panels.
type world struct{ frame, head, badge, registry, scene, blobs, shard, sink, reader *element }

// panel is a part of the page that a scenario may fold.
type panel struct {
	name    scenario.Panel
	element *element
}

func findElements() elements {
	e := elements{
		stepNo: byID("step-no"), says: byID("says"), ran: byID("ran"), broken: byID("broken"), why: byID("why"), note: byID("note"), explain: byID("explain"),
		seam: byID("seam"), rules: byID("rules"), meter: byID("meter"), strip: byID("strip"), steps: byID("steps"), asText: byID("as-text"), branches: byID("branches"),
		schedule: byID("schedule"), worlds: byID("worlds"),
		lessonTitle: byID("lesson-title"), lessonText: byID("lesson-text"), goal: byID("goal"), goalRow: byID("goal-row"), changed: byID("changed"), changedRow: byID("changed-row"),
		suggest: byID("suggest"), suggestAct: byID("suggest-act"), suggestKey: byID("suggest-key"), suggestRow: byID("suggest-row"), begin: byID("begin"),
		first: byID("first"), back: byID("back"), play: byID("play"), forward: byID("forward"), last: byID("last"),
		rest: byID("rest"), speed: byID("speed"), slider: byID("slider"),
		dock: byID("dock"), dockBack: byID("dock-back"), dockPlay: byID("dock-play"), dockThreads: byID("dock-threads"), cards: byID("cards"), threads: byID("threads"),
		copy: byID("copy"), copied: byID("copied"), entry: byID("entry"), entryRun: byID("entry-run"), entryError: byID("entry-error"), link: byID("link"),
		scenario: byID("scenario"), scenarioBack: byID("scenario-back"), scenarioNext: byID("scenario-next"), pick: byID("pick"), tools: byID("tools"),
		unfold: byID("unfold"), message: byID("message"), messageText: byID("message-text"), linkSaid: byID("link-said"), skip: byID("skip"), switches: byID("switches"), switched: byID("switched"),
	}
	for i := range e.world {
		id := "world-" + strconv.Itoa(i)
		e.world[i] = world{byID(id), byID(id + "-head"), byID(id + "-badge"), byID(id + "-registry"), byID(id + "-scene"), byID(id + "-blobs"), byID(id + "-shard"), byID(id + "-sink"), byID(id + "-reader")}
	}
	for i := range e.grain {
		e.grain[i] = byID("grain-" + strconv.Itoa(i))
	}
	return e
}

func findPanels() []panel {
	list := []panel{{scenario.PanelRules, byID("rules")}, {scenario.PanelMeter, byID("meter")}}
	for i := range worlds.Limit {
		id := "world-" + strconv.Itoa(i) + "-"
		for _, name := range []scenario.Panel{scenario.PanelRegistry, scenario.PanelBlobs, scenario.PanelShard, scenario.PanelSink, scenario.PanelReader} {
			list = append(list, panel{name, byID(id + string(name))})
		}
	}
	return list
}

// showLesson writes what belongs to the scenario and not to the moment.
func (p *page) showLesson() {
	s := &p.now.lesson
	p.el.lessonTitle.html(string(view.Inline(s.Title)))
	p.el.lessonText.html(string(view.Prose(s.Text)))
	p.el.goal.html(string(view.Inline(strings.TrimSpace(s.Goal))))
	p.el.goalRow.show(s.Goal != "")
	p.el.changed.text(strings.TrimPrefix(p.now.key(), s.ID+";"))
	p.el.changedRow.show(len(p.now.rules) > 0)
	document.Set("title", s.Title+" – Shared Batches Playground")
	p.el.scenario.Set("value", s.ID)
	two := len(p.now.run.Models) == worlds.Limit
	p.el.world[1].frame.show(two)
	p.el.seam.show(two)
	if two {
		p.el.worlds.class("worlds")
	} else {
		p.el.worlds.class("worlds one")
	}
	p.showGrain()
	p.foldPanels()
	p.showMenu()
}

// opens tells whether the lesson shows a panel without being asked.
func (p *page) opens(name scenario.Panel) bool {
	if name == scenario.PanelSink {
		for _, model := range p.now.run.Models {
			if model.Whole == coalesce.WholeSink {
				return true
			}
		}
	}
	return slices.Contains(p.now.lesson.Panels, name)
}

// foldPanels shows the panels that the scenario opens, or all of them. On a phone
// the style sheet keeps those of the worlds behind the same button, but for the blobs where
// they lead the list.
func (p *page) foldPanels() {
	// Where the lesson folds nothing, only a phone has something to unfold. The sink may
	// have nothing to say, and without a reader nothing is downstream.
	folds := false
	for _, panel := range p.panels {
		open := p.opens(panel.name)
		panel.element.show(p.unfold || open)
		folds = folds || !open && panel.name != scenario.PanelSink && (panel.name != scenario.PanelReader || p.now.lesson.Reader.Key != "")
	}
	p.root.attribute("data-panels", either(p.unfold, "all", "lesson"))
	p.root.attribute("data-folds", yes(folds))
	lead := "" // the panel that a phone shows too
	if list := p.now.lesson.Panels; len(list) > 0 {
		lead = string(list[0])
	}
	p.root.attribute("data-lead", lead)
	p.el.unfold.attribute("aria-expanded", yes(p.unfold))
	p.el.unfold.text(either(p.unfold, "Show less", "Show everything"))
}

func (p *page) showGrain() {
	for i, e := range p.el.grain {
		e.attribute("aria-pressed", yes(int(p.now.grain) == i))
	}
}

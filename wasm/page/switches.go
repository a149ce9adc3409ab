//go:build js

package main

import (
	"strings"
	"syscall/js"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/view"
)

// ruleWords is the key of a rule in words.
func ruleWords(key string) string {
	switch key {
	case "probe":
		return "A sweep asks with"
	case "finish":
		return "A finish takes the batch by"
	case "sink":
		return "Shown of the sink"
	}
	return strings.ToUpper(key[:1]) + key[1:]
}

// paintSwitches writes a select for each rule, once for each session.
func (p *page) paintSwitches(list []view.Switch) {
	if p.switches == p.now {
		return
	}
	p.switches = p.now
	text := ""
	write := func(parts ...string) { text += strings.Join(parts, "") }
	for i := range list {
		s := &list[i]
		says := ""
		write(`<p><label for="switch-`, s.Key, `">`, ruleWords(s.Key), `</label><select class="button" id="switch-`, s.Key, `" data-switch="`, s.Key, `" aria-describedby="switched-`, s.Key, `">`)
		option := func(value, label string, chosen bool) {
			selected := ""
			if chosen {
				selected = " selected"
			}
			write(`<option value="`, value, `"`, selected, `>`, label, `</option>`)
		}
		if own, _ := p.now.ownValue(s.Key); strings.Contains(own, " ") {
			option(own, own, !s.Same)
		}
		for k, value := range s.Values {
			label := value
			if s.Broken[k] {
				label += " (broken)"
			}
			if s.Value == value && s.Same {
				says = s.Says[k]
			}
			option(value, label, s.Value == value && s.Same)
		}
		write(`</select><small id="switched-`, s.Key, `">`, string(view.Inline(says)), p.flags(s), `</small></p>`)
	}
	p.el.switches.html(text)
}

// flags is the mode as the flags of the original that render to it, of each world if
// they differ.
func (p *page) flags(s *view.Switch) (text string) {
	if s.Key != "mode" {
		return ""
	}
	for i, m := range p.now.run.Models {
		if i > 0 && s.Same {
			break
		}
		name := ""
		if !s.Same {
			name = p.now.run.Names[i] + ":\n"
		}
		// The other names begin with the first one, and there is little room.
		text += `<code class="flags">` + name + strings.ReplaceAll(m.Mode.Flags().String(), coalesce.FlagSync+"_", "…_") + `</code>`
	}
	return text
}

func (p *page) listenSwitches() {
	p.on(p.el.switches.Underlying(), "change", func(event js.Value) {
		if key, ok := closest(event, "data-switch"); ok {
			p.changeRule(key, event.Get("target").Get("value").String())
		}
	})
}

// changeRule opens the same scenario with a rule changed and replays what was played.
// What the core refuses changes nothing.
func (p *page) changeRule(key, value string) {
	before, text := p.now, ""
	rules, err := before.with(key, value)
	if err == nil {
		p.player.stop(p)
		if p.good != "" {
			p.address.flush(p)
		}
		text, err = p.openChanged(before, rules)
	}
	if err != nil {
		text = err.Error()
		p.switches = nil
		p.el.switches.written["html"] = ""
		p.paintSwitches(p.frame.Switches)
	} else {
		p.address.newEntry(p)
	}
	p.el.switched.text(text)
	if hasFocus() {
		byID("switch-" + key).Call("focus")
	}
}

func (p *page) openChanged(before *session, rules []schedule.Rule) (string, error) {
	opened := p.sessions[key(before.own.ID, rules)]
	if opened == nil || opened.yaml != before.yaml { // of another file of the reader’s
		var err error
		if opened, err = open(before.own, rules); err != nil {
			return "", err
		}
		opened.yaml = before.yaml
	}
	opened.grain = before.grain
	text, err := opened.replay(before)
	if err == nil {
		p.sessions[opened.key()] = opened
		p.enter(opened)
	}
	return text, err
}

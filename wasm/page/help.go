//go:build js

package main

import (
	"strings"
	"syscall/js"

	"sharedbatches/core/view"
)

func (p *page) listenHelp() {
	p.press(byID("help-open"), func() { p.openHelp() })
	help := byID("help")
	p.press(byID("help-close"), func() { help.Call("close") })
	switched := byID("letters")
	p.on(switched.Underlying(), "change", func(js.Value) { p.letters = switched.Get("checked").Bool() })
}

// openHelp shows the keys and the words, where the page has them. The list of words is made when it is first asked for.
func (p *page) openHelp() bool {
	if byID("help").absent {
		return false
	}
	var words strings.Builder
	for _, key := range view.TermKeys() {
		words.WriteString("<dt>" + escape(key) + "</dt><dd>" + escape(view.Term(key)) + "</dd>")
	}
	p.terms.close()
	byID("words").html(words.String())
	byID("help").Call("showModal")
	return true
}

// helpIsOpen tells whether that or another dialog has the keys.
func (p *page) helpIsOpen() bool { return !document.Call("querySelector", "dialog[open]").IsNull() }

// themes are the values of data-theme, in the order in which the button goes through them.
var themes = []string{"auto", "light", "dark"}

// nextTheme changes the theme. It is not stored: the page stores nothing.
func (p *page) nextTheme() {
	root := wrap(document.Get("documentElement"))
	now := root.GetAttribute("data-theme")
	next := themes[0]
	for i, t := range themes {
		if t == now {
			next = themes[(i+1)%len(themes)]
		}
	}
	root.SetAttribute("data-theme", next)
	byID("theme").SetAttribute("aria-label", "Theme: "+next)
	byID("theme-name").SetTextContent(next)
}

//go:build js

// Command page is the DOM side of the playground. It writes what core/view makes
// into the elements of static/index.html and turns clicks and keys into steps; it
// decides nothing about the mechanism and words nothing that happens in it.
//
// Every element is looked up once. A move writes only the strings that changed since
// they were last written, creates no element by itself and asks for no layout.
package main

func main() {
	p := newPage()
	p.guard(p.start)
	p.starts = false
	p.guard(p.followAddress) // a link that was followed meanwhile
	select {}                // events do the rest
}

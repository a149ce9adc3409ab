package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	for markup, want := range map[string][]string{
		``:                               nil,
		`<a/>`:                           {`<a/>`},
		`<g><a/>x</g><b c="1"/>`:         {`<g><a/>x</g>`, `<b c="1"/>`},
		`<g><g><a/></g></g><t>1 2</t>`:   {`<g><g><a/></g></g>`, `<t>1 2</t>`},
		`<svg a="1"><g></g></svg><svg/>`: {`<svg a="1"><g></g></svg>`, `<svg/>`},
	} {
		if got, ok := parts(markup); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", markup, got, ok, want)
		}
	}
	for _, markup := range []string{`x`, `<a/>x`, `<a/> <b/>`, `<g>`, `<g>x`, `</g>`, `<g></g></g>`, `<`} {
		if got, ok := parts(markup); ok {
			t.Errorf("%s: %q, want none", markup, got)
		}
	}
}

// apply does to markup what paintStrip does to the page.
func apply(t *testing.T, old string, d patch) string {
	t.Helper()
	roots, _ := parts(old)
	for root := range roots {
		tag, in := inside(roots[root])
		for _, a := range d.attributes {
			if a.root == root {
				before, rest, _ := strings.Cut(tag, " "+a.name+`="`)
				_, rest, _ = strings.Cut(rest, `"`)
				tag = before + " " + a.name + `="` + a.value + `"` + rest
			}
		}
		kids, _ := parts(in)
		for _, c := range d.children {
			if c.root == root {
				kids[c.index] = c.markup
			}
		}
		roots[root] = tag + strings.Join(kids, "") + "</" + strings.Trim(strings.SplitN(tag, " ", 2)[0], "<>/") + ">"
	}
	return strings.Join(roots, "")
}

// TestDifference turns every timeline of every lesson into the next one, and holds that
// the patch gives exactly what would have been written whole.
func TestDifference(t *testing.T) {
	patched, all := 0, 0
	for _, s := range lessons {
		p := begin(t, s.ID)
		last := ""
		for step := range p.run.Len() + 1 {
			if err := p.run.Jump(step); err != nil {
				t.Fatal(err)
			}
			now := string(p.view.Frame(p.run, p.grain).Timeline)
			if d, ok := difference(last, now); ok {
				patched++
				if got := apply(t, last, d); got != now {
					t.Fatalf("%s: step %d: patched:\n%s\nwant:\n%s", s.ID, step, got, now)
				}
			}
			all++
			last = now
		}
	}
	if patched < all*3/4 {
		t.Errorf("only %d of %d timelines could be patched", patched, all)
	}
}

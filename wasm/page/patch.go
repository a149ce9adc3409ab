package main

import "strings"

// A drawing that is written anew costs its whole length, and the timeline is long. From
// one step to the next only a few of its parts differ, so those are written alone.

// parts splits markup into its outermost elements. ok is false when there is anything
// else at that level, which parts could not put back in its place. The markup is that of
// core/view: every element is closed, and < and > stand only in tags.
func parts(markup string) (list []string, ok bool) {
	depth, start := 0, 0
	for at := 0; at < len(markup); {
		if markup[at] != '<' {
			if depth == 0 {
				return nil, false
			}
			next := strings.IndexByte(markup[at:], '<')
			if next < 0 {
				return nil, false
			}
			at += next
		}
		end := strings.IndexByte(markup[at:], '>')
		if end < 2 {
			return nil, false
		}
		end += at
		switch {
		case markup[at+1] == '/':
			depth--
		case markup[end-1] != '/':
			if depth == 0 {
				start = at
			}
			depth++
		case depth == 0:
			start = at
		}
		at = end + 1
		if depth < 0 {
			return nil, false
		}
		if depth == 0 {
			list = append(list, markup[start:at])
		}
	}
	return list, depth == 0
}

// inside splits one element into its tag and the markup inside it.
func inside(element string) (tag, markup string) {
	open := strings.IndexByte(element, '>') + 1
	if shut := strings.LastIndexByte(element, '<'); shut >= open {
		return element[:open], element[open:shut]
	}
	return element, ""
}

// patch is how to turn one drawing into another: which children of its outermost elements
// to replace, and which attributes of those elements to set.
type patch struct {
	attributes []attribute
	children   []child
}

type attribute struct {
	root        int
	name, value string
}

type child struct {
	root, index int
	markup      string
}

// difference compares two drawings. ok is false when they are built differently; then
// the whole has to be written.
func difference(old, new string) (d patch, ok bool) {
	before, ok1 := parts(old)
	after, ok2 := parts(new)
	if !ok1 || !ok2 || len(before) != len(after) {
		return patch{}, false
	}
	for root := range after {
		if before[root] == after[root] {
			continue
		}
		oldTag, oldInside := inside(before[root])
		newTag, newInside := inside(after[root])
		if !d.compareTags(root, oldTag, newTag) {
			return patch{}, false
		}
		olds, ok1 := parts(oldInside)
		news, ok2 := parts(newInside)
		if !ok1 || !ok2 || len(olds) != len(news) {
			return patch{}, false
		}
		for i := range news {
			if olds[i] != news[i] {
				d.children = append(d.children, child{root, i, news[i]})
			}
		}
	}
	return d, true
}

// compareTags notes the attributes that differ. The tags must have the same ones.
func (d *patch) compareTags(root int, old, new string) bool {
	olds, news := strings.Split(old, `"`), strings.Split(new, `"`)
	if len(olds) != len(news) {
		return false
	}
	for i := range news {
		switch {
		case olds[i] == news[i]:
		case i%2 == 0: // a name, not a value
			return false
		case strings.Contains(news[i], "&"): // an escaped value, which setAttribute takes unescaped
			return false
		default:
			name := strings.TrimSuffix(news[i-1], "=")
			d.attributes = append(d.attributes, attribute{root, name[strings.LastIndexByte(name, ' ')+1:], news[i]})
		}
	}
	return true
}

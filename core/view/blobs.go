package view

import "sharedbatches/core/coalesce"

// blobs lists the objects of the blob store and says in words who refers to each.
func (v *View) blobs(m moment, world int) HTML {
	var o out
	model, s := v.w.Models[world], &m.Sides[world].State
	objects, stop := model.List(s), world == 0
	o.fill(`<div class="part-head"><b>$</b><span>`, termSpan("blob", "Blob store", stop))
	if len(objects) == 0 {
		o.put("no objects")
	} else {
		o.fill("$ from $", count(len(objects), "object", "objects"), termSpan("put", count(int(s.Puts), "PUT", "PUTs"), stop))
	}
	o.put(`</span></div><div class="objects">`)
	for _, b := range objects {
		class, word := "object flight", "in flight"
		switch b.Status {
		case coalesce.Referenced:
			class, word = "object used", "in "+span(model.Interval(b.Sink, b.N))
		case coalesce.Leaked:
			class, word = "object leak", "leaked: nobody refers to it"
		}
		o.fill(`<button type="button" class="$" data-open="blob:~"><b>~</b> $, $ · <b>$</b></button>`, class, b.Key, b.Key, size(b.Bytes), count(b.Updates, "update", "updates"), word)
	}
	if len(objects) == 0 {
		o.put(`<span class="object none">nothing is uploaded yet</span>`)
	}
	o.put(`</div>`)
	return o.html()
}

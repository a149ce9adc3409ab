package view

import "sharedbatches/core/coalesce"

// blobs lists the objects of the blob store and says in words who refers to each. Inline
// parts stand below them: they are in the shard’s metadata and have no key.
func (v *View) blobs(m moment, world int) HTML {
	var o out
	model, s := v.w.Models[world], &m.Sides[world].State
	objects, stop := len(model.List(s)), world == 0
	o.fill(`<div class="part-head"><b>$</b><span>`, termSpan("blob", "Blob store", stop))
	if objects == 0 {
		o.put("no objects")
	} else {
		o.fill("$ from $", count(objects, "object", "objects"), termSpan("put", count(int(s.Puts), "PUT", "PUTs"), stop))
	}
	o.put(`</span></div><div class="objects">`)
	none, whole := true, model.Persist == coalesce.WholePersist
	var inline out
	for _, b := range model.Pieces(s) {
		class, word, closed, diff := "flight", "in flight", "", ""
		switch b.Status {
		case coalesce.Uploading, coalesce.Deleted:
			if !whole {
				continue
			}
			word, closed = b.Status.String(), " disabled"
		case coalesce.Referenced:
			class, word = "used", "in "+span(model.Interval(b.Sink, b.N))
		case coalesce.Leaked:
			class, word = "leak", "leaked: nobody refers to it"
		}
		if whole {
			diff = ", state diff " + size(b.DiffBytes())
		}
		to, name := &o, b.Key
		if b.Inline {
			to, name = &inline, filled("inline part $ of $", itoa(b.Flush+1), model.Name(b.Spawner))
		} else {
			none = false
		}
		to.fill(`<button type="button" class="object $" data-open="blob:~"$><b>~</b> $, $$ · <b>$</b></button>`, class, b.Key, closed, name, size(b.Bytes), count(b.Updates, "update", "updates"), diff, word)
	}
	if none && inline.Len() == 0 {
		o.put(`<span class="object none">nothing is uploaded yet</span>`)
	}
	o.put(`</div>`)
	if inline.Len() > 0 {
		o.fill(`<div class="part-head inline"><b>$</b><span>no object, no PUT</span></div><div class="objects">$</div>`, v.mark("Inline, in the shard’s metadata", allNoStop), inline.String())
	}
	return o.html()
}

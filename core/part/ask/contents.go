package ask

import (
	"encoding/json"
	"fmt"

	"sharedbatches/core/coalesce"
)

// Contents is all that can be opened at a moment.
type Contents struct {
	Groups []Group `json:"groups"`
}

// Group is the things of one kind.
type Group struct {
	Name  string `json:"name"`
	Says  string `json:"says"` // what stands here when there is none
	Items []Item `json:"items"`
}

// Item is one thing, with what a request opens it by.
type Item struct {
	Name string          `json:"name"`
	Says string          `json:"says"`
	Tone string          `json:"tone"` // an object's status, or ""
	Open json.RawMessage `json:"open"`
}

func item(name, says, tone, open string, args ...any) Item {
	return Item{name, says, tone, json.RawMessage(fmt.Sprintf(open, args...))}
}

func (m *moment) contents() *Contents {
	objects := Group{"Objects in the blob store", "nothing is uploaded yet", []Item{}}
	for _, o := range m.model.Pieces(m.state) {
		if !o.Stored() && !o.Inline {
			continue
		}
		key := o.Key
		says := plural(o.Updates, "update") + ", " + o.Status.String()
		if o.Inline {
			says += ", inline"
		}
		objects.Items = append(objects.Items, item(key, says, o.Status.String(), `{"blob": %q}`, key))
	}
	batches := Group{"Batches in the making", "no batch is in the making", []Item{}}
	for slot := range m.state.Batches {
		b := &m.state.Batches[slot]
		if b.Id == 0 || b.Got|queued(b) == 0 {
			continue
		}
		name := m.model.Name(coalesce.Builder(slot))
		sink, n := coalesce.EntryInterval(int(b.Id - 1))
		says := plural(b.Got.Len(), "part") + " received"
		batches.Items = append(batches.Items, item(fmt.Sprintf("Batch of %s for %s%d", name, m.model.SinkName(sink), n+1), says, "", `{"crate": {"builder": %q, "interval": %d}}`, name, n+1))
		for i, q := range b.Queue[:b.Queued()] {
			if q&coalesce.FinishCommand == 0 {
				batches.Items = append(batches.Items, item(fmt.Sprintf("Slot %d of %s’s channel", i+1, name), fmt.Sprintf("part %d, queued", q-1), "", `{"slot": {"builder": %q, "index": %d}}`, name, i))
			}
		}
	}
	parts := Group{"Parts", "this set-up has no changes", []Item{}}
	for p := range m.model.PartCount() {
		_, task := m.model.Part(p)
		says, tone := m.fate(p)
		parts.Items = append(parts.Items, item(fmt.Sprintf("Part %d of %s", p, m.model.Name(task)), says, tone, `{"part": {"id": %d}}`, p))
	}
	return &Contents{[]Group{objects, batches, parts}}
}

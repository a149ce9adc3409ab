package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sharedbatches/core/part"
)

type blobsCmd struct {
	File  string   `arg:"" help:"A scenario file, or the id of a built-in scenario."`
	Out   string   `help:"The folder to write to; it is made when it is not there." required:"" placeholder:"DIR"`
	Probe string   `help:"Only the world of this probe: upgrade or strong_count." placeholder:"PROBE"`
	Rule  []string `help:"A changed rule, such as mode=barrier." placeholder:"KEY=VALUE"`
}

// blobEntry says what one written file is.
type blobEntry struct {
	File      string `json:"file"`
	World     string `json:"world"`
	Key       string `json:"key"`
	Status    string `json:"status"` // referenced, leaked or in flight
	Sink      string `json:"sink"`
	Thread    string `json:"thread"` // the write task that created the batch
	Lower     int64  `json:"lower"`
	Upper     int64  `json:"upper"`
	Parts     []int  `json:"parts"`
	Updates   int    `json:"updates"`
	Goodbytes int    `json:"goodbytes"`
	Bytes     int    `json:"bytes"`
}

// Run writes the objects of the blob store at the end of the schedule, one folder for
// each world, and index.json, which says what each is.
func (b *blobsCmd) Run(c *console) error {
	s, err := load(b.File)
	if err != nil {
		return err
	}
	if err := rules(s, b.Rule); err != nil {
		return err
	}
	s.Start = 0
	run, err := s.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", b.File, err)
	}
	// A schedule of two worlds has letters that one of them skips, so both are played.
	if b.Probe != "" && !slices.Contains(run.Names, b.Probe) {
		if err := s.Change("probe", b.Probe); err != nil {
			return err
		}
		if run, err = s.Open(); err != nil {
			return fmt.Errorf("%s: %w", b.File, err)
		}
		b.Probe = ""
	}
	run.Last()
	index := []blobEntry{}
	mem := part.NewAllocator()
	for i, m := range run.Models {
		if b.Probe != "" && b.Probe != run.Names[i] {
			continue
		}
		state := &run.Now().Sides[i].State
		var store part.Store
		if err := store.Follow(mem, m, state); err != nil {
			return fmt.Errorf("%s: %s: %w", b.File, run.Names[i], err)
		}
		folder := filepath.Join(b.Out, run.Names[i])
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		for _, o := range m.List(state) {
			data, err := store.Get(o.Key)
			if err != nil {
				return err
			}
			lower, upper := m.Interval(o.Sink, o.N)
			e := blobEntry{
				World: run.Names[i], Key: o.Key, Status: o.Status.String(), Sink: m.SinkName(o.Sink), Thread: m.Name(o.Spawner),
				Lower: lower, Upper: upper, Parts: o.Parts.List(), Updates: o.Updates, Bytes: len(data),
			}
			for _, p := range e.Parts {
				goodbytes, _, err := part.Sizes(mem, m, p)
				if err != nil {
					return err
				}
				e.Goodbytes += goodbytes
			}
			name := strings.ReplaceAll(o.Key, "/", "-") + ".arrow"
			e.File = run.Names[i] + "/" + name
			if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
				return err
			}
			index = append(index, e)
			fmt.Fprintf(c.out, "%-36s %-10s [%d, %d) %d updates, %d bytes\n", e.File, e.Status, lower, upper, e.Updates, e.Bytes)
		}
	}
	text, err := json.MarshalIndent(index, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.Out, "index.json"), append(text, '\n'), 0o644)
}

// Command nodetest writes Arrow files and what must be read from them, for the tests
// beside it that open them with the npm package apache-arrow: every object of every
// scenario in every world, and random parts with nulls, empty strings and Unicode.
//
//	go run ./wasm/data/nodetest DIR
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sharedbatches/core/part"
	"sharedbatches/core/part/row"
	"sharedbatches/core/schedule"
	"sharedbatches/scenarios"
)

// entry is one file. Numbers are strings, because JSON's do not hold an int64.
type entry struct {
	File    string     `json:"file"`
	Columns []column   `json:"columns"` // of the key
	Rows    [][]*value `json:"rows"`    // the key's values, then time and diff
}

type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
}

// value is a cell; a nil one is null.
type value string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: nodetest DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string) error {
	w := &writer{dir: dir}
	if err := w.scenarios(); err != nil {
		return err
	}
	if err := w.random(); err != nil {
		return err
	}
	text, err := json.Marshal(w.list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "expect.json"), text, 0o644)
}

type writer struct {
	dir  string
	list []entry
}

func (w *writer) add(name string, s row.Schema, us []row.Update, file []byte) error {
	e := entry{File: name}
	for _, c := range s {
		e.Columns = append(e.Columns, column{c.Name, c.Type.String(), c.Nullable})
	}
	for _, u := range us {
		var cells []*value
		for _, v := range u.Row {
			cells = append(cells, text(v))
		}
		e.Rows = append(e.Rows, append(cells, text(row.Int(u.Time)), text(row.Int(u.Diff))))
	}
	w.list = append(w.list, e)
	return os.WriteFile(filepath.Join(w.dir, name), file, 0o644)
}

func text(v row.Value) *value {
	var s value
	switch v := v.Any().(type) {
	case nil:
		return nil
	case string:
		s = value(v)
	case int64:
		s = value(strconv.FormatInt(v, 10))
	case bool:
		s = value(strconv.FormatBool(v))
	}
	return &s
}

// scenarios writes the objects that are in the store at each scenario's end, with
// rows that come from the set-up and not from the file.
func (w *writer) scenarios() error {
	list, err := scenarios.All()
	if err != nil {
		return err
	}
	for _, s := range list {
		run, err := s.Open()
		if err != nil {
			return err
		}
		run.Last()
		for i, m := range run.Models {
			state := &run.Now().Sides[i].State
			var store part.Store
			if err := store.Follow(part.NewAllocator(), m, state); err != nil {
				return err
			}
			for _, o := range m.List(state) {
				key := o.Key
				file, err := store.Get(key)
				if err != nil {
					return err
				}
				var us []row.Update
				for _, p := range o.Parts.List() {
					more, err := row.Of(m, p, o.N)
					if err != nil {
						return err
					}
					us = append(us, more...)
				}
				name := fmt.Sprintf("%s-%s-%s.arrow", s.ID, run.Names[i], strings.ReplaceAll(key, "/", "-"))
				if err := w.add(name, row.Key(m, o.Sink), us, file); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// random writes parts of a key with every type, with none, some and all values null.
func (w *writer) random() error {
	s := row.Schema{
		{Name: "text", Type: row.String, Nullable: true},
		{Name: "größe", Type: row.Int64, Nullable: true},
		{Name: "flag", Type: row.Bool, Nullable: true},
		{Name: "key", Type: row.String},
	}
	texts := []string{"", "7", "größe", "日本語 🫖", "\x00", strings.Repeat("long ", 500)}
	r := schedule.NewRandom(1)
	for n := range 60 {
		us := make([]row.Update, 1+r.Pick(200))
		for i := range us {
			cells := row.Row{row.Text(texts[r.Pick(len(texts))]), row.Int(int64(r.Uint64())), row.Flag(r.Pick(2) == 0), row.Text(texts[r.Pick(len(texts))])}
			for c := range 3 {
				if n%3 == 2 || n%3 == 1 && r.Pick(2) == 0 {
					cells[c] = row.Null()
				}
			}
			us[i] = row.Update{Row: cells, Time: int64(r.Uint64()), Diff: int64(r.Uint64())}
		}
		p, err := part.New(part.NewAllocator(), s, us)
		if err != nil {
			return err
		}
		file, err := part.Encode(part.NewAllocator(), p)
		p.Release()
		if err != nil {
			return err
		}
		if err := w.add(fmt.Sprintf("random-%02d.arrow", n), s, us, file); err != nil {
			return err
		}
	}
	return nil
}

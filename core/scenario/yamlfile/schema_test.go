package yamlfile_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"sharedbatches/core/scenario/yamlfile"
)

const schemaFile = "scenario.schema.json"

type object = map[string]any

func schemaText(t testing.TB) object {
	t.Helper()
	var schema object
	d := json.NewDecoder(strings.NewReader(read(t, schemaFile)))
	d.UseNumber() // a float64 is too short for the largest time
	if err := d.Decode(&schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

func compile(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, schemaFile)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaFile, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaFile) // holds it to the 2020-12 meta-schema
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON turns YAML into what a schema is asked about; ok is false for no YAML.
func asJSON(t testing.TB, text string) (value any, ok bool) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return nil, false
	}
	encoded, err := json.Marshal(stringKeys(value))
	if err != nil {
		return nil, false
	}
	if value, err = jsonschema.UnmarshalJSON(strings.NewReader(string(encoded))); err != nil {
		t.Fatal(err)
	}
	return value, true
}

func stringKeys(value any) any {
	switch v := value.(type) {
	case object:
		for k := range v {
			v[k] = stringKeys(v[k])
		}
	case map[any]any:
		out := object{}
		for k := range v {
			out[fmt.Sprint(k)] = stringKeys(v[k])
		}
		return out
	case []any:
		for i := range v {
			v[i] = stringKeys(v[i])
		}
	}
	return value
}

// TestSchemaAccepts: every file that ships, and the one that uses every key.
func TestSchemaAccepts(t *testing.T) {
	schema := compile(t)
	texts := map[string]string{"classroom/template.yaml": read(t, "classroom/template.yaml"), "full": full}
	shipped, err := filepath.Glob(scenarios + "*.yaml")
	if err != nil || len(shipped) == 0 {
		t.Fatal("no scenario ships", err)
	}
	for _, file := range shipped {
		texts[filepath.Base(file)] = read(t, filepath.Base(file))
	}
	for name, text := range texts {
		value, ok := asJSON(t, text)
		if !ok {
			t.Fatalf("%s is no YAML", name)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := yamlfile.Decode(name, name, []byte(text)); err != nil {
			t.Error(err)
		}
	}
}

// TestSchemaRefuses: the mutations that a schema can express it refuses, and the
// others it does not, so the table says the truth about both.
func TestSchemaRefuses(t *testing.T) {
	schema := compile(t)
	sweep := read(t, "sweep.yaml")
	refused := 0
	for i, list := range [][]mutation{mutations, whole} {
		for _, m := range list {
			text := sweep
			if i == 1 {
				text = ""
			}
			changed, _ := m.mutate(t, text)
			value, ok := asJSON(t, changed)
			if !ok {
				if m.schema {
					t.Errorf("%s: it is no YAML, so no schema sees it", m.name)
				}
				continue
			}
			if value == nil && !m.schema {
				continue // an empty file is nothing, and the editor asks no schema
			}
			err := schema.Validate(value)
			if m.schema != (err != nil) {
				t.Errorf("%s: refused by the schema: %v, want %v", m.name, err, m.schema)
			}
			if err != nil {
				refused++
			}
		}
	}
	if refused < 40 {
		t.Errorf("the schema refused only %d mutations", refused)
	}
}

// full uses every key that a file can have.
const full = `
title: Everything
text: Text.
goal: Goal.
setup:
  target: 65536
  rules:
    mode: barrier
    sink: short
    finish: by_mode
    wait: register_first
    reports: unchecked
    modes: mixed
    asserts: debug
    descriptions: asserted
  processes: 1
  sweeper: true
  teardown: false
  sinks:
    - {name: Y, since: 500, lower: 1000, uppers: [2000], superseded: [1], participants: 1, replica: 0}
  workers:
    - writes:
        - sink: Y
          upper: 3000
          skips: [1]
          writes: true
          best_effort: false
          parts:
            - interval: 1
              at: 1500
              updates: 2
              bytes: 4096
              changes: [{key: "7", from: none, to: 6}]
worlds:
  - name: upgrade
    rules: {probe: upgrade, mode: barrier, sink: short, finish: by_mode, wait: register_first, reports: unchecked, modes: mixed, asserts: debug, descriptions: asserted}
  - strong_count
schedule: A4
start: 0
grain: step
panels: [blobs, meter]
reader: {sink: Y, key: "7", as_of: [1500]}
notes: [{step: 0, text: Note.}]
questions:
  - step: 3
    ask: Ask?
    answers: [{text: Right., right: true, because: It is.}, {text: Wrong., because: It is not.}]
hints: [Hint.]
moves: [A]
reach: [{world: upgrade, broken: delivered}, {world: upgrade, thread: A, got: batch}]
miss: Missed.
next: {step: 4, text: Next.}
differ: 7
outcome: 8
expect:
  upgrade:
    verdict: unfinished
    puts: 0
    evaluations: 0
    leaked: 0
    answers: [{thread: A, step: 8, got: none}]
    reads: [{as_of: 1500, view: waits, truth: 6}]
    broken: {delivered: 8}
  strong_count: {verdict: unfinished}
`

// places are the mappings of the full file, one of each kind, as the decoder's
// messages name them.
var places = []string{
	"", "setup", "setup.rules", "worlds[0]", "worlds[0].rules", "setup.sinks[0]", "setup.workers[0]", "setup.workers[0].writes[0]",
	"setup.workers[0].writes[0].parts[0]", "setup.workers[0].writes[0].parts[0].changes[0]",
	"reader", "notes[0]", "questions[0]", "questions[0].answers[0]", "reach[0]", "next", "expect", "expect.upgrade", "expect.upgrade.answers[0]", "expect.upgrade.reads[0]", "expect.upgrade.broken",
}

// edited is the full file with the mapping at a place changed.
func edited(t testing.TB, place string, edit func(object)) string {
	t.Helper()
	var root any
	if err := yaml.Unmarshal([]byte(full), &root); err != nil {
		t.Fatal(err)
	}
	at := root
	for _, name := range strings.FieldsFunc(place, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if n, err := strconv.Atoi(name); err == nil {
			at = at.([]any)[n]
		} else {
			at = at.(object)[name]
		}
	}
	edit(at.(object))
	out, err := yaml.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// messages are those of the decoder about a path.
func messages(t testing.TB, text, path string) (list []string) {
	t.Helper()
	_, err := yamlfile.Decode("full", "full", []byte(text))
	var faults yamlfile.Errors
	if !errors.As(err, &faults) {
		t.Fatalf("%s: got %v, want faults\n%s", path, err, text)
	}
	for _, f := range faults {
		if f.Path == path {
			list = append(list, f.Message)
		}
	}
	return list
}

// resolve follows a reference; what stands beside it goes along.
func resolve(schema, node object) object {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	out := maps.Clone(schema["$defs"].(object)[strings.TrimPrefix(ref, "#/$defs/")].(object))
	if d, ok := node["description"]; ok {
		out["description"] = d
	}
	return out
}

// schemaAt is the part of the schema for a place of a file.
func schemaAt(schema object, place string) object {
	node := schema
	for _, name := range strings.FieldsFunc(place, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if _, err := strconv.Atoi(name); err == nil {
			node = either(schema, resolve(schema, node["items"].(object)))
		} else {
			node = resolve(schema, node["properties"].(object)[name].(object))
		}
	}
	return node
}

// either is the first of the forms that a value may have.
func either(schema, node object) object {
	if forms, ok := node["anyOf"].([]any); ok {
		return resolve(schema, forms[0].(object))
	}
	return node
}

func words(list any) []string {
	var out []string
	if list != nil {
		for _, w := range list.([]any) {
			out = append(out, w.(string))
		}
	}
	slices.Sort(out)
	return out
}

func join(place, key string) string {
	if place == "" {
		return key
	}
	return place + "." + key
}

// TestSchemaKeys asks the decoder which keys each mapping may and must have, and
// compares with the schema.
func TestSchemaKeys(t *testing.T) {
	schema := schemaText(t)
	for _, place := range places {
		node := schemaAt(schema, place)
		unknown := messages(t, edited(t, place, func(o object) { o["zzzzzz"] = 1 }), place)
		if len(unknown) != 1 {
			t.Fatalf("%q: an unknown key gives %q", place, unknown)
		}
		_, list, _ := strings.Cut(unknown[0], "allowed are ")
		decoder := strings.Split(list, ", ")
		slices.Sort(decoder)
		known := slices.Sorted(maps.Keys(node["properties"].(object)))
		if !slices.Equal(decoder, known) {
			t.Errorf("%q: the decoder knows %q, the schema %q", place, decoder, known)
		}
		var required []string
		empty := edited(t, place, func(o object) {
			clear(o)
			o["zzzzzz"] = 1 // so that there is a message, and a mapping
		})
		for _, m := range messages(t, empty, place) {
			if key, ok := strings.CutSuffix(m, " is missing"); ok {
				required = append(required, strings.TrimPrefix(key, "the key "))
			}
		}
		slices.Sort(required)
		// Which worlds an expectation needs depends on the file's worlds.
		if want := words(node["required"]); place != "expect" && !slices.Equal(required, want) {
			t.Errorf("%q: the decoder needs %q, the schema %q", place, required, want)
		}
	}
}

var limits = regexp.MustCompile(`allowed (?:are|is) (\d+) to (\d+)$`)

// TestSchemaValues gives each key a value that is wrong and compares the limits or
// words that the decoder then names with those of the schema.
func TestSchemaValues(t *testing.T) {
	schema := schemaText(t)
	for _, place := range places {
		properties := schemaAt(schema, place)["properties"].(object)
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			if place == "expect" && key == "strong_count" {
				continue // the same as upgrade
			}
			path := join(place, key)
			node := either(schema, resolve(schema, properties[key].(object)))
			var wrong any
			low, high := "", ""
			switch node["type"] {
			case "integer":
				wrong, low, high = -1, "minimum", "maximum"
			case "string":
				wrong, low, high = strings.Repeat("x", 70_000), "minLength", "maxLength"
			case "array":
				wrong, low, high = make([]any, 2000), "minItems", "maxItems"
			case "object":
				wrong = 1
			case "boolean":
				wrong = "zzzzzz"
			case nil:
				wrong = "zzzzzz"
			default:
				t.Fatalf("%s: type %v", path, node["type"])
			}
			got := messages(t, edited(t, place, func(o object) { o[key] = wrong }), path)
			if len(got) != 1 {
				t.Errorf("%s: %v gives %q", path, node["type"], got)
				continue
			}
			switch {
			case low != "":
				found := limits.FindStringSubmatch(got[0])
				if found == nil {
					t.Errorf("%s: no limits in %q", path, got[0])
					continue
				}
				if _, ok := node[high]; !ok && node["pattern"] != nil {
					continue // the pattern limits it
				}
				if min, max := number(node[low]), number(node[high]); found[1] != min || found[2] != max {
					t.Errorf("%s: the decoder allows %s to %s, the schema %s to %s", path, found[1], found[2], min, max)
				}
			case node["enum"] != nil:
				_, list, _ := strings.Cut(got[0], "allowed are ")
				decoder := strings.Split(list, ", ")
				slices.Sort(decoder)
				if want := words(node["enum"]); !slices.Equal(decoder, want) {
					t.Errorf("%s: the decoder allows %q, the schema %q", path, decoder, want)
				}
			}
		}
	}
}

func number(v any) string {
	if v == nil {
		return "0"
	}
	return v.(json.Number).String()
}

// TestSchemaDescribes: each property says what it is, and no mapping is open.
func TestSchemaDescribes(t *testing.T) {
	schema := schemaText(t)
	objects := 0
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch v := node.(type) {
		case object:
			if v["type"] == "object" {
				objects++
				if v["additionalProperties"] != false {
					t.Errorf("%s: additionalProperties is %v, want false", path, v["additionalProperties"])
				}
			}
			if properties, ok := v["properties"].(object); ok && v["type"] == "object" {
				for name, p := range properties {
					d, _ := p.(object)["description"].(string)
					if len(d) < 15 || !strings.HasSuffix(d, ".") {
						t.Errorf("%s.%s: description %q", path, name, d)
					}
				}
			}
			for k, child := range v {
				walk(path+"."+k, child)
			}
		case []any:
			for i, child := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), child)
			}
		}
	}
	walk("", schema)
	if objects != len(places) {
		t.Errorf("the schema has %d mappings, of which %d are compared with the decoder", objects, len(places))
	}
}

// Package scenarios holds the lessons that ship with the playground, as YAML files.
package scenarios

import (
	"embed"
	"fmt"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/yamlfile"
)

//go:embed *.yaml
var files embed.FS

// IDs are the scenarios in the order in which they are offered. An id is the name
// of its file and stands in links, so it never changes.
var IDs = []string{
	"share", "sweep", "partial",
	// Best effort.
	"join", "late", "stale", "conflict", "dropped", "unwrap", "none", "calls", "latest",
	"halfdown", "fails",
	// The barrier.
	"barrier", "skip", "deliverer", "allskip", "wakeup", "temporary", "surplus", "behind",
	"closed", "toolate", "skiptwice", "skipagain", "mixed", "zero", "silent", "slow", "latency",
	"missing", "channel", "teardown", "residue", "processes",
	// The sink around them.
	"private", "sink", "hole", "overtaken", "supersede", "untaken",
	// The persist side.
	"crossover", "oversized", "uploads", "goodbytes", "runs", "schema", "label", "cleaner",
}

// Load reads the scenario with an id.
func Load(id string) (*scenario.Scenario, error) {
	text, err := files.ReadFile(id + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("scenario %q: there are %q", id, IDs)
	}
	return yamlfile.Decode(id+".yaml", id, text)
}

// All reads all scenarios in the order of IDs.
func All() ([]*scenario.Scenario, error) {
	var list []*scenario.Scenario
	for _, id := range IDs {
		s, err := Load(id)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

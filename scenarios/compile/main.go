// Command compile writes the built-in scenarios as one text, which the page fetches:
// page.wasm carries neither YAML nor forty set-ups.
package main

import (
	"fmt"
	"os"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/scenarios"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: compile FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	all, err := scenarios.All()
	if err != nil {
		return err
	}
	var list []scenario.Scenario
	for _, s := range all {
		list = append(list, *s)
	}
	return os.WriteFile(file, []byte(compact.Encode(list)), 0o644)
}

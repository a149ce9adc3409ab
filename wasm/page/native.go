//go:build !js

package main

import (
	"fmt"
	"os"

	"sharedbatches/core/scenario"
	"sharedbatches/scenarios"
)

// main is here so that the package can be vetted and its decisions tested natively.
func main() {
	fmt.Fprintln(os.Stderr, "wasm/page runs in a browser: ./build.sh serve builds it and shows it")
	os.Exit(2)
}

// lessons are the built-in scenarios.
var lessons = func() (list []scenario.Scenario) {
	all, err := scenarios.All()
	if err != nil {
		panic("page: " + err.Error())
	}
	for _, s := range all {
		list = append(list, *s)
	}
	return list
}()

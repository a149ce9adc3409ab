package main

import "sharedbatches/scenarios"

// Under Node nobody fetches the lessons, so tests read the files.
func init() {
	all, err := scenarios.All()
	if err != nil {
		panic(err)
	}
	for _, s := range all {
		lessons = append(lessons, *s)
	}
}

package main

import (
	"syscall/js"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
)

// lessons are the built-in scenarios, as boot.js fetched them.
var lessons []scenario.Scenario

func loadLessons() {
	list, err := compact.Decode(js.Global().Get("sharedBatches").Get("lessons").String())
	if err != nil {
		panic("page: lessons.txt: " + err.Error())
	}
	lessons = list
}

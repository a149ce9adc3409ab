package coalesce_test

import (
	"testing"

	"sharedbatches/core/coalesce"
)

// TestTeardownOfWholeSink: dropping the dataflow drops mint and the Timely sides too,
// so nobody is left to wait, and the end is no deadlock.
func TestTeardownOfWholeSink(t *testing.T) {
	c := barrierOf(2, 2)
	c.Whole, c.Teardown = coalesce.WholeSink, true
	p := start(t, c)
	p.run("My Ta Tb Py Ta A7 Z2 A")
	p.blocked("Tb", "the dataflow was dropped")
	p.blocked("My", "the dataflow was dropped")
	p.run("B Ka2")
	if p.m.Running(&p.s) {
		t.Error("something still moves")
	}
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)
}

package part

import (
	"testing"

	"sharedbatches/scenarios"
)

// TestDeclared holds the bytes that scenario files declare for their parts to the
// goodbytes of the parts that are made: persist's limits are about goodbytes, so the
// model compares these.
func TestDeclared(t *testing.T) {
	mem := checked(t)
	list, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		for p := range run.Models[0].PartCount() {
			pc, task := run.Models[0].Part(p)
			goodbytes, _, err := Sizes(mem, run.Models[0], p)
			if err != nil {
				t.Fatal(err)
			}
			if pc.Bytes != goodbytes {
				t.Errorf("%s: part %d of %s, at %d with %d updates: bytes: %d is declared, it has %d goodbytes",
					s.ID, p, run.Models[0].Name(task), pc.At, pc.Updates, pc.Bytes, goodbytes)
			}
		}
	}
}

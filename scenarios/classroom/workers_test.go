package main

import (
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/scenarios"
)

// TestCopiedErrors copies a worker with errors: each copy has its own, which come and go
// like the first one's, so all of them are interchangeable.
func TestCopiedErrors(t *testing.T) {
	s, err := scenarios.Load("fails")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Setup
	c.Tasks = c.Tasks[:1]
	if err := workers(&c, 3); err != nil {
		t.Fatal(err)
	}
	m, err := coalesce.New(c)
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string]int{}
	for p := range m.PartCount() {
		pc, _ := m.Part(p)
		messages[pc.Error]++
	}
	if len(messages) != 3 || messages["division by zero"] != 2 || messages["error 1 of B"] != 2 || messages["error 1 of C"] != 2 {
		t.Errorf("messages: %v", messages)
	}
	if g := m.Interchangeable(); len(g) != 1 || len(g[0]) != 3 {
		t.Errorf("interchangeable: %v", g)
	}
}

package scenarios

import (
	"reflect"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// TestPageAgrees holds that the page, which gets the lessons in their compact form,
// comes to the same outcomes as the command line, which reads the files: for every
// scenario's own schedule and for 200 random ones.
func TestPageAgrees(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var list []scenario.Scenario
	for _, s := range all {
		list = append(list, *s)
	}
	page, err := compact.Decode(compact.Encode(list))
	if err != nil {
		t.Fatal(err)
	}
	open := func(s *scenario.Scenario) *worlds.Run {
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		run.Last()
		return run
	}
	same := func(what string, s, p *scenario.Scenario, a, b *worlds.Run) {
		for i := range a.Models {
			if x, y := s.Outcomes(a, i), p.Outcomes(b, i); !reflect.DeepEqual(x, y) {
				t.Errorf("%s, %s: the command line has %+v, the page %+v", what, a.Names[i], x, y)
			}
		}
		if a.Trace() != b.Trace() {
			t.Errorf("%s: the traces differ", what)
		}
	}
	for i := range list {
		same(list[i].ID, &list[i], &page[i], open(&list[i]), open(&page[i]))
	}
	for seed := range uint64(200) {
		i := int(seed) % len(list)
		w, err := list[i].Build()
		if err != nil {
			t.Fatal(err)
		}
		run := w.NewRun()
		letters := randomLetters(t, run, seed)
		v, err := page[i].Build()
		if err != nil {
			t.Fatal(err)
		}
		other := v.NewRun()
		if err := other.Play(letters); err != nil {
			t.Fatalf("seed %d: the page refuses a schedule: %v", seed, err)
		}
		same(list[i].ID+" at random", &list[i], &page[i], run, other)
	}
}

// randomLetters plays up to a hundred steps of threads that some world enables.
func randomLetters(t *testing.T, run *worlds.Run, seed uint64) (letters []schedule.Letter) {
	t.Helper()
	random := schedule.NewRandom(seed)
	for range 100 {
		var can []coalesce.Thread
		for _, th := range run.Models[0].Threads() {
			if _, blocked := run.Blocked(run.Now(), th); !blocked {
				can = append(can, th)
			}
		}
		if len(can) == 0 {
			break
		}
		th := can[random.Pick(len(can))]
		if _, _, err := run.Do(th, worlds.Atomic); err != nil {
			t.Fatal(err)
		}
		letters = append(letters, run.Models[0].Name(th))
	}
	return letters
}

package explore

import "testing"

// benchmark reports what design.md section 6 budgets; the time of a transition includes ordering and all counts.
func benchmark[S comparable](b *testing.B, space Space[S], limits Limits) {
	var r Result
	for b.Loop() {
		s := New(space, limits)
		for !s.Run(1 << 14) {
		}
		r = s.Result()
	}
	perRun := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(perRun/float64(r.Transitions), "ns/transition")
	b.ReportMetric(float64(r.States)/perRun*1e9, "states/s")
	b.ReportMetric(float64(r.Transitions)/perRun*1e9, "transitions/s")
	b.ReportMetric(float64(r.States), "states")
	b.ReportMetric(r.BytesPerState, "B/state")
	b.ReportMetric(r.BytesPerEdge, "B/edge")
	b.ReportMetric(r.BytesPerCount, "B/count")
}

var (
	pushN8  = race{n: 8, push: true, upgrade: true}
	listN6  = race{n: 6, push: true, list: true, upgrade: true}
	countN6 = race{n: 6, push: true, list: true}
)

func BenchmarkToyPushN8(b *testing.B) { benchmark[raceState](b, pushN8, Limits{}) }
func BenchmarkToyPushN8Uncounted(b *testing.B) {
	benchmark[raceState](b, pushN8, Limits{NoCounts: true})
}
func BenchmarkToyPushN8Symmetry(b *testing.B) {
	benchmark[raceState](b, symmetricRace{pushN8}, Limits{})
}
func BenchmarkToyListN6(b *testing.B)   { benchmark[raceState](b, listN6, Limits{}) }
func BenchmarkWideListN6(b *testing.B)  { benchmark[wideState](b, wide{listN6}, Limits{}) }
func BenchmarkWideCountN6(b *testing.B) { benchmark[wideState](b, wide{countN6}, Limits{}) }
func BenchmarkWideListN6Uncounted(b *testing.B) {
	benchmark[wideState](b, wide{listN6}, Limits{NoCounts: true})
}

// BenchmarkNext is what the toy's own step and hash cost, for comparison.
func BenchmarkNext(b *testing.B) {
	var space Space[raceState] = pushN8
	from := pushN8.Start()
	var to raceState
	var sum uint64
	for b.Loop() {
		if space.Next(&from, 3, &to) {
			sum += space.Hash(&to)
		}
	}
}

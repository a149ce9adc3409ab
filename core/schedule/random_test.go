package schedule_test

import (
	"errors"
	"slices"
	"testing"

	"sharedbatches/core/schedule"
)

func TestRandomKnownValues(t *testing.T) {
	// The first outputs of the reference splitmix64.c for this seed, as Rosetta Code lists them.
	random := schedule.NewRandom(1234567)
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		if got := random.Uint64(); got != want {
			t.Errorf("value %d is %d, want %d", i, got, want)
		}
	}
}

func TestRandomPickIsEven(t *testing.T) {
	const choices, picks = 7, 70_000
	var count [choices]int
	random := schedule.NewRandom(3)
	for range picks {
		count[random.Pick(choices)]++
	}
	for choice, n := range count {
		// Six standard deviations of 10,000 +- 93; the seed is fixed, so this never wavers.
		if n < 9_440 || n > 10_560 {
			t.Errorf("choice %d came %d times in %d", choice, n, picks)
		}
	}
}

func TestRandomPickTurnsSurplusAway(t *testing.T) {
	// 2^64 is two and a half times n, so a Pick that only took the remainder would find
	// 6,000 of 10,000 in the lower half.
	const n = 1 << 64 / 5 * 2
	random := schedule.NewRandom(5)
	low := 0
	for range 10_000 {
		if random.Pick(n) < n/2 {
			low++
		}
	}
	if low < 4_700 || low > 5_300 {
		t.Errorf("%d of 10000 picks are in the lower half", low)
	}
}

func TestRandomPickOfNothing(t *testing.T) {
	for _, n := range []int{0, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Pick(%d) does not panic", n)
				}
			}()
			schedule.NewRandom(0).Pick(n)
		}()
	}
}

func TestRandomRun(t *testing.T) {
	run := func(seed uint64) []schedule.Letter {
		left := map[schedule.Letter]int{"A": 5, "By": 3, "M": 1}
		enabled := func() []schedule.Letter {
			var threads []schedule.Letter
			for _, name := range []schedule.Letter{"A", "By", "M"} {
				if left[name] > 0 {
					threads = append(threads, name)
				}
			}
			return threads
		}
		letters, err := schedule.NewRandom(seed).Run(enabled, func(l schedule.Letter) error { left[l]--; return nil })
		if err != nil || left["A"]+left["By"]+left["M"] != 0 || len(letters) != 9 {
			t.Errorf("seed %d: run %q, %v leaves %v", seed, letters, err, left)
		}
		return letters
	}
	different := map[string]bool{}
	for seed := range uint64(200) {
		first := run(seed)
		if again := run(seed); !slices.Equal(first, again) {
			t.Fatalf("seed %d gives %q, then %q", seed, first, again)
		}
		different[schedule.Print(first)] = true
	}
	if len(different) < 100 {
		t.Errorf("200 seeds give only %d of 504 schedules", len(different))
	}
}

func TestRandomRunStops(t *testing.T) {
	always := func() []schedule.Letter { return []schedule.Letter{"A"} }
	letters, err := schedule.NewRandom(0).Run(always, func(schedule.Letter) error { return nil })
	want := "random run: 10000 steps, the limit of a schedule: threads are still enabled"
	if err == nil || err.Error() != want || len(letters) != schedule.MaxLetters {
		t.Errorf("an endless run gave %d letters, %v", len(letters), err)
	}
	broken := errors.New("broken")
	letters, err = schedule.NewRandom(0).Run(always, func(schedule.Letter) error { return broken })
	if !errors.Is(err, broken) || err.Error() != "step 1: broken" || len(letters) != 1 {
		t.Errorf("a failing run gave %q, %v", letters, err)
	}
}

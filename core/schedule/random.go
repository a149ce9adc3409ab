package schedule

import (
	"errors"
	"strconv"
)

// Random is a seeded source of choices. Equal seeds give equal choices on every platform
// and in every version, because links and golden files hold seeds. The zero value is
// seeded with 0.
type Random struct{ state uint64 }

// NewRandom returns a source seeded with any number.
func NewRandom(seed uint64) *Random { return &Random{state: seed} }

// Uint64 returns the next 64 bits: splitmix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", 2014), which has no bad seeds and one word of state.
func (r *Random) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Pick returns one of 0 to n-1, each equally likely. It panics unless n is positive.
func (r *Random) Pick(n int) int {
	if n <= 0 {
		panic("schedule: Random.Pick of " + strconv.Itoa(n))
	}
	choices := uint64(n)
	// 2^64 mod n values are turned away, so that every remainder is left equally often.
	surplus := -choices % choices
	for {
		if bits := r.Uint64(); bits >= surplus {
			return int(bits % choices)
		}
	}
}

// Run steps a random enabled thread, each equally likely, until none is enabled, and
// returns the schedule it took. The order of what enabled returns is part of the choice,
// so it must not depend on a map. A failing step ends the run with a *StepError, and
// MaxLetters steps with threads still enabled end it with an error; either comes with the
// schedule up to there, the failing step included.
func (r *Random) Run(enabled func() []Letter, step func(Letter) error) ([]Letter, error) {
	var letters []Letter
	for {
		threads := enabled()
		if len(threads) == 0 {
			return letters, nil
		}
		if len(letters) == MaxLetters {
			return letters, errors.New("random run: " + strconv.Itoa(MaxLetters) +
				" steps, the limit of a schedule: threads are still enabled")
		}
		letter := threads[r.Pick(len(threads))]
		letters = append(letters, letter)
		if err := step(letter); err != nil {
			return letters, &StepError{Step: len(letters), Letter: letter, Err: err}
		}
	}
}

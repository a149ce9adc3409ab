package schedule

import "strconv"

// StepError says at which step of a schedule, counted from 1, something failed.
// Its message is `step 7: ` and the message of Err.
type StepError struct {
	Step   int
	Letter Letter
	Err    error
}

func (e *StepError) Error() string { return "step " + strconv.Itoa(e.Step) + ": " + e.Err.Error() }

// Unwrap returns Err, for errors.Is and errors.As.
func (e *StepError) Unwrap() error { return e.Err }

// Replay calls step for every letter in turn and stops at the first error, which it
// returns as a *StepError.
func Replay(letters []Letter, step func(Letter) error) error {
	for i, letter := range letters {
		if err := step(letter); err != nil {
			return &StepError{Step: i + 1, Letter: letter, Err: err}
		}
	}
	return nil
}

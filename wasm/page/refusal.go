package main

import (
	"errors"
	"strings"
)

// refusals says in the reader's words why a lesson cannot have a rule, and what to keep.
// The core, which refuses it, names the place in the set-up, which nobody sees here.
var refusals = [...]struct {
	core  string // what tells its text from the others
	words string
}{
	{"only the barrier has them", "in this lesson workers skip intervals, and only the barrier knows skips. Keep Mode at barrier here, or try the other modes in a lesson without skips"},
	{"a Timely side skips what was superseded", "this lesson fixes beforehand which intervals a worker skips; in the whole sink that follows from what was superseded. Keep the sink at short here"},
	{"appends (replica) supersede", "this lesson fixes beforehand which intervals are superseded; in the whole sink another replica’s appends decide that, and there is none. Keep the sink at short here"},
	{"needs the rule sink to be whole", "in this lesson another replica writes the view too, and only the whole sink has one. Keep the sink at whole here"},
	{"only a superseded interval is skipped", "in this lesson a worker skips an interval that is not superseded, which is the mistake to study. Keep Reports at unchecked here"},
	{"reports an interval once", "in this lesson a worker reports the same interval twice, which is the mistake to study. Keep Reports at unchecked here"},
	{"write tasks of a process", "in this lesson the barrier waits for a participant that does not exist, which is the mistake to study. Keep Reports at unchecked here"},
	{"a part would be inline", "in this lesson some parts are so small that they stay inline, and only the whole persist side has that. Keep Persist at whole here"},
	{"max_runs: ", "this lesson sets how many runs a batch may have, and only the whole persist side counts them. Keep Persist at whole here"},
	{"in the same mode", "in this lesson one worker is best effort and the others use the barrier, which is the mistake to study. Keep Modes at mixed here"},
}

// refused is the core's refusal of changed rules as the reader is told it.
func refused(err error) error {
	for i := range refusals {
		if strings.Contains(err.Error(), refusals[i].core) {
			return errors.New("These rules do not go together: " + refusals[i].words + ".")
		}
	}
	return err
}

package schedule

import "strings"

// bareLetters are the capitals that may stand alone for a longer name. The other
// capitals are whole names by themselves: B is not short for By.
const bareLetters = "KLMP"

// maxNamesListed keeps an error that lists names on one line.
const maxNamesListed = 12

// Resolve replaces every letter by the whole name of a thread. The threads are all names
// that the set-up can ever have, not only those alive at the moment. A name that is there
// stands for itself; a bare K, L, M or P stands for the only name that begins with it.
// The error is a *StepError for the first letter that is neither, with the names that
// were possible. The letters given are left as they are.
func Resolve(letters, threads []Letter) ([]Letter, error) {
	// A schedule repeats few names many times, so each is looked up once.
	known := make(map[Letter]Letter, len(threads))
	for _, name := range threads {
		known[name] = name
	}
	resolved := make([]Letter, len(letters))
	for i, letter := range letters {
		name, ok := known[letter]
		if !ok {
			var why string
			if name, why = resolveBare(letter, threads); why != "" {
				return nil, &StepError{Step: i + 1, Letter: letter, Err: &threadError{letter, why}}
			}
			known[letter] = name
		}
		resolved[i] = name
	}
	return resolved, nil
}

// resolveBare returns the name that a letter which is no whole name stands for, or why
// it stands for none.
func resolveBare(letter Letter, threads []Letter) (name Letter, why string) {
	if letter == "" {
		return "", whyLetter
	}
	var near []Letter
	seen := make(map[Letter]bool, len(threads))
	for _, thread := range threads {
		if !seen[thread] && strings.HasPrefix(thread, letter[:1]) {
			near = append(near, thread)
		}
		seen[thread] = true
	}
	bare := len(letter) == 1 && strings.Contains(bareLetters, letter)
	switch {
	case bare && len(near) == 1:
		return near[0], ""
	case bare && len(near) > 1:
		return "", "more than one thread begins with it: " + list(near)
	case len(near) > 0:
		return "", "not in this set-up: nearest is " + list(near)
	case len(threads) > 0:
		return "", "not in this set-up, which has " + list(threads)
	}
	return "", "this set-up has no threads"
}

func list(names []Letter) string {
	if len(names) > maxNamesListed {
		return strings.Join(names[:maxNamesListed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// threadError is a thread's name that cannot be used, and why.
type threadError struct {
	letter Letter
	why    string
}

func (e *threadError) Error() string { return "thread " + quote(e.letter) + ": " + e.why }

// Package schedule holds the choices of a scheduler: as text, as a link, as a tree
// of moments to walk in, and as random runs that a seed repeats.
//
// Goals:
//   - One short line of text says everything a scheduler chose, and can be read aloud.
//   - parse(print(x)) = x for every list of valid letters, and for every fragment.
//   - Whatever a person or a browser hands in, the answer is a value or an error with
//     the place, what stands there and what is allowed; never a panic.
//   - Going back and choosing otherwise loses nothing: the abandoned branch is kept.
//   - Back, forward and jump look a moment up and replay nothing.
//   - Every table has a named limit, and its error says what to do.
//
// Non-goals: what a thread does, which threads exist, whether a step is enabled, and
// what a rule means. The package imports nothing of this project; a moment is any type.
//
// # Schedule text
//
//	schedule = { blank | run } .
//	run      = letter [ count ] .
//	letter   = capital { lower } .        at most MaxLetterBytes bytes
//	count    = "1" to "10000" .           without leading zero; absent means 1
//	blank    = " " .                      no tab, no line break
//	capital  = "A" to "Z" .
//	lower    = "a" to "z" .
//
// A letter is a thread's name: a capital letter, followed by lower-case letters only
// where they are needed to tell threads apart, as in A, By, Ka, Lby. Reading is greedy:
// a capital takes all lower-case letters and then all digits that follow it, so ABy5 is
// A once and By five times. Neighbouring runs of one letter merge. A schedule has at
// most MaxLetters letters in all. Print puts one blank between runs, PrintCompact none.
//
// A bare K, L, M or P may stand for the only thread of a set-up that begins with it;
// Resolve replaces it by the whole name. The text alone does not know the set-up, so
// Parse leaves it as it stands.
//
// # Fragment
//
//	fragment = [ "#" ] version "/" scenario { ";" key "=" value } "/" schedule [ "@" cursor ] .
//	version  = "1" .
//	scenario = 1 to 64 of a-z 0-9 - .
//	key      = 1 to 32 of a-z _ .
//	value    = 1 to 32 of a-z 0-9 _ - .
//	cursor   = "0" to the number of letters, without leading zero .
//
// The keys are the rules that were changed; each is given once, and they are printed in
// the order of the keys. A missing cursor means the end of the schedule; it is always
// printed. Percent-encoding is undone once, before anything else is read.
package schedule

// Package worlds runs one schedule in one or two worlds: the same set-up under
// different rules.
//
// A letter of the schedule moves its thread one line in each world where the
// thread is enabled, even if the lines differ. Where it is not enabled the letter
// is a marked skip with the reason; a letter that is enabled in no world is an
// error and changes nothing. Step numbers count letters, skips included.
//
// A [Moment] is everything about one place in a run: both states, what happened,
// which invariants are broken and since when, and the first step at which the
// worlds differed. [Worlds.Next] is pure: it makes a new moment from an old one.
package worlds

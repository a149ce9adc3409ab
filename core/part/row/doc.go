// Package row is the rows behind a set-up: what a part id stands for, as plain Go
// values. It imports no Arrow, so a program that only needs rows or their sizes
// stays small.
//
// # Rows and updates
//
// A [Row] is one value for each [Column] of a [Schema]; an [Update] is a row with a
// time and a diff, +1 for an insert and -1 for a retract. [Consolidate] adds up
// the diffs of equal (row, time) and drops zeros; [At] is the content at one time.
//
// # What a part holds
//
// The small state of the model names a part by its id. [Of] makes its rows from the
// set-up, always the same ones:
//
//   - first the changes that the set-up lists, in their order, each a retract of
//     (bucket, from) and an insert of (bucket, to), where there is one;
//   - then filler buckets, each a retract and an insert, until the part has as many
//     updates as the set-up says; an odd one at the end is a lone insert.
//
// A part of errors holds as many errors as it has updates: its message, and then the
// message with a number, each inserted, or retracted where the part says so. They stand in
// a column of their own ([Source]), in the views that can fail.
//
// All of them carry one time: the part's own, or the lower of a later interval when
// the part travels there as a correction ([Time]).
//
// Filler buckets are named by numbers. The buckets of part p are those that leave
// the remainder p when divided by [coalesce.MaxParts], like the buckets that hash to
// one worker; those that some change lists are left out. So no two parts touch one
// filler bucket, and none is listed.
//
// [Initial] is the view before the first interval: what the earliest change of each
// listed bucket and what each filler retracts. It is written at time 0, which no
// read precedes.
//
// # What is left out
//
// The original's key is a row or an error (SourceData) in every view; see [Key]. Equal
// errors are one update there, with the sum of their diffs, so a part of errors is larger here
// than many of the original's. Its rows are hashed to workers; here the set-up says which worker has which change.
package row

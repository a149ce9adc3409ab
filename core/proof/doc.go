// Package proof asks the exhaustive search about a set-up of the mechanism: how
// many schedules there are, how many lose a batch, which is the shortest, and how
// many ways are left from where the learner stands.
//
// It runs the same step function as the stepper, on packed states. A result always
// carries its grain (atomic steps or whole calls) and which threads were free to
// move at any time and which only when no free thread could: a count means nothing
// without them.
//
// A share of schedules counts orders, each once. It is not the chance that a machine
// loses the batch; beside it stands the chance under a scheduler that picks
// uniformly among the enabled threads.
package proof

// Package meter runs a churning view for many intervals under a seeded random
// scheduler and counts what it costs: PUTs, parts per append, state-diff bytes,
// consensus commands, leaked blobs, sweeps.
//
// It runs the very model that the page steps. How much the workers' batches overlap
// is not set anywhere: it comes of the order in which the scheduler picks among the
// enabled threads, each with the same chance. Real schedulers are not like that, and
// real workers do not take one step each; so the figures have the shape of the
// published ones and not their size, and nothing is tuned to meet them.
package meter

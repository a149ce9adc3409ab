package coalesce

import (
	"strconv"

	"sharedbatches/core/brief"
)

// Flags are the runtime switches of the sink. The zero value is the original's
// default: all off. They are read once for a sink, when its dataflow is rendered, and
// what is changed later waits for the next render ([Rerender]). Here one render is of
// all sinks, so they have one mode; workers that read different values are the rule
// modes (facts.md D18).
type Flags struct {
	Sync          bool // [FlagSync]
	SharedBatches bool // [FlagSharedBatches]
	Barrier       bool // [FlagBarrier]
}

// Names of the flags in the original (facts.md section 5).
const (
	FlagSync          = "enable_compute_sync_mv_sink"
	FlagSharedBatches = "enable_compute_sync_mv_sink_shared_batches"
	FlagBarrier       = "enable_compute_sync_mv_sink_shared_batches_barrier"
)

// Mode is what the flags render to. Without the sync sink it is an error: the v1 sink
// carries the shared id and never uses it, and this model does not run it. The barrier
// flag without the shared one has no effect.
func (f Flags) Mode() (Mode, error) {
	switch {
	case !f.Sync:
		return 0, brief.Errorf("flags: %s is off: that renders the v1 sink, which only carries the id of a shared batch and is not modelled", FlagSync)
	case !f.SharedBatches:
		return PerWorker, nil
	case f.Barrier:
		return Barrier, nil
	}
	return BestEffort, nil
}

// Flags are the fewest that render to the mode.
func (m Mode) Flags() Flags {
	return Flags{Sync: true, SharedBatches: m != PerWorker, Barrier: m == Barrier}
}

// String is the flags as they are set, one a line.
func (f Flags) String() string {
	line := func(name string, on bool) string { return name + " = " + strconv.FormatBool(on) }
	return line(FlagSync, f.Sync) + "\n" + line(FlagSharedBatches, f.SharedBatches) + "\n" + line(FlagBarrier, f.Barrier)
}

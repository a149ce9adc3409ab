package coalesce

// Bytes of a state diff, from the fields that facts.md section 3 lists for a blob
// part: key, encoded size, key lower (100 at most), structured key lower (256),
// statistics (a budget of 1,024), diffs sum, format and schema ids; for an inline part
// its data, with format and schema ids; and what an append writes once. A real part
// fills its bounds and statistics differently, and a run costs a few bytes more, so
// only the growth with the number of parts means something.
const (
	diffBlob   = 64 + 8 + 100 + 256 + 1024 + 8 + 16
	diffInline = 16
	diffAppend = 256
)

// DiffBytes is what a part costs in the state diff of the append that brings it.
func (o *Object) DiffBytes() int {
	if o.Inline {
		return diffInline + o.Bytes
	}
	return diffBlob
}

// stagedDiff is the size of the state diff of an append of what is staged for
// interval n of a sink.
func (m *Model) stagedDiff(s *State, sink, n int) int {
	sum := diffAppend
	for _, o := range m.Pieces(s) {
		if o.Sink == sink && o.N == n && s.Sinks[sink].Staged>>o.Spawner&1 != 0 {
			sum += o.DiffBytes()
		}
	}
	return sum
}

package explore

import (
	"math/bits"
	"unsafe" // for Sizeof alone: memory is a limit of the search
)

// An arena holds the states, in the order they were found, and their places in the graph. It grows by chunks, because
// copying into a doubled slice would need three times the memory for a moment, and WebAssembly memory never shrinks.
type arena[S comparable] struct {
	states [][]S
	nodes  [][]node // apart from the states: the passes over the graph touch no state
	shift  uint     // log2 of the states in a chunk
	mask   int
	n      int // states stored

	edgeChunks [][]uint32
	edgeNext   int // position of the next edge
	edges      int // edges stored

	bytes int64
}

// A node is the place of a state in the graph.
type node struct {
	// enabledLo and enabledHi are the two halves of the set of enabled threads; halves, to need no padding.
	enabledLo, enabledHi uint32
	// at is the position of the first edge; the k-th edge belongs to the k-th enabled thread. Of an end it is the Verdict.
	at uint32
	// before is the number of edges into the state.
	before uint32
}

const (
	chunkBytes = 1 << 17
	edgeShift  = 14
	edgeChunk  = 1 << edgeShift // edges in a chunk; the edges of one state never straddle two

	// maxStates and maxEdges are what 32-bit indexes and positions can name.
	maxStates = 1<<32 - 2
	maxEdges  = 1<<32 - edgeChunk
)

func (a *arena[S]) init() {
	a.shift = uint(max(4, bits.Len(uint(chunkBytes/a.stateBytes()))-1))
	a.mask = 1<<a.shift - 1
}

// stateBytes is the size of a state and its node.
func (a *arena[S]) stateBytes() int {
	var s S
	return int(unsafe.Sizeof(s) + unsafe.Sizeof(node{}))
}

// The shifts are masked because the compiler then leaves out its test for long ones; this is the hot loop.

func (a *arena[S]) state(i int) *S { return &a.states[i>>(a.shift&63)][i&a.mask] }

func (a *arena[S]) node(i int) *node { return &a.nodes[i>>(a.shift&63)][i&a.mask] }

// growth is the number of bytes that storing up to k more states and k more edges allocates.
func (a *arena[S]) growth(k int) int64 {
	var b int64
	if need := (a.n+k)>>a.shift + 1 - len(a.states); need > 0 {
		b += int64(need) * int64(a.stateBytes()) << a.shift
	}
	if a.edgeNext+k > len(a.edgeChunks)<<edgeShift {
		b += 4 * edgeChunk
	}
	return b
}

// reserve makes room for k more states, one more to write a successor into, and k edges in one chunk.
func (a *arena[S]) reserve(k int) {
	a.bytes += a.growth(k)
	for (a.n+k)>>a.shift >= len(a.states) {
		a.states = append(a.states, make([]S, 1<<a.shift))
		a.nodes = append(a.nodes, make([]node, 1<<a.shift))
	}
	if a.edgeNext+k > len(a.edgeChunks)<<edgeShift {
		a.edgeNext = len(a.edgeChunks) << edgeShift
		a.edgeChunks = append(a.edgeChunks, make([]uint32, edgeChunk))
	}
}

// edgeRoom is where the next state's edges go, of length k. Only after reserve(k).
func (a *arena[S]) edgeRoom(k int) []uint32 {
	if k == 0 {
		return nil
	}
	at := a.edgeNext & (edgeChunk - 1)
	return a.edgeChunks[a.edgeNext>>edgeShift][at : at+k : at+k]
}

// setEdges ends the expansion of n: its enabled threads, whose successors were written to edgeRoom.
func (a *arena[S]) setEdges(n *node, enabled uint64) {
	n.enabledLo, n.enabledHi, n.at = uint32(enabled), uint32(enabled>>32), uint32(a.edgeNext)
	k := bits.OnesCount64(enabled)
	a.edgeNext += k
	a.edges += k
}

func (n *node) enabled() uint64 { return uint64(n.enabledHi)<<32 | uint64(n.enabledLo) }

// successors are the targets of n's edges, in the order of the threads of n.enabled(); none if it was not expanded.
// The result aliases the arena.
func (a *arena[S]) successors(n *node) []uint32 {
	k := bits.OnesCount64(n.enabled())
	if k == 0 {
		return nil
	}
	at := int(n.at) & (edgeChunk - 1)
	return a.edgeChunks[n.at>>edgeShift][at : at+k]
}

// Package part gives the model's parts and blobs their bytes. It is the only package
// that imports arrow-go.
//
// # A part
//
// A [Part] is four Arrow columns of equal length (facts.md section 3): key, a struct
// of the row's columns, with one more for an error where the view can fail; val, the unit; time and diff, both int64. The unit is Arrow's
// null type, as in the original: it has no buffers, so it costs nothing, and every
// Arrow reader knows it. A [Builder] makes a part from updates, [Concat] makes one
// part of several, [BatchBuilder] is persist's: it collects parts and flushes them
// as one when the target is reached.
//
// Memory is counted by reference, as arrow-go does: who makes a part, or is given
// one, calls Release. Every function that allocates takes an [Allocator].
//
// # Bytes
//
// [Encode] writes a part as an Arrow IPC file with one record batch, uncompressed.
// It is the file format and not the stream, because a file ends with a footer and a
// magic: one that was cut off is seen to be, and tools that open a .arrow file ask
// for it. [Decode] reads exactly what Encode writes for the schema it is told, as
// persist's readers know the schema from the shard; everything else, foreign Arrow
// files included, is an error with the place. What is read from the bytes is checked
// before arrow-go sees it, so memory stays within a small multiple of the input.
//
// # From a scenario
//
// [Of] and [Blob] make the part of a part id and the object of a batch, from the rows
// of the package row. [Store] holds the objects and follows a run's states. [Open]
// reads a shard back from its objects and answers AS OF and SUBSCRIBE over the rows,
// which the tests hold to [coalesce.Model.ReadAsOf].
//
// # Simplifications
//
// A state keeps which parts a blob has, not in which order they came, so a blob has
// them in the order of their ids; the original has arrival order. A key is
// s<sink>/w<spawner>/p<interval>, such as sY/wa/p1: in the original the three are
// random ids of shard, writer and part. Each object is a single part, because the
// model's batches stay below the target.
package part

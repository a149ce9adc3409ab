// Package workertest holds the native handler and the Worker to one table of
// requests: the expectations are checked on the native handler, and the Worker,
// run in its real runtime on loopback, has to give the same answers.
//
// The Worker is tested with WORKER_TEST=required, which ./build.sh test sets after
// it has built the Worker and installed its runtime. Otherwise only the native
// handler is, because a Worker that was built earlier says nothing of today's code.
package workertest

// Package view turns a moment of a run into what the page shows: sentences and
// drawings. It makes strings and touches no DOM, so everything that a learner reads
// is tested natively.
package view

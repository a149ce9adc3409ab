package view_test

import (
	"strings"
	"testing"

	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

// words are those that nobody who knows neither Rust nor Materialize can guess.
var words = strings.Fields("handle upgrade strong_count into_inner None Some sweep probe temporary registry last_retained_len " +
	"sink interval batch part push finish channel append seal shard upper lower since blob PUT leaked orphaned view correction " +
	"worker thread step schedule hole invariant deadlock panic skip update retain SELECT bucket truth lock map")

// TestTerms finds every word of the list in the glossary, by marking it in a text.
func TestTerms(t *testing.T) {
	for _, w := range append(words, "weak reference", "strong reference", "strong count", "builder task", "AS OF", "whole call") {
		if got := string(view.Prose("x " + w + " y")); !strings.Contains(got, "data-term=") || !strings.Contains(got, ">"+w+"</span>") {
			t.Errorf("%q is no term: %s", w, got)
		}
	}
	for _, key := range view.TermKeys() {
		says := view.Term(key)
		if !strings.HasSuffix(says, ".") && !strings.HasSuffix(says, "?") || len(says) < 30 || strings.Contains(says, "Arc") {
			t.Errorf("term %q says %q", key, says)
		}
	}
	if got := string(view.Prose("weak references, batches. Sweep sweeper")); strings.Count(got, "data-term") != 3 {
		t.Errorf("three terms are in %s", got)
	}
}

// TestTermsOnPage lists code words on the page that have no sentence.
func TestTermsOnPage(t *testing.T) {
	used := map[string]bool{}
	for _, id := range scenarios.IDs {
		s, r, v := load(t, id)
		all := string(view.Prose(s.Text)) + string(view.Prose(s.Goal))
		for k := 0; k <= r.Len(); k++ {
			if err := r.Jump(k); err != nil {
				t.Fatal(err)
			}
			f := v.Frame(r, worlds.Atomic)
			all += string(f.Says) + string(f.Why)
			for _, w := range f.Worlds {
				all += string(w.Head) + string(w.Registry) + string(w.Blobs) + string(w.Shard)
			}
		}
		for _, m := range terms.FindAllStringSubmatch(all, -1) {
			used[m[1]] = true
		}
	}
	for _, key := range []string{"handle", "upgrade", "strong_count", "None", "Some", "sweep", "temporary", "registry", "last_retained_len", "seal", "shard", "upper", "as of", "select", "bucket", "blob", "put", "orphaned", "correction", "channel", "builder task", "append"} {
		if !used[key] {
			t.Errorf("the page never marks the term %q", key)
		}
	}
}

package ask

import (
	"strings"
	"testing"
)

// TestInline opens parts that are no objects: an inline part is read like an object, an
// upload that is not complete cannot be.
func TestInline(t *testing.T) {
	d := fresh(t)
	const at = `{"scenario": {"id": "crossover"}, "world": "`
	inline := get[Table](t, d, at+`per_worker", "cursor": 4, "open": {"blob": "sY/wb/p1"}}`)
	if inline.Kind != "inline part" || inline.Total != 100 || inline.Object != nil || !strings.Contains(strings.Join(inline.Says, " "), "in flight") {
		t.Errorf("%s of %d updates, says %q", inline.Kind, inline.Total, inline.Says)
	}
	list := get[Objects](t, d, at+`per_worker", "cursor": 31, "open": {"objects": true}}`)
	if len(list.Objects) != 0 || list.Bytes != 0 {
		t.Errorf("the store has %+v", list)
	}
	const flying = at + `barrier", "cursor": 27, "open": {"blob": "sY/wa/p1"}}`
	if got := string(d.Rows([]byte(flying))); !strings.Contains(got, "blob sY/wa/p1: the store has no such object at step 27") {
		t.Error(got)
	}
	done := get[Table](t, d, strings.Replace(flying, "27", "31", 1))
	if done.Kind != "blob" || done.Total != 200 || done.Object == nil || done.Object.Put != 28 || done.Object.Since != 31 {
		t.Errorf("%s of %d updates: %+v", done.Kind, done.Total, done.Object)
	}
	second := get[Table](t, d, `{"scenario": {"id": "runs"}, "world": "configured", "open": {"blob": "sY/wa/p1-2"}}`)
	if second.Total != 512 || second.Object.Status != "referenced" {
		t.Errorf("the second part: %d updates, %+v", second.Total, second.Object)
	}
}

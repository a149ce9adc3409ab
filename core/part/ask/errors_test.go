package ask

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestErrorRows opens a part of errors, and reads and subscribes to a view that fails
// for a while: in one world it answers where it must fail.
func TestErrorRows(t *testing.T) {
	d := fresh(t)
	ask := func(world, open string) string {
		return fmt.Sprintf(`{"scenario": {"id": "fails"}, "world": %q, "open": %s, "limit": 2}`, world, open)
	}
	table := get[Table](t, d, ask("upgrade", `{"blob": "sY/wa/p1"}`))
	if want := [][]any{{nil, nil, "division by zero", 1500.0, 1.0}, {nil, nil, "division by zero (2)", 1500.0, 1.0}}; !reflect.DeepEqual(table.Rows, want) {
		t.Errorf("got %v, want %v", table.Rows, want)
	}
	if want := (Column{"err", "string", true}); table.Object.Status != "leaked" || table.Columns[2] != want || table.Goodbytes != 4488 ||
		table.Says[len(table.Says)-1] != "All 100 rows: part 0, written by A, of errors at 1500." {
		t.Errorf("got %+v", table)
	}
	// A row of a view that can fail has no error.
	rows := get[Table](t, d, strings.Replace(ask("strong_count", `{"blob": "sY/wb/p1"}`), `"limit": 2`, `"limit": 1`, 1))
	if want := [][]any{{"8", 2.0, nil, 1600.0, -1.0}}; !reflect.DeepEqual(rows.Rows, want) {
		t.Errorf("got %v, want %v", rows.Rows, want)
	}

	for _, c := range []struct {
		world          string
		at             int
		fails, should  string
		tone, says     string
		shown, verdict string
	}{
		{"upgrade", 1499, "", "", "right", "AS OF 1499 is answered, and right in all 256 buckets.", "2", "✓ right"},
		{"upgrade", 1700, "", "division by zero", "wrong", "AS OF 1700 is answered, and must fail: division by zero. No later append can repair it; from 2000 on, reads are right again.", "3", ""},
		{"upgrade", 2000, "division by zero", "division by zero", "right", "AS OF 2000 fails, as it must: division by zero.", "error", "✓ right"},
		{"upgrade", 2500, "", "", "right", "AS OF 2500 is answered, and right in all 256 buckets.", "3", "✓ right"},
		{"strong_count", 1700, "division by zero", "division by zero", "right", "AS OF 1700 fails, as it must: division by zero.", "error", "✓ right"},
	} {
		got := get[Reading](t, d, strings.Replace(ask(c.world, fmt.Sprintf(`{"read": {"sink": "Y", "as_of": %d}}`, c.at)), `"limit": 2`, `"limit": 1000`, 1))
		if got.Fails != c.fails || got.Should != c.should || got.Tone != c.tone || got.Says[0] != c.says || got.Second.Wrong != (c.tone == "wrong") {
			t.Errorf("%s AS OF %d: %q, %q, %s, %q, %+v", c.world, c.at, got.Fails, got.Should, got.Tone, got.Says, got.Second)
		}
		for _, cell := range got.Cells {
			if cell.Bucket == "8" && (cell.Shown[0] != c.shown || c.verdict != "" && cell.Shown[2] != c.verdict || c.verdict == "" && cell.Shown[2] != "✗ 3 in place of error") {
				t.Errorf("%s AS OF %d: %+v", c.world, c.at, cell)
			}
		}
	}
	var strip []string
	for _, s := range get[Reading](t, d, ask("upgrade", `{"read": {"sink": "Y", "as_of": 1700}}`)).Strip {
		strip = append(strip, fmt.Sprintf("%d to %d %s: %s", s.From, s.To, s.Tone, s.Says))
	}
	if got, want := strings.Join(strip, "; "), "0 to 1500 right: right; 1500 to 2000 wrong: wrong: is answered, and must fail; 2000 to 2500 right: fails, as it must; "+
		"2500 to 3000 right: right; 3000 to 3500 waits: a read waits: not sealed yet"; got != want {
		t.Errorf("strip\n%s\nwant\n%s", got, want)
	}

	sub := get[Subscription](t, d, ask("upgrade", `{"subscribe": {"sink": "Y", "as_of": 1000}}`))
	var kinds, second []string
	for _, m := range sub.Messages {
		kinds = append(kinds, fmt.Sprintf("%s %d, %s", m.Kind, m.Time, m.Says))
	}
	if got, want := strings.Join(kinds, "; "), "snapshot 1000, the content AS OF 1000: 256 rows; diffs 1600, 512 changes; progress 2000, no more changes below 2000; "+
		"error 2000, the SUBSCRIBE ends: division by zero"; got != want {
		t.Errorf("messages\n%s\nwant\n%s", got, want)
	}
	for _, s := range sub.Second {
		second = append(second, fmt.Sprintf("%d %t", s.Time, s.Wrong))
	}
	if got, want := strings.Join(second, "; "), "1000 false; 1500 true; 1600 true; 2000 false; 2500 false"; got != want {
		t.Errorf("second view wrong: %s, want %s", got, want)
	}
}

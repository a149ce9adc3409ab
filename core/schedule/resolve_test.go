package schedule_test

import (
	"errors"
	"slices"
	"testing"

	"sharedbatches/core/schedule"
)

func TestResolve(t *testing.T) {
	for _, test := range []struct{ threads, letters, want string }{
		{"A B By Ka Py", "A4 B By K2 P", "A4 B By Ka2 Py"},
		{"A B K Ka", "A K Ka", "A K Ka"},
		{"A Lby M Px", "L M P Lby", "Lby M Px Lby"},
		{"A A Ka Ka", "K", "Ka"},
		{"", "", ""},
	} {
		got, err := schedule.Resolve(mustParse(t, test.letters), mustParse(t, test.threads))
		if err != nil || !slices.Equal(got, mustParse(t, test.want)) {
			t.Errorf("Resolve(%s) over %s = %q, %v; want %s", test.letters, test.threads, got, err, test.want)
		}
	}
}

func TestResolveMalformed(t *testing.T) {
	for _, test := range []struct{ threads, letters, want string }{
		{"A B Ka Kb Kby", "A B2 K", `step 4: thread "K": more than one thread begins with it: Ka, Kb, Kby`},
		{"A By", "A B", `step 2: thread "B": not in this set-up: nearest is By`},
		{"A Ta", "T", `step 1: thread "T": not in this set-up: nearest is Ta`},
		{"A Ka", "A5 Kx", `step 6: thread "Kx": not in this set-up: nearest is Ka`},
		{"A By M", "C", `step 1: thread "C": not in this set-up, which has A, By, M`},
		{"A B", "K", `step 1: thread "K": not in this set-up, which has A, B`},
		{"", "A", `step 1: thread "A": this set-up has no threads`},
		{"A B C D E F G H Ka Kb Kc Kd Ke", "S",
			`step 1: thread "S": not in this set-up, which has A, B, C, D, E, F, G, H, Ka, Kb, Kc, Kd, ...`},
	} {
		letters := mustParse(t, test.letters)
		before := slices.Clone(letters)
		got, err := schedule.Resolve(letters, mustParse(t, test.threads))
		if err == nil || err.Error() != test.want || got != nil {
			t.Errorf("Resolve(%s) over %s = %q, error\n%v\nwant\n%s", test.letters, test.threads, got, err, test.want)
		}
		if !slices.Equal(letters, before) {
			t.Errorf("Resolve(%s) changed the letters given", test.letters)
		}
	}
	if _, err := schedule.Resolve([]schedule.Letter{""}, []schedule.Letter{"A"}); err == nil {
		t.Error("Resolve accepts an empty letter")
	}
}

func TestReplay(t *testing.T) {
	var taken []schedule.Letter
	blocked := errors.New("worker B is blocked: registry lock held by A")
	step := func(letter schedule.Letter) error {
		if letter == "By" {
			return blocked
		}
		taken = append(taken, letter)
		return nil
	}
	if err := schedule.Replay(mustParse(t, "A2 B"), step); err != nil {
		t.Errorf("Replay: %v", err)
	}
	if want := mustParse(t, "A2 B"); !slices.Equal(taken, want) {
		t.Errorf("Replay stepped %q, want %q", taken, want)
	}
	taken = nil
	err := schedule.Replay(mustParse(t, "A4 B2 By A"), step)
	if want := "step 7: worker B is blocked: registry lock held by A"; err == nil || err.Error() != want {
		t.Errorf("Replay gave %v, want %s", err, want)
	}
	var at *schedule.StepError
	if !errors.As(err, &at) || at.Step != 7 || at.Letter != "By" || !errors.Is(err, blocked) {
		t.Errorf("Replay's error does not carry step, letter and cause: %#v", err)
	}
	if len(taken) != 6 {
		t.Errorf("Replay took %d steps before the error, want 6", len(taken))
	}
}

func mustParse(t *testing.T, text string) []schedule.Letter {
	t.Helper()
	letters, err := schedule.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return letters
}

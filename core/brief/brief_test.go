package brief

import (
	"errors"
	"fmt"
	"testing"
)

type word uint8

func (w word) String() string { return "word" }

// TestLikeFmt compares with fmt on every verb and kind of value.
func TestLikeFmt(t *testing.T) {
	inner := errors.New("inner")
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"plain", nil},
		{"100 %%", nil},
		{"%s and %d", []any{"a", 7}},
		{"%d %d %d %d", []any{int64(-3), int32(4), uint8(5), uint64(6)}},
		{"%q %q", []any{"a\"\u202e", []string{"x", "y"}}},
		{"%c%c", []any{'A', uint8('B')}},
		{"%v %v %v", []any{inner, word(1), []int{1, 2}}},
		{"%d", []any{[]int64{1000, 2000}}},
		{"%s", []any{[]string{"a", "b"}}},
		{"[%4d|%-4s|%-12s]", []any{42, "ab", "upgrade"}},
	} {
		if got, want := Sprintf(c.format, c.args...), fmt.Sprintf(c.format, c.args...); got != want {
			t.Errorf("%q: got %q, want %q", c.format, got, want)
		}
	}
	err := Errorf("at %d %%: place %s: %w", 3, "here", inner)
	if want := "at 3 %: place here: inner"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if !errors.Is(err, inner) {
		t.Error("the error does not wrap")
	}
}

// TestMisuse holds that a mistake cannot pass as a text.
func TestMisuse(t *testing.T) {
	for _, f := range []func(){
		func() { Sprintf("%s") },
		func() { Sprintf("%", 1) },
		func() { Sprintf("none", 1) },
		func() { Sprintf("%x", 1) },
		func() { Sprintf("%s", struct{}{}) },
		func() { Errorf("%w", "no error") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
}

package brief

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
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

// TestInt holds Int to strconv, where both read a text.
func TestInt(t *testing.T) {
	for _, s := range []string{"0", "7", "-7", "0012", "999999999999999999", "-999999999999999999"} {
		want, err := strconv.ParseInt(s, 10, 64)
		if got, ok := Int(s); !ok || err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "-", "+1", " 1", "1 ", "1x", "--1", "1_0", "1000000000000000000", "٣"} {
		if got, ok := Int(s); ok {
			t.Errorf("%q was read as %d", s, got)
		}
	}
}

// TestQuote holds Quote to strconv for all that both show alike.
func TestQuote(t *testing.T) {
	for _, s := range []string{"", "plain", `a "word"`, `back\slash`, "two\nlines\t.", "\x00\x1f\x7f", "[1000, 2000) → Ü 漢"} {
		if got, want := Quote(s), strconv.Quote(s); got != want && got != strings.ReplaceAll(want, `\r`, `\x0d`) {
			t.Errorf("%q is quoted as %s, want %s", s, got, want)
		}
	}
	for _, s := range []string{"a\xffb", "\ufffd", "\u202e\u200b\u00a0\u00ad\u3000\ufeff\u0085", "\U000e0041", "\ue000"} {
		if got, want := Quote(s), strconv.Quote(s); got != want {
			t.Errorf("%+q is quoted as %s, want %s", s, got, want)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if bad := unicode.In(r, unicode.Cc, unicode.Z, unicode.Co); r > 0x7f && bad && !hidden(r) || unicode.IsPrint(r) && hidden(r) && r < 0xe0000 {
			t.Errorf("%U: hidden is %v", r, hidden(r))
		}
	}
}

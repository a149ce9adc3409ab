package talk

import (
	"reflect"
	"strings"
	"testing"
)

// TestMessages holds that every message comes back as it was, and that no part of one is a
// message. It fills all fields, so one that is left out is found.
func TestMessages(t *testing.T) {
	for _, m := range []Message{&Ask{}, &Query{}, &Progress{}, &Found{}, &Failed{}, &Ways{}} {
		n := 0
		fill(reflect.ValueOf(m).Elem(), &n)
		text := Encode(m)
		got, err := Decode(text)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("%q is read as %+v (%v), want %+v", text, got, err, m)
		}
		for i := range text {
			if got, err := Decode(text[:i]); err == nil {
				t.Errorf("%q, cut at %d, is read as %+v", text, i, got)
			}
		}
		if _, err := Decode(text + "0 "); err == nil {
			t.Errorf("%q with more behind it is read", text)
		}
	}
	for _, text := range []string{"", "9 ", "0", "1 2 3 99999999 ", "1 2 3 -1 ", "4 1 -1:", "4 1 x:"} {
		if m, err := Decode(text); err == nil {
			t.Errorf("%q is read as %+v", text, m)
		}
	}
}

// fill gives every field a value of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(int64(*n) - 3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("\"ß:" + strings.Repeat("7 ", *n%4))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic(v.Kind().String())
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"é & <b>":                 "é &amp; &lt;b&gt;",
		`"quoted" &amp; <script>`: "&quot;quoted&quot; &amp;amp; &lt;script&gt;",
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

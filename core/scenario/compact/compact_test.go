package compact

import (
	"reflect"
	"strings"
	"testing"

	"sharedbatches/core/scenario"
)

// fill gives every field a value of its own, so that one which is left out, or read
// into another's place, is noticed.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x:1 \n", *n%7) + "é")
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n) - 20)
	case reflect.Uint8:
		v.SetUint(uint64(*n % 200))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic(v.Kind())
	}
}

func TestEveryField(t *testing.T) {
	list := make([]scenario.Scenario, 3)
	n := 0
	fill(reflect.ValueOf(&list[0]).Elem(), &n)
	fill(reflect.ValueOf(&list[1]).Elem(), &n)
	// The third has nothing: nil lists stay nil.
	list[1].Notes = []scenario.Note{}
	got, err := Decode(Encode(list))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, list) {
		t.Errorf("got  %+v\nwant %+v", got, list)
	}
}

// TestDamage cuts and changes a text everywhere: an error or a list, never a panic.
func TestDamage(t *testing.T) {
	list := make([]scenario.Scenario, 1)
	n := 0
	fill(reflect.ValueOf(&list[0]).Elem(), &n)
	text := Encode(list)
	for i := range text {
		if _, err := Decode(text[:i]); err == nil {
			t.Fatalf("cut at %d: no error", i)
		}
		Decode(text[:i] + "9" + text[i+1:])
	}
	if _, err := Decode(text + "1"); err == nil {
		t.Error("something behind it: no error")
	}
}

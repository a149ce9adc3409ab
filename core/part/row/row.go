package row

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Type is the type of a column.
type Type uint8

const (
	String Type = iota
	Int64
	Bool
	typeCount
)

func (t Type) String() string {
	if t >= typeCount {
		return "type " + strconv.Itoa(int(t))
	}
	return [typeCount]string{"string", "int64", "bool"}[t]
}

// Column is one column of a key.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
}

// Schema is the columns of a key, in order.
type Schema []Column

// Limits of a schema.
const (
	MaxColumns   = 64
	MaxNameBytes = 64
)

// Check holds a schema to its limits: columns have different names and known types.
func (s Schema) Check() error {
	if len(s) < 1 || len(s) > MaxColumns {
		return fmt.Errorf("schema: there are %d columns: allowed are 1 to %d", len(s), MaxColumns)
	}
	for i, c := range s {
		if c.Name == "" || len(c.Name) > MaxNameBytes {
			return fmt.Errorf("schema: columns[%d]: name: %q: allowed are 1 to %d bytes", i, c.Name, MaxNameBytes)
		}
		if c.Type >= typeCount {
			return fmt.Errorf("schema: columns[%d]: %s: allowed are string, int64, bool", i, c.Type)
		}
		for _, before := range s[:i] {
			if before.Name == c.Name {
				return fmt.Errorf("schema: columns[%d]: name: %q is taken", i, c.Name)
			}
		}
	}
	return nil
}

// Value is one cell. The zero value is null. Values are comparable with ==.
type Value struct {
	kind kind
	n    int64 // of an int64; 0 or 1 of a bool
	s    string
}

type kind uint8

const (
	null kind = iota
	stringKind
	int64Kind
	boolKind
)

// Null is the missing value.
func Null() Value { return Value{} }

// Text is a string value.
func Text(s string) Value { return Value{kind: stringKind, s: s} }

// Int is an int64 value.
func Int(n int64) Value { return Value{kind: int64Kind, n: n} }

// Flag is a bool value.
func Flag(b bool) Value {
	v := Value{kind: boolKind}
	if b {
		v.n = 1
	}
	return v
}

// IsNull tells whether the value is missing.
func (v Value) IsNull() bool { return v.kind == null }

// Text is the string of a string value, and empty for others.
func (v Value) Text() string { return v.s }

// Int is the number of an int64 value, and 0 for a null.
func (v Value) Int() int64 { return v.n }

// Flag is the truth of a bool value, and false for a null.
func (v Value) Flag() bool { return v.n != 0 }

// Is tells whether the value may stand in a column: it has the column's type, or is
// null where the column allows that.
func (v Value) Is(c Column) bool {
	if v.kind == null {
		return c.Nullable
	}
	return v.kind == kind(c.Type)+1
}

// Any is the value as nil, string, int64 or bool.
func (v Value) Any() any {
	switch v.kind {
	case stringKind:
		return v.s
	case int64Kind:
		return v.n
	case boolKind:
		return v.n != 0
	}
	return nil
}

func (v Value) String() string {
	switch v.kind {
	case stringKind:
		return strconv.Quote(v.s)
	case int64Kind:
		return strconv.FormatInt(v.n, 10)
	case boolKind:
		return strconv.FormatBool(v.n != 0)
	}
	return "null"
}

// Compare orders values of one column; nulls come last, as in the original.
func (v Value) Compare(w Value) int {
	switch {
	case v.kind == null || w.kind == null:
		return cmp.Compare(nullsLast(v), nullsLast(w))
	case v.kind == stringKind:
		return cmp.Compare(v.s, w.s)
	}
	return cmp.Compare(v.n, w.n)
}

func nullsLast(v Value) int {
	if v.kind == null {
		return 1
	}
	return 0
}

// Row is one value for each column.
type Row []Value

// Compare orders rows of one schema by their columns in turn.
func (r Row) Compare(other Row) int { return slices.CompareFunc(r, other, Value.Compare) }

// Update is a change of a row's multiplicity at a time.
type Update struct {
	Row  Row
	Time int64
	Diff int64
}

// Consolidate sorts updates by row and time, adds up the diffs of equal ones and
// drops zeros. It reuses the slice.
func Consolidate(us []Update) []Update {
	slices.SortFunc(us, func(a, b Update) int {
		if c := a.Row.Compare(b.Row); c != 0 {
			return c
		}
		return cmp.Compare(a.Time, b.Time)
	})
	out := us[:0]
	for i := 0; i < len(us); {
		sum := us[i]
		for i++; i < len(us) && us[i].Time == sum.Time && us[i].Row.Compare(sum.Row) == 0; i++ {
			sum.Diff += us[i].Diff
		}
		if sum.Diff != 0 {
			out = append(out, sum)
		}
	}
	return out
}

// At is the content at time t: the updates with a time of at most t, all moved to t
// and consolidated. A diff is then the row's multiplicity. The argument stays as it is.
func At(us []Update, t int64) []Update {
	var list []Update
	for _, u := range us {
		if u.Time <= t {
			u.Time = t
			list = append(list, u)
		}
	}
	return Consolidate(list)
}

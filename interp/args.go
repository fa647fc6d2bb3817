package interp

import (
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/scenario-lang/scenario/dsl"
)

// argReader holds the evaluated arguments of a step; absent ones are zero.
type argReader []argument

// argument is one of them: its value, and what that is in Go.
type argument struct {
	name  string
	raw   cty.Value
	value any
}

// raw returns an argument as a value of the language, [cty.NilVal] where it was
// not given or is null.
func (a argReader) raw(name string) cty.Value {
	for i := range a {
		if a[i].name == name {
			return a[i].raw
		}
	}
	return cty.NilVal
}

// value returns an argument as a value of Go, nil where it was not given.
func (a argReader) value(name string) any {
	for i := range a {
		if a[i].name == name {
			return a[i].value
		}
	}
	return nil
}

// Has reports whether an argument was given and is not null.
func (a argReader) Has(name string) bool { return a.value(name) != nil }

// String returns a text.
func (a argReader) String(name string) string { s, _ := a.value(name).(string); return s }

// Text returns the text of an argument that may be written as any value that
// has one: a string, a number or a bool. The error reads as the end of a
// sentence that begins with the argument's name.
func (a argReader) Text(name string) (string, error) {
	v := a.raw(name)
	if v == cty.NilVal {
		return "", nil
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil || v.RawEquals(cty.PositiveInfinity) || v.RawEquals(cty.NegativeInfinity) {
		return "", fmt.Errorf("must be a text, not %s; jsonencode(…) makes one of any value", dsl.Render(v, 60))
	}
	return text.AsString(), nil
}

// Duration returns a duration.
func (a argReader) Duration(name string) time.Duration {
	d, _ := a.value(name).(time.Duration)
	return d
}

// StringMap returns an object of texts.
func (a argReader) StringMap(name string) map[string]string {
	m, _ := a.value(name).(map[string]string)
	return m
}

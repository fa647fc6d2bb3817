package plan

import (
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/scenario-lang/scenario/dsl/render"
)

// ArgReader holds the evaluated arguments of a step; absent ones are zero.
type ArgReader []Argument

// Argument is one of them: its value, and what that is in Go.
type Argument struct {
	Name  string
	Raw   cty.Value
	Value any
}

// Raw returns an argument as a value of the language, [cty.NilVal] where it was
// not given or is null.
func (a ArgReader) Raw(name string) cty.Value {
	for i := range a {
		if a[i].Name == name {
			return a[i].Raw
		}
	}
	return cty.NilVal
}

// Value returns an argument as a value of Go, nil where it was not given.
func (a ArgReader) Value(name string) any {
	for i := range a {
		if a[i].Name == name {
			return a[i].Value
		}
	}
	return nil
}

// Has reports whether an argument was given and is not null.
func (a ArgReader) Has(name string) bool { return a.Value(name) != nil }

// String returns a text.
func (a ArgReader) String(name string) string { s, _ := a.Value(name).(string); return s }

// Text returns the text of an argument that may be written as any value that
// has one: a string, a number or a bool. The error reads as the end of a
// sentence that begins with the argument's name.
func (a ArgReader) Text(name string) (string, error) {
	v := a.Raw(name)
	if v == cty.NilVal {
		return "", nil
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil || v.RawEquals(cty.PositiveInfinity) || v.RawEquals(cty.NegativeInfinity) {
		return "", fmt.Errorf("must be a string, not %s; jsonencode(…) makes one of any value", render.Value(v, 60))
	}
	return text.AsString(), nil
}

// Duration returns a duration.
func (a ArgReader) Duration(name string) time.Duration {
	d, _ := a.Value(name).(time.Duration)
	return d
}

// StringMap returns an object of texts.
func (a ArgReader) StringMap(name string) map[string]string {
	m, _ := a.Value(name).(map[string]string)
	return m
}

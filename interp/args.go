package interp

import (
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/scenario-lang/scenario/dsl"
)

// argReader holds the evaluated arguments of a step; absent ones are zero.
type argReader struct {
	values map[string]any
	raw    map[string]cty.Value
}

// Has reports whether an argument was given and is not null.
func (a argReader) Has(name string) bool { return a.values[name] != nil }

// String returns a text.
func (a argReader) String(name string) string { s, _ := a.values[name].(string); return s }

// Text returns the text of an argument that may be written as any value that
// has one: a string, a number or a bool. The error reads as the end of a
// sentence that begins with the argument's name.
func (a argReader) Text(name string) (string, error) {
	v, ok := a.raw[name]
	if !ok {
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
	d, _ := a.values[name].(time.Duration)
	return d
}

// StringMap returns an object of texts.
func (a argReader) StringMap(name string) map[string]string {
	m, _ := a.values[name].(map[string]string)
	return m
}

package interp

import (
	"time"

	"github.com/zclconf/go-cty/cty"
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

// Text returns a text of an argument of any type, JSON where it is no string.
func (a argReader) Text(name string) string {
	v, ok := a.raw[name]
	if !ok {
		return ""
	}
	if v.Type() == cty.String {
		return v.AsString()
	}
	return string(valueAttr{v}.AppendJSON(nil))
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

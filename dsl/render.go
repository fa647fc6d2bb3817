package dsl

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/wording"
)

// Render writes a value on one line as it would be written in a file: objects
// with sorted names, strings in quotes, numbers in their shortest form. A text
// of more than max characters is cut and says how much is missing; max 0 cuts
// nothing. Marked values are secrets and are not shown.
func Render(v cty.Value, max int) string {
	return Shorten(string(appendValue(nil, v)), max)
}

// Shorten cuts a text of more than max characters, and says how much is missing. At
// 0 it cuts nothing.
func Shorten(text string, max int) string {
	if max <= 0 || len(text) <= max {
		return text
	}
	length := utf8.RuneCountInString(text)
	if length <= max {
		return text
	}
	cut := 0
	for range max {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return fmt.Sprintf("%s… %s more characters", text[:cut], Thousands(length-max))
}

// Thousands writes a count with commas: 2,031.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func appendValue(dst []byte, v cty.Value) []byte {
	t := v.Type()
	switch {
	case v == cty.NilVal:
		return append(dst, "nothing"...)
	case v.IsMarked():
		return append(dst, "(sensitive)"...)
	case !v.IsKnown():
		return append(dst, "(not known)"...)
	case v.IsNull():
		return append(dst, "null"...)
	case t == cty.String:
		return wording.AppendQuoted(dst, v.AsString())
	case t == cty.Number:
		return append(dst, renderNumber(v.AsBigFloat())...)
	case t == cty.Bool:
		return strconv.AppendBool(dst, v.True())
	case isMapping(t):
		return appendMapping(dst, v)
	case isSequence(t):
		return appendSequence(dst, v)
	}
	return append(append(append(dst, '('), t.FriendlyName()...), ')')
}

func isSequence(t cty.Type) bool { return t.IsTupleType() || t.IsListType() || t.IsSetType() }
func isMapping(t cty.Type) bool  { return t.IsObjectType() || t.IsMapType() }

func appendSequence(dst []byte, v cty.Value) []byte {
	dst = append(dst, '[')
	for i, e := range v.AsValueSlice() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendValue(dst, e)
	}
	return append(dst, ']')
}

func appendMapping(dst []byte, v cty.Value) []byte {
	attrs := v.AsValueMap()
	if len(attrs) == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, "{ "...)
	for i, name := range slices.Sorted(maps.Keys(attrs)) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendName(dst, name), " = "...)
		dst = appendValue(dst, attrs[name])
	}
	return append(dst, " }"...)
}

func appendName(dst []byte, name string) []byte {
	if hclsyntax.ValidIdentifier(name) {
		return append(dst, name...)
	}
	return wording.AppendQuoted(dst, name)
}

// renderNumber writes integers in full and others with the digits that
// tell their float64 apart, which is what a reader of 0.1 + 0.2 expects.
func renderNumber(f *big.Float) string {
	if f.IsInt() && f.MantExp(nil) <= 70 {
		if f.Sign() == 0 {
			return "0"
		}
		return f.Text('f', 0)
	}
	x, _ := f.Float64()
	if x == 0 || x-x != 0 {
		return f.Text('g', 17) // beyond float64
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

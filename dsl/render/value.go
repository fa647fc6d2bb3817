// Package render writes values as a file has them, and cuts long ones for messages.
package render

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/wording"
)

// Value writes a value on one line as it would be written in a file: objects
// with sorted names, strings in quotes, numbers in their shortest form. A text
// of more than max characters is cut and says how much is missing, up to 65,536
// bytes of it: what nobody reads is not written. Max 0 cuts nothing. Marked values
// are secrets and are not shown.
func Value(v cty.Value, max int) string {
	return Shown(v, max, nil)
}

// Shown is Value for a value that hide makes into one that may be shown. It is
// asked for the elements of a list one by one, as far as they are written.
func Shown(v cty.Value, max int, hide func(cty.Value) cty.Value) string {
	if max <= 0 {
		whole := rendering{most: math.MaxInt, hide: hide}
		whole.value(v)
		return string(whole.text)
	}
	r := rendering{most: max + countedMax, hide: hide}
	r.value(v)
	text, missing := shorten(string(r.text), max)
	switch {
	case missing == 0:
		return text
	case r.cut:
		return fmt.Sprintf("%s… more than %s more characters", text, Thousands(missing))
	}
	return fmt.Sprintf("%s… %s more characters", text, Thousands(missing))
}

// countedMax is how many bytes beyond what is shown of a value are counted.
const countedMax = 1 << 16

// Shorten cuts a text of more than max characters, and says how much is missing. At
// 0 it cuts nothing.
func Shorten(text string, max int) string {
	if max <= 0 {
		return text
	}
	cut, missing := shorten(text, max)
	if missing == 0 {
		return text
	}
	return fmt.Sprintf("%s… %s more characters", cut, Thousands(missing))
}

// shorten is a text cut after max characters, and how many are missing.
func shorten(text string, max int) (cut string, missing int) {
	if len(text) <= max {
		return text, 0
	}
	length := utf8.RuneCountInString(text)
	if length <= max {
		return text, 0
	}
	end := 0
	for range max {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end], length - max
}

// Thousands writes a count with commas: 2,031.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// A rendering is a value that is being written, as far as its text has less than most
// bytes: nothing is begun beyond that.
type rendering struct {
	text []byte
	most int
	// cut is set when something is missing.
	cut bool
	// hide makes what is not a list into what may be shown; nil changes nothing.
	hide func(cty.Value) cty.Value
}

// full reports whether nothing more is to be written, where something comes.
func (r *rendering) full() bool {
	r.cut = r.cut || len(r.text) >= r.most
	return r.cut
}

func (r *rendering) add(text string) { r.text = append(r.text, text...) }

func (r *rendering) value(v cty.Value) {
	hide := r.hide
	if hide == nil || r.full() || isSequence(v.Type()) {
		r.shown(v)
		return
	}
	r.hide = nil
	r.shown(hide(v))
	r.hide = hide
}

func (r *rendering) shown(v cty.Value) {
	t := v.Type()
	switch {
	case r.full():
	case v == cty.NilVal:
		r.add("nothing")
	case v.IsMarked():
		r.add("(sensitive)")
	case !v.IsKnown():
		r.add("(not known)")
	case v.IsNull():
		r.add("null")
	case t == cty.String:
		r.quoted(v.AsString())
	case t == cty.Number:
		r.add(renderNumber(v.AsBigFloat()))
	case t == cty.Bool:
		r.text = strconv.AppendBool(r.text, v.True())
	case isMapping(t):
		r.mapping(v)
	case isSequence(t):
		r.sequence(v)
	default:
		r.add("(" + t.FriendlyName() + ")")
	}
}

// quoted writes a string, of a long one its beginning.
func (r *rendering) quoted(s string) {
	if room := max(r.most-len(r.text), 0); len(s) > room {
		r.cut = true
		for room > 0 && !utf8.RuneStart(s[room]) {
			room--
		}
		s = s[:room]
	}
	r.text = wording.AppendQuoted(r.text, s)
}

func isSequence(t cty.Type) bool { return t.IsTupleType() || t.IsListType() || t.IsSetType() }
func isMapping(t cty.Type) bool  { return t.IsObjectType() || t.IsMapType() }

func (r *rendering) sequence(v cty.Value) {
	r.add("[")
	for i, e := range v.AsValueSlice() {
		if r.full() {
			return
		}
		if i > 0 {
			r.add(", ")
		}
		r.value(e)
	}
	r.add("]")
}

func (r *rendering) mapping(v cty.Value) {
	attrs := v.AsValueMap()
	if len(attrs) == 0 {
		r.add("{}")
		return
	}
	r.add("{ ")
	for i, name := range slices.Sorted(maps.Keys(attrs)) {
		if r.full() {
			return
		}
		if i > 0 {
			r.add(", ")
		}
		r.name(name)
		r.add(" = ")
		r.value(attrs[name])
	}
	r.add(" }")
}

func (r *rendering) name(name string) {
	if hclsyntax.ValidIdentifier(name) {
		r.add(name)
		return
	}
	r.quoted(name)
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

package valuediff

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/linediff"
	"github.com/scenario-lang/scenario/dsl/render"
)

// A Difference is one place where two values differ.
type Difference struct {
	// Path leads to the place: .attempts[1].at_ms; "" is the whole value.
	Path string
	// Actual or Expected is cty.NilVal where one side has nothing there.
	Actual, Expected cty.Value
	secret           bool
}

const (
	maxDiffs     = 50  // of one report
	maxDiffValue = 200 // characters of one value
)

// Of says where two values differ, a line for each place, with the actual
// value first: `.attempts[1].at_ms: 2000, want 1000`. It is "" for equal
// values, and the same text for the same values in every run. Tuples are
// compared index by index.
func Of(actual, expected cty.Value) string {
	return Format(differences(actual, expected, false))
}

// Partial says where a value is not what an expect block asks for: every
// attribute given must be there and match, objects partially at every depth,
// tuples with as many elements. A null matches only a null.
func Partial(actual, expected cty.Value) []Difference {
	return differences(actual, expected, true)
}

// Format writes differences as [Of] does.
func Format(diffs []Difference) string {
	var lines []string
	for i, d := range diffs {
		if i == maxDiffs {
			lines = append(lines, fmt.Sprintf("… %s more differences", render.Thousands(len(diffs)-i)))
			break
		}
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

func differences(actual, expected cty.Value, partial bool) []Difference {
	c := comparison{partial: partial}
	c.compare("", actual, expected, false)
	return c.diffs
}

type comparison struct {
	partial bool
	diffs   []Difference
}

func (c *comparison) add(path string, actual, expected cty.Value, secret bool) {
	c.diffs = append(c.diffs, Difference{path, actual, expected, secret})
}

func (c *comparison) compare(path string, actual, expected cty.Value, secret bool) {
	actual, aMarks := actual.Unmark()
	expected, eMarks := expected.Unmark()
	secret = secret || len(aMarks) > 0 || len(eMarks) > 0
	switch {
	case !actual.IsKnown() || !expected.IsKnown() || actual.IsNull() != expected.IsNull():
		c.add(path, actual, expected, secret)
	case actual.IsNull():
	case isMapping(actual.Type()) && isMapping(expected.Type()):
		c.mappings(path, actual.AsValueMap(), expected.AsValueMap(), secret)
	case isSequence(actual.Type()) && isSequence(expected.Type()):
		c.sequences(path, actual.AsValueSlice(), expected.AsValueSlice(), secret)
	case !actual.Type().Equals(expected.Type()) || !actual.RawEquals(expected):
		c.add(path, actual, expected, secret)
	}
}

func (c *comparison) mappings(path string, actual, expected map[string]cty.Value, secret bool) {
	names := slices.Collect(maps.Keys(expected))
	if !c.partial {
		for name := range actual {
			if _, both := expected[name]; !both {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		a, inActual := actual[name]
		e, inExpected := expected[name]
		at := path + pathStep(name)
		if inActual && inExpected {
			c.compare(at, a, e, secret)
			continue
		}
		c.add(at, a, e, secret)
	}
}

func pathStep(name string) string {
	if hclsyntax.ValidIdentifier(name) {
		return "." + name
	}
	return "[" + render.Value(cty.StringVal(name), 0) + "]"
}

func (c *comparison) sequences(path string, actual, expected []cty.Value, secret bool) {
	for i := range max(len(actual), len(expected)) {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case i >= len(actual):
			c.add(at, cty.NilVal, expected[i], secret)
		case i >= len(expected):
			c.add(at, actual[i], cty.NilVal, secret)
		default:
			c.compare(at, actual[i], expected[i], secret)
		}
	}
}

// String is the line of one difference, or several for a text of several.
func (d Difference) String() string {
	prefix := ""
	if d.Path != "" {
		prefix = d.Path + ": "
	}
	switch {
	case d.Expected == cty.NilVal:
		return prefix + d.render(d.Actual) + ", want nothing there"
	case d.Actual == cty.NilVal:
		return prefix + "missing, want " + d.render(d.Expected)
	case !d.secret && isText(d.Actual) && isText(d.Expected):
		return prefix + textDiff(d.Actual.AsString(), d.Expected.AsString())
	}
	actual, expected := d.render(d.Actual), d.render(d.Expected)
	if actual == expected && !d.secret {
		actual, expected = exact(d.Actual), exact(d.Expected)
	}
	return prefix + actual + ", want " + expected
}

func (d Difference) render(v cty.Value) string {
	if d.secret {
		return "(sensitive)"
	}
	return render.Value(v, maxDiffValue)
}

// exact tells numbers apart that are written alike, such as 1/3 and
// 0.3333333333333333.
func exact(v cty.Value) string {
	if v.IsKnown() && !v.IsNull() && v.Type() == cty.Number {
		return v.AsBigFloat().Text('g', 40)
	}
	return render.Value(v, 0)
}

func isSequence(t cty.Type) bool { return t.IsTupleType() || t.IsListType() || t.IsSetType() }
func isMapping(t cty.Type) bool  { return t.IsObjectType() || t.IsMapType() }

func isText(v cty.Value) bool { return v.IsKnown() && !v.IsNull() && v.Type() == cty.String }

// textDiff compares texts of several lines by their lines, and shows of long
// ones the place where they part.
func textDiff(actual, expected string) string {
	if strings.Contains(actual, "\n") && strings.Contains(expected, "\n") {
		these, those := strings.Split(actual, "\n"), strings.Split(expected, "\n")
		if n := changedLine(these, those); n > 0 && max(len(these[n-1]), len(those[n-1])) > maxDiffValue {
			return fmt.Sprintf("line %d: ", n) + textDiff(these[n-1], those[n-1])
		}
		return "(- actual, + expected)\n" + linediff.Of(these, those, func(l string) string { return render.Shorten(l, maxDiffValue) })
	}
	quoted := func(s string) string { return render.Value(cty.StringVal(s), 0) }
	if len(actual) <= maxDiffValue && len(expected) <= maxDiffValue {
		return quoted(actual) + ", want " + quoted(expected)
	}
	from := max(commonPrefix(actual, expected)-context, 0)
	for from > 0 && !utf8.RuneStart(expected[from]) {
		from--
	}
	before := ""
	if from > 0 {
		before = fmt.Sprintf("after %s equal characters ", render.Thousands(utf8.RuneCountInString(expected[:from])))
	}
	actual, expected = actual[from:], expected[from:]
	end := max(commonSuffix(actual, expected)-context, 0)
	for end > 0 && !utf8.RuneStart(expected[len(expected)-end]) {
		end--
	}
	behind := ""
	if end > 0 {
		behind = fmt.Sprintf(", then %s equal characters", render.Thousands(utf8.RuneCountInString(expected[len(expected)-end:])))
	}
	return before + render.Shorten(quoted(actual[:len(actual)-end]), maxDiffValue) + ", want " + render.Shorten(quoted(expected[:len(expected)-end]), maxDiffValue) + behind
}

// context is how much is shown of what is equal before a difference in a long
// text, and behind it, in bytes.
const context = 20

// changedLine is the only line in which two texts of equally many lines differ, 0
// where there is none or several.
func changedLine(a, b []string) int {
	changed := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if changed != 0 {
				return 0
			}
			changed = i + 1
		}
	}
	if len(a) != len(b) {
		return 0
	}
	return changed
}

// commonSuffix is how many bytes two texts end with alike, of what differs in
// their first byte at the latest after the context.
func commonSuffix(a, b string) int {
	most := min(len(a), len(b)) - commonPrefix(a, b)
	n := 0
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

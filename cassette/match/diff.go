package match

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

const (
	diffsMax   = 100 // differences of one comparison
	excerptMax = 60  // bytes of a value that a difference shows
	// Absent stands for a value that is not there.
	Absent = "(absent)"
)

// A FieldDiff is one field in which two requests differ.
type FieldDiff struct {
	// Path is where: "path", "query.page[0]", "body.messages[1].content".
	Path string
	// Recorded and Actual are the values as JSON, or "(absent)"; of a long one
	// the part around the first difference.
	Recorded, Actual string
}

// lineMax is how long a difference may be that stands in one line.
const lineMax = 72

// String is the difference as a message has it: in one line where that is short, else with
// both values one below the other.
func (d FieldDiff) String() string {
	if line := d.Path + ": recorded " + d.Recorded + ", actual " + d.Actual; utf8.RuneCountInString(line) <= lineMax {
		return line
	}
	switch Absent {
	case d.Recorded:
		return d.Path + ": not in the recording\n  actual    " + d.Actual
	case d.Actual:
		return d.Path + ": only in the recording\n  recorded  " + d.Recorded
	}
	return d.Path + "\n  recorded  " + d.Recorded + "\n  actual    " + d.Actual
}

// Diff returns the fields that m compares and in which the requests differ, at
// most 100, in a fixed order: method, host, path, query, then the body by
// sorted keys. It is empty exactly when their keys are equal.
func (m Match) Diff(recorded, actual Request) []FieldDiff {
	return diffOf(m.fields(recorded), m.fields(actual), Differ{})
}

// Changes is Diff for people: of lists it compares the elements that belong together, so
// that a message which was put in or left out is one difference, under its index in the
// request that has it, and those behind it are none. To ignore such a difference its path
// is not enough.
func (m Match) Changes(recorded, actual Request) []FieldDiff {
	return diffOf(m.fields(recorded), m.fields(actual), Differ{pairs: true})
}

// diffOf compares fields by their names, in the order of a.
func diffOf(a, b []field, d Differ) []FieldDiff {
	for _, f := range a {
		d.Compare(f.name, f.value, valueOf(b, f.name))
	}
	for _, f := range b {
		if valueOf(a, f.name) == (missing{}) {
			d.Compare(f.name, missing{}, f.value)
		}
	}
	return d.Diffs
}

// missing stands for the value of a field that is not there.
type missing struct{}

func valueOf(fields []field, name string) any {
	for _, f := range fields {
		if f.name == name {
			return f.value
		}
	}
	return missing{}
}

// A Differ collects differences, at most 100.
type Differ struct {
	Diffs []FieldDiff
	// pairs says that the elements of lists are compared that belong together, and not
	// those of one index.
	pairs bool
}

// Compare adds the differences of two values as encoding/json gives them, with
// numbers in their canonical form.
func (d *Differ) Compare(path string, a, b any) {
	if len(d.Diffs) >= diffsMax {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			d.compareObjects(path, x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			d.compareLists(path, x, y)
			return
		}
	}
	if !reflect.DeepEqual(a, b) {
		d.add(path, a, b)
	}
}

func (d *Differ) compareObjects(path string, a, b map[string]any) {
	union := map[string]bool{}
	for k := range a {
		union[k] = true
	}
	for k := range b {
		union[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(union)) {
		d.Compare(path+step(k), member(a, k), member(b, k))
	}
}

func member(object map[string]any, key string) any {
	if v, ok := object[key]; ok {
		return v
	}
	return missing{}
}

func (d *Differ) compareLists(path string, a, b []any) {
	element := func(i int) string { return path + "[" + strconv.Itoa(i) + "]" }
	pairs := inTurn(a, b)
	if d.pairs {
		pairs = paired(a, b)
	}
	for _, p := range pairs {
		switch {
		case p.a < 0:
			d.Compare(element(p.b), missing{}, b[p.b])
		case p.b < 0:
			d.Compare(element(p.a), a[p.a], missing{})
		default:
			d.Compare(element(p.b), a[p.a], b[p.b])
		}
	}
}

// step is one key of a path: ".name", or ["a name"] where that is no word.
func step(key string) string {
	for i := range len(key) {
		if !isWord(key[i]) {
			return "[" + strconv.Quote(key) + "]"
		}
	}
	if key == "" {
		return `[""]`
	}
	return "." + key
}

func (d *Differ) add(path string, a, b any) {
	if len(d.Diffs) >= diffsMax {
		return
	}
	recorded, actual := excerpts(render(a), render(b))
	d.Diffs = append(d.Diffs, FieldDiff{Path: path, Recorded: recorded, Actual: actual})
}

func render(v any) string {
	if v == (missing{}) {
		return Absent
	}
	return string(appendCanonical(nil, written(v)))
}

// written is a value with its numbers as people write them. It shares what has
// none with v.
func written(v any) any {
	switch v := v.(type) {
	case number:
		return number(v.written())
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = written(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, item := range v {
			object[name] = written(item)
		}
		return object
	}
	return v
}

// excerpts cuts two texts to what surrounds their first difference. What is shown of both
// begins at one place, so that they can be read one below the other.
func excerpts(a, b string) (string, string) {
	if len(a) <= excerptMax && len(b) <= excerptMax {
		return a, b
	}
	same := commonPrefix(a, b)
	start := min(same-excerptMax/4, min(len(a), len(b))-excerptMax*3/4)
	for start > 0 && !utf8.RuneStart(a[start]) {
		start--
	}
	return excerpt(a, max(0, start)), excerpt(b, max(0, start))
}

func excerpt(s string, start int) string {
	end := min(start+excerptMax, len(s))
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end++
	}
	text := s[start:end]
	if start > 0 {
		text = "…" + text
	}
	if end < len(s) {
		text += "…"
	}
	return text
}

// Words adds a difference of words that are no values.
func (d *Differ) Words(path, a, b string) {
	if a != b && len(d.Diffs) < diffsMax {
		a, b = excerpts(a, b)
		d.Diffs = append(d.Diffs, FieldDiff{path, a, b})
	}
}

// Union is the set of the keys of two maps.
func Union[V any](a, b map[string]V) map[string]bool {
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	return names
}

package stdlib

import (
	"math/big"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/internal/nojson"
)

// A function tells from its arguments how large its result will be, and refuses
// before it builds one that is too large: what calls it can only count
// afterwards.

// maxDepth bounds what nests in a decoded value: building the type of one takes
// the square of that.
const maxDepth = 1000

// knownText is an argument that is a string, "" for one that is not known.
func knownText(v cty.Value) string {
	if v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
		return v.AsString()
	}
	return ""
}

// boundedJoin refuses a text of more than maxText.
func boundedJoin(f function.Function) function.Function {
	return guarded(f, func(args []cty.Value) error {
		separator, length := len(knownText(args[0])), 0
		for i, list := range args[1:] {
			if !list.IsKnown() || list.IsNull() || !list.CanIterateElements() {
				continue
			}
			for it := list.ElementIterator(); it.Next(); {
				_, e := it.Element()
				if length += separator + len(knownText(e)); length > maxText {
					return function.NewArgErrorf(i+1, "makes the result longer than 16 MiB")
				}
			}
		}
		return nil
	})
}

// boundedSplit refuses a list of more than maxNodes.
func boundedSplit(f function.Function) function.Function {
	return guarded(f, func(args []cty.Value) error {
		separator, text := knownText(args[0]), knownText(args[1])
		if len(text) >= maxNodes && strings.Count(text, separator) >= maxNodes {
			return function.NewArgErrorf(1, "has more than 1,000,000 parts")
		}
		return nil
	})
}

// boundedMatches refuses more than maxNodes matches and groups.
func boundedMatches(f function.Function) function.Function {
	return guarded(f, func(args []cty.Value) error {
		text := knownText(args[1])
		if utf8.RuneCountInString(text) < maxNodes/10 {
			return nil
		}
		re, err := compileRegexp(knownText(args[0]), 0)
		if err != nil {
			return nil // the function says so itself
		}
		most := maxNodes / (re.NumSubexp() + 1)
		if len(re.FindAllStringIndex(text, most+1)) > most {
			return function.NewArgErrorf(1, "has more than %d matches", most)
		}
		return nil
	})
}

// boundedCSV refuses more than maxNodes cells.
func boundedCSV(f function.Function) function.Function {
	return guarded(f, func(args []cty.Value) error {
		text := knownText(args[0])
		head, _, _ := strings.Cut(text, "\n")
		if cells := (strings.Count(text, "\n") + 1) * (strings.Count(head, ",") + 1); cells > maxNodes {
			return function.NewArgErrorf(0, "has more than 1,000,000 cells")
		}
		return nil
	})
}

// boundedJSON refuses a text of more than maxNodes values, or that nests deeper
// than maxDepth, and says where a text is no JSON.
func boundedJSON(f function.Function) function.Function {
	return guarded(f, func(args []cty.Value) error {
		text := knownText(args[0])
		depth, values, quoted := 0, 1, false
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '[' || c == '{':
				depth++
				values++
			case c == ']' || c == '}':
				depth--
			case c == ',':
				values++
			}
			if depth > maxDepth {
				return function.NewArgErrorf(0, "nests deeper than %d", maxDepth)
			}
			if values > maxNodes {
				return function.NewArgErrorf(0, "has more than 1,000,000 values")
			}
		}
		if !args[0].IsKnown() || args[0].IsNull() {
			return nil
		}
		return nojson.Why(text)
	})
}

// boundedIndent refuses a width that would make the result much larger than
// the text, or larger than maxText.
func boundedIndent(f function.Function) function.Function {
	return guarded(f, func(args []cty.Value) error {
		n := args[0]
		if !n.IsKnown() || n.IsNull() || n.Type() != cty.Number {
			return nil
		}
		if n.GreaterThan(cty.NumberIntVal(maxIndent)).True() || n.LessThan(cty.Zero).True() {
			return function.NewArgErrorf(0, "must be between 0 and %d", maxIndent)
		}
		width, _ := n.AsBigFloat().Int64()
		if text := knownText(args[1]); len(text)+strings.Count(text, "\n")*int(width) > maxText {
			return function.NewArgErrorf(1, "makes the result longer than 16 MiB")
		}
		return nil
	})
}

// InProportion reports whether a call of a function takes time and memory in
// proportion to what it is given, with a limit of maxText on strings that it
// makes. Nothing is known of a function that is not of the standard library.
func InProportion(name string) bool {
	switch name {
	case "bca", "csvdecode", "distinct", "file", "fileset", "jq", "jsondecode", "jsonencode", "regex", "regexall", "regexmatch", "replace", "schemaerror", "similarity", "yamldecode":
		return false
	}
	_, known := proportionate()[name]
	return known
}

// Work is what a call of a function does beside reading its arguments and building
// its result, in bytes that it might as well have built; nil for one that does
// nothing else.
func Work(name string) func(args []cty.Value) int64 {
	switch name {
	case "bca":
		return resampled
	case "similarity":
		return compared
	case "schemaerror":
		return validated
	case "regex", "regexall", "regexmatch":
		return func(args []cty.Value) int64 { return searched(args, 0, 1) }
	case "replace":
		return func(args []cty.Value) int64 { return searched(args, 1, 0) }
	case "csvdecode":
		return named
	case "jsondecode", "yamldecode":
		return decoded
	case "jsonencode", "sha256canonical":
		return func(args []cty.Value) int64 { return eachOf(args, writing) }
	case "sum", "percentile", "toset", "setunion", "setintersection":
		return func(args []cty.Value) int64 {
			return eachOf(args, func(cty.Value) int64 { return workOfSorting })
		}
	}
	return nil
}

// Dear is what a call of a function takes beside that, which counts no less in a run than in
// a file. A benchmark of package dsl prints what calls take for each byte that they are charged.
func Dear(name string, args []cty.Value, inRun bool) int64 {
	switch name {
	case "schemaerror":
		return workOfSchema
	case "csvdecode", "jsondecode", "yamldecode":
		if inRun && name == "jsondecode" && len(args) > 0 { // a file counts its values for more
			text := knownText(args[0])
			return workOfReading + int64(strings.Count(text, ",")+strings.Count(text, ":"))*workOfWriting
		}
		return workOfReading
	case "join":
		return eachOf(args, joining)
	case "contains", "index":
		return 2 * eachOf(args, equating) // what is looked for, too
	case "toset", "setunion", "setintersection":
		return 2 * eachOf(args, digitsOf)
	}
	switch WritesDigits(name) {
	case WritesAll:
		return eachOf(args, digitsOf)
	case WritesOne:
		work := int64(0)
		for _, a := range args {
			work += equating(a) // a number stands in for a text
		}
		return work
	}
	return 0
}

// A Writes says of which numbers in its arguments a function writes the digits.
type Writes int

// A function writes the digits of none, of an argument that is a number, where a text may
// stand or anything, or of all numbers in its arguments.
const (
	WritesNone Writes = iota
	WritesOne
	WritesAll
)

// WritesDigits says of which numbers in its arguments a function writes the digits, or
// compares them for equality.
func WritesDigits(name string) Writes {
	switch name {
	case "abs", "approx", "ceil", "floor", "log", "max", "min", "pow", "signum", "within",
		"alltrue", "anytrue", "keys", "length", "range", "sum", "percentile", "values":
		return WritesNone
	case "contains", "index", "toset", "setunion", "setintersection",
		"compact", "distinct", "format", "formatlist", "join", "jsonencode", "sha256canonical", "sort", "zipmap":
		return WritesAll
	}
	return WritesOne
}

// WorkOfDigitsOf is what it takes to write or compare a value that holds no others, where it
// is a number that is no integer; nothing for any other.
func WorkOfDigitsOf(v cty.Value) int64 { return equating(v) }

// writing is what it takes to write any value.
func writing(cty.Value) int64 { return workOfWriting }

// joining is what it takes to put a value behind another text: on the way to a list of texts
// a number is written more than once.
func joining(v cty.Value) int64 { return workOfJoining + 4*digitsOf(v) }

// digitsOf is what it takes to write a number of any precision beside any other value: its
// digits are found slowly. What integers are counted with is none.
func digitsOf(v cty.Value) int64 {
	if v.Type() == cty.Number && v.IsKnown() && !v.IsMarked() && !v.IsNull() && v.AsBigFloat().Prec() > 64 {
		return workOfDigits
	}
	return 0
}

// equating is what it takes to compare a value with another for equality: numbers that
// are no integers are compared by their digits.
func equating(v cty.Value) int64 {
	work := digitsOf(v)
	if work > 0 && v.AsBigFloat().IsInt() {
		return 0
	}
	return work
}

// What it takes to make ready a schema to hold a value to, to begin to read a text, and to
// put one text behind another.
const (
	workOfSchema  = 8 << 10
	workOfReading = 256
	workOfJoining = 64
)

// Writing a value takes so much, a number with the digits of a computed one much
// more, and bringing one to its place in an order, or adding it to others of any
// precision, somewhat less.
const (
	workOfWriting = 96
	workOfDigits  = 1 << 10
	workOfSorting = 64
)

// WorkOfWriting is what it takes to write a value that holds no others, in bytes
// that might as well have been built.
func WorkOfWriting(v cty.Value) int64 {
	return max(workOfWriting, digitsOf(v))
}

// WorkOfDigits is what it takes to write a computed number out that is beyond any that
// stands in a file: with the square of its digits.
func WorkOfDigits(v cty.Value) int64 {
	if !v.IsKnown() || v.IsMarked() || v.IsNull() || v.Type() != cty.Number || InRange(v) {
		return 0
	}
	exponent := int64(v.AsBigFloat().MantExp(nil))
	return exponent * exponent / bitsAtOnce
}

// bitsAtOnce is how much of the square of the bits of a number is written for the price of
// a byte.
const bitsAtOnce = 1 << 10

// Short is a value that is written at once: an integer that was computed has the
// precision of any number, and its digits are found a hundred times slower.
func Short(v cty.Value) cty.Value {
	if !v.IsKnown() || v.IsMarked() || v.IsNull() || v.Type() != cty.Number {
		return v
	}
	if n, accuracy := v.AsBigFloat().Int64(); accuracy == big.Exact {
		return cty.NumberIntVal(n)
	}
	return v
}

// Written is a part of a template as the template writes it. Of an integer go-cty would
// find the digits as of any number.
func Written(v cty.Value) cty.Value {
	if !v.IsKnown() || v.IsMarked() || v.IsNull() || v.Type() != cty.Number {
		return v
	}
	f := v.AsBigFloat()
	if n, accuracy := f.Int64(); accuracy == big.Exact && (n != 0 || !f.Signbit()) { // -0 is written so
		return cty.StringVal(strconv.FormatInt(n, 10))
	}
	return v
}

// eachOf is what functions take that do something dear with every value in
// their arguments.
func eachOf(args []cty.Value, price func(cty.Value) int64) (work int64) {
	values := 0
	for _, a := range args {
		_ = cty.Walk(a, func(_ cty.Path, v cty.Value) (bool, error) {
			if values++; values > maxNodes {
				return false, nil
			}
			bare, _ := v.Unmark()
			work += price(bare)
			return true, nil
		})
	}
	return work
}

// WorkOfEquating is what it takes to compare a value, with all that is in it, with another
// for equality, in bytes that might as well have been built.
func WorkOfEquating(v cty.Value) int64 { return eachOf([]cty.Value{v}, equating) }

// WorkOfUnifying is what it takes to find the one type of two values of which an
// expression chooses one, in bytes that it might as well have built: the types of
// all elements are held against each other, unless both are the same
// from the start.
func WorkOfUnifying(a, b cty.Type) int64 {
	n, m := partsOfType(a), partsOfType(b)
	if n < 0 || m < 0 || a.Equals(b) {
		return 0
	}
	return (n + m) * (n + m) / 2
}

// partsOfType is how many types a type is made of, -1 where it is of one.
func partsOfType(t cty.Type) int64 {
	switch {
	case t.IsTupleType():
		return int64(t.Length())
	case t.IsObjectType():
		return int64(len(t.AttributeTypes()))
	}
	return -1
}

// searched is what it takes to look for a regular expression: each character of
// the text meets as many states as the expression has at worst, and repeating a
// part makes states of one character.
func searched(args []cty.Value, pattern, text int) int64 {
	if len(args) <= max(pattern, text) {
		return 0
	}
	written := knownText(args[pattern])
	parsed, err := syntax.Parse(written, syntax.Perl)
	if err != nil {
		return 0 // the function says so itself
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	states := int64(len(program.Inst))
	return states*workOfState + int64(len(knownText(args[text])))*states/statesAtOnce
}

// named is what it takes to give each cell of a CSV text its name: all names of the first
// line are gone through for every other one.
func named(args []cty.Value) int64 {
	if len(args) < 1 {
		return 0
	}
	text := knownText(args[0])
	head, _, _ := strings.Cut(text, "\n")
	return int64(strings.Count(text, "\n")) * int64(len(head)) / namesAtOnce
}

// decoded is what it takes to read a text twice, for the type of what it says and for that.
func decoded(args []cty.Value) int64 {
	if len(args) < 1 {
		return 0
	}
	return int64(len(knownText(args[0]))) * workOfDecoding
}

// compared is what an edit distance takes: each character of one text meets each of
// the other.
func compared(args []cty.Value) int64 {
	if len(args) < 2 {
		return 0
	}
	return int64(len(knownText(args[0]))) * int64(len(knownText(args[1]))) / statesAtOnce
}

// validated is what it takes to hold a value to a schema: each part of one meets each
// of the other at worst.
func validated(args []cty.Value) int64 {
	if len(args) < 2 {
		return 0
	}
	parts := eachOf(args[1:2], func(cty.Value) int64 { return 1 }) + int64(len(knownText(args[1])))/statesAtOnce
	return parts * (eachOf(args[:1], writing) + workOfState)
}

// A state takes so much to make, and so many may be met for the price of a byte. So
// many bytes of names are gone through for that, and decoding one takes as much as building
// a few.
const (
	workOfState    = 128
	statesAtOnce   = 2
	namesAtOnce    = 16
	workOfDecoding = 8
)

// proportionate are the functions of the standard library, and the queries about
// a run: what they go over is bounded by the events of the run.
var proportionate = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, f := range slices.Concat(List(), Queries(), OfProgram(), Environment()) {
		known[f.Name] = true
	}
	return known
})

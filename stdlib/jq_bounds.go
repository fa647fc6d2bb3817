package stdlib

import (
	"errors"
	"math/big"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/itchyny/gojq"
)

// A program of jq is interpreted one instruction at a time, and an instruction may
// call a function of gojq that allocates: for an index that is assigned, for a string
// that is repeated, or for a copy of its input. What such a call is about to allocate
// is refused where it is too much, and counted as instructions otherwise, so that all
// that a program makes comes to a gibibyte at most.
const (
	// bytesInStep is how many bytes of a string, elementsInStep how many elements
	// of a list that is copied, count as one instruction.
	bytesInStep    = 1024
	elementsInStep = 64
	// membersInStep is how many members of an object do.
	membersInStep = 32
	// madeInStep is how many new elements do, of a list that grows or of parts into
	// which something falls.
	madeInStep = 16
	// codeInStep is how many instructions of a regular expression do.
	codeInStep = 4
	// boundInSteps is how many instructions a bound takes itself, which do not count.
	// boundedPathInSteps is how many do with which an operator finds its places.
	boundInSteps       = 10
	boundedPathInSteps = 60
)

// paths shadows what names places in a value: an index is a number, and whatever is
// assigned there makes a list that long. Paths are as long as values are deep.
const paths = `def held_paths__(f): path(f) as $place__ | fits_path__($steps__; $place__) | getpath($place__);
def native_path__(f): path(f); def path(f): native_path__(f) | fits__($steps__);
def native_assign__(p; x): _assign(p; x); def _assign(p; x): looked__($steps__) | native_assign__(held_paths__(p); x);
def native_modify__(p; f): _modify(p; f); def _modify(p; f): looked__($steps__) | native_modify__(held_paths__(p); f);
def native_setpath__(p; v): setpath(p; v); def setpath(p; v): looked__($steps__) | p as $place__ | fits_place__($steps__; $place__) | native_setpath__($place__; v);
def paths: path(..) | select(. != []);
def paths(f): path(.. | select(f)) | select(. != []);
def pick(f): . as $v | reduce path(f) as $p (null; setpath($p; $v | getpath($p)));
def native_tostream__: tostream; def tostream: native_tostream__ | .[0] |= fits__($steps__);
def native_fromstream__(f): fromstream(f); def fromstream(f): native_fromstream__(f | fits_event__($steps__));
def native_delpaths__(ps): delpaths(ps); def delpaths(ps): looked__($steps__) | native_delpaths__(ps);
def del(f): delpaths([path(f)]);
`

// held shadows what makes one string of many, so that it is known before how long
// that will be: elements of a list may be one string a million times.
const held = `def native_add__: add; def add: fits_joined__("") | native_add__ | fits__($steps__); def add(f): [f] | add;
def native_join__(s): join(s); def join(s): s as $separator | fits_joined__($separator) | native_join__($separator) | fits__($steps__);
def native_tojson__: tojson; def tojson: fits_joined__("") | native_tojson__ | fits__($steps__);
def native_tostring__: tostring; def tostring: fits_joined__("") | native_tostring__ | fits__($steps__);
def native_flatten__: flatten; def flatten: fits_joined__("") | native_flatten__ | fits__($steps__);
def native_flatten__(n): flatten(n); def flatten(n): fits_joined__("") | native_flatten__(n) | fits__($steps__);
def native_transpose__: transpose; def transpose: fits_transposed__($steps__) | native_transpose__;
def native_error__: error; def error: fits_joined__("") | native_error__;
def native_error__(x): error(x); def error(x): native_error__(x | fits_joined__(""));
def halt: error("halt is not available: an expression has one result"); def halt_error: halt; def halt_error(x): halt;
def native_format__(f): format(f); def format(f): fits_joined__("") | native_format__(f) | fits__($steps__);
def native_index__(stream; f): INDEX(stream; f); def INDEX(stream; f): native_index__(stream; f | tostring); def INDEX(f): INDEX(.[]; f);
def held_product__($right; $left): fits_product__($left; $right) | $left * $right | fits__($steps__);
def held_quotient__($right; $left): ($left | fits_apart__($steps__; $right)) / $right;
def native_add__(l; r): _add(l; r); def _add(l; r): native_add__(l; r) | fits__($steps__);
def native_subtract__(l; r): _subtract(l; r); def _subtract(l; r): native_subtract__(l; r) | fits__($steps__);
def _multiply(l; r): held_product__(r; l);
def _divide(l; r): held_quotient__(r; l);
`

// copied are the functions that make a copy of their input, in another order or in
// other letters. The input counts, as what is unique in it may be little.
func copied() string {
	var b strings.Builder
	for _, name := range []string{"keys", "reverse", "sort", "unique", "implode", "ascii_downcase", "ascii_upcase", "_tohtml", "_touri", "_tourid", "_tocsv", "_totsv", "_tosh", "_tobase64", "_tobase64d"} {
		native := "native_" + strings.ReplaceAll(name, "_", "") + "__"
		b.WriteString("def " + native + ": " + name + "; def " + name + `: fits_joined__("") | fits__($steps__) | ` + native + " | fits__($steps__);\n")
	}
	for _, name := range []string{"_sort_by", "_group_by", "_unique_by", "_min_by", "_max_by"} {
		native := "native_" + strings.ReplaceAll(name, "_", "") + "__"
		b.WriteString("def " + native + "(x): " + name + "(x); def " + name + "(x): fits__($steps__) | " + native + "(x) | fits__($steps__);\n")
	}
	return b.String()
}

// apart shadows what makes a list of the parts of a string, and of its characters
// where it compares them.
const apart = `def native_explode__: explode; def explode: fits_apart__($steps__; "") | native_explode__;
def native_split__(s): split(s); def split(s): s as $separator | fits_apart__($steps__; $separator) | native_split__($separator);
def native_indices__(s): indices(s); def indices(s): fits_apart__($steps__; "") | native_indices__(s);
def native_index__(s): index(s); def index(s): fits_apart__($steps__; "") | native_index__(s);
def native_rindex__(s): rindex(s); def rindex(s): fits_apart__($steps__; "") | native_rindex__(s);
def native_fromjson__: fromjson; def fromjson: fits_json__($steps__) | native_fromjson__;
def native_strftime__(f): strftime(f); def strftime(f): f as $format | fits_time__($format) | native_strftime__($format) | fits__($steps__);
def native_tonumber__: tonumber; def tonumber: fits_json__($steps__) | native_tonumber__;
`

// heavy shadows what takes longer the larger its input is, in one instruction: that
// is counted before. Each match of a pattern goes over the text up to it.
const heavy = `def native_match__($re; $flags): match($re; $flags); def match($re; $flags): found__($steps__; $re; $flags) | native_match__($re; $flags);
def native_match__($re): match($re); def match($re): (if $re | type == "array" then found__($steps__; $re[0]; $re[1]) else found__($steps__; $re; null) end) | native_match__($re);
def native_capture__($re; $flags): capture($re; $flags); def capture($re; $flags): found__($steps__; $re; $flags) | native_capture__($re; $flags);
def native_capture__($re): capture($re); def capture($re): (if $re | type == "array" then found__($steps__; $re[0]; $re[1]) else found__($steps__; $re; null) end) | native_capture__($re);
def native_scan__($re; $flags): scan($re; $flags); def scan($re; $flags): found__($steps__; $re; "g") | native_scan__($re; $flags); def scan($re): scan($re; null);
def native_splits__($re; $flags): splits($re; $flags); def splits($re; $flags): found__($steps__; $re; "g") | native_splits__($re; $flags); def splits($re): splits($re; null);
def native_split__($re; $flags): split($re; $flags); def split($re; $flags): found__($steps__; $re; "g") | native_split__($re; $flags);
def native_test__($re; $flags): test($re; $flags); def test($re; $flags): found__($steps__; $re; null) | native_test__($re; $flags);
def native_test__($re): test($re); def test($re): (if $re | type == "array" then found__($steps__; $re[0]; null) else found__($steps__; $re; null) end) | native_test__($re);
def native_sub__($re; str; $flags): sub($re; str; $flags); def sub($re; str; $flags): found__($steps__; $re; $flags) | native_sub__($re; str | fits_part__($steps__); $flags) | fits__($steps__);
def sub($re; str): sub($re; str; null); def gsub($re; str): sub($re; str; "g"); def gsub($re; str; $flags): sub($re; str; $flags + "g");
`

// A shadow is a line of what stands before a program, and the names by which a program
// comes to it.
type shadow struct {
	text  string
	names []string
}

// shadows are made for the first program.
var shadows = sync.OnceValue(func() (list []shadow) {
	defined := regexp.MustCompile(`(?:^|; )def (\w+)`)
	for text := range strings.Lines(impure + paths + held + copied() + apart + heavy) {
		s := shadow{text: text}
		for _, m := range defined.FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(m[1], "native_") {
				s.names = append(s.names, m[1])
			}
		}
		list = append(list, s)
	}
	return list
})

// operators are the names of the functions that signs of a program call.
var operators = []struct{ sign, names string }{
	{"*", " held_product__ _multiply"},
	{"/", " held_quotient__ _divide"},
	{"+", " _add"},
	{"-", " _subtract"},
	{"=", " _assign _modify"},
	{`\(`, " tostring"},
	{"@", " tostring tojson _tohtml _touri _tourid _tocsv _totsv _tosh _tobase64 _tobase64d"},
}

// shadowed is a program behind the shadows that it needs: to compile all of them would
// take longer than most programs. One that shadows use stands before them.
func shadowed(program string) string {
	text := program
	for _, o := range operators {
		if strings.Contains(program, o.sign) {
			text += o.names
		}
	}
	all := shadows()
	needed := make([]bool, len(all))
	for i, s := range slices.Backward(all) {
		if slices.ContainsFunc(s.names, func(name string) bool { return strings.Contains(text, name) }) {
			needed[i] = true
			text += s.text
		}
	}
	var b strings.Builder
	for i, s := range all {
		if needed[i] {
			b.WriteString(s.text)
		}
	}
	return b.String() + program
}

// hold has the operators and strings of a program made by what bounds them: one that
// doubles a value has no memory left after forty turns. The operators that change a
// place call functions, which are shadowed.
func hold(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if def, is := v.Interface().(*gojq.FuncDef); is && strings.HasPrefix(def.Name, "held_") && strings.HasSuffix(def.Name, "__") {
			return // what stands for an operator has one itself
		}
		hold(v.Elem())
		switch x := v.Interface().(type) {
		case *gojq.Query:
			holdOperator(x)
		case *gojq.Term:
			if x.Str != nil && len(x.Str.Queries) > 0 {
				x.Str = heldString(x.Str, x.Format)
			}
		case *gojq.Index:
			x.Str = heldString(x.Str, "")
		case *gojq.ObjectKeyVal:
			x.KeyString = heldString(x.KeyString, "")
		case *gojq.PatternObject:
			x.KeyString = heldString(x.KeyString, "")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				hold(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			hold(v.Index(i))
		}
	}
}

func holdOperator(x *gojq.Query) {
	of := *x
	of.FuncDefs, of.Meta, of.Imports = nil, nil, nil
	held := &of
	switch x.Op {
	case gojq.OpMul:
		held = callOf("held_product__", x.Right, x.Left)
	case gojq.OpDiv:
		held = callOf("held_quotient__", x.Right, x.Left)
	case gojq.OpAdd, gojq.OpSub:
		held = piped(held, callOf("fits__", callOf("$steps__")))
	case gojq.OpAssign:
		held = callOf("_assign", x.Left, x.Right)
	default:
		return
	}
	held.Meta, held.Imports, held.FuncDefs = x.Meta, x.Imports, x.FuncDefs
	*x = *held
}

// heldString is a string whose parts are put together one by one, each in a format.
func heldString(s *gojq.String, format string) *gojq.String {
	if s == nil || len(s.Queries) < 2 {
		return s
	}
	var sum *gojq.Query
	for _, part := range s.Queries {
		switch {
		case part.Term.Str != nil:
		case format != "":
			part = piped(part, &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFormat, Format: format}})
		default:
			part = piped(part, callOf("tostring"))
		}
		if sum == nil {
			sum = part
		} else {
			sum = piped(&gojq.Query{Left: sum, Op: gojq.OpAdd, Right: part}, callOf("fits__", callOf("$steps__")))
		}
	}
	// A part with a string is taken as it is.
	whole := &gojq.Term{Type: gojq.TermTypeQuery, Query: sum, Str: &gojq.String{}}
	return &gojq.String{Queries: []*gojq.Query{{Term: whole}}}
}

func piped(from, to *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: from, Op: gojq.OpPipe, Right: to}
}

func callOf(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

// heldBy are the functions that programs are held to their bounds by.
func heldBy() []gojq.CompilerOption {
	return []gojq.CompilerOption{
		gojq.WithVariables([]string{"$steps__"}),
		gojq.WithFunction("fits__", 1, 1, fits),
		gojq.WithFunction("fits_joined__", 1, 1, fitsJoined),
		gojq.WithFunction("fits_transposed__", 1, 1, fitsTransposed),
		gojq.WithFunction("fits_part__", 1, 1, fitsPart),
		gojq.WithFunction("fits_time__", 1, 1, fitsTime),
		gojq.WithFunction("fits_product__", 2, 2, fitsProduct),
		gojq.WithFunction("fits_apart__", 2, 2, fitsApart),
		gojq.WithFunction("fits_json__", 1, 1, fitsJSON),
		gojq.WithFunction("fits_place__", 2, 2, fitsPlace),
		gojq.WithFunction("fits_path__", 2, 2, fitsPath),
		gojq.WithFunction("fits_event__", 1, 1, fitsEvent),
		gojq.WithFunction("looked__", 1, 1, looked),
		gojq.WithFunction("found__", 3, 3, found),
	}
}

var errJQTooLarge = errors.New("it makes a value of more than 16 MiB")

// fits passes on a value that was just made, if it is not too large, as long as the
// program may still take instructions. Of a list only the length counts: its elements
// fitted when they were made.
func fits(v any, args []any) any {
	spent := 0
	switch x := v.(type) {
	case string:
		if len(x) > maxText {
			return errJQTooLarge
		}
		spent = len(x) / bytesInStep
	case []any:
		if len(x) > maxNodes {
			return errJQTooLarge
		}
		spent = len(x) / elementsInStep
	case map[string]any:
		left := maxText
		if weighJQ(x, 0, &left); left < 0 {
			return errJQTooLarge
		}
		spent = len(x) / membersInStep
	case *big.Int:
		if x.BitLen() > 1<<16 {
			return errJQTooLarge
		}
	}
	return args[0].(*steps).spend(spent-boundInSteps, v)
}

// fitsProduct passes on its input where a string that is repeated is not too large.
func fitsProduct(v any, args []any) any {
	for i, a := range args {
		text, is := a.(string)
		times, counted := gojq.ToFloat64(args[1-i])
		if is && counted && times > 1 && float64(len(text))*times > maxText {
			return errJQTooLarge
		}
	}
	return v
}

// widest is how wide a part of a time is written at most.
const widest = 1024

// fitsTime passes on a time whose parts, as a format has them, are not too long.
func fitsTime(v any, args []any) any {
	format, _ := args[0].(string)
	if strings.Count(format, "%") > maxText/widest {
		return errJQTooLarge
	}
	return v
}

// fitsPart passes on what is put in the place of a match: the text that it becomes a
// part of is copied for each.
func fitsPart(v any, args []any) any {
	text, _ := v.(string)
	return args[0].(*steps).spend(len(text)/madeInStep, v)
}

// fitsApart passes on a string that does not fall into too many parts.
func fitsApart(v any, args []any) any {
	text, isText := v.(string)
	separator, is := args[1].(string)
	if !isText || !is || len(text) < madeInStep {
		return v
	}
	parts := strings.Count(text, separator)
	if parts > maxNodes {
		return errJQTooLarge
	}
	return args[0].(*steps).spend(parts/madeInStep, v)
}

// fitsJSON passes on a text of JSON that does not hold too many values, and no number
// that takes long to read.
func fitsJSON(v any, args []any) any {
	text, is := v.(string)
	if !is {
		return v
	}
	values := 0
	for i := range len(text) {
		if strings.IndexByte("[{,", text[i]) >= 0 {
			values++
		}
	}
	if values > maxNodes || longNumber(text) {
		return errJQTooLarge
	}
	return args[0].(*steps).spend(len(text)/bytesInStep+values/madeInStep, v)
}

// maxDigits is how many digits of a number are read.
const maxDigits = 1 << 14

func longNumber(text string) bool {
	digits := 0
	for i := range len(text) {
		if digits++; text[i] < '0' || text[i] > '9' {
			digits = 0
		}
		if digits > maxDigits {
			return true
		}
	}
	return false
}

// fitsPlace passes on a value in which what stands at a place is about to be set: the
// lists on the way there may grow up to it.
func fitsPlace(v any, args []any) any {
	path, _ := args[1].([]any)
	grown, at := 0, v
	for _, p := range path {
		var list []any
		list, _ = at.([]any)
		i, isIndex := listIndex(p)
		switch name, isName := p.(string); {
		case isName:
			object, _ := at.(map[string]any)
			at = object[name]
		case !isIndex || i < 0:
			at = nil
		case i < len(list):
			at = list[i]
		case i >= maxNodes:
			return errJQTooLarge
		default:
			grown += i - len(list)
			at = nil
		}
	}
	return args[0].(*steps).spend(grown/madeInStep-boundInSteps, v)
}

// fitsPath is fitsPlace for the places of an operator that changes them.
func fitsPath(v any, args []any) any {
	args[0].(*steps).left += boundedPathInSteps
	return fitsPlace(v, args)
}

// listIndex is a number as gojq takes it for the index of a list.
func listIndex(v any) (i int, is bool) {
	f, is := gojq.ToFloat64(v)
	if !is || f != f {
		return 0, false
	}
	return int(max(-1, min(f, 1<<31))), true
}

// fitsEvent passes on an event of a value that is read piece by piece: it sets what
// stands at a place, and copies what holds it.
func fitsEvent(v any, args []any) any {
	event, _ := v.([]any)
	if len(event) == 0 {
		return v
	}
	path, _ := event[0].([]any)
	copied := 0
	for _, p := range path {
		if i, isIndex := listIndex(p); isIndex {
			if i >= maxNodes {
				return errJQTooLarge
			}
			copied += max(i, 0)
		}
	}
	return args[0].(*steps).spend(copied/elementsInStep, v)
}

// looked passes on a value that is about to be copied, as long as the program may
// still take instructions.
func looked(v any, args []any) any {
	s := args[0].(*steps)
	left := s.left*elementsInStep + elementsInStep
	countJQ(v, &left)
	return s.spend((s.left*elementsInStep+elementsInStep-left)/elementsInStep, v)
}

// countJQ counts down the elements of a value. One that was doubled many times has
// more than can be counted.
func countJQ(v any, left *int) {
	switch x := v.(type) {
	case []any:
		*left -= len(x)
		for i := 0; i < len(x) && *left >= 0; i++ {
			countJQ(x[i], left)
		}
	case map[string]any:
		*left -= len(x)
		for _, e := range x {
			if *left < 0 {
				return
			}
			countJQ(e, left)
		}
	}
}

// found passes on a text in which a pattern is about to be looked for, as long as the
// program may still take instructions: for the code of the pattern, and, where all of
// them are asked for, for the matches and their groups.
func found(v any, args []any) any {
	s := args[0].(*steps)
	text, isText := v.(string)
	pattern, isPattern := args[1].(string)
	flags, _ := args[2].(string)
	if !isText || !isPattern {
		return v
	}
	if s.left -= s.patterns.code(pattern) / codeInStep; s.left < 0 {
		return errJQTooLong
	}
	if !strings.Contains(flags, "g") || len(text) < elementsInStep {
		return v
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return v // what is wrong with it is said where it is used
	}
	matches := len(re.FindAllStringIndex(text, s.left+1)) * (re.NumSubexp() + 1)
	return s.spend(len(text)/elementsInStep*matches/elementsInStep+matches/madeInStep, v)
}

// patterns are those that a program has used: gojq keeps what it makes of each.
type patterns map[string]bool

// code is how many instructions a pattern makes that was not used before.
func (p patterns) code(pattern string) int {
	if p[pattern] {
		return 0
	}
	p[pattern] = true
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return len(pattern)
	}
	code, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return len(pattern)
	}
	return len(code.Inst)
}

// fitsJoined passes on a value that as one string, with a separator between its
// parts, is not too large.
func fitsJoined(v any, args []any) any {
	separator, _ := args[0].(string)
	left := maxText
	if weighJQ(v, len(separator), &left); left < 0 {
		return errJQTooLarge
	}
	return v
}

// fitsTransposed passes on a table that has not too many cells when every row is
// as long as the longest.
func fitsTransposed(v any, args []any) any {
	rows, _ := v.([]any)
	longest := 0
	for _, r := range rows {
		if row, ok := r.([]any); ok {
			longest = max(longest, len(row))
		}
	}
	if longest > 0 && len(rows) > maxNodes/longest {
		return errJQTooLarge
	}
	return args[0].(*steps).spend(len(rows)*longest/elementsInStep, v)
}

func weighJQ(v any, each int, left *int) {
	if *left -= each; *left < 0 {
		return
	}
	switch x := v.(type) {
	case string:
		*left -= len(x)
	case []any:
		for i := 0; i < len(x) && *left >= 0; i++ {
			*left -= maxText / maxNodes
			weighJQ(x[i], each, left)
		}
	case map[string]any:
		for name, e := range x {
			if *left -= len(name) + 1; *left < 0 {
				return
			}
			weighJQ(e, 0, left)
		}
	}
}

package stdlib

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/itchyny/gojq"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// maxJQSteps bounds the instructions of one program.
const maxJQSteps = 1_000_000

// impure shadows what would make a result depend on the machine or the time.
// The environment and further inputs are off in gojq as it is used here.
const impure = `def now: error("now is not available: an expression has no clock");
def localtime: error("localtime is not available: use gmtime");
def strflocaltime(f): error("strflocaltime is not available: use strftime");
`

// held shadows what makes one string of many, so that it is known before how long
// that will be: elements of a list may be one string a million times.
const held = `def native_add__: add; def add: fits_joined__("") | native_add__; def add(f): [f] | add;
def native_join__(s): join(s); def join(s): s as $separator | fits_joined__($separator) | native_join__($separator);
def native_tojson__: tojson; def tojson: fits_joined__("") | native_tojson__;
def native_tostring__: tostring; def tostring: fits_joined__("") | native_tostring__;
def native_flatten__: flatten; def flatten: fits_joined__("") | native_flatten__;
def native_flatten__(n): flatten(n); def flatten(n): fits_joined__("") | native_flatten__(n);
def native_transpose__: transpose; def transpose: fits_transposed__ | native_transpose__;
def held_product__($right; $left): fits_product__($left; $right) | $left * $right;
def held_products__(paths; f): f as $right | paths |= held_product__($right; .);
`

// heavy shadows what takes longer the larger its input is, in one instruction: that
// is counted before. Each match of a pattern goes over the text up to it.
const heavy = `def native_del__(f): del(f); def del(f): looked__($steps__) | native_del__(f);
def native_delpaths__(ps): delpaths(ps); def delpaths(ps): looked__($steps__) | native_delpaths__(ps);
def native_setpath__(p; v): setpath(p; v); def setpath(p; v): looked__($steps__) | native_setpath__(p; v);
def native_match__($re; $flags): match($re; $flags); def match($re; $flags): found__($steps__; $re; $flags) | native_match__($re; $flags);
def native_match__($re): match($re); def match($re): (if $re | type == "array" then found__($steps__; $re[0]; $re[1]) else . end) | native_match__($re);
def native_capture__($re; $flags): capture($re; $flags); def capture($re; $flags): found__($steps__; $re; $flags) | native_capture__($re; $flags);
def native_capture__($re): capture($re); def capture($re): (if $re | type == "array" then found__($steps__; $re[0]; $re[1]) else . end) | native_capture__($re);
def native_scan__($re; $flags): scan($re; $flags); def scan($re; $flags): found__($steps__; $re; "g") | native_scan__($re; $flags); def scan($re): scan($re; null);
def native_splits__($re; $flags): splits($re; $flags); def splits($re; $flags): found__($steps__; $re; "g") | native_splits__($re; $flags); def splits($re): splits($re; null);
def native_split__($re; $flags): split($re; $flags); def split($re; $flags): found__($steps__; $re; "g") | native_split__($re; $flags);
def native_sub__($re; str; $flags): sub($re; str; $flags); def sub($re; str; $flags): found__($steps__; $re; $flags) | native_sub__($re; str; $flags);
def sub($re; str): sub($re; str; null); def gsub($re; str): sub($re; str; "g"); def gsub($re; str; $flags): sub($re; str; $flags + "g");
`

// A program of jq takes so much work to compile, and one of its instructions to
// run, in bytes that an expression might as well have built.
const (
	workOfProgram     = 64 << 10
	workOfInstruction = 16
)

func runJQ(args []cty.Value) (cty.Value, error) {
	return jqWithin(args, maxJQSteps, func(int) {})
}

// CountedJQ is the function jq for one evaluation: spend is told of the work of
// every call and reports whether there may be more. A program is compiled once,
// however many values it is run for.
func CountedJQ(spend func(work int64) bool) function.Function {
	compiled := map[string]bool{}
	return native(func(args []cty.Value) (cty.Value, error) {
		program := args[1].AsString()
		if !compiled[program] {
			compiled[program] = true
			if !spend(workOfProgram) {
				return cty.NilVal, errNoMoreWork
			}
		}
		taken := 0
		v, err := jqWithin(args, maxJQSteps, func(n int) { taken = n })
		if !spend(int64(taken) * workOfInstruction) {
			return cty.NilVal, errNoMoreWork
		}
		return v, err
	}, anything("value"), text("program"))
}

var errNoMoreWork = errors.New("there is too much to compute")

// jqWithin runs a program of jq with a limit on its instructions, and tells how many
// it took.
func jqWithin(args []cty.Value, most int, took func(int)) (cty.Value, error) {
	code, err := jqPrograms.get(args[1].AsString())
	if err != nil {
		return cty.NilVal, err
	}
	left := &steps{left: most}
	defer func() { took(most - left.left) }()
	results := code.RunWithContext(left, toJQ(args[0]), left)
	out, ok := results.Next()
	if !ok {
		return cty.NilVal, function.NewArgErrorf(1, "gives no result; wrap it in [ ] to get a list of all results")
	}
	if err, failed := out.(error); failed {
		return cty.NilVal, function.NewArgErrorf(1, "failed: %s", err)
	}
	if _, more := results.Next(); more {
		return cty.NilVal, function.NewArgErrorf(1, "gives more than one result; wrap it in [ ] to get a list of them")
	}
	nodes := 0
	return fromJQ(out, &nodes)
}

// jqPrograms are the last programs that were compiled: a file runs few of them, on
// many values, and compiling one takes longer than most runs.
var jqPrograms = programs{kept: map[string]*gojq.Code{}}

// maxPrograms is how many are kept, of up to maxProgram bytes each.
const (
	maxPrograms = 64
	maxProgram  = 4 << 10
)

type programs struct {
	mu   sync.Mutex
	kept map[string]*gojq.Code
}

func (p *programs) get(text string) (*gojq.Code, error) {
	p.mu.Lock()
	code := p.kept[text]
	p.mu.Unlock()
	if code != nil {
		return code, nil
	}
	code, err := compileJQ(text)
	if err != nil || len(text) > maxProgram {
		return code, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= maxPrograms {
		clear(p.kept)
	}
	p.kept[text] = code
	return code, nil
}

// reserved are the names by which programs are held to their bounds.
var reserved = regexp.MustCompile(`\b(fits|fits_[a-z]+|held_[a-z]+|native_[a-z]+|looked|found|steps)__\b`)

func compileJQ(text string) (*gojq.Code, error) {
	query, err := gojq.Parse(text)
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	if query.Meta != nil || len(query.Imports) > 0 {
		return nil, function.NewArgErrorf(1, "may not import modules")
	}
	if name := reserved.FindString(text); name != "" {
		return nil, function.NewArgErrorf(1, "may not use the name %s", name)
	}
	if query, err = gojq.Parse(impure + held + heavy + query.String()); err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	holdSums(reflect.ValueOf(query))
	code, err := gojq.Compile(query, gojq.WithVariables([]string{"$steps__"}),
		gojq.WithFunction("fits__", 0, 0, fits), gojq.WithFunction("fits_joined__", 1, 1, fitsJoined), gojq.WithFunction("fits_transposed__", 0, 0, fitsTransposed),
		gojq.WithFunction("fits_product__", 2, 2, fitsProduct), gojq.WithFunction("looked__", 1, 1, looked), gojq.WithFunction("found__", 3, 3, found))
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	return code, nil
}

// holdSums pipes every sum, product, format and interpolation of a program into fits: one
// that doubles a value has no memory left after forty turns.
func holdSums(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if def, is := v.Interface().(*gojq.FuncDef); is && strings.HasPrefix(def.Name, "held_") && strings.HasSuffix(def.Name, "__") {
			return // what stands for a product has one itself
		}
		holdSums(v.Elem())
		switch x := v.Interface().(type) {
		case *gojq.Query:
			of := *x
			of.FuncDefs, of.Meta, of.Imports = nil, nil, nil
			held := &of
			switch x.Op {
			case gojq.OpMul:
				held = piped(callOf("held_product__", x.Right, x.Left), callOf("fits__"))
			case gojq.OpUpdateMul:
				held = piped(callOf("looked__", callOf("$steps__")), piped(callOf("held_products__", x.Left, x.Right), callOf("fits__")))
			case gojq.OpAdd:
				held = piped(held, callOf("fits__"))
			case gojq.OpUpdateAdd:
				held = piped(callOf("looked__", callOf("$steps__")), piped(held, callOf("fits__")))
			case gojq.OpAssign, gojq.OpModify, gojq.OpUpdateSub, gojq.OpUpdateDiv, gojq.OpUpdateMod, gojq.OpUpdateAlt:
				held = piped(callOf("looked__", callOf("$steps__")), held)
			default:
				return
			}
			held.Meta, held.Imports, held.FuncDefs = x.Meta, x.Imports, x.FuncDefs
			*x = *held
		case *gojq.Term:
			if x.Format != "" || x.Str != nil && len(x.Str.Queries) > 0 {
				text := *x
				text.SuffixList = nil
				*x = gojq.Term{Type: gojq.TermTypeQuery, SuffixList: x.SuffixList, Query: piped(&gojq.Query{Term: &text}, callOf("fits__"))}
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				holdSums(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			holdSums(v.Index(i))
		}
	}
}

func piped(from, to *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: from, Op: gojq.OpPipe, Right: to}
}

func callOf(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

var errJQTooLarge = errors.New("it makes a value of more than 16 MiB")

// fits passes on a value that is not too large. Of a list only the length counts:
// its elements fitted when they were made.
func fits(v any, _ []any) any {
	switch x := v.(type) {
	case string:
		if len(x) > maxText {
			return errJQTooLarge
		}
	case []any:
		if len(x) > maxNodes {
			return errJQTooLarge
		}
	case map[string]any:
		left := maxText
		if weighJQ(x, 0, &left); left < 0 {
			return errJQTooLarge
		}
	case *big.Int:
		if x.BitLen() > 1<<16 {
			return errJQTooLarge
		}
	}
	return v
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

// A change of a value copies what holds the place that is changed: so many elements
// count as one instruction.
const elementsInStep = 64

// looked passes on a value that is about to be copied, as long as the program may
// still take instructions.
func looked(v any, args []any) any {
	n := 0
	countJQ(v, &n)
	return args[0].(*steps).spend(n/elementsInStep, v)
}

// found passes on a text of which all matches of a pattern are about to be found, as
// long as the program may still take instructions.
func found(v any, args []any) any {
	text, isText := v.(string)
	pattern, isPattern := args[1].(string)
	flags, _ := args[2].(string)
	if !isText || !isPattern || !strings.Contains(flags, "g") || len(text) < elementsInStep {
		return v
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return v // what is wrong with it is said where it is used
	}
	matches := len(re.FindAllStringIndex(text, -1))
	return args[0].(*steps).spend(len(text)/elementsInStep*matches/elementsInStep, v)
}

func countJQ(v any, n *int) {
	switch x := v.(type) {
	case []any:
		*n += len(x)
		for _, e := range x {
			countJQ(e, n)
		}
	case map[string]any:
		*n += len(x)
		for _, e := range x {
			countJQ(e, n)
		}
	}
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
func fitsTransposed(v any, _ []any) any {
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
	return v
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

// A steps is a context that is over after so many looks at it, which gojq
// takes once per instruction. Unlike a timeout it ends a program at the same
// point on every machine. It belongs to one run.
type steps struct{ left int }

var over = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (s *steps) Done() <-chan struct{} {
	if s.left--; s.left < 0 {
		return over
	}
	return nil
}

func (s *steps) Err() error { return errJQTooLong }

var errJQTooLong = errors.New("it did not end after 1,000,000 instructions")

// spend takes instructions for what one of them does, and is v while there are any
// left.
func (s *steps) spend(n int, v any) any {
	if s.left -= n; s.left < 0 {
		return errJQTooLong
	}
	return v
}

func (*steps) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*steps) Value(any) any               { return nil }

var _ context.Context = (*steps)(nil)

// toJQ turns a plain, known value into what gojq works on.
func toJQ(v cty.Value) any {
	switch t := v.Type(); {
	case v.IsNull():
		return nil
	case t == cty.Bool:
		return v.True()
	case t == cty.String:
		return v.AsString()
	case t == cty.Number:
		return numberToJQ(v.AsBigFloat())
	case t.IsTupleType():
		values := make([]any, 0, v.LengthInt())
		for _, e := range v.AsValueSlice() {
			values = append(values, toJQ(e))
		}
		return values
	case t.IsObjectType():
		attrs := make(map[string]any, v.LengthInt())
		for name, e := range v.AsValueMap() {
			attrs[name] = toJQ(e)
		}
		return attrs
	}
	return nil
}

func numberToJQ(f *big.Float) any {
	if n, accuracy := f.Int64(); accuracy == big.Exact && int64(int(n)) == n {
		return int(n)
	}
	if f.IsInt() && f.MantExp(nil) < 1024 {
		n, _ := f.Int(nil)
		return n
	}
	x, _ := f.Float64()
	return x
}

func fromJQ(v any, nodes *int) (cty.Value, error) {
	if *nodes++; *nodes > maxNodes {
		return cty.NilVal, errTooLarge
	}
	switch x := v.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case bool:
		return cty.BoolVal(x), nil
	case string:
		return cty.StringVal(x), nil
	case int:
		return cty.NumberIntVal(int64(x)), nil
	case *big.Int:
		return cty.NumberVal(new(big.Float).SetInt(x)), nil
	case float64:
		if x != x {
			return cty.NullVal(cty.DynamicPseudoType), nil // as jq writes NaN
		}
		return cty.NumberFloatVal(x), nil
	case []any:
		values := make([]cty.Value, len(x))
		for i, e := range x {
			var err error
			if values[i], err = fromJQ(e, nodes); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.TupleVal(values), nil
	case map[string]any:
		attrs := make(map[string]cty.Value, len(x))
		for name, e := range x {
			var err error
			if attrs[name], err = fromJQ(e, nodes); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.ObjectVal(attrs), nil
	}
	return cty.NilVal, fmt.Errorf("jq gave a %T, which is no JSON value", v)
}

package stdlib

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
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
const held = `def native_add: add; def add: fits_joined("") | native_add; def add(f): [f] | add;
def native_join(s): join(s); def join(s): s as $separator | fits_joined($separator) | native_join($separator);
def native_tojson: tojson; def tojson: fits_joined("") | native_tojson;
def native_tostring: tostring; def tostring: fits_joined("") | native_tostring;
def native_flatten: flatten; def flatten: fits_joined("") | native_flatten;
def native_flatten(n): flatten(n); def flatten(n): fits_joined("") | native_flatten(n);
def native_transpose: transpose; def transpose: fits_transposed | native_transpose;
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
	results := code.RunWithContext(left, toJQ(args[0]))
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

func compileJQ(text string) (*gojq.Code, error) {
	query, err := gojq.Parse(text)
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	if query.Meta != nil || len(query.Imports) > 0 {
		return nil, function.NewArgErrorf(1, "may not import modules")
	}
	if query, err = gojq.Parse(impure + held + query.String()); err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	holdSums(reflect.ValueOf(query))
	code, err := gojq.Compile(query, gojq.WithFunction("fits", 0, 0, fits), gojq.WithFunction("fits_joined", 1, 1, fitsJoined), gojq.WithFunction("fits_transposed", 0, 0, fitsTransposed))
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
		holdSums(v.Elem())
		switch x := v.Interface().(type) {
		case *gojq.Query:
			switch x.Op {
			case gojq.OpAdd, gojq.OpMul, gojq.OpUpdateAdd, gojq.OpUpdateMul:
				sum := *x
				sum.FuncDefs, sum.Meta, sum.Imports = nil, nil, nil
				*x = gojq.Query{Meta: x.Meta, Imports: x.Imports, FuncDefs: x.FuncDefs, Left: &sum, Op: gojq.OpPipe, Right: callOfFits()}
			}
		case *gojq.Term:
			if x.Format != "" || x.Str != nil && len(x.Str.Queries) > 0 {
				text := *x
				text.SuffixList = nil
				*x = gojq.Term{Type: gojq.TermTypeQuery, SuffixList: x.SuffixList, Query: &gojq.Query{Left: &gojq.Query{Term: &text}, Op: gojq.OpPipe, Right: callOfFits()}}
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

func callOfFits() *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: "fits"}}}
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

func (s *steps) Err() error {
	return errors.New("it did not end after 1,000,000 instructions")
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

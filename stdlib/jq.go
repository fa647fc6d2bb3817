package stdlib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"sync"
	"time"

	"github.com/itchyny/gojq"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// maxJQSteps bounds the instructions of one program.
const maxJQSteps = 1_000_000

// impure shadows what would make a result depend on the machine or the time.
// The environment and further inputs are off in gojq as it is used here.
const impure = `def now: error("now is not available: an expression has no clock");
def localtime: error("localtime is not available: use gmtime");
def strflocaltime(f): error("strflocaltime is not available: use strftime");
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
	left := &steps{left: most, patterns: patterns{}}
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
var reserved = pattern.New(`\b(fits|fits_[a-z]+|held_[a-z]+|native_[a-z0-9]+|looked|found|steps|place|event)__\b`)

func compileJQ(text string) (*gojq.Code, error) {
	query, err := gojq.Parse(text)
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	if query.Meta != nil || len(query.Imports) > 0 {
		return nil, function.NewArgErrorf(1, "may not import modules")
	}
	if name := reserved().FindString(text); name != "" {
		return nil, function.NewArgErrorf(1, "may not use the name %s", name)
	}
	if query, err = gojq.Parse(shadowed(query.String())); err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	hold(reflect.ValueOf(query))
	code, err := gojq.Compile(query, heldBy()...)
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	return code, nil
}

// A steps is a context that is over after so many looks at it, which gojq
// takes once per instruction. Unlike a timeout it ends a program at the same
// point on every machine. It belongs to one run.
type steps struct {
	left     int
	patterns patterns
}

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
	case json.Number: // of fromjson, which keeps the digits that it read
		n, err := cty.ParseNumberVal(x.String())
		if err == nil && !InRange(n) {
			err = errOutOfRange
		}
		return n, err
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

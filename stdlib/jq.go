package stdlib

import (
	"context"
	"errors"
	"fmt"
	"math/big"
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

func runJQ(args []cty.Value) (cty.Value, error) {
	query, err := gojq.Parse(args[1].AsString())
	if err != nil {
		return cty.NilVal, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	if query.Meta != nil || len(query.Imports) > 0 {
		return cty.NilVal, function.NewArgErrorf(1, "may not import modules")
	}
	if query, err = gojq.Parse(impure + query.String()); err != nil {
		return cty.NilVal, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return cty.NilVal, function.NewArgErrorf(1, "is no jq program: %s", err)
	}
	results := code.RunWithContext(&steps{left: maxJQSteps}, toJQ(args[0]))
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

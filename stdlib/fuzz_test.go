package stdlib

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// odd are arguments that functions do not expect.
func odd() []cty.Value {
	null := cty.NullVal(cty.DynamicPseudoType)
	return []cty.Value{
		null, cty.NullVal(cty.String), cty.DynamicVal, cty.UnknownVal(cty.String), cty.UnknownVal(cty.Number),
		cty.StringVal(""), cty.StringVal("a"), cty.StringVal("["), cty.StringVal("%d %s %[3]q"), cty.StringVal("*"), cty.StringVal("\x00é€"),
		cty.StringVal("2000-01-01T00:00:00Z"), cty.StringVal("5s"), cty.StringVal("(?P<a>.)(b)?"), cty.StringVal("/a*/"),
		cty.NumberIntVal(0), cty.NumberIntVal(-1), cty.NumberFloatVal(0.5), cty.NumberIntVal(1 << 40),
		cty.MustParseNumberVal("1e400"), cty.PositiveInfinity, cty.NegativeInfinity, cty.True,
		cty.EmptyTupleVal, cty.EmptyObjectVal, cty.ListValEmpty(cty.String), cty.MapValEmpty(cty.Bool), cty.SetVal([]cty.Value{cty.Zero}),
		cty.TupleVal([]cty.Value{null, cty.Zero, cty.StringVal("a")}), cty.TupleVal([]cty.Value{cty.DynamicVal}),
		cty.TupleVal([]cty.Value{cty.NumberIntVal(3), cty.NumberIntVal(1)}), cty.TupleVal([]cty.Value{cty.EmptyTupleVal}),
		cty.ObjectVal(map[string]cty.Value{"a": null, "b": cty.EmptyTupleVal}), cty.StringVal("x").Mark("secret"),
	}
}

// No function panics on arguments it does not expect, and every known result
// is made of tuples, objects and untyped nulls.
func TestOddArguments(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	values := odd()
	for _, f := range List() {
		if f.Family == "errors" {
			continue // given expressions, not values
		}
		for range 400 {
			args := make([]cty.Value, f.Sig.Min+random.IntN(3))
			for i := range args {
				args[i] = values[random.IntN(len(values))]
			}
			got, err := call(f.Name, args)
			if err != nil && strings.Contains(err.Error(), "panic") {
				t.Errorf("%s(%#v): %v", f.Name, args, err)
			}
			if err == nil {
				checkPlain(t, f.Name, got)
			}
		}
	}
}

// call goes through an expression, as evaluation does, with the conversions of
// arguments.
func call(name string, args []cty.Value) (cty.Value, error) {
	ctx := &hcl.EvalContext{Functions: Functions(), Variables: map[string]cty.Value{"v": cty.TupleVal(args)}}
	e, diags := hclsyntax.ParseExpression([]byte(name+"(v...)"), "test", hcl.InitialPos)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	v, diags := e.Value(ctx)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	return v, nil
}

func checkPlain(t *testing.T, name string, v cty.Value) {
	t.Helper()
	v, _ = v.UnmarkDeep()
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		ty := v.Type()
		if v.IsKnown() && (ty.IsListType() || ty.IsSetType() || ty.IsMapType()) {
			t.Errorf("%s gave a %s", name, ty.FriendlyName())
		}
		return true, nil
	})
}

// Evaluating whatever parses neither panics nor hangs.
func FuzzEvaluate(f *testing.F) {
	for _, fn := range slices.Concat(List(), Queries()) {
		for _, x := range fn.Examples {
			f.Add(x.Expr)
		}
	}
	f.Add(`"${upper("a")}%{for x in [1, null]}${x}%{endfor}"`)
	f.Add(`{for k, v in {a = 1}: k => try(v.b, null)...}[*].a`)
	functions := NewFunctions(exampleFiles)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return
		}
		e, diags := hclsyntax.ParseExpression([]byte(text), "fuzz", hcl.InitialPos)
		if diags.HasErrors() {
			return
		}
		v, diags := e.Value(&hcl.EvalContext{Functions: functions})
		for _, d := range diags {
			if strings.Contains(d.Detail, "panic") {
				t.Fatalf("%s: %s", text, d)
			}
		}
		_ = v
	})
}

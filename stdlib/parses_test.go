package stdlib

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Shows that every argument of which a function refuses a text, whatever else it is given,
// is known to be one before a run: each argument of each example that is a string is
// replaced by texts that are no duration, no instant, no pattern and no data. What is
// known reads the text of the example itself.
func TestWhatIsRefusedIsKnown(t *testing.T) {
	// What is refused because of what else the call has, or of what files there are.
	otherwise := map[string]bool{"file 0": true, "fileset 0": true, "lookup 1": true, "index 1": true}
	refused := 0
	for _, f := range List() {
		if len(f.Examples) == 0 {
			t.Errorf("%s has no example", f.Name)
		}
		for _, example := range f.Examples {
			parsed, diags := hclsyntax.ParseExpression([]byte(example.Expr), "a", hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			call, ok := parsed.(*hclsyntax.FunctionCallExpr)
			if !ok || call.Name != f.Name || call.ExpandFinal || f.Family == "errors" {
				continue
			}
			args := make([]cty.Value, len(call.Args))
			for i, a := range call.Args {
				if args[i], diags = a.Value(&hcl.EvalContext{Functions: Functions()}); diags.HasErrors() {
					t.Fatal(diags)
				}
			}
			for i, arg := range args {
				if arg.IsNull() || arg.Type() != cty.String {
					continue
				}
				at := f.Name + " " + string(rune('0'+i))
				read := f.Sig.Reads[i]
				if read != nil {
					if err := read(arg.AsString()); err != nil {
						t.Errorf("%s: %q of the example is refused: %s", at, arg.AsString(), err)
					}
				}
				for _, wrong := range []string{"1 s", "(", "/(/", "%z", "{", "{[", "!", ".[", "QQ", "a,b\n1", "nope"} {
					own := append([]cty.Value(nil), args...)
					own[i] = cty.StringVal(wrong)
					_, err := f.impl.Call(own)
					var of function.ArgError
					fails := errors.As(err, &of) && of.Index == i || err != nil && (f.Name == "format" || f.Name == "formatlist") && wrong == "%z"
					if fails && !otherwise[at] {
						refused++
						if read == nil || read(wrong) == nil {
							t.Errorf("%s: %q is refused in a run, and not before: %s", at, wrong, err)
						}
					}
					if !fails && read != nil && read(wrong) != nil && err == nil {
						t.Errorf("%s: %q is refused before a run, and not in it", at, wrong)
					}
				}
			}
		}
	}
	if refused < 50 {
		t.Errorf("%d texts were refused: this shows little", refused)
	}
}

// Shows that arguments which a function refuses together, whatever else it is given, are
// known to be refused before a run: a lower bound above the upper one, in numbers and
// durations, a part that ends before it begins, a step that leads away from the limit.
// What is right is refused by neither.
func TestBoundsOutOfOrderAreKnown(t *testing.T) {
	n := func(list ...any) (values []cty.Value) {
		for _, v := range list {
			if text, ok := v.(string); ok {
				values = append(values, cty.StringVal(text))
			} else {
				values = append(values, cty.NumberIntVal(int64(v.(int))))
			}
		}
		return values
	}
	list := cty.TupleVal(n(1, 2, 3, 4, 5))
	for _, c := range []struct {
		name    string
		args    []cty.Value
		refused bool
	}{
		{"within", n(2500, "3s", "2s"), true},
		{"within", n(2500, 3000, "2s"), true},
		{"within", n(2500, "3s", 2), true},
		{"within", n(2500, "2s", "3s"), false},
		{"within", n(2500, "2500ms", 2500), false},
		{"slice", append([]cty.Value{list}, n(3, 1)...), true},
		{"slice", append([]cty.Value{list}, n(-1, 1)...), true},
		{"slice", append([]cty.Value{list}, n(1, 3)...), false},
		{"slice", append([]cty.Value{list}, n(2, 2)...), false},
		{"range", n(1, 6, -2), true},
		{"range", n(6, 1, 2), true},
		{"range", n(6, 1, -2), false},
		{"range", n(1, 6, 2), false},
	} {
		for _, f := range List() {
			if f.Name != c.name {
				continue
			}
			if _, err := f.impl.Call(c.args); (err != nil) != c.refused {
				t.Errorf("%s%v: a run says %v", c.name, c.args, err)
			}
			before := false
			for _, b := range f.Sig.Bounds {
				if b.Given > 0 && b.Given != len(c.args) {
					continue
				}
				var own []cty.Value
				for _, i := range b.Args {
					own = append(own, c.args[i])
				}
				before = before || b.Read(own) != nil
			}
			if before != c.refused {
				t.Errorf("%s%v: refused before a run: %t", c.name, c.args, before)
			}
		}
	}
}

// Shows that each number which the file writes and no function takes there, whatever else
// it is given, is known before a run, of every function and of each of its arguments that
// is a number; and that what a run takes is not refused. The calls are the examples, each
// with other numbers in one place. What fails for the list or the
// pattern of the call alone is named.
func TestNumbersOutOfRangeAreKnown(t *testing.T) {
	otherwise := map[string]bool{
		"slice 1 101": true, "slice 1 5000": true, "slice 2 101": true, "slice 2 5000": true,
		"format 2 0.5": true, "format 2 1.5": true,
	}
	tried, refused := 0, 0
	for _, f := range List() {
		for _, example := range f.Examples {
			expr, diags := hclsyntax.ParseExpression([]byte(example.Expr), "", hcl.InitialPos)
			call, ok := expr.(*hclsyntax.FunctionCallExpr)
			if diags.HasErrors() || !ok || call.ExpandFinal {
				continue
			}
			var args []cty.Value
			for _, a := range call.Args {
				v, diags := a.Value(nil)
				if diags.HasErrors() {
					break
				}
				args = append(args, v)
			}
			if len(args) < len(call.Args) {
				continue
			}
			for i := range args {
				if args[i].Type() != cty.Number {
					continue
				}
				for _, text := range []string{"-101", "-1", "0", "0.5", "1", "1.5", "101", "5000"} {
					number, err := cty.ParseNumberVal(text)
					if err != nil {
						t.Fatal(err)
					}
					own := slices.Clone(args)
					own[i] = number
					_, fails := f.impl.Call(own)
					before := false
					for _, b := range f.Sig.Bounds {
						var values []cty.Value
						for _, arg := range b.Args {
							if arg < len(own) {
								values = append(values, own[arg])
							}
						}
						before = before || (b.Given == 0 || b.Given == len(own)) && len(values) == len(b.Args) && b.Read(values) != nil
					}
					tried++
					if before {
						refused++
					}
					if what := fmt.Sprintf("%s %d %s", f.Name, i, text); before != (fails != nil) && !otherwise[what] {
						t.Errorf("%s: refused before a run %t, a run says %v", what, before, fails)
					}
				}
			}
		}
	}
	if tried < 200 || refused < 40 {
		t.Errorf("%d calls, %d refused: this shows little", tried, refused)
	}
}

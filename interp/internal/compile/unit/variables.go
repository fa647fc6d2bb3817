package unit

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// readVariables reads the variable blocks and the values that were given
// for them.
func (u *Unit) readVariables() {
	u.variables = map[string]cty.Value{}
	shapes := map[string]*schema.Shape{}
	literal := &hcl.EvalContext{}
	var hidden []string
	for _, b := range u.File.Body.All("variable") {
		r := dsl.Reader{Block: b, Ctx: literal, Diags: &u.Diags}
		v := u.variable(b, r)
		u.variables[b.Name()] = v
		shapes[b.Name()] = variableShape(r.String("type"), v)
		if r.Bool("sensitive") {
			hidden = append(hidden, u.sensitive(b, v)...)
		}
	}
	hidden = append(hidden, u.environmentSecrets()...)
	u.Statics = u.Functions.Context.NewChild()
	u.Statics.Variables = map[string]cty.Value{"var": cty.ObjectVal(u.variables)}
	u.Meter = dsl.NewMeter(u.Options.Context)
	u.Secrets.Keep(hidden, u.Meter)
	u.Meter.Install(u.Statics)
	u.Static = &dsl.Env{
		Roots:     map[string]*schema.Shape{"var": plan.Directory("variable", InFile, shapes)},
		Funcs:     u.Functions.Signatures,
		Watch:     u.Options.Watch,
		Elsewhere: beforeRuns,
		Members:   u.declared,
		Hints:     &dsl.Hints{},
		Meter:     u.Meter,
	}
}

// variableShape is what is known of a variable: a string, and which one it is now.
func variableShape(kind string, v cty.Value) *schema.Shape {
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return schema.UnknownShape
	}
	s := schema.Written(v.AsString())
	if kind != "string" {
		s.Kind = schema.ShapeUnknown // it may be given as something else
	}
	return s
}

// beforeRuns says of names that a file knows elsewhere why what is computed before
// any run does not know them.
var beforeRuns = map[string]string{
	"step": "A step's result exists only while a scenario runs.", "run": "The run's result exists only after it.",
	"loop":      "loop.index is known in the condition of a loop and to the steps inside it.",
	"arguments": "arguments are what a model passes to a tool: tool blocks and the steps that are tools read them.",
	"target":    "target.NAME is what was dialled in a run: it belongs in a condition. Where the name of a target is asked for, it is a string: \"NAME\".",
	"endpoint":  "An endpoint's result exists only while a program under test runs.",
	"sut":       "What became of the program under test is known only after it ran.",
	"request":   "request is what a program asked: the lane of an endpoint and its match read it.",
	"breaker":   "breaker.NAME is the state of a target's breaker in a run: it belongs in a condition.",
	"gateway":   "gateway.NAME is what happened at a gateway in a run: it belongs in a condition.",
	"input":     "Inputs are known to the steps of a workflow.", "self": "self is a step's own result, in its output and validate blocks.",
	"failure": "failure is what a detect rule of a taxonomy looks at.",
	"each":    Elsewhere["each"], "matrix": Elsewhere["matrix"],
}

// Elsewhere are the roots of instances, for one that is used outside of them.
var Elsewhere = map[string]string{
	"each":   "each.key and each.value exist in a scenario with for_each.",
	"matrix": "matrix.NAME exists in a scenario with a matrix block.",
}

// InFile is where names are declared, for messages that say where not.
const InFile = "in this file"

// variable is the value of one variable: the one given from outside, else its
// default.
func (u *Unit) variable(b *dsl.Block, r dsl.Reader) cty.Value {
	kind := r.String("type")
	text, given := u.Options.Vars[b.Name()]
	if !given {
		if b.Attr("default") == nil {
			u.Errorf(b.DefRange, "Variable without a value", "The variable %q has no default: give it with --var %s=… or in the environment as SCENARIO_VAR_%s.", b.Name(), b.Name(), b.Name())
			return cty.DynamicVal
		}
		v, literal := dsl.Literal(b.Attr("default").Expr)
		if !literal {
			var diags hcl.Diagnostics
			if v, diags = dsl.Evaluate(b.Attr("default").Expr, r.Ctx); diags.HasErrors() {
				u.Diags = append(u.Diags, diags...)
				return read.Normalise(v)
			}
		}
		if !v.IsNull() && kind != "any" && kind != "" && v.Type().FriendlyName() != kind {
			r.Errorf("default", "Wrong value", "The default of variable %q must be a %s, not %s.", b.Name(), kind, render.Value(v, 60))
		}
		return read.Normalise(v)
	}
	v, err := parseVariable(text, kind)
	if err != nil {
		u.Errorf(b.DefRange, "Wrong value", "The value given for variable %q must be a %s: %s.", b.Name(), kind, err)
	}
	return v
}

// parseVariable reads a value given as text by the variable's type; for any
// type, JSON where it is JSON and else the text itself.
func parseVariable(text, kind string) (cty.Value, error) {
	switch kind {
	case "string":
		return cty.StringVal(text), nil
	case "number":
		v, err := cty.ParseNumberVal(strings.TrimSpace(text))
		if err != nil || !stdlib.InRange(v) {
			return cty.DynamicVal, fmt.Errorf("%q is no number", text)
		}
		return v, nil
	case "bool":
		switch strings.TrimSpace(text) {
		case "true":
			return cty.True, nil
		case "false":
			return cty.False, nil
		}
		return cty.DynamicVal, fmt.Errorf("%q is neither true nor false", text)
	}
	if v := read.JsonValue(text); !v.IsNull() {
		return v, nil
	}
	return cty.StringVal(text), nil
}

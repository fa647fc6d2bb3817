package judge

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// asksProgram replaces the queries about what the program said of itself: an answer
// about something of which it never said anything is marked.
func (l *look) asksProgram() {
	for _, name := range []string{"sut.metric", "sut.spans", "sut.logs"} {
		f, asked := l.checker.ctx.Functions[name]
		if !asked {
			continue
		}
		l.functions[name] = function.New(&function.Spec{
			Params: f.Params(), VarParam: f.VarParam(),
			Type: f.ReturnTypeForValues,
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, err := f.Call(args)
				if err != nil || !isEmpty(v) {
					return v, err
				}
				if why := l.checker.run.Obs.SaidOfNone(name, args); why != "" {
					return v.Mark(none(why)), nil
				}
				return v, nil
			},
		})
	}
}

// asksRun replaces the queries about the run: what asks for something that no run of the
// scenario can have finds nothing, which is marked.
func (l *look) asksRun() {
	for _, name := range []string{"metric", "metrics", "events", "spans"} {
		f, asked := l.checker.ctx.Functions[name]
		if !asked {
			continue
		}
		l.functions[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil || !isEmpty(v) {
				return v, err
			}
			if subject := l.checker.run.Obs.Without(name, args); subject != "" {
				return v.Mark(none(given.NoSubject(subject))), nil
			}
			return v, nil
		})
	}
}

// asksForNone reports whether a call is a query for what no run of the scenario can have.
func (c *checker) asksForNone(x *hclsyntax.FunctionCallExpr) bool {
	if !read.IsQuery(x.Name) || len(x.Args) == 0 {
		return false
	}
	v, diags := dsl.Evaluate(x.Args[0], c.ctx)
	return !diags.HasErrors() && c.run.Obs.Without(x.Name, []cty.Value{v}) != ""
}

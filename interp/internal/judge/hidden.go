package judge

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/less"
	"github.com/scenario-lang/scenario/interp/internal/judge/less/refused"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/judge/veiled"
	"github.com/scenario-lang/scenario/interp/internal/judge/withheld"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// What conditions that read hidden values are told.
const (
	ofHidden = "it compares a hidden value: what is sent or received under the name of a secret, such as in the field Authorization or as the member password, is replaced by a placeholder before any condition reads it, so what this says does not depend on the secret.\nhint: two hidden values can be compared with each other, as equal secrets have equal placeholders, such as those of two attempts; any other name is not hidden"
	ofPartly = "it looks for something in a text of which parts are hidden, under the names of secrets: it was not looked for there"
)

// hidden is what is wrong with a condition that holds, or does not, because what it
// compares is hidden, nil where nothing is. What is only looked for in a text with hidden
// parts is noted.
func (c *checker) hidden(kind string, a *plan.Assertion, v cty.Value) *plan.Problem {
	hidden, partly := c.restsOnHidden(a, v)
	switch {
	case hidden:
		return &plan.Problem{Kind: kind, Name: a.Name, Range: a.Condition.Range(), Message: ofHidden}
	case partly:
		c.searched = append(c.searched, plan.Problem{Kind: plan.KindIgnored, Name: kind + " " + strconv.Quote(a.Name), Range: a.Condition.Range(), Message: ofPartly})
	}
	return nil
}

// restsOnHidden reports whether a condition would be another with what may be hidden in
// what it reads; partly says that only parts of texts are, which it searches.
func (c *checker) restsOnHidden(checked *plan.Assertion, v cty.Value) (hidden, partly bool) {
	e := checked.Condition
	if !c.readsHidden(e) {
		return false, false
	}
	if c.written == nil {
		c.written = veiled.Written(checked.Source)
	}
	a := dsl.NewAbsence(e, read.IsObserved)
	for _, w := range veiled.Worlds(c.saidIn(e), c.written) {
		other, diags := dsl.Evaluate(a.Expr, c.contextOf(a, w))
		if diags.HasErrors() || !other.IsKnown() || other.RawEquals(v) {
			continue
		}
		if !w.Partly {
			return true, false
		}
		partly = true
	}
	return false, partly
}

// readsHidden reports whether a condition reads a value in which something is hidden.
func (c *checker) readsHidden(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if !read.IsObserved(t.RootName()) {
			continue
		}
		if v, diags := t.TraverseAbs(c.ctx); !diags.HasErrors() && veiled.In(v) {
			return true
		}
	}
	found := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, call := e.(*hclsyntax.FunctionCallExpr); call && !found && read.IsQuery(f.Name) {
			v, diags := dsl.Evaluate(f, c.ctx)
			found = !diags.HasErrors() && veiled.In(v)
		}
	})
	return found
}

// contextOf is what a condition reads, with other texts in the place of what is hidden.
func (c *checker) contextOf(a *dsl.Absence, w veiled.World) *hcl.EvalContext {
	ctx := c.ctx.NewChild()
	ctx.Variables = make(map[string]cty.Value, len(a.Slots))
	for _, s := range a.Slots {
		path := s.Path
		if s.Caught {
			path = path[:1]
		}
		if v, diags := path.TraverseAbs(c.ctx); !diags.HasErrors() {
			ctx.Variables[s.Var] = w.Value(v)
		}
	}
	ctx.Functions = map[string]function.Function{}
	for _, name := range observe.Queries() {
		if f, asked := c.ctx.Functions[name]; asked {
			ctx.Functions[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
				v, err := f.Call(args)
				if err != nil {
					return v, err
				}
				return w.Value(v), nil
			})
		}
	}
	return ctx
}

// saidIn are the texts that a condition says itself, and those of the inputs that it
// reads: what a secret may be compared with.
func (c *checker) saidIn(e hclsyntax.Expression) (list []string) {
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		x, path := e.(*hclsyntax.ScopeTraversalExpr)
		if isSaid(e) || path && x.Traversal.RootName() == "input" {
			if v, diags := dsl.Evaluate(e, c.ctx); !diags.HasErrors() {
				v, _ = v.UnmarkDeep()
				list = plan.Leaves(list, v)
			}
			return
		}
		dsl.EachPart(e, visit)
	}
	visit(e)
	return list
}

// hiddenInvariants adds the invariants that held to the end because what they compare is
// hidden.
func (r *finished) hiddenInvariants(all *checker, result *plan.Result) {
	nothing := func(i *watched) bool { // of what it reads is hidden
		is, sure := r.Obs.ReadsPlainly(i.Invariant, redact.HasPlaceholder)
		return sure && !is
	}
	for _, i := range r.watcher.Left {
		if i.evaluated == 0 || stdlib.IsModule(i.Rng.Filename) || nothing(i) {
			continue
		}
		c := r.checkerOf(i.Needs, i.Lacking)
		if v, diags := dsl.Evaluate(i.Condition, c.ctx); !diags.HasErrors() && v.RawEquals(cty.True) {
			if p := cmp.Or(c.hidden("invariant", &i.Assertion, v), c.asWritten("invariant", &i.Assertion)); p != nil {
				result.Problems = append(result.Problems, *p)
			}
		}
		all.searched = append(all.searched, c.searched...)
	}
}

// asWritten is what is wrong with a condition that holds because of how a text is written in
// which it looks for something, or of which one it is, nil where nothing is.
func (c *checker) asWritten(kind string, a *plan.Assertion) *plan.Problem {
	why := texts.Found(a.Condition, c.ctx, cty.True, c.run.Plan.Conditions).Message()
	if why == "" {
		why = texts.InAnother(a.Condition, c.ctx, c.run.Plan.Conditions, func() []string { return withheld.Told(c.run.Obs) })
	}
	if why == "" {
		return nil
	}
	return &plan.Problem{Kind: kind, Name: a.Name, Range: a.Condition.Range(), Message: why}
}

// searchedPartly adds what was looked for in texts with hidden parts.
func (c *checker) searchedPartly(result *plan.Result) {
	result.Relaxed = append(result.Relaxed, slices.Clone(c.searched)...)
}

// Elsewhere tells of the assertions of a run that passed which show less than they seem to. They are
// told of apart, so that programs which embed a run and do not ask for them do not link them.
func Elsewhere(o *observe.Observed, result *plan.Result) (list []plan.Problem) {
	if o == nil || result.Verdict != plan.Pass {
		return nil
	}
	var c *checker // made once, where it is needed
	looks := less.New(o)
	for _, a := range o.Plan.Asserts {
		rng := dsl.Place(a.Condition.Range())
		if !less.May(a.Condition) || slices.ContainsFunc(result.Relaxed, func(p plan.Problem) bool { return p.Range == rng }) {
			continue
		}
		if c == nil {
			c = (&finished{Plan: o.Plan, Obs: o}).checker()
		}
		c.look(a, func() {
			why := looks.Why(a, c.ctx, c.needs, func() []string { return withheld.Told(o) }, func(e hclsyntax.Expression, at func(hcl.Traversal) cty.Value) (cty.Value, bool) {
				return c.knownWith(c.absence(e), at, unknown.Length)
			})
			if none := looks.Nothing(a, c.ctx, c.needs); none != "" {
				list = append(list, partlyNothing("assert", a.Name, none, rng))
			} else if why != "" {
				list = append(list, plan.Problem{Kind: plan.KindElsewhere, Name: "assert " + strconv.Quote(a.Name), Range: rng, Message: why})
			}
		})
	}
	return append(list, refused.Checks(o)...)
}

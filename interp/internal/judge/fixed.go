package judge

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// fixedByFile says why a condition that holds would hold in every run: it is decided by
// what the file alone gives of what a run observes, "" where it is not.
func (c *checker) fixedByFile(e hclsyntax.Expression) (why string) {
	if c.amid {
		return ""
	}
	return cmp.Or(c.givenByFile(e), c.neverStruck(e), c.saidTwice(e))
}

// givenByFile is fixedByFile for attributes that have one value in every run. How many
// elements of a list there are is what a run decides: so the condition holds with more of
// them and with fewer as well, and has no result without what the file gives.
func (c *checker) givenByFile(e hclsyntax.Expression) (why string) {
	f := c.file()
	asks := mentionsCall(e, "events") || mentionsCall(e, "spans")
	for t := range dsl.Variables(e) {
		if !isObserved(t.RootName()) {
			continue
		}
		if _, now := f.At(t, c.ctx, given.AsMany); now != "" {
			why = now
		}
	}
	if asks && why == "" && readsAny(e, given.OfEvents) {
		why = given.OfOne
	}
	if why == "" {
		return ""
	}
	a := dsl.NewAbsence(e, isObserved)
	holds := func(many given.Many) bool {
		v, known := c.knownOf(a, func(path hcl.Traversal) cty.Value {
			v, _ := f.At(path, c.ctx, many)
			return v
		}, func(found cty.Value) cty.Value { return f.Events(found, many) })
		return known && isTrue(v)
	}
	if slices.ContainsFunc(given.OftenOrNot, func(many given.Many) bool { return !holds(many) }) || !holds(given.None) {
		return ""
	}
	for _, many := range given.OftenOrNot {
		if _, known := c.knownOf(a, func(path hcl.Traversal) cty.Value { return f.Blind(path, c.ctx, many) }, func(found cty.Value) cty.Value { return given.Unknown(found, many) }); known {
			return ""
		}
	}
	return why
}

// saidTwice says why a condition cannot but hold that compares what says the same thing in
// two ways: it holds in every run that may come, with nothing else known.
func (c *checker) saidTwice(e hclsyntax.Expression) string {
	if !given.AreLinked(namesIn(e)) {
		return ""
	}
	a := dsl.NewAbsence(e, isObserved)
	for _, w := range c.file().Worlds() {
		if v, known := c.known(a, w.At); !known || !isTrue(v) {
			return ""
		}
	}
	return given.OfLink
}

// namesIn are the names of the attributes that an expression reads.
func namesIn(e hclsyntax.Expression) (list []string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if name := lastName(e); name != "" {
			list = append(list, name)
		}
	})
	for t := range dsl.Variables(e) {
		list = append(list, given.Names(t)...)
	}
	return list
}

// file is what the file of the run says, made once.
func (c *checker) file() *given.File {
	if c.of == nil {
		c.of = given.New(c.run.Obs)
	}
	return c.of
}

// known is what a condition comes to with other values of its operands, of which all may be
// unknown, and no answer of any query; and reports whether that is known.
func (c *checker) known(a *dsl.Absence, at func(hcl.Traversal) cty.Value) (v cty.Value, known bool) {
	return c.knownOf(a, at, nil)
}

// knownOf is known with other answers of the queries for events and spans, made of those
// that there are; nil for none.
func (c *checker) knownOf(a *dsl.Absence, at func(hcl.Traversal) cty.Value, found func(cty.Value) cty.Value) (v cty.Value, known bool) {
	ctx := c.ctx.NewChild()
	ctx.Variables, ctx.Functions = make(map[string]cty.Value, len(a.Slots)), map[string]function.Function{"length": lengthOfUnknown}
	for _, s := range a.Slots {
		ctx.Variables[s.Var] = cty.DynamicVal
		if !s.Caught {
			ctx.Variables[s.Var] = at(s.Path)
		}
	}
	for _, name := range observe.Queries() {
		ctx.Functions[name] = unseen
		if of, asked := c.ctx.Functions[name]; asked && found != nil && (name == "events" || name == "spans") {
			ctx.Functions[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
				v, err := of.Call(args)
				if err != nil {
					return v, err
				}
				return found(v), nil
			})
		}
	}
	v, diags := dsl.Evaluate(a.Expr, ctx)
	return v, !diags.HasErrors() && v.IsKnown()
}

// readsAny reports whether an expression reads an attribute of one of some names.
func readsAny(e hclsyntax.Expression, names []string) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) { found = found || slices.Contains(names, lastName(e)) })
	return found
}

// givenBy says why the file alone gives all of an attribute of a result, "" where a run
// decides some of it.
func (c *checker) givenBy(t hcl.Traversal) string {
	v, why := c.file().At(t, c.ctx, given.AsMany)
	if !v.IsWhollyKnown() {
		return ""
	}
	return why
}

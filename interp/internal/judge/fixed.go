package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/guard"
	"github.com/scenario-lang/scenario/interp/internal/judge/named"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// fixedByFile says why a condition that holds would hold in every run: it is decided by
// what the file alone gives of what a run observes, "" where it is not.
func (c *checker) fixedByFile(e hclsyntax.Expression) string {
	if c.amid {
		return ""
	}
	if why := cmp.Or(c.givenByFile(e), c.everyRunHas(e), c.neverStruck(e), c.file().SucceedsOnce(e), c.saidTwice(e), c.file().Agreed(e), c.allowsWhatMayCome(e, given.OfChoices)); why != "" {
		return why
	}
	switch {
	case named.Only(e, c.shapes, c.ctx):
		return named.Why
	case guard.LeavesNone(e, c.ctx):
		return guard.Why
	case guard.IsItsDefault(e, c.ctx):
		return guard.WhyDefault
	}
	return ""
}

// givenByFile is fixedByFile for attributes that have one value in every run. How many
// elements of a list there are is what a run decides: so the condition holds with more of
// them and with fewer as well, and has no result without what the file gives.
func (c *checker) givenByFile(e hclsyntax.Expression) (why string) {
	f := c.file()
	for t := range dsl.Variables(e) {
		if now := f.Why(t); now != "" {
			why = now
		}
	}
	inLists := readsAny(e, given.OfLists())
	for t := range dsl.Variables(e) {
		inLists = inLists || len(t) == 1 // a directory, whose names it reads
	}
	if why == "" && !inLists {
		return ""
	}
	for t := range dsl.Variables(e) {
		if !inLists || !read.IsObserved(t.RootName()) {
			continue
		}
		if _, now := f.At(t, c.ctx, given.AsMany); now != "" {
			why = now
		}
	}
	if why == "" && (mentionsCall(e, "events") || mentionsCall(e, "spans")) && readsAny(e, given.OfEvents) {
		why = given.OfOne
	}
	if why == "" {
		return ""
	}
	a := c.absence(e)
	holds := func(many given.Many) bool {
		v, known := c.knownOf(a, func(path hcl.Traversal) cty.Value {
			v, _ := f.At(path, c.ctx, many)
			return v
		}, func(_ string, _ []cty.Value, found cty.Value) cty.Value { return f.Events(found, many) })
		return known && isTrue(v)
	}
	often, short := given.Often(c.reach(e))
	if slices.ContainsFunc(often, func(many given.Many) bool { return !holds(many) }) || !holds(given.None) || *short {
		return ""
	}
	for _, many := range often {
		if _, known := c.knownOf(a, func(path hcl.Traversal) cty.Value { return f.Blind(path, c.ctx, many) }, func(_ string, _ []cty.Value, found cty.Value) cty.Value { return given.Unknown(found, many) }); known {
			return ""
		}
	}
	return why
}

// everyRunHas says why a condition cannot but hold that asks the log of the run for what
// every run has, such as its first event; "" where it asks for more.
func (c *checker) everyRunHas(e hclsyntax.Expression) string {
	if !mentionsCall(e, "events") && !mentionsCall(e, "spans") {
		return ""
	}
	a := c.absence(e)
	unknown := func(hcl.Traversal) cty.Value { return cty.DynamicVal }
	often, short := given.Often(c.reach(e))
	for _, many := range append([]given.Many{given.None}, often...) {
		v, known := c.knownOf(a, unknown, func(name string, args []cty.Value, found cty.Value) cty.Value {
			return given.Log(name, args, found, many)
		})
		if !known || !isTrue(v) {
			return ""
		}
	}
	if _, known := c.known(a, unknown); known || *short {
		return ""
	}
	return given.OfLog
}

// saidTwice says why a condition cannot but hold that compares what says the same thing in
// two ways: it holds in every run that may come, with nothing else known.
func (c *checker) saidTwice(e hclsyntax.Expression) string {
	if asksForOne(e) || !given.AreLinked(operandsOf(e)) || !given.OneStep(slices.Collect(dsl.Variables(e))) {
		return ""
	}
	reach := c.reach(e)
	if mentionsCall(e, "metric") {
		reach = given.Reach(c.named(e))
	}
	a, worlds := c.absence(e), c.file().Worlds(reach)
	if len(worlds) == 0 {
		return ""
	}
	for _, w := range worlds {
		queries := maps.Clone(unknown.Length)
		for _, name := range observe.Queries() {
			queries[name] = observe.Query(func(args []cty.Value) (cty.Value, error) { return w.Query(name, args), nil })
		}
		if v, known := c.knownWith(a, w.At, queries); !known || !isTrue(v) {
			return ""
		}
	}
	return given.OfLink
}

// asksForOne reports whether an expression compares something with one number that the file
// says, other than by its order: that no world has this number does not say that no run has.
func asksForOne(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		found = found || is && dsl.IsComparison(x.Op) && !premise.IsOrder(x.Op) && (isSaid(x.LHS) || isSaid(x.RHS)) && !readsNull(x)
	})
	return found
}

// allowsWhatMayCome says why a condition cannot but hold that reads one thing alone, of which the
// file says what it may come to: it holds with each of those, and has no result without. why is how
// that is told.
func (c *checker) allowsWhatMayCome(e hclsyntax.Expression, why string) string {
	a := c.absence(e)
	if len(a.Slots) == 0 {
		return ""
	}
	path := a.Slots[0].Path
	if slices.ContainsFunc(a.Slots, func(s *dsl.Slot) bool { return s.Caught || dsl.TraversalText(s.Path) != dsl.TraversalText(path) }) {
		return ""
	}
	choices, all := c.file().Choices(path)
	if len(choices) == 0 || slices.ContainsFunc(observe.Queries(), func(name string) bool { return mentionsCall(e, name) }) {
		return ""
	}
	for _, choice := range choices {
		if v, known := c.known(a, func(hcl.Traversal) cty.Value { return choice }); !known || !isTrue(v) {
			return ""
		}
	}
	if _, known := c.known(a, func(hcl.Traversal) cty.Value { return cty.DynamicVal }); known {
		return ""
	}
	return fmt.Sprintf(why, all)
}

// operandsOf are the names of what an expression reads, an element for each operand; nil
// where there is just one.
func operandsOf(e hclsyntax.Expression) (list [][]string) {
	n := 0
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			n++
		case *hclsyntax.FunctionCallExpr:
			if x.Name == "events" || x.Name == "metric" {
				n++
			}
		}
	})
	if n < 2 {
		return nil
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, call := e.(*hclsyntax.FunctionCallExpr); call && (f.Name == "events" || f.Name == "metric") {
			list = append(list, given.Counted)
		} else if t, reads := e.(*hclsyntax.ScopeTraversalExpr); reads {
			list = append(list, given.Names(t.Traversal))
		} else if name := lastName(e); name != "" {
			list = append(list, []string{name})
		}
	})
	return list
}

// file is what the file of the run says, made once.
func (c *checker) file() *given.File {
	if c.of == nil {
		c.of = given.New(c.run.Obs)
	}
	return c.of
}

// shapes are those of the roots that a condition reads, by what the file says.
func (c *checker) shapes() map[string]*schema.Shape { return c.file().Shapes() }

// absence is a condition as it is put to other runs, made once.
func (c *checker) absence(e hclsyntax.Expression) *dsl.Absence {
	if c.put != e {
		c.put, c.puts = e, dsl.NewAbsence(e, read.IsObserved)
	}
	return c.puts
}

// known is what a condition comes to with other values of its operands, of which all may be
// unknown, and no answer of any query; and reports whether that is known.
func (c *checker) known(a *dsl.Absence, at func(hcl.Traversal) cty.Value) (v cty.Value, known bool) {
	return c.knownOf(a, at, nil)
}

// knownOf is known with other answers of the queries for events and spans, made of those
// that there are; nil for none.
func (c *checker) knownOf(a *dsl.Absence, at func(hcl.Traversal) cty.Value, found func(name string, args []cty.Value, v cty.Value) cty.Value) (v cty.Value, known bool) {
	functions := unknown.Functions()
	if found != nil {
		functions = maps.Clone(functions)
	}
	for _, name := range []string{"events", "spans"} {
		if of, asked := c.ctx.Functions[name]; asked && found != nil {
			functions[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
				v, err := of.Call(args)
				if err != nil {
					return v, err
				}
				return found(name, args, v), nil
			})
		}
	}
	return c.knownWith(a, at, functions)
}

// knownWith is known with other functions.
func (c *checker) knownWith(a *dsl.Absence, at func(hcl.Traversal) cty.Value, functions map[string]function.Function) (v cty.Value, known bool) {
	ctx := c.ctx.NewChild()
	ctx.Variables, ctx.Functions = make(map[string]cty.Value, len(a.Slots)), functions
	for _, s := range a.Slots {
		ctx.Variables[s.Var] = cty.DynamicVal
		if !s.Caught {
			ctx.Variables[s.Var] = at(s.Path)
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

// givenBy says why the file alone gives an attribute of a result, "" where a run decides
// it.
func (c *checker) givenBy(t hcl.Traversal) string { return c.file().Why(t) }

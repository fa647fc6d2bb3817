package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// allowsAll says why a condition cannot but hold: it is put to the values that what it
// reads can have, of which the language or the file says between which they are, and has no
// result without them. "" where it can.
func (c *checker) allowsAll(e hclsyntax.Expression) string {
	uncounted := func(name string) bool { return !slices.Contains(given.Counts, name) && mentionsCall(e, name) }
	if c.amid || !mayAllowAll(e) || comparesMore(e) || slices.ContainsFunc(observe.Queries(), uncounted) {
		return ""
	}
	a := c.absence(e)
	tested, nulls := map[string]bool{}, readsNull(e)
	for _, s := range a.Slots {
		if s.Caught {
			return ""
		}
		if s.Nullable {
			tested[dsl.TraversalText(s.Path)], nulls = true, true
		}
	}
	if _, known := c.known(a, func(hcl.Traversal) cty.Value { return cty.DynamicVal }); known {
		return ""
	}
	for _, d := range c.file().Draws(e, c.named(e), nulls, c.reach(e)) {
		functions := unknown.Lists()
		for _, name := range given.Counts {
			of, asked := c.ctx.Functions[name]
			if !asked {
				continue
			}
			functions[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
				v, err := of.Call(args)
				return d.Query(name, args, v), err
			})
		}
		v, known := c.knownWith(a, func(path hcl.Traversal) cty.Value {
			return d.At(path, c.ctx, tested[dsl.TraversalText(path)])
		}, functions)
		if !known || !isTrue(v) {
			return ""
		}
	}
	return given.OfBounds
}

// mayAllowAll reports whether a condition has a form that every value may meet: it does not
// just say what something is.
func mayAllowAll(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.BinaryOpExpr:
			found = found || x.Op == hclsyntax.OpLogicalOr || premise.IsOrder(x.Op) || dsl.IsComparison(x.Op) && !dsl.IsEqual(x.Op)
		case *hclsyntax.FunctionCallExpr:
			found = found || slices.Contains([]string{"contains", "regexmatch", "within", "approx"}, x.Name)
		case *hclsyntax.UnaryOpExpr:
			found = found || x.Op == hclsyntax.OpLogicalNot
		}
	})
	return found
}

// uncounting are the functions whose result has no limit that grows with a list.
var uncounting = []string{"alltrue", "anytrue", "contains", "max", "min", "events", "metric", "regexmatch", "within", "approx", "try", "can"}

// reach is how many elements of a list may matter to a condition, 0 where it counts none.
func (c *checker) reach(e hclsyntax.Expression) float64 {
	counts := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.FunctionCallExpr)
		counts = counts || is && !slices.Contains(uncounting, x.Name)
	})
	if !counts {
		return 0
	}
	return given.Reach(c.named(e))
}

// comparesMore reports whether an expression asks whether anything but a value, or the length
// of a list, is equal to one that the file says: of a sum or of two values that are observed,
// no number of runs says that they are never equal.
func comparesMore(e hclsyntax.Expression) (found bool) {
	plain := func(e hclsyntax.Expression) bool {
		switch x := dsl.Bare(e).(type) {
		case *hclsyntax.ScopeTraversalExpr:
			return read.IsObserved(x.Traversal.RootName())
		case *hclsyntax.RelativeTraversalExpr:
			return true
		case *hclsyntax.FunctionCallExpr:
			if x.Name == "metric" {
				return true
			}
			if x.Name != "length" || len(x.Args) != 1 {
				return false
			}
			_, path := dsl.Bare(x.Args[0]).(*hclsyntax.ScopeTraversalExpr)
			_, found := call(x.Args[0], "events")
			return path || found
		}
		return false
	}
	single := func(e hclsyntax.Expression) bool {
		switch x := dsl.Bare(e).(type) {
		case *hclsyntax.TupleConsExpr:
			return len(x.Exprs) == 0
		case *hclsyntax.ObjectConsExpr:
			return false
		}
		return isSaid(e)
	}
	none := func(list, of hclsyntax.Expression) bool {
		if f, counts := call(list, "length"); counts {
			v, written := dsl.Literal(dsl.Bare(of))
			list = dsl.Bare(f.Args[0])
			if !written || !isZero(v) {
				return false
			}
		} else if x, is := dsl.Bare(of).(*hclsyntax.TupleConsExpr); !is || len(x.Exprs) > 0 {
			return false
		}
		_, chosen := dsl.Bare(list).(*hclsyntax.ForExpr)
		return chosen
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		if !is || !dsl.IsComparison(x.Op) || premise.IsOrder(x.Op) {
			return
		}
		found = found || !(plain(x.LHS) && single(x.RHS) || plain(x.RHS) && single(x.LHS) || none(x.LHS, x.RHS) || none(x.RHS, x.LHS))
	})
	return found
}

// readsNull reports whether an expression has a null in it.
func readsNull(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		v, written := dsl.Literal(e)
		found = found || written && v.IsNull()
	})
	return found
}

// named are the numbers and texts that a condition names, by a local or a variable, too.
func (c *checker) named(e hclsyntax.Expression) (list []cty.Value) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		v, written := dsl.Literal(e)
		if x, path := e.(*hclsyntax.ScopeTraversalExpr); path && !read.IsObserved(x.Traversal.RootName()) {
			v, written = c.said(e), true
		}
		if !written || v == cty.NilVal {
			return
		}
		v, _ = v.UnmarkDeep()
		_ = cty.Walk(v, func(_ cty.Path, leaf cty.Value) (bool, error) {
			if leaf.IsKnown() && !leaf.IsNull() && (leaf.Type() == cty.Number || leaf.Type() == cty.String) {
				list = append(list, leaf)
			}
			return true, nil
		})
	})
	return list
}

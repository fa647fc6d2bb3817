package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// looks are the functions that look for one string in another: the place of what
// they look through among their arguments, and of what they look for.
var looks = map[string]struct{ through, lookFor int }{
	"strcontains": {0, 1}, "startswith": {0, 1}, "endswith": {0, 1}, "word": {0, 1}, "trimprefix": {0, 1}, "trimsuffix": {0, 1},
	"regexmatch": {1, 0}, "regex": {1, 0}, "regexall": {1, 0}, "split": {1, 0},
}

// runRoots are the roots of what a run observes.
var runRoots = []string{"step", "steps", "run", "endpoint", "endpoints", "call", "target", "sut", "fanout", "classify", "self", "output", "report"}

// swapped warns of calls that look for what the run said in a string of the file,
// as they do where the arguments are in the order of another function.
func (c *checker) swapped(e hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		if !is || f.ExpandFinal {
			return
		}
		at, known := looks[f.Name]
		if !known || len(f.Args) <= max(at.through, at.lookFor) {
			return
		}
		if text, said := writtenText(f.Args[at.through]); said && observes(f.Args[at.lookFor]) {
			args := []string{fmt.Sprintf("%q", text), string(dsl.AppendSource(nil, f.Args[at.lookFor]))}
			if at.through < at.lookFor {
				slices.Reverse(args)
			}
			c.warnf(f.Range(), "Arguments in the other order", "%s looks for what the run said in the string of the file, which hardly ever has it. The other way round it is %s(%s). Whether the run said one of a few strings asks contains([…], …).", f.Name, f.Name, strings.Join(args, ", "))
		}
	})
}

// writtenText is a string that is written out and not empty.
func writtenText(e hclsyntax.Expression) (string, bool) {
	v, literal := dsl.Literal(dsl.Bare(e))
	if !literal || v.Type() != cty.String || v.IsNull() || v.AsString() == "" {
		return "", false
	}
	return v.AsString(), true
}

// observes reports whether an expression reads what a run observes.
func observes(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if slices.Contains(runRoots, t.RootName()) {
			return true
		}
	}
	return false
}

// cased warns of a check that a statement lacks some words, in the case in which
// they are written there. Programs write SQL in both, and a match block compares
// it without regard to case.
func (c *checker) cased(e hclsyntax.Expression) {
	lacks := func(e hclsyntax.Expression) {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			f, is := e.(*hclsyntax.FunctionCallExpr)
			if !is || len(f.Args) != 2 || !slices.Contains([]string{"strcontains", "startswith", "endswith"}, f.Name) {
				return
			}
			of, path := dsl.Bare(f.Args[0]).(*hclsyntax.ScopeTraversalExpr)
			text, said := writtenText(f.Args[1])
			if !path || !said || lastName(of.Traversal) != "statement" || !strings.ContainsFunc(text, unicode.IsLetter) {
				return
			}
			source := string(dsl.AppendSource(nil, f.Args[0]))
			c.warnf(f.Range(), "Case of a statement", "This holds also of a statement that has %q in another case, which means the same to a database. %s(lower(%s), %q) finds both.", text, f.Name, source, strings.ToLower(text))
		})
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.UnaryOpExpr:
			if x.Op == hclsyntax.OpLogicalNot {
				lacks(x.Val)
			}
		case *hclsyntax.BinaryOpExpr:
			if saysNone(x.RHS) && dsl.IsEqual(x.Op) {
				lacks(x.LHS)
			}
		}
	})
}

// saysNone reports whether a value that is written out is that of an empty list, or
// of its length.
func saysNone(e hclsyntax.Expression) bool {
	if list, is := dsl.Bare(e).(*hclsyntax.TupleConsExpr); is {
		return len(list.Exprs) == 0
	}
	v, literal := dsl.Literal(dsl.Bare(e))
	return literal && v.RawEquals(cty.Zero)
}

package mutate

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// An ordered list is what calls one within the other put into an order, such as reverse(sort(x)).
type ordered struct {
	// of is the list itself, and calls are those that order it, the outermost first.
	of    hclsyntax.Expression
	calls []*hclsyntax.FunctionCallExpr
	// sort is the call that sorts, nil where none does, and reversed says that another one turns it round.
	sort     *hclsyntax.FunctionCallExpr
	reversed bool
}

// orderedOf is what an expression puts into an order.
func orderedOf(e hclsyntax.Expression) (o ordered) {
	for {
		o.of = dsl.Bare(e)
		call, ok := o.of.(*hclsyntax.FunctionCallExpr)
		if !ok || len(call.Args) != 1 || call.ExpandFinal {
			return o
		}
		switch call.Name {
		case "sort":
			o.sort = call
		case "reverse":
			o.reversed = !o.reversed
		case "distinct", "compact", "toset":
		default:
			return o
		}
		o.calls = append(o.calls, call)
		e = call.Args[0]
	}
}

// ends take an end of a list as it comes where one of a sorted list is taken: that a list is sorted, and which end of
// it is taken, undo each other as long as the data comes in an order. So reverse(sort(x)) is x, sort(x)[0] the last
// element of x, and max(x...) its first or its last.
func (s *site) ends() []edit {
	var list []edit
	within := map[*hclsyntax.FunctionCallExpr]bool{}
	end := func(a *dsl.Attr, e hclsyntax.Expression) {
		if o := orderedOf(e); o.sort != nil && !o.reversed {
			what := fmt.Sprintf("%s → the other end of %s", s.brief(o.sort.Range()), s.brief(o.of.Range()))
			list = append(list, s.changed(a, o.sort.Range(), what, change{from: o.sort.NameRange.Start.Byte, to: o.sort.NameRange.End.Byte, with: "reverse"}))
		}
	}
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		switch x := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			switch {
			case (x.Name == "max" || x.Name == "min") && len(x.Args) == 1 && x.ExpandFinal:
				of := x.Args[0].Range()
				for _, to := range []string{"[0]", "the last"} {
					with, what := "(("+s.source(of)+")[0])", s.brief(of)+to
					if to != "[0]" {
						with, what = "(reverse("+s.source(of)+")[0])", to+" of "+s.brief(of)
					}
					what = fmt.Sprintf("%s → %s", s.brief(x.Range()), what)
					list = append(list, s.part(a, x.Range(), what, replaced(s.src, x.Range(), withLines(with, s.source(x.Range())))))
				}
			case x.Name == "element" && len(x.Args) == 2 && !x.ExpandFinal:
				end(a, x.Args[0])
			}
			o := orderedOf(x)
			if !within[x] && len(o.calls) > 1 && o.sort != nil {
				of := o.of.Range()
				what := fmt.Sprintf("%s → %s", s.brief(x.Range()), s.brief(of))
				list = append(list, s.part(a, x.Range(), what, replaced(s.src, x.Range(), withLines("("+s.source(of)+")", s.source(x.Range())))))
			}
			for _, call := range o.calls {
				within[call] = true
			}
		case *hclsyntax.IndexExpr:
			end(a, x.Collection)
		case *hclsyntax.RelativeTraversalExpr:
			if _, is := x.Traversal[0].(hcl.TraverseIndex); is {
				end(a, x.Source)
			}
		}
	})
	return list
}

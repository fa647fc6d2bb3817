package taken

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// wholeLeast is how many members of one thing an object has at least that takes a part of it.
const wholeLeast = 2

// A Whole is a thing of which an object has some members.
type Whole struct {
	Other
	// Traversal reads one of the members, and Members are their names.
	Traversal hcl.Traversal
	Members   []string
}

// Wholes put all that a thing has in the place of an object that has some of its members: for
// { name = step.user.json.name, city = step.user.json.city } step.user.json with these on top.
func Wholes(e hclsyntax.Expression, src []byte) (list []Whole) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		x, is := n.(*hclsyntax.ObjectConsExpr)
		if !is {
			return nil
		}
		var order []string
		of := map[string]*Whole{}
		for _, item := range x.Items {
			read, is := item.ValueExpr.(*hclsyntax.ScopeTraversalExpr)
			if !is || len(read.Traversal) < 2 {
				continue
			}
			last, is := read.Traversal[len(read.Traversal)-1].(hcl.TraverseAttr)
			thing, cut := strings.CutSuffix(string(read.Range().SliceBytes(src)), "."+last.Name)
			if !is || !cut {
				continue
			}
			if of[thing] == nil {
				of[thing] = &Whole{Traversal: read.Traversal, Other: Other{x.Range(), "merge(" + thing + ", " + string(x.Range().SliceBytes(src)) + ")", "with all that " + thing + " has"}}
				order = append(order, thing)
			}
			if w := of[thing]; !slices.Contains(w.Members, last.Name) {
				w.Members = append(w.Members, last.Name)
			}
		}
		for _, thing := range order {
			if len(of[thing].Members) >= wholeLeast {
				list = append(list, *of[thing])
			}
		}
		return nil
	})
	return list
}

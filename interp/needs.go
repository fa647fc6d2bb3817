package interp

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// needs says what expressions read: root, then name, then the attributes; a
// nil set of attributes means the whole value. Results are wide and conditions
// narrow, so only what is read is ever built.
type needs map[string]map[string]map[string]bool

// add notes everything that an expression reads.
func (n needs) add(e hclsyntax.Expression) {
	if e == nil {
		return
	}
	for _, t := range e.Variables() {
		n.traversal(t)
	}
}

func (n needs) traversal(t hcl.Traversal) {
	root := t.RootName()
	names := n[root]
	if names == nil {
		names = map[string]map[string]bool{}
		n[root] = names
	}
	name, ok := attrName(t, 1)
	if !ok {
		names[""] = nil // the whole root, or a part found by a computed name
		return
	}
	attr, ok := attrName(t, 2)
	if !ok {
		names[name] = nil
		return
	}
	if set, seen := names[name]; !seen {
		names[name] = map[string]bool{attr: true}
	} else if set != nil {
		set[attr] = true
	}
}

// all notes a whole value of a root.
func (n needs) all(root, name string) {
	if n[root] == nil {
		n[root] = map[string]map[string]bool{}
	}
	n[root][name] = nil
}

// attr notes one attribute.
func (n needs) attr(root, name, attr string) {
	n.traversal(hcl.Traversal{hcl.TraverseRoot{Name: root}, hcl.TraverseAttr{Name: name}, hcl.TraverseAttr{Name: attr}})
}

// names returns the names read under a root, in order; everything when the
// root is read as a whole.
func (n needs) names(root string, everything []string) []string {
	if _, whole := n[root][""]; whole {
		return everything
	}
	names := make([]string, 0, len(n[root]))
	for name := range n[root] {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// attrName is the literal name at place i of a traversal.
func attrName(t hcl.Traversal, i int) (string, bool) {
	if len(t) <= i {
		return "", false
	}
	switch s := t[i].(type) {
	case hcl.TraverseAttr:
		return s.Name, true
	case hcl.TraverseIndex:
		if s.Key.Type().FriendlyName() == "string" {
			return s.Key.AsString(), true
		}
	}
	return "", false
}

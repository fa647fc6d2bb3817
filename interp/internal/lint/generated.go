package lint

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/generated"
)

// NeverGenerated warns of dynamic blocks that generated nothing wherever they were
// written out: in no instance of a scenario, and for no element of a dynamic block
// around them. It is silent where another run may give them elements: where for_each
// is a choice that a variable makes, or one that does not depend on the instance.
func NeverGenerated(f *dsl.File, empty []*generated.Block) hcl.Diagnostics {
	c := &checker{file: f}
	named := sync.OnceValue(func() *register {
		list, _ := c.declared()
		return byReference(list)
	})
	for _, b := range empty {
		at := b.ForEach.Range()
		if at.Filename == f.Path && !chosen(b.ForEach, named) {
			c.warnf(at, "Block that is never generated", "The for_each is empty %s, so no %s block is generated. Compare the names in it with the values that it goes over, or take the dynamic block out. One that is meant to be empty at times says when: for_each = var.NAME ? … : [].", whereEmpty(b.ForEach), b.Type)
		}
	}
	return c.diags
}

// whereEmpty says what a for_each that is always empty is evaluated for.
func whereEmpty(e hclsyntax.Expression) string {
	for t := range dsl.Variables(e) {
		if root := t.RootName(); root == "each" || root == "matrix" {
			return "in every instance"
		}
	}
	return "for every element of the dynamic block around it"
}

// chosen reports whether an expression is a choice that does not depend on the
// instance alone.
func chosen(e hclsyntax.Expression, named func() *register) bool {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return chosen(x.Expression, named)
	case *hclsyntax.ConditionalExpr:
		ofInstance := false
		for t := range dsl.Variables(x.Condition) {
			ofInstance = ofInstance || t.RootName() != "var" && t.RootName() != "local"
		}
		return !ofInstance || readsVariable(x.Condition, named())
	}
	return false
}

// readsVariable reports whether an expression reads a variable, be it by way of
// locals.
func readsVariable(e hclsyntax.Expression, named *register) bool {
	var reads []reference
	eachReference(e, anyRoot, func(to reference) { reads = append(reads, to) })
	all := reach{each: named.each, seen: references{}, mark: func(*declaration) {}}
	all.from(reads)
	for to := range all.seen {
		if to.root == "var" {
			return true
		}
	}
	return false
}

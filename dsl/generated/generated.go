// Package generated counts what the dynamic blocks of a file come to over all that
// they are written out for: the instances of a scenario, and the elements of a
// dynamic block around them.
//
//	var counts generated.Counts
//	counts.Note(forEach, "assert", 0) // in the first instance
//	counts.Note(forEach, "assert", 2) // in the second
//	counts.Empty()                    // none: there are blocks in the second
package generated

import "github.com/hashicorp/hcl/v2/hclsyntax"

// A Block is a dynamic block as the file writes it.
type Block struct {
	// ForEach is what it goes over. No value of an instance is put into it.
	ForEach hclsyntax.Expression
	// Type is that of the blocks that it generates.
	Type string

	elements int
}

// Counts are how many elements the dynamic blocks of a file had. The zero value has
// seen none. It is for one goroutine.
type Counts struct {
	blocks map[*hclsyntax.Attribute]*Block
	order  []*Block
}

// Note adds the elements that the for_each of a dynamic block had one time.
func (c *Counts) Note(forEach *hclsyntax.Attribute, typ string, elements int) {
	b := c.blocks[forEach]
	if b == nil {
		if c.blocks == nil {
			c.blocks = map[*hclsyntax.Attribute]*Block{}
		}
		b = &Block{ForEach: forEach.Expr, Type: typ}
		c.blocks[forEach], c.order = b, append(c.order, b)
	}
	b.elements += elements
}

// Empty are the blocks that never had an element, in the order in which they were
// noted first. One that was never noted is not among them: what would be around it
// is not there either.
func (c *Counts) Empty() []*Block {
	var list []*Block
	for _, b := range c.order {
		if b.elements == 0 {
			list = append(list, b)
		}
	}
	return list
}

// Constant reports whether a for_each has one value for all instances and elements,
// and is no choice between several: where that is empty, it always is.
func Constant(forEach hclsyntax.Expression) bool {
	if p, ok := forEach.(*hclsyntax.ParenthesesExpr); ok {
		return Constant(p.Expression)
	}
	if _, choice := forEach.(*hclsyntax.ConditionalExpr); choice {
		return false
	}
	for _, t := range forEach.Variables() {
		if root := t.RootName(); root != "var" && root != "local" {
			return false
		}
	}
	return true
}

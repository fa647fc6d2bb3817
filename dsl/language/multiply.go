package language

import "github.com/scenario-lang/scenario/schema"

// matrixBlock is the block of a scenario that multiplies it.
func matrixBlock() *schema.Block {
	return &schema.Block{Type: "matrix", Max: 1, Open: true, Doc: "Multiplies the scenario: one for each combination of the elements of its attributes, which are lists. matrix.NAME is the element."}
}

// forEachAttr is the attribute of a scenario that multiplies it.
func forEachAttr() schema.Attr {
	return schema.Attr{Name: "for_each", Type: schema.Expr, Doc: "Multiplies the scenario: one for each attribute of an object, or for each string of a list. Read as each.key and each.value."}
}

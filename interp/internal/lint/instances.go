package lint

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// instances warns of scenarios that are run several times without a difference.
func (c *checker) instances() {
	for _, s := range c.file.Body.All("scenario") {
		if !c.own(s) || !s.Multiplied() {
			continue
		}
		forEach, reads, columns := s.Attr("for_each"), references{}, references{}
		s.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			if in != s || name != "for_each" {
				reads.add(e)
				columns.addColumns(e)
			}
		})
		if forEach != nil && !reads.to("each", "key") && !reads.to("each", "value") {
			c.warnf(forEach.NameRange, "Instances that are all the same", "Nothing in scenario %q reads each.key or each.value, so what runs is the same every time. Read them, or take for_each out.", s.Name())
		} else if forEach != nil {
			c.columns(s, forEach.Expr, columns)
		}
		for _, m := range s.All("matrix") {
			for _, a := range m.Attrs {
				if !reads.to("matrix", a.Name) {
					c.warnf(a.NameRange, "Instances that are all the same", "Nothing in scenario %q reads matrix.%s, so what runs is the same for each of its values. Read it, or take the axis out.", s.Name(), a.Name)
				}
			}
		}
	}
}

// columns warns of the columns of a table that no instance reads. A table is a
// for_each whose values are objects in the file.
func (c *checker) columns(s *dsl.Block, table hclsyntax.Expression, reads references) {
	var rows []hclsyntax.Expression
	switch t := table.(type) {
	case *hclsyntax.ObjectConsExpr:
		for _, item := range t.Items {
			rows = append(rows, item.ValueExpr)
		}
	case *hclsyntax.TupleConsExpr:
		rows = t.Exprs
	}
	told := map[string]bool{}
	for _, row := range rows {
		cells, ok := row.(*hclsyntax.ObjectConsExpr)
		if !ok {
			return
		}
		for _, cell := range cells.Items {
			name := keyOf(cell)
			if name != "" && !told[name] && !reads.to("each.value", name) {
				told[name] = true
				c.warnf(cell.KeyExpr.Range(), "Column that nobody reads", "Nothing in scenario %q reads each.value.%s, so it makes no difference to any instance. Read it, or take the column out.", s.Name(), name)
			}
		}
	}
}

// addColumns notes which attributes of each.value an expression refers to.
func (r references) addColumns(e hclsyntax.Expression) {
	named := map[hclsyntax.Expression]bool{}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if row, column := looksUp(e); column != "" {
			named[row] = true
			r[reference{"each.value", column}] = true
		}
	})
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if named[e] {
			return
		}
		x, ok := e.(*hclsyntax.ScopeTraversalExpr)
		if !ok || x.Traversal.RootName() != "each" {
			return
		}
		if name, _ := read.AttrName(x.Traversal, 1); name == "key" {
			return
		}
		name, named := read.AttrName(x.Traversal, 2)
		if !named {
			name = all
		}
		r[reference{"each.value", name}] = true
	})
}

// looksUp is the row in which lookup(each.value, "column", …) looks for a column, and
// that column.
func looksUp(e hclsyntax.Expression) (row hclsyntax.Expression, column string) {
	f, is := e.(*hclsyntax.FunctionCallExpr)
	if !is || f.Name != "lookup" || len(f.Args) < 2 {
		return nil, ""
	}
	x, path := f.Args[0].(*hclsyntax.ScopeTraversalExpr)
	if !path || len(x.Traversal) != 2 || x.Traversal.RootName() != "each" {
		return nil, ""
	}
	column, _ = writtenText(f.Args[1])
	return x, column
}

package taken

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// An Other is what is taken for an expression: the text that stands in its place, and how that is told.
type Other struct {
	Range       hcl.Range
	With, Shown string
}

// IsConversion reports whether a function gives the same in another form, or reads it.
func IsConversion(function string) bool {
	return slices.Contains([]string{"tonumber", "tostring", "tobool", "jsonencode", "jsondecode"}, function)
}

// Conversions leave out the calls of an expression that convert something, and make JSON of what is JSON already. Only
// those are left out without which something else comes of it: 1 + "2" is 3 anyway. Typed says that this holds of the
// expression itself, and text that it is one in which JSON may stand.
func Conversions(e hclsyntax.Expression, src []byte, typed, text bool) []Other {
	w := &conversions{src: src, typed: typed, text: text}
	_ = hclsyntax.Walk(e, w)
	return w.list
}

// conversions walk through an expression, and know what a part of it lies in.
type conversions struct {
	src         []byte
	typed, text bool
	within      []hclsyntax.Node
	list        []Other
}

// Exit is called after all parts of a node.
func (w *conversions) Exit(hclsyntax.Node) hcl.Diagnostics {
	w.within = w.within[:len(w.within)-1]
	return nil
}

// Enter is called for each node, before its parts.
func (w *conversions) Enter(n hclsyntax.Node) hcl.Diagnostics {
	defer func() { w.within = append(w.within, n) }()
	x, is := n.(*hclsyntax.FunctionCallExpr)
	if !is || !IsConversion(x.Name) || len(x.Args) != 1 || x.ExpandFinal {
		return nil
	}
	arg := string(x.Args[0].Range().SliceBytes(w.src))
	call := string(x.Range().SliceBytes(w.src))
	if w.tells(x, w.typed) {
		w.list = append(w.list, Other{x.Range(), arg, arg})
	}
	if x.Name == "jsonencode" && w.tells(x, w.typed || w.text) {
		w.list = append(w.list, Other{x.Range(), "jsonencode(" + call + ")", "twice"})
	}
	return nil
}

// tells reports whether the type of a part counts where it stands.
func (w *conversions) tells(part hclsyntax.Node, root bool) bool {
	for _, around := range slices.Backward(w.within) {
		switch x := around.(type) {
		case *hclsyntax.BinaryOpExpr:
			return dsl.IsComparison(x.Op)
		case *hclsyntax.FunctionCallExpr:
			switch x.Name {
			case "contains", "jsonencode", "distinct", "index":
				return true
			case "try", "coalesce", "merge", "concat", "flatten", "reverse", "values":
			default:
				return false
			}
		case *hclsyntax.ConditionalExpr:
			if x.Condition == part {
				return false
			}
		case *hclsyntax.ForExpr:
			if x.ValExpr != part {
				return false
			}
		case *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.ParenthesesExpr, *hclsyntax.TemplateWrapExpr:
		case hclsyntax.ChildScope:
		default:
			return false
		}
		if _, scope := around.(hclsyntax.ChildScope); !scope {
			part = around
		}
	}
	return root
}

// Statuses take another limit for that of a status: those come in classes, of which the neighbour lies on its other side.
func Statuses(number string) string {
	if len(number) != 3 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	if number[0] >= '5' {
		return string(number[0]-1) + number[1:]
	}
	return string(number[0]+1) + number[1:]
}

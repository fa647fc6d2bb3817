package mistakes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/schema"
)

// Lacking is the attribute that a block needs and lacks, where that is the only one, another
// is not known, and the value of that one is such as this one takes: whoever calls an
// attribute by another name lacks it. It is nil for any other block.
func Lacking(s *schema.Block, body *hclsyntax.Body) *schema.Attr {
	var unknown *hclsyntax.Attribute
	for name, a := range body.Attributes {
		if s.Attr(name) != nil {
			continue
		}
		if unknown != nil {
			return nil
		}
		unknown = a
	}
	var lacks *schema.Attr
	for i := range s.Attrs {
		if a := &s.Attrs[i]; a.Required && body.Attributes[a.Name] == nil {
			if lacks != nil {
				return nil
			}
			lacks = a
		}
	}
	if unknown == nil || lacks == nil || !takes(lacks, unknown.Expr) {
		return nil
	}
	return lacks
}

// takes reports whether an expression may be the value of an attribute, by its type. What
// is computed may be of any type.
func takes(a *schema.Attr, e hclsyntax.Expression) bool {
	if a.Type == schema.Ref {
		t, diags := hcl.AbsTraversalForExpr(e)
		return !diags.HasErrors() && slices.Contains(a.Refs, t.RootName())
	}
	given := typeOf(e)
	switch a.Type {
	case schema.String:
		return given == "string" && (len(a.OneOf) == 0 || slices.Contains(a.OneOf, textOf(e))) || given == ""
	case schema.Duration:
		_, ok := schema.ParseDuration(textOf(e))
		return given == "string" && ok || given == ""
	case schema.Number, schema.Int:
		return given == "number" || given == ""
	case schema.Bool:
		return given == "bool" || given == ""
	case schema.Strings, schema.Refs:
		return given == "list" || given == ""
	case schema.Map, schema.StringMap:
		return given == "object" || given == ""
	}
	return true
}

// typeOf is the type of what is written out, "" for what is computed.
func typeOf(e hclsyntax.Expression) string {
	switch x := e.(type) {
	case *hclsyntax.TemplateExpr:
		if isText(x) {
			return "string"
		}
	case *hclsyntax.LiteralValueExpr:
		return x.Val.Type().FriendlyName()
	case *hclsyntax.TupleConsExpr:
		return "list"
	case *hclsyntax.ObjectConsExpr:
		return "object"
	}
	return ""
}

// Declaration shows the block at the top level of a file that declares what an attribute
// refers to.
func Declaration(s *schema.Block) string {
	said := fmt.Sprintf("the block `%s { … }`.", Form(s))
	if kinds := KindsOf(s); len(kinds) > 0 {
		said += fmt.Sprintf(" The kinds are: %s.", strings.Join(kinds, ", "))
	}
	return said
}

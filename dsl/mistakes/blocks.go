package mistakes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/schema"
)

// KindsOf are the kinds of a type of blocks, by name.
func KindsOf(s *schema.Block) []string {
	var kinds []string
	for _, k := range s.Kinds {
		kinds = append(kinds, k.Kind)
	}
	return kinds
}

// Form shows the header of a block.
func Form(s *schema.Block) string {
	var b strings.Builder
	b.WriteString(s.Type)
	for _, l := range s.Labels {
		fmt.Fprintf(&b, " %q", strings.ToUpper(l))
	}
	return b.String()
}

// Head shows how a block with a wrong number of labels was meant: words without
// quotes are one label, the label of an empty block that has none is its main attribute,
// and the only one of two is the name, or a kind. A kind may stand in an attribute. body is
// nil where it is not known.
func Head(s *schema.Block, labels []string, ranges []hcl.Range, body *hclsyntax.Body) string {
	kinds := KindsOf(s)
	given := 0
	if body != nil {
		given = len(body.Attributes) + len(body.Blocks)
	}
	switch main := MainAttribute(s.Type, ""); {
	case len(labels) == len(s.Labels) && len(labels) > 0:
		head := s.Type
		for _, label := range labels {
			head += fmt.Sprintf(" %q", label)
		}
		return head + " { … }"
	case len(s.Labels) == 2 && len(labels) == 1 && slices.Contains(kinds, labels[0]):
		return fmt.Sprintf("%s %q %q { … }", s.Type, labels[0], strings.ToUpper(s.Labels[1]))
	case len(s.Labels) == 2 && len(labels) == 1 && len(kinds) > 0:
		return fmt.Sprintf("%s %q %q { … }", s.Type, strings.ToUpper(s.Labels[0]), labels[0])
	case len(s.Labels) == 1 && len(labels) == 0 && kindIn(body, kinds) != "":
		return fmt.Sprintf("%s %q { … }", s.Type, kindIn(body, kinds))
	case len(s.Labels) == 0 && len(labels) == 1 && main != "" && given == 0:
		return fmt.Sprintf("%s { %s = %q }", s.Type, main, labels[0])
	case len(s.Labels) == 1 && len(labels) > 1 && bare(labels, ranges):
		return fmt.Sprintf("%s %q { … }", s.Type, strings.Join(labels, " "))
	}
	return Form(s) + " { … }"
}

// kindIn is the kind that an attribute of a block names, "" where none does.
func kindIn(body *hclsyntax.Body, kinds []string) string {
	if body == nil {
		return ""
	}
	for _, name := range []string{"type", "kind"} {
		if a := body.Attributes[name]; a != nil && isText(a.Expr) {
			if kind := textOf(a.Expr); slices.Contains(kinds, kind) {
				return kind
			}
		}
	}
	return ""
}

// textOf is a string that is written out, "" for any other expression.
func textOf(e hclsyntax.Expression) string {
	if template, ok := e.(*hclsyntax.TemplateExpr); ok && template.IsStringLiteral() {
		if l, ok := template.Parts[0].(*hclsyntax.LiteralValueExpr); ok {
			return l.Val.AsString()
		}
	}
	return ""
}

// bare reports whether the labels of a block are words without quotes.
func bare(labels []string, ranges []hcl.Range) bool {
	for i, at := range ranges {
		if at.End.Byte-at.Start.Byte != len(labels[i]) {
			return false
		}
	}
	return true
}

// AsBlock ends a message about a block that is written as an attribute with how it is
// written: with the members of an object as its attributes, or the text that is its main one.
func AsBlock(s *schema.Block, value hclsyntax.Expression, excerpt func(hclsyntax.Expression) string) string {
	inside := "…"
	if s.Attr("condition") != nil {
		inside = "condition = …"
	}
	if object, ok := value.(*hclsyntax.ObjectConsExpr); ok && len(object.Items) > 0 {
		lines := make([]string, len(object.Items))
		for i, item := range object.Items {
			lines[i] = fmt.Sprintf("%s = %s", strings.Trim(excerpt(item.KeyExpr), `"`), excerpt(item.ValueExpr))
		}
		if block := Form(s) + " {\n    " + strings.Join(lines, "\n    ") + "\n  }"; len(lines) > 1 && Parses(block) {
			return "it has no equals sign, and each of its attributes stands on a line of its own.\nhint: write\n  " + block
		}
		if len(lines) == 1 {
			inside = lines[0]
		}
	} else if isText(value) {
		if main := MainAttribute(s.Type, textOf(value)); main != "" {
			inside = main + " = " + excerpt(value)
		}
	}
	return fmt.Sprintf("write `%s { %s }` without the equals sign.", Form(s), inside)
}

package mistakes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/schema"
)

// AsAttribute writes a block as the attribute that it was meant to be: with its label, or an
// object of what stands in it.
func AsAttribute(a *schema.Attr, src *hclsyntax.Block, parent *schema.Block, excerpt func(hclsyntax.Expression) string) string {
	inside := objectOf(src, excerpt)
	switch {
	case a.Name == "env" && len(src.Labels) == 0 && inside != "":
		hidden := func(e hclsyntax.Expression) string {
			if isText(e) {
				return `"…"` // it may be a secret
			}
			return excerpt(e)
		}
		return fmt.Sprintf("`%s = %s`", a.Name, objectOf(src, hidden))
	case a.Name == "import":
		for _, name := range []string{"source", "path", "file", "from"} {
			if path := src.Body.Attributes[name]; path != nil && isText(path.Expr) {
				return fmt.Sprintf("`%s = [%s]`", a.Name, excerpt(path.Expr))
			}
		}
		if len(src.Labels) == 1 {
			return fmt.Sprintf("`%s = [%q]`", a.Name, src.Labels[0])
		}
	case a.Type == schema.String && len(src.Labels) == 1:
		written := fmt.Sprintf("`%s = %q`", a.Name, src.Labels[0])
		if inside != "" && parent.Attr("arguments") != nil {
			written += fmt.Sprintf(" and `arguments = %s`", inside)
		}
		return written
	case (a.Type == schema.Map || a.Type == schema.StringMap || a.Type == schema.Any) && len(src.Labels) == 0 && inside != "":
		return fmt.Sprintf("`%s = %s`", a.Name, inside)
	}
	return fmt.Sprintf("`%s = …`", a.Name)
}

// objectOf is what stands in a block as an object, "" where it holds blocks or nothing.
func objectOf(src *hclsyntax.Block, excerpt func(hclsyntax.Expression) string) string {
	if len(src.Body.Blocks) > 0 || len(src.Body.Attributes) == 0 {
		return ""
	}
	attrs := slices.SortedFunc(maps.Values(src.Body.Attributes), func(a, b *hclsyntax.Attribute) int { return a.SrcRange.Start.Byte - b.SrcRange.Start.Byte })
	members := make([]string, len(attrs))
	for i, a := range attrs {
		members[i] = a.Name + " = " + excerpt(a.Expr)
	}
	if object := "{ " + strings.Join(members, ", ") + " }"; Parses(object) {
		return object
	}
	return ""
}

// isText reports whether a string is written out.
func isText(e hclsyntax.Expression) bool {
	template, ok := e.(*hclsyntax.TemplateExpr)
	return ok && template.IsStringLiteral()
}

// quotedName shows an attribute whose name is in quotes, as in JSON, as it should
// be written.
func quotedName(e syntaxError) (string, string) {
	item := strings.TrimSpace(e.line)
	if at := strings.LastIndexByte(e.before, '{'); at >= 0 {
		item = strings.TrimSpace(e.line[at+1:])
	}
	detail := "The name of an attribute is written without quotes. In an object, which begins with = {, quotes are right."
	if m := quotedItem().FindStringSubmatch(item); m != nil {
		detail = fmt.Sprintf("The name of an attribute is written without quotes, and its value after an equals sign: `%s = %s`. In an object, which begins with = {, quotes are right.", m[1], withoutClosing(m[2]))
	}
	return summaryKey, detail
}

package mutate

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/taken"
)

// plainly puts the plain forms of a function in its place.
func (s *site) plainly(a *dsl.Attr, x *hclsyntax.FunctionCallExpr, put putter) {
	if x.ExpandFinal || len(x.Args) == 0 || s.seldom(x) {
		return
	}
	for _, f := range taken.PlainForms()[x.Name] {
		var swap, all []string
		for i, arg := range x.Args {
			text := s.source(arg.Range())
			all = append(all, text)
			swap = append(swap, fmt.Sprintf("$%d", i+1), text)
		}
		to := strings.NewReplacer(append(swap, "$*", strings.Join(all, ", "))...).Replace(f.To)
		if !strings.Contains(f.To, "$*") && strings.Contains(f.To, fmt.Sprintf("$%d", len(x.Args)+1)) {
			continue // it has fewer arguments
		}
		shown := f.Shown
		if shown == "" {
			shown = brief(to)
		}
		put(a, x.Range(), to, shown)
	}
}

// seldom reports whether hardly any data tells a call from its plain form: several phrases of word, and one in a rule of a
// taxonomy, where nearly every file would be told of it; numbers that are written; and a pattern that begins where the
// text does, which has one match.
func (s *site) seldom(x *hclsyntax.FunctionCallExpr) bool {
	switch x.Name {
	case "word":
		return len(x.Args) != 2 || s.Type == "detect"
	case "sum":
		return len(x.Args) == 1 && isWritten(x.Args[0])
	case "regex":
		v, written := dsl.Literal(x.Args[0])
		return written && isText(v) && strings.HasPrefix(v.AsString(), "^")
	}
	return false
}

// isWritten reports whether a list is written out.
func isWritten(e hclsyntax.Expression) bool {
	_, is := dsl.Bare(e).(*hclsyntax.TupleConsExpr)
	return is
}

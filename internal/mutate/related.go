package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/taken"
)

// related puts what is easily taken for it in the place of a part of an expression: a text that stands anywhere for
// one at the beginning, a text for a pattern, the mean or the largest for a percentile, how long something took
// for when it ended, whole elements for what they are known by, another member for the one that is read. Data that none of these tells apart shows nothing of which one the program has.
func related(s *site) []edit {
	var list []edit
	add := func(a *dsl.Attr, rng hcl.Range, to string) {
		what := fmt.Sprintf("%s → %s", s.brief(rng), brief(to))
		list = append(list, s.part(a, rng, what, replaced(s.src, rng, withLines("("+to+")", s.source(rng)))))
	}
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		switch x := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			if x.ExpandFinal {
				return
			}
			args := make([]string, len(x.Args))
			for i, e := range x.Args {
				args[i] = s.source(e.Range())
			}
			for _, to := range taken.Calls(x, args) {
				add(a, x.Range(), to)
			}
		case *hclsyntax.ScopeTraversalExpr:
			t := x.Traversal
			last, is := t[len(t)-1].(hcl.TraverseAttr)
			if to := taken.Time(last.Name); is && to != "" && len(t) > 2 && t.RootName() == "step" {
				text := s.source(x.Range())
				add(a, x.Range(), strings.TrimSuffix(text, last.Name)+to)
			}
		}
	})
	list = append(list, s.placeholders()...)
	list = append(list, s.keys()...)
	list = append(list, s.wholes()...)
	return append(list, s.otherMembers()...)
}

// wholes give away all of a thing where an object has some of its members, if a scenario gives it more than these.
func (s *site) wholes() []edit {
	var list []edit
	for _, a := range s.Attrs {
		if s.near == nil || slices.Contains([]string{"inputs", "arguments"}, a.Name) || slices.Contains(told, a.Name) { // others than its inputs no workflow takes, and of arguments a run shows what is read
			continue
		}
		vars := forVariables(a.Expr)
		for _, w := range taken.Wholes(a.Expr, s.src) {
			if readsMember(w.Traversal, vars) && !(w.Traversal.RootName() == "input" && len(w.Traversal) == 2) && s.near().more(w.Members) {
				list = append(list, s.part(a, w.Range, s.brief(w.Range)+" → "+w.Shown, replaced(s.src, w.Range, withLines("("+w.With+")", s.source(w.Range)))))
			}
		}
	}
	return list
}

// told are the attributes whose texts are for a model: what is left out of one is told of as a part of a request that
// no check reads.
var told = []string{"prompt", "messages", "system", "description"}

// openingMax is how far before an expression its ${ is looked for.
const openingMax = 20

// placeholders leave out each of several that are put into a text, such as a part of a key. What is left out is still
// evaluated, so that a step waits for the same steps.
func (s *site) placeholders() []edit {
	var list []edit
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		x, is := n.(*hclsyntax.TemplateExpr)
		if !is || slices.Contains(told, a.Name) {
			return
		}
		put := s.put(x)
		if len(put) < 2 {
			return
		}
		for _, rng := range put {
			list = append(list, s.part(a, rng, "${"+s.brief(rng)+"} left out", spliced(s.src, rng.Start.Byte, rng.End.Byte, `false ? (`+s.source(rng)+`) : ""`)))
		}
	})
	return list
}

// put are the expressions that are put into a text.
func (s *site) put(x *hclsyntax.TemplateExpr) []hcl.Range {
	var list []hcl.Range
	for _, part := range x.Parts {
		rng := part.Range()
		if _, written := part.(*hclsyntax.LiteralValueExpr); !written && bytes.HasSuffix(bytes.TrimRight(s.src[max(0, rng.Start.Byte-openingMax):rng.Start.Byte], " ~"), []byte("${")) {
			list = append(list, rng)
		}
	}
	return list
}

package mutate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/taken"
)

// converted are the functions that are not told of where no mutant changes them: without them nothing fits, or something
// else of them is changed.
var converted = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{"file", "fileset", "can", "jq"} {
		all[name] = true
	}
	return all
})

// unchanged are the functions that expressions of a file and its programs of jq call and that none of its mutants
// changes, by where they stand: a score says nothing of them.
func (u *unit) unchanged(list []*Mutant) []string {
	var names []string
	for _, s := range slices.Concat(u.sites, u.locals) {
		s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
			call, is := n.(*hclsyntax.FunctionCallExpr)
			if is && !converted()[call.Name] && !(slices.Contains(told, a.Name) && taken.IsConversion(call.Name)) && !slices.ContainsFunc(list, func(m *Mutant) bool { return m.changesCall(call) }) {
				names = append(names, call.Name+"() in "+s.name())
			}
		})
	}
	for _, p := range u.programs {
		for _, call := range p.calls {
			from, to := p.place(call.From), p.place(call.To)
			if !slices.ContainsFunc(list, func(m *Mutant) bool { return m.changesBytes(from, to) }) {
				names = append(names, fmt.Sprintf("%s of jq in %s", call.Name, p.declaration))
			}
		}
	}
	return names
}

// changesBytes reports whether a mutant changes some of the bytes from one to another of its file.
func (m *Mutant) changesBytes(from, to int) bool {
	if m.cuts != nil {
		return slices.ContainsFunc(m.cuts, func(c change) bool { return c.from < to && c.to > from })
	}
	return m.from < to && m.to > from
}

// changesCall reports whether a mutant changes what a call does: its name is another one or left out, what has a role in
// it is changed, such as a pattern, or it is within a condition that decides nothing more.
func (m *Mutant) changesCall(x *hclsyntax.FunctionCallExpr) bool {
	if m.changesBytes(x.NameRange.Start.Byte, x.NameRange.End.Byte) {
		return true
	}
	whole := x.Range()
	if (m.Operator == "condition" || m.Operator == "when") && within(whole, m.Range) {
		return true
	}
	of, has := roleOf()[x.Name]
	if !has || m.Operator != operatorOf(of.role) || len(x.Args) <= of.argument {
		return false
	}
	arg := x.Args[of.argument]
	if t, is := dsl.Bare(arg).(*hclsyntax.ScopeTraversalExpr); is && t.Traversal.RootName() == "local" && len(t.Traversal) > 1 {
		name, is := t.Traversal[1].(hcl.TraverseAttr)
		return is && m.Declaration == "local."+name.Name
	}
	return within(m.Range, arg.Range())
}

// within reports whether one range lies in another one.
func within(in, of hcl.Range) bool {
	return of.Start.Byte <= in.Start.Byte && in.End.Byte <= of.End.Byte
}

// NotChanged says in one line which functions no mutant changes, "" where there are none.
func (r *Report) NotChanged() string { return inOneLine("not changed: ", r.Unchanged) }

// inOneLine names some of a list, and how many more there are.
func inOneLine(head string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	shown := slices.Clone(list[:min(len(list), unlookedShown)])
	if more := len(list) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return head + strings.Join(shown, ", ") + "\n"
}

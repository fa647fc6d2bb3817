package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/trace"
)

// Alike are rows of a scenario with for_each or matrix that run the same: what differs from row to row stands only in
// texts that the program sends on, and nothing that it decides reads one of them.
type Alike struct {
	// Name is that of the scenario as it is written, and Rows are those of its rows.
	Name string
	Rows []string
	// Value is what differs, such as each.value, and In the members of the inputs that have it.
	Value string
	In    []string
	File  string
	Line  int
}

// String says it in one line.
func (a *Alike) String() string {
	const shown = 3
	rows := make([]string, 0, shown)
	for _, r := range a.Rows[:min(len(a.Rows), shown)] {
		rows = append(rows, fmt.Sprintf("%q", r))
	}
	text := strings.Join(rows, ", ")
	if more := len(a.Rows) - len(rows); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	} else if len(rows) > 1 {
		text = strings.Join(rows[:len(rows)-1], ", ") + " and " + rows[len(rows)-1]
	}
	return fmt.Sprintf("rows %s of %q run the same: %s is only in a text of inputs.%s, which decides nothing", text, a.Name, a.Value, strings.Join(a.In, " and inputs."))
}

// alike are those of the scenarios of hosts of which all rows passed.
func (r *runner) alike(hosts []*Host) []*Alike {
	var list []*Alike
	for _, h := range hosts {
		lines, all := map[int][]*base{}, map[int]int{}
		several := false
		for _, p := range h.File.Plans {
			all[p.Line]++
			several = several || all[p.Line] > 1
		}
		if !several {
			continue
		}
		for _, p := range h.Plans {
			if b := r.bases[p]; b != nil {
				lines[p.Line] = append(lines[p.Line], b)
			}
		}
		file, _ := dsl.Parse(h.Path, h.Source)
		if file == nil {
			continue
		}
		files := []*dsl.File{file}
		for _, in := range h.Imports {
			if suite.IsScenario(in.Path) {
				if f, _ := dsl.Parse(in.Path, in.Source); f != nil {
					files = append(files, f)
				}
			}
		}
		for _, b := range file.Body.All("scenario") {
			rows := lines[b.DefRange.Start.Line]
			if len(rows) < 2 || len(rows) != all[b.DefRange.Start.Line] || b.Attr("for_each") == nil && len(b.All("matrix")) == 0 {
				continue
			}
			a := &Alike{Name: b.Name(), File: h.Path, Line: b.DefRange.Start.Line}
			if !a.differ(b) || slices.ContainsFunc(a.In, func(name string) bool { return decides(files, name) }) {
				continue
			}
			for _, x := range rows {
				if !sameCourse(rows[0].result.Events, x.result.Events) {
					a = nil
					break
				}
				a.Rows = append(a.Rows, strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(x.plan.Name, b.Name()), "["), "]"))
			}
			if a != nil {
				list = append(list, a)
			}
		}
	}
	return list
}

// differ notes where a scenario has what differs from row to row; it is false where that is anywhere but in texts of
// its inputs, or nowhere. A check that has it looks at what becomes of such a text, which is enough.
func (a *Alike) differ(scenario *dsl.Block) bool {
	only := true
	var visit func(b *dsl.Block)
	visit = func(b *dsl.Block) {
		for _, attr := range b.Attrs {
			if b == scenario && slices.Contains([]string{"for_each", "description", "tags"}, attr.Name) {
				continue
			}
			members := []hclsyntax.Expression{attr.Expr}
			names := []string{""}
			if x, is := attr.Expr.(*hclsyntax.ObjectConsExpr); is && b == scenario && attr.Name == "inputs" {
				members, names = nil, nil
				for _, item := range x.Items {
					members = append(members, item.KeyExpr, item.ValueExpr)
					names = append(names, "", keyName(item.KeyExpr))
				}
			}
			for i, e := range members {
				value := rowValue(e)
				switch {
				case value == "":
				case names[i] == "" || !isMadeText(e) || a.Value != "" && a.Value != value:
					only = false
				default:
					a.Value = value
					a.In = append(a.In, names[i])
				}
			}
		}
		for _, n := range b.Blocks {
			visit(n)
		}
	}
	visit(scenario)
	return only && len(a.In) > 0
}

// rowValue is what an expression reads of the row, "" for nothing.
func rowValue(e hclsyntax.Expression) string {
	for _, t := range e.Variables() {
		if root := t.RootName(); root == "each" || root == "matrix" {
			if len(t) > 1 {
				if x, is := t[1].(hcl.TraverseAttr); is {
					return root + "." + x.Name
				}
			}
			return root
		}
	}
	return ""
}

// isMadeText reports whether an expression is a text with letters or numbers of its own around what is put into it.
func isMadeText(e hclsyntax.Expression) bool {
	x, is := e.(*hclsyntax.TemplateExpr)
	return is && slices.ContainsFunc(x.Parts, func(part hclsyntax.Expression) bool {
		v, written := dsl.Literal(part)
		return written && isText(v) && strings.TrimSpace(v.AsString()) != ""
	})
}

// sent are the attributes of a step whose texts go to a service as they are.
var sent = []string{"path", "url", "query", "json", "body", "headers"}

// decides reports whether a program reads an input anywhere but in what it sends as it is.
func decides(files []*dsl.File, name string) bool {
	for _, f := range files {
		for _, s := range sitesOf(f) {
			for _, a := range s.Attrs {
				if a.Name == "inputs" && s.Type == "workflow" {
					continue
				}
				plain := s.Type == "step" && slices.Contains(sent, a.Name)
				reads := false
				for _, t := range a.Expr.Variables() {
					if t.RootName() != "input" {
						continue
					}
					x, is := hcl.TraverseAttr{}, false
					if len(t) > 1 {
						x, is = t[1].(hcl.TraverseAttr)
					}
					reads = reads || !is || x.Name == name
				}
				if reads && !(plain && onlyPut(a.Expr)) {
					return true
				}
			}
		}
	}
	return false
}

// onlyPut reports whether an expression puts values into texts, lists and objects, and does nothing else with them.
func onlyPut(e hclsyntax.Expression) bool {
	put := true
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n.(type) {
		case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.LiteralValueExpr, *hclsyntax.ScopeTraversalExpr,
			*hclsyntax.ObjectConsExpr, *hclsyntax.ObjectConsKeyExpr, *hclsyntax.TupleConsExpr, *hclsyntax.ParenthesesExpr, hclsyntax.ChildScope:
		default:
			put = false
		}
		return nil
	})
	return put
}

// sameCourse reports whether the same happens at the same time in two runs, whatever their texts are.
func sameCourse(a, b []trace.Event) bool {
	return slices.EqualFunc(a, b, func(x, y trace.Event) bool {
		return x.Type == y.Type && x.At == y.At && x.Step == y.Step && x.Attempt == y.Attempt && x.Target == y.Target
	})
}

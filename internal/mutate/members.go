package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/suite"
)

// Bounds of what is looked at to find another member: objects in the files of scenarios, members of one, and files
// that import what is changed.
const (
	objectsMax = 5000
	fieldsMax  = 50
	hostsMax   = 20
)

// A field is a member of an object that is written out.
type field struct {
	name  string
	value cty.Value
}

// members are what the objects have that scenarios give a program: answers, inputs and arguments.
type members struct {
	objects int
	// of are the objects that have a member, by its name.
	of map[string][][]field
	// read are the names of members that the program reads.
	read map[string]bool
	// given are the values that scenarios give, by the names of the members that have them.
	given  map[string][]given
	values int
	// locals are what the locals say.
	locals map[string]hclsyntax.Expression
	// met are the failures of scenarios, and users the steps that have a policy of retries, by how it is written; "" is
	// anything else that has it.
	met   []met
	users map[string][]string
}

// members are those of the file of a unit, and of the files with scenarios that import it.
func (u *unit) members(file *dsl.File) *members {
	m := &members{of: map[string][][]field{}, read: map[string]bool{}, given: map[string][]given{}, locals: map[string]hclsyntax.Expression{}, users: map[string][]string{}}
	known := map[string]bool{u.path: true}
	m.add(file)
	for _, h := range u.hosts[:min(len(u.hosts), hostsMax)] {
		texts := map[string][]byte{h.Path: h.Source}
		paths := []string{h.Path}
		for _, in := range h.Imports {
			if suite.IsScenario(in.Path) {
				texts[in.Path] = in.Source
				paths = append(paths, in.Path)
			}
		}
		for _, path := range paths {
			if known[path] {
				continue
			}
			known[path] = true
			if other, _ := dsl.Parse(path, texts[path]); other != nil {
				m.add(other)
			}
		}
	}
	return m
}

// add notes what a file gives, and what its program reads.
func (m *members) add(file *dsl.File) {
	var visit func(b *dsl.Block, program bool, around string)
	visit = func(b *dsl.Block, program bool, around string) {
		if isCheck(b.Type) {
			return
		}
		if b.Type == "on" {
			around = "on " + lastName(b.Name())
		}
		m.note(b, around, file.Source, program)
		for _, a := range b.Attrs {
			if b.Type == "locals" {
				m.locals[a.Name] = a.Expr
			}
			_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
				switch x := n.(type) {
				case *hclsyntax.ObjectConsExpr:
					if !program {
						m.object(x)
						m.collect(x, where(b, a, around))
					}
				case *hclsyntax.ScopeTraversalExpr:
					if last, is := x.Traversal[len(x.Traversal)-1].(hcl.TraverseAttr); is && program {
						m.read[last.Name] = true
					}
				}
				return nil
			})
		}
		for _, n := range b.Blocks {
			visit(n, program, around)
		}
	}
	for _, b := range file.Body.Blocks {
		visit(b, isProgram(b.Type) && b.Type != "bench", "") // a bench gives its workflow inputs
	}
}

// object notes the members of an object that are numbers and texts. A flag has the value of another one too often.
func (m *members) object(x *hclsyntax.ObjectConsExpr) {
	if m.objects >= objectsMax || len(x.Items) < 2 || len(x.Items) > fieldsMax {
		return
	}
	m.objects++
	var fields []field
	for _, item := range x.Items {
		name := hcl.ExprAsKeyword(item.KeyExpr)
		v, written := dsl.Literal(item.ValueExpr)
		if name != "" && written && !v.IsNull() && v.IsKnown() && (v.Type() == cty.Number || v.Type() == cty.String) {
			fields = append(fields, field{name, v})
		}
	}
	for _, f := range fields {
		m.of[f.name] = append(m.of[f.name], fields)
	}
}

// other is the member that is most easily taken for one: in all objects with both it has the same type. One that
// always has the same value comes first, then one that the program reads elsewhere, then the one that stands nearest.
// With equal there is none but such as always have the same value.
func (m *members) other(name string, equal bool, allowed func(string) bool) string {
	type candidate struct {
		unlike, unequal bool
		distance        int
	}
	all := map[string]*candidate{}
	var order []string
	for _, fields := range m.of[name] {
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		for i, f := range fields {
			if f.name == name || !allowed(f.name) {
				continue
			}
			c := all[f.name]
			if c == nil {
				c = &candidate{distance: max(i-at, at-i)}
				all[f.name] = c
				order = append(order, f.name)
			}
			c.unlike = c.unlike || f.value.Type() != fields[at].value.Type()
			c.unequal = c.unequal || !f.value.RawEquals(fields[at].value)
		}
	}
	rank := func(other string) int {
		c, n := all[other], 0
		if c.unequal {
			n += 2 * fieldsMax
		}
		if !m.read[other] {
			n += fieldsMax
		}
		return n + c.distance
	}
	best := ""
	for _, other := range order {
		if !all[other].unlike && !(equal && all[other].unequal) && (best == "" || rank(other) < rank(best)) {
			best = other
		}
	}
	return best
}

// more reports whether an object has these members, and others as well.
func (m *members) more(names []string) bool {
	return slices.ContainsFunc(m.of[names[0]], func(fields []field) bool {
		return len(fields) > len(names) && !slices.ContainsFunc(names, func(name string) bool {
			return !slices.ContainsFunc(fields, func(f field) bool { return f.name == name })
		})
	})
}

// A use is where an expression reads a member.
type use struct {
	whole, last hcl.Range
	name        string
}

// otherMembers reads another member of the same thing: of an input, of an argument, of an answer, of an element. The
// same member of elements of one list is another one wherever an attribute reads it.
func (s *site) otherMembers() []edit {
	if s.near == nil {
		return nil
	}
	var list []edit
	for _, a := range s.Attrs {
		vars := forVariables(a.Expr)
		var order []string
		uses := map[string][]use{}
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			x, ok := n.(*hclsyntax.ScopeTraversalExpr)
			if !ok {
				return nil
			}
			last, is := x.Traversal[len(x.Traversal)-1].(hcl.TraverseAttr)
			if !is || !readsMember(x.Traversal, vars) {
				return nil
			}
			u := use{whole: x.Range(), last: last.SrcRange, name: last.Name}
			key := fmt.Sprint(u.whole.Start.Byte)
			if of := vars[x.Traversal.RootName()]; of != nil {
				key = s.source(of.CollExpr.Range()) + " " + string(s.src[x.Traversal[0].SourceRange().End.Byte:u.whole.End.Byte])
			}
			if uses[key] == nil {
				order = append(order, key)
			}
			uses[key] = append(uses[key], u)
			return nil
		})
		for _, key := range order {
			same := uses[key]
			name := same[0].name
			// A run does not show the arguments of a call that its steps do not read, whatever the data.
			to := s.near().other(name, a.Name == "arguments", s.isRead(same[0]))
			if to == "" {
				continue
			}
			var changes []change
			for _, u := range same {
				text := s.source(u.last)
				if !strings.HasSuffix(text, name) {
					changes = nil
					break
				}
				changes = append(changes, change{from: u.last.End.Byte - len(name), to: u.last.End.Byte, with: to})
			}
			if len(changes) == 0 {
				continue
			}
			slices.SortFunc(changes, func(a, b change) int { return a.from - b.from })
			read := s.source(same[0].whole)
			what := fmt.Sprintf("%s → %s", brief(read), brief(strings.TrimSuffix(read, name)+to))
			if len(same) > 1 {
				what += fmt.Sprintf(", %d times", len(same))
			}
			list = append(list, s.changed(a, same[0].whole, what, changes...))
		}
	}
	return list
}

// readsMember reports whether a traversal ends with a member of something that the program was given.
func readsMember(t hcl.Traversal, vars map[string]*hclsyntax.ForExpr) bool {
	switch root := t.RootName(); {
	case root == "input", root == "arguments", vars[root] != nil:
		return len(t) > 1
	case root == "step" && len(t) > 3:
		of, is := t[2].(hcl.TraverseAttr)
		return is && (of.Name == "json" || of.Name == "output")
	}
	return false
}

// isRead says which members may stand in the place of one: of an input those that its workflow declares.
func (s *site) isRead(u use) func(string) bool {
	if text := s.source(u.whole); !strings.HasPrefix(text, "input.") || strings.Count(text, ".") > 1 {
		return func(string) bool { return true }
	}
	declared := map[string]bool{}
	for b := s.Block; b != nil; b = b.Parent {
		if b.Type != "workflow" || b.Attr("inputs") == nil {
			continue
		}
		if x, ok := b.Attr("inputs").Expr.(*hclsyntax.ObjectConsExpr); ok {
			for _, item := range x.Items {
				declared[hcl.ExprAsKeyword(item.KeyExpr)] = true
			}
		}
	}
	return func(name string) bool { return declared[name] }
}

// keys compares whole elements where those of a list are told apart by one member: in index and contains with a list
// of that member, in distinct, and in what groups by it.
func (s *site) keys() []edit {
	var list []edit
	for _, a := range s.Attrs {
		vars := forVariables(a.Expr)
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			switch x := n.(type) {
			case *hclsyntax.FunctionCallExpr:
				if len(x.Args) == 0 || x.ExpandFinal {
					return nil
				}
				of, member, key := s.memberOfEach(x.Args[0])
				if key == nil {
					return nil
				}
				what := fmt.Sprintf("%s%s → %s", of, member, of)
				whole := []change{{from: key.Start.Byte, to: key.End.Byte, with: of}}
				switch {
				case x.Name == "distinct" && len(x.Args) == 1:
					what += " in distinct(…)"
				case (x.Name == "index" || x.Name == "contains") && len(x.Args) == 2:
					one, ok := x.Args[1].(*hclsyntax.ScopeTraversalExpr)
					if !ok || vars[one.Traversal.RootName()] == nil || s.source(one.Range()) != one.Traversal.RootName()+member {
						return nil
					}
					rng := one.Range()
					what += fmt.Sprintf(" and %s → %s", s.source(rng), one.Traversal.RootName())
					whole = append(whole, change{from: rng.Start.Byte, to: rng.End.Byte, with: one.Traversal.RootName()})
				default:
					return nil
				}
				list = append(list, s.changed(a, x.Range(), what, whole...))
			case *hclsyntax.ForExpr:
				if key, ok := x.KeyExpr.(*hclsyntax.ScopeTraversalExpr); ok && len(key.Traversal) > 1 && key.Traversal.RootName() == x.ValVar && s.source(x.ValExpr.Range()) == x.ValVar {
					rng := key.Range()
					list = append(list, s.changed(a, rng, fmt.Sprintf("%s → all of %s", s.source(rng), x.ValVar), change{from: rng.Start.Byte, to: rng.End.Byte, with: "jsonencode(" + x.ValVar + ")"}))
				}
			}
			return nil
		})
	}
	return list
}

// memberOfEach is the name of the elements of a list of one member of each, the member with its dot, and where it
// is read; key is nil for anything else.
func (s *site) memberOfEach(e hclsyntax.Expression) (of, member string, key *hcl.Range) {
	x, ok := dsl.Bare(e).(*hclsyntax.ForExpr)
	if !ok || x.KeyExpr != nil {
		return "", "", nil
	}
	read, ok := x.ValExpr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(read.Traversal) < 2 || read.Traversal.RootName() != x.ValVar {
		return "", "", nil
	}
	rng := read.Range()
	return x.ValVar, strings.TrimPrefix(s.source(rng), x.ValVar), &rng
}

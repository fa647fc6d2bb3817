package mutate

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// A Bypass is a declaration, or a setting of one, that no scenario reads: with any of its
// mutants each is the same program.
type Bypass struct {
	Declaration, File string
	Line              int
	// Setting is the attribute that nothing reads, "" for the whole declaration.
	Setting string
	// Overridden says that scenarios bring their own in its place.
	Overridden bool
	// Own says that the file has scenarios itself, and that the program names the
	// declaration somewhere.
	Own bool
}

// Name is what nothing reads: retry.std, or step.get: retry.
func (b *Bypass) Name() string {
	if b.Setting == "" {
		return b.Declaration
	}
	return b.Declaration + ": " + b.Setting
}

// Reason is why nothing reads it, as far as that is known.
func (b *Bypass) Reason() string {
	if b.Overridden {
		return "no scenario runs with it as it is (overridden)"
	}
	return "no scenario runs with it"
}

// Bypassed are the declarations and settings that no scenario reads, in the order of their
// mutants. There are none where a scenario does not pass by itself: nobody knows what that
// one reads.
func (r *Report) Bypassed() []*Bypass {
	if len(r.Broken) > 0 {
		return nil
	}
	type key struct{ file, declaration, setting string }
	read := map[key]bool{}
	for _, m := range r.Mutants {
		if m.Verdict != Unread && m.Verdict != Invalid && m.Operator != ofEach { // which is read where it moved to
			read[key{m.File, whole(m.Declaration), m.keeps}] = true
			read[key{m.File, whole(m.Declaration), ""}] = true
		}
	}
	var list []*Bypass
	known := map[key]*Bypass{}
	for _, m := range r.Mutants {
		k := key{m.File, whole(m.Declaration), ""}
		if m.Verdict != Unread || m.keeps == "" && read[k] || m.Operator == "data" || m.Operator == "everywhere" || m.Operator == several { // of a map that is written out nobody reads every entry, and what is changed everywhere is told of with what it is in
			continue
		}
		if known[k] != nil && known[k].Setting == "" && m.keeps != "" { // told of with the whole block
			continue
		}
		if read[k] || setting(m.Declaration) {
			k.setting = m.keeps
		}
		if read[k] {
			continue
		}
		b := known[k]
		if b == nil {
			b = &Bypass{Declaration: k.declaration, File: m.File, Line: m.Line, Setting: k.setting}
			known[k] = b
			list = append(list, b)
		}
		b.Line = min(b.Line, m.Line)
		b.Overridden = b.Overridden || m.Overridden
		b.Own = b.Own || m.own
	}
	return list
}

// setting reports whether of a declaration its settings are told of, as it is more than
// these: a step does something, whatever its retry is.
func setting(declaration string) bool {
	typ, _, _ := strings.Cut(declaration, ".")
	return slices.Contains([]string{"step", "workflow", "actor", "fanout"}, typ)
}

// overrides are what the scenarios of files bring in the place of what the program has.
type overrides struct {
	// brought are the names of a declaration and an attribute of it, "" for all of a block.
	brought map[[2]string]bool
	// named says of which declaration and attribute a declaration is the value.
	named map[string][][2]string
	// hosts are the files with scenarios.
	hosts map[string]bool
}

// overridesOf are those of the files of hosts.
func overridesOf(all []*unit) *overrides {
	o := &overrides{brought: map[[2]string]bool{}, named: map[string][][2]string{}, hosts: map[string]bool{}}
	for _, u := range all {
		if u.data {
			continue
		}
		for _, h := range u.hosts {
			o.hosts[h.Path] = true
		}
		file, _ := dsl.Parse(u.path, u.source)
		if file == nil {
			continue
		}
		for _, s := range sitesOf(file) {
			for _, a := range s.Attrs {
				for _, v := range a.Expr.Variables() {
					name := s.source(v.SourceRange())
					o.named[name] = append(o.named[name], [2]string{s.name(), a.Name})
				}
			}
		}
		for _, b := range file.Body.Blocks {
			if b.Type == "scenario" {
				o.add(b, u.source)
			}
		}
	}
	return o
}

// add notes what a scenario overrides.
func (o *overrides) add(scenario *dsl.Block, src []byte) {
	run := ""
	if a := scenario.Attr("run"); a != nil {
		if _, ok := a.Expr.(*hclsyntax.ScopeTraversalExpr); ok {
			run = string(a.Expr.Range().SliceBytes(src))
		}
	}
	for _, b := range scenario.All("override") {
		for _, of := range b.Blocks {
			name := run
			if of.Type == "step" {
				label := of.Name()
				name = "step." + label[strings.LastIndexByte(label, '.')+1:]
			}
			for _, a := range of.Attrs {
				o.brought[[2]string{name, a.Name}] = true
			}
			for _, n := range of.Blocks {
				o.brought[[2]string{name + " " + address(n), ""}] = true
			}
		}
	}
}

// note says of a mutant that no scenario reads what is known of the reason.
func (o *overrides) note(m *Mutant) {
	m.Overridden = o.brought[[2]string{m.Declaration, m.keeps}] || o.brought[[2]string{m.Declaration, ""}]
	for _, by := range o.named[m.Declaration] {
		m.Overridden = m.Overridden || o.brought[by]
	}
	m.own = o.hosts[m.File] && len(o.named[m.Declaration]) > 0
}

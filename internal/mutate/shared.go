package mutate

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/suite"
)

// A name is what both a program and a check can read: a local, or the text of a file.
type name struct{ local, file string }

// reads are the names that the expressions of a file read.
type reads struct {
	program, checks []name
	// locals are what each local of the file reads.
	locals map[string][]name
}

// isCheck reports whether blocks of a type say what must hold, or of a reply what must be
// asked.
func isCheck(typ string) bool {
	return typ == "assert" || typ == "expect" || typ == "invariant" || typ == "match"
}

// readsOf finds what the expressions of a file read.
func readsOf(file *dsl.File) *reads {
	r := &reads{locals: map[string][]name{}}
	if file == nil {
		return r
	}
	path := file.Path
	var visit func(b *dsl.Block, to *[]name)
	visit = func(b *dsl.Block, to *[]name) {
		if isCheck(b.Type) {
			to = &r.checks
		}
		for _, a := range b.Attrs {
			switch {
			case b.Type == "locals":
				r.locals[a.Name] = append(r.locals[a.Name], namesIn(path, a.Expr)...)
			case to != nil:
				*to = append(*to, namesIn(path, a.Expr)...)
			}
		}
		for _, n := range b.Blocks {
			visit(n, to)
		}
	}
	for _, b := range file.Body.Blocks {
		if isProgram(b.Type) {
			visit(b, &r.program)
		} else {
			visit(b, nil)
		}
	}
	return r
}

// namesIn are the names that an expression of a file reads.
func namesIn(path string, e hclsyntax.Expression) []name {
	var list []name
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		switch x := n.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			if len(x.Traversal) < 2 || x.Traversal.RootName() != "local" {
				return nil
			}
			if attr, ok := x.Traversal[1].(hcl.TraverseAttr); ok {
				list = append(list, name{local: attr.Name})
			}
		case *hclsyntax.FunctionCallExpr:
			if x.Name != "file" || len(x.Args) != 1 {
				return nil
			}
			if v, ok := dsl.Literal(x.Args[0]); ok && isText(v) {
				list = append(list, name{file: filepath.ToSlash(filepath.Join(filepath.Dir(path), filepath.FromSlash(v.AsString())))})
			}
		}
		return nil
	})
	return list
}

// A library knows the files of hosts, and what they read, each of which is looked at once.
type library struct {
	files map[string]*reads
	trees map[string]*dsl.File
}

func (l *library) of(path string, src []byte) *reads {
	if l.files[path] == nil {
		l.files[path] = readsOf(l.parsed(path, src))
	}
	return l.files[path]
}

// parsed is a file, nil where it cannot be read.
func (l *library) parsed(path string, src []byte) *dsl.File {
	if f, known := l.trees[path]; known {
		return f
	}
	f, diags := dsl.Parse(path, src)
	if diags.HasErrors() {
		f = nil
	}
	l.trees[path] = f
	return f
}

// both are the names that the program of a host reads and a check of it as well, also
// by other locals.
func (l *library) both(h *Host) map[name]bool {
	all := []*reads{l.of(h.Path, h.Source)}
	for _, in := range h.Imports {
		if suite.IsScenario(in.Path) {
			all = append(all, l.of(in.Path, in.Source))
		}
	}
	locals := map[string][]name{}
	var program, check []name
	for _, r := range all {
		program, check = append(program, r.program...), append(check, r.checks...)
		for local, list := range r.locals {
			locals[local] = append(locals[local], list...)
		}
	}
	known, found := reached(program, locals), map[name]bool{}
	for n := range reached(check, locals) {
		if known[n] {
			found[n] = true
		}
	}
	return found
}

// reached are names with all that locals among them read.
func reached(from []name, locals map[string][]name) map[name]bool {
	all := map[name]bool{}
	for len(from) > 0 {
		n := from[len(from)-1]
		from = from[:len(from)-1]
		if !all[n] {
			all[n] = true
			from = append(from, locals[n.local]...)
		}
	}
	return all
}

// shared are the units with those of texts that hosts read from files: what both the program and a check read, and
// what the program takes for a schema and the like. What the units declare that is read so is noted in them.
func (r *runner) shared(list []*unit, hosts []*Host) []*unit {
	lib := &library{files: map[string]*reads{}, trees: map[string]*dsl.File{}}
	data, of := map[string]*unit{}, map[*Host][]*unit{}
	text := func(path string, h *Host) *unit {
		if r.Read == nil || len(h.Plans) == 0 {
			return nil
		}
		if _, known := data[path]; !known {
			data[path] = nil
			if text, err := r.Read(path); err == nil && len(text) <= dsl.MaxFileSize {
				data[path] = &unit{path: path, source: text, data: true}
			}
		}
		u := data[path]
		if u != nil && !slices.Contains(u.hosts, h) {
			u.hosts = append(u.hosts, h)
		}
		return u
	}
	for _, u := range list {
		for _, h := range u.hosts {
			of[h] = append(of[h], u)
		}
	}
	for _, h := range hosts {
		both, w := lib.both(h), lib.world(h)
		for _, u := range of[h] {
			u.note(both, w)
		}
		for n := range both {
			if n.file != "" {
				if u := text(n.file, h); u != nil {
					u.shared = true
				}
			}
		}
		for path, roles := range w.texts {
			if u := text(path, h); u != nil {
				u.take(roles)
			}
		}
	}
	for _, path := range sortedKeys(data) {
		if u := data[path]; u != nil {
			list = append(list, u)
		}
	}
	return list
}

func sortedKeys(units map[string]*unit) []string {
	var list []string
	for path := range units {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// note remembers the locals that both a program and a check read, those that a program reads, and the changes of
// what has a role in it.
func (u *unit) note(both map[name]bool, w *world) {
	if u.both == nil {
		u.both, u.read, u.known = map[string]bool{}, map[string]bool{}, map[placed]bool{}
	}
	for local := range w.read {
		u.read[local] = true
	}
	u.add(w.placed[u.path])
	for _, p := range w.programs {
		if p.file == u.path && !slices.ContainsFunc(u.programs, func(q *document) bool { return p.place(0) == q.place(0) }) {
			u.programs = append(u.programs, p)
		}
	}
	for n := range both {
		if n.local != "" {
			u.both[n.local] = true
		}
	}
}

// add notes changes that are not known yet.
func (u *unit) add(list []placed) {
	for _, p := range list {
		key := placed{operator: p.operator, from: p.from, to: p.to, with: p.with}
		if !u.known[key] {
			u.known[key] = true
			u.placed = append(u.placed, p)
		}
	}
}

// take notes the changes of a text that has roles.
func (u *unit) take(roles []role) {
	if u.known == nil {
		u.known = map[placed]bool{}
	}
	p := &document{file: u.path, declaration: "file " + strconv.Quote(filepath.Base(u.path)), keeps: "text", src: u.source}
	for _, r := range roles {
		if r == asData && slices.ContainsFunc(roles, func(r role) bool { return r == asSchema || r == asTold }) {
			continue // a schema has its own changes
		}
		w := &world{placed: map[string][]placed{}}
		w.sample(operatorOf(r), p.changes(r, ""))
		u.add(w.placed[u.path])
		if r == asProgram {
			u.programs = []*document{p}
		}
	}
}

// values puts another value in the place of what both a program and a check read: what
// only the program reads is what checks are about.
func (u *unit) values(file *dsl.File) []*Mutant {
	var list []*Mutant
	for _, b := range file.Body.All("locals") {
		for _, a := range b.Attrs {
			if !u.both[a.Name] {
				continue
			}
			if change, text, ok := another(u.source, a.Expr); ok {
				list = append(list, Mutant{
					Declaration: "local." + a.Name, Change: change + ", and a check reads it, too", File: u.path, Line: a.Range.Start.Line,
					Range: a.Range, Original: u.source, keeps: "value",
				}.of(text))
			}
		}
	}
	return list
}

// texts leaves out the last line of a file that both a program and a check read, or of
// one with a single line adds a word to it.
func (u *unit) texts() []*Mutant {
	lines := bytes.SplitAfter(u.source, []byte("\n"))
	last, others, at := -1, 0, 0
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 {
			if last >= 0 {
				others++
			}
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	for _, line := range lines[:last] {
		at += len(line)
	}
	written := bytes.TrimRight(lines[last], "\r\n")
	from := hcl.Pos{Line: last + 1, Column: 1, Byte: at}
	text := spliced(u.source, at, at+len(lines[last]), "")
	m := Mutant{
		Declaration: "file " + strconv.Quote(filepath.Base(u.path)), Change: strconv.Quote(brief(string(written))) + " left out, and a check reads the file, too", File: u.path, Line: last + 1,
		Range:    hcl.Range{Filename: u.path, Start: from, End: hcl.Pos{Line: last + 1, Column: len(written) + 1, Byte: at + len(written)}},
		Original: u.source, keeps: "text",
	}
	if others == 0 {
		end := at + len(written)
		m.Change, text = "another text, and a check reads the file, too", spliced(u.source, end, end, " x")
	}
	return []*Mutant{m.of(text)}
}

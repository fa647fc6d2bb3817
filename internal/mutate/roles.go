package mutate

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/suite"
)

// A role is what a program takes a value for.
type role int

const (
	asSchema  role = iota // a JSON schema
	asTold                // one that is only told to a model
	asTypes               // the types of the entries of a classifier
	asPattern             // a regular expression
	asMatch               // one that only says whether a text matches
	asProgram             // a program of jq
	asTable               // a list or a map that is looked through
	asData                // the text of a file that is decoded or split
	asReplace             // one between slashes, or a text
	asFormat              // the text of format, with its directives
	asDate                // the pattern of a date
)

// Bounds of what is followed to where a value is written: expressions in all, and how many locals lead to one.
const (
	followedMax = 20_000
	nestedMax   = 20
)

// An origin is where an expression is written: a block of the program, or a local.
type origin struct {
	file  *dsl.File
	block *dsl.Block // nil for a local
	attr  *dsl.Attr
}

// declaration is how a reader finds it.
func (o origin) declaration() string {
	if o.block == nil {
		return "local." + o.attr.Name
	}
	return (&site{Block: o.block, src: o.file.Source}).name()
}

// A located expression is one with where it is written, and the names that for expressions around it give to elements.
type located struct {
	hclsyntax.Expression
	origin
	vars map[string]*hclsyntax.ForExpr
	path string // the members of the local that lead to it
}

// in is another expression that is written in the same place.
func (l located) in(e hclsyntax.Expression) located {
	l.Expression = e
	return l
}

// at is a member of an expression.
func (l located) at(name string, e hclsyntax.Expression) located {
	l.Expression = e
	if l.path != "" && name != "" {
		name = "." + name
	}
	l.path += name
	return l
}

// A world is what the files of a host declare, together.
type world struct {
	files  []*dsl.File
	locals map[string]located
	// read are the locals that the program reads, also by other locals.
	read map[string]bool
	// steps is how much may still be followed.
	steps int
	// seen are the expressions whose changes are known, by their role.
	seen map[seenKey]bool
	// placed are the changes, by the paths of the files in which they are made.
	placed map[string][]placed
	// programs are the programs of jq.
	programs []*document
	// texts are the roles of files that expressions read.
	texts map[string][]role
}

type seenKey struct {
	path string
	at   int
	role role
}

// A placed change is one of an operator in a file.
type placed struct {
	operator, declaration, what, keeps string
	rng                                hcl.Range
	from, to                           int
	with                               string
}

// worldOf is the world of files, and all changes of what has a role in it.
func worldOf(files []*dsl.File) *world {
	w := &world{files: files, locals: map[string]located{}, read: map[string]bool{}, steps: followedMax, seen: map[seenKey]bool{}, placed: map[string][]placed{}, texts: map[string][]role{}}
	for _, f := range files {
		for _, b := range f.Body.All("locals") {
			for _, a := range b.Attrs {
				w.locals[a.Name] = located{Expression: a.Expr, origin: origin{file: f, attr: a}, vars: forVariables(a.Expr)}
			}
		}
	}
	var order []string
	note := func(e hclsyntax.Expression) {
		for _, t := range e.Variables() {
			if len(t) < 2 || t.RootName() != "local" {
				continue
			}
			if x, is := t[1].(hcl.TraverseAttr); is && !w.read[x.Name] && w.locals[x.Name].attr != nil {
				w.read[x.Name] = true
				order = append(order, x.Name)
			}
		}
	}
	for _, f := range files {
		for _, s := range sitesOf(f) {
			for _, a := range s.Attrs {
				note(a.Expr)
				l := located{Expression: a.Expr, origin: origin{file: f, block: s.Block, attr: a}, vars: forVariables(a.Expr)}
				w.attribute(l)
				w.uses(l)
			}
		}
	}
	for i := 0; i < len(order); i++ {
		l := w.locals[order[i]]
		note(l.Expression)
		w.uses(l)
	}
	for _, name := range order {
		w.local(w.locals[name])
	}
	for path, list := range w.placed {
		w.placed[path] = evenly(list)
	}
	return w
}

// evenly are the changes of which each operator has no more than variantsMax of one attribute or local, evenly of all of it.
func evenly(list []placed) []placed {
	type key struct{ operator, declaration, keeps string }
	all, at := map[key]int{}, map[key]int{}
	for _, p := range list {
		all[key{p.operator, p.declaration, p.keeps}]++
	}
	return slices.DeleteFunc(list, func(p placed) bool {
		k := key{p.operator, p.declaration, p.keeps}
		n, i := all[k], at[k]
		at[k]++
		return n > variantsMax && i*variantsMax/n == (i+1)*variantsMax/n
	})
}

// attribute gives the value of an attribute its role.
func (w *world) attribute(l located) {
	switch {
	case l.block.Type == "tool" && l.attr.Name == "parameters":
		w.assign(l, asTold)
	case l.block.Type == "classifier" && l.attr.Name == "schema":
		w.assign(l, asTypes)
	case l.attr.Name == "tools":
		for _, tool := range w.all(w.values(l, 0), 0) {
			for _, p := range w.members(w.values(tool, 0), "parameters", 0) {
				w.assign(p, asTold)
			}
		}
	case l.attr.Name == "response_format":
		for _, of := range w.members(w.values(l, 0), "json_schema", 0) {
			for _, p := range w.members(w.values(of, 0), "schema", 0) {
				w.assign(p, asTold)
			}
		}
	}
}

// An argument has a role in a call.
type argument struct {
	argument int
	role     role
}

// roleOf are the arguments of functions that have another role than that of a list or a map.
var roleOf = sync.OnceValue(func() map[string]argument {
	return map[string]argument{
		"schemaerror": {1, asSchema}, "regexmatch": {0, asMatch}, "regex": {0, asPattern}, "regexall": {0, asPattern}, "replace": {1, asReplace}, "jq": {1, asProgram},
		"format": {0, asFormat}, "formatlist": {0, asFormat}, "formatdate": {0, asDate},
		"jsondecode": {0, asData}, "yamldecode": {0, asData}, "csvdecode": {0, asData}, "split": {1, asData},
	}
})

// uses gives the arguments of the calls in an expression their roles.
func (w *world) uses(l located) {
	asked := map[hclsyntax.Node]bool{}
	_ = hclsyntax.VisitAll(l.Expression, func(n hclsyntax.Node) hcl.Diagnostics {
		switch x := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			of, has := roleOf()[x.Name]
			if asked[n] && of.role == asPattern {
				of.role = asMatch
			}
			for i, arg := range x.Args {
				asked[arg] = x.Name == "can"
				if has && i == of.argument {
					w.assign(l.in(arg), of.role)
				} else {
					w.assign(l.in(arg), asTable) // whatever it makes of a list or a map
				}
			}
		case *hclsyntax.ForExpr:
			w.assign(l.in(x.CollExpr), asTable)
		case *hclsyntax.IndexExpr:
			w.assign(l.in(x.Collection), asTable)
		}
		return nil
	})
}

// assign makes the changes of what is written where a value with a role comes from.
func (w *world) assign(l located, r role) {
	for _, v := range w.values(l, 0) {
		key := seenKey{v.file.Path, v.Range().Start.Byte, r}
		if w.seen[key] {
			continue
		}
		w.seen[key] = true
		w.change(v, r, 0)
	}
}

// values are the expressions that an expression has its value from, as they are written.
func (w *world) values(l located, depth int) []located {
	if w.steps--; w.steps < 0 || depth > nestedMax {
		return nil
	}
	switch x := l.Expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return w.values(l.in(x.Expression), depth+1)
	case *hclsyntax.ConditionalExpr:
		return slices.Concat(w.values(l.in(x.TrueResult), depth+1), w.values(l.in(x.FalseResult), depth+1))
	case *hclsyntax.TemplateWrapExpr:
		return w.values(l.in(x.Wrapped), depth+1)
	case *hclsyntax.ScopeTraversalExpr:
		root := x.Traversal.RootName()
		if of := l.vars[root]; of != nil {
			return w.along(w.all(w.values(l.in(of.CollExpr), depth+1), depth+1), x.Traversal[1:], depth+1)
		}
		for _, name := range slices.Sorted(maps.Keys(l.vars)) {
			of := l.vars[name]
			if root == of.KeyVar && of.KeyVar != "" && len(x.Traversal) == 1 {
				return w.keysOf(w.values(l.in(of.CollExpr), depth+1))
			}
		}
		if root != "local" || len(x.Traversal) < 2 {
			return nil
		}
		name, is := x.Traversal[1].(hcl.TraverseAttr)
		if is && w.locals[name.Name].attr != nil {
			return w.along(w.values(w.locals[name.Name], depth+1), x.Traversal[2:], depth+1)
		}
		return nil
	case *hclsyntax.RelativeTraversalExpr:
		return w.along(w.values(l.in(x.Source), depth+1), x.Traversal, depth+1)
	case *hclsyntax.IndexExpr:
		of := w.values(l.in(x.Collection), depth+1)
		if v, written := dsl.Literal(x.Key); written && isText(v) {
			return w.members(of, v.AsString(), depth+1)
		}
		return w.all(of, depth+1)
	case *hclsyntax.SplatExpr:
		of := w.all(w.values(l.in(x.Source), depth+1), depth+1)
		if each, is := x.Each.(*hclsyntax.RelativeTraversalExpr); is {
			return w.along(of, each.Traversal, depth+1)
		}
		return of
	case *hclsyntax.FunctionCallExpr:
		switch x.Name {
		case "try", "coalesce", "merge", "concat", "values", "flatten", "toset", "sort", "reverse", "distinct", "compact", "jsonencode":
			var list []located
			for _, arg := range x.Args {
				list = append(list, w.values(l.in(arg), depth+1)...)
			}
			return list
		}
	}
	return []located{l}
}

// along are the values to which a traversal leads from some.
func (w *world) along(list []located, t hcl.Traversal, depth int) []located {
	for _, step := range t {
		switch x := step.(type) {
		case hcl.TraverseAttr:
			list = w.members(list, x.Name, depth)
		case hcl.TraverseIndex:
			if isText(x.Key) {
				list = w.members(list, x.Key.AsString(), depth)
			} else {
				list = w.all(list, depth)
			}
		default:
			list = w.all(list, depth)
		}
	}
	return list
}

// members are the values of one member of objects.
func (w *world) members(of []located, name string, depth int) []located {
	var list []located
	for _, l := range of {
		if x, is := l.Expression.(*hclsyntax.ObjectConsExpr); is {
			for _, item := range x.Items {
				if keyName(item.KeyExpr) == name {
					list = append(list, w.values(l.at(name, item.ValueExpr), depth+1)...)
				}
			}
		}
	}
	return list
}

// all are the values of all members of objects, and of all elements of lists.
func (w *world) all(of []located, depth int) []located {
	var list []located
	for _, l := range of {
		switch x := l.Expression.(type) {
		case *hclsyntax.ObjectConsExpr:
			for _, item := range x.Items {
				list = append(list, w.values(l.at(keyName(item.KeyExpr), item.ValueExpr), depth+1)...)
			}
		case *hclsyntax.TupleConsExpr:
			for _, e := range x.Exprs {
				list = append(list, w.values(l.in(e), depth+1)...)
			}
		}
	}
	return list
}

// keysOf are the names of members that are written as texts.
func (w *world) keysOf(of []located) []located {
	var list []located
	for _, l := range of {
		if x, is := l.Expression.(*hclsyntax.ObjectConsExpr); is {
			for _, item := range x.Items {
				if key, is := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr); is {
					list = append(list, l.in(key.Wrapped))
				}
			}
		}
	}
	return list
}

// keyName is the name of a member, "" for one that is computed.
func keyName(e hclsyntax.Expression) string {
	if name := hcl.ExprAsKeyword(e); name != "" {
		return name
	}
	if key, is := e.(*hclsyntax.ObjectConsKeyExpr); is {
		if v, written := dsl.Literal(key.Wrapped); written && isText(v) {
			return v.AsString()
		}
	}
	return ""
}

// change makes the changes of a value that is written.
func (w *world) change(l located, r role, depth int) {
	if depth > nestedMax {
		return
	}
	switch x := l.Expression.(type) {
	case *hclsyntax.FunctionCallExpr:
		if len(x.Args) != 1 {
			return
		}
		switch v, written := dsl.Literal(x.Args[0]); {
		case x.Name == "jsondecode":
			for _, of := range w.values(l.in(x.Args[0]), depth+1) {
				w.change(of, r, depth+1)
			}
		case x.Name == "file" && written && isText(v):
			path := filepath.ToSlash(filepath.Join(filepath.Dir(l.file.Path), filepath.FromSlash(v.AsString())))
			if !slices.Contains(w.texts[path], r) {
				w.texts[path] = append(w.texts[path], r)
			}
		}
	case *hclsyntax.ObjectConsExpr, *hclsyntax.TupleConsExpr:
		switch r {
		case asSchema, asTold:
			n := w.node(l, 0)
			w.noteSchema(n, r)
			w.sample(operatorOf(r), schemaChanges(n, l.path, r == asTold))
		case asTypes:
			w.sample(operatorOf(r), typeChanges(w.node(l, 0)))
		case asTable:
			w.table(l)
		}
	case *hclsyntax.TemplateExpr, *hclsyntax.LiteralValueExpr:
		if p := l.written(); p != nil {
			w.sample(operatorOf(r), p.changes(r, l.path))
			if r == asProgram {
				w.programs = append(w.programs, p)
			}
		}
	}
}

// world is that of the files of a host.
func (l *library) world(h *Host) *world {
	var files []*dsl.File
	add := func(path string, src []byte) {
		if f := l.parsed(path, src); f != nil {
			files = append(files, f)
		}
	}
	add(h.Path, h.Source)
	for _, in := range h.Imports {
		if suite.IsScenario(in.Path) {
			add(in.Path, in.Source)
		}
	}
	return worldOf(files)
}

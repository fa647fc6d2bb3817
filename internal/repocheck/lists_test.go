package repocheck

import (
	"go/ast"
	"strings"
	"testing"
)

// unlisted are the types whose variables need not stand in a list, each with its
// reason.
var unlisted = map[string]string{
	"report.sign": "a chart lists those that it has used",
}

// A listing is what one package declares of what its lists hold.
type listing struct {
	// variables are those of the package by the name of their type.
	variables map[string][]declared
	// structs are the types that are named as kinds.
	structs []declared
	// lists are the types of which there is a list, and listed the names that
	// stand in one, or in another struct.
	lists, listed map[string]bool
	// table says that kinds are the rows of a map.
	table bool
}

type declared struct {
	name string
	in   *file
	node ast.Node
}

// checkLists finds what was declared for a list and forgotten in it: a variable
// of the type of which the package has a list (a kind of fault, a provider, a
// policy, a report), and a type that ends in Kind and is no row of the map
// `kinds`.
func checkLists(files []*file) []string {
	var found []string
	dirs := map[string]*listing{}
	var order []string
	for _, f := range files {
		if f.AST == nil || f.IsTest() {
			continue
		}
		if dirs[f.Dir()] == nil {
			dirs[f.Dir()] = &listing{variables: map[string][]declared{}, lists: map[string]bool{}, listed: map[string]bool{}}
			order = append(order, f.Dir())
		}
		dirs[f.Dir()].read(f)
	}
	for _, dir := range order {
		c := dirs[dir]
		for typ := range c.lists {
			if unlisted[dir+"."+typ] != "" {
				continue
			}
			for _, v := range c.variables[typ] {
				if !c.listed[v.name] {
					found = append(found, v.in.at(v.node.Pos(), "%s is a %s, and in no list of them: add its line", v.name, typ))
				}
			}
		}
		for _, s := range c.structs {
			if c.table && !c.listed[s.name] {
				found = append(found, s.in.at(s.node.Pos(), "%s is no row of the table of kinds, and part of none: add its line", s.name))
			}
		}
	}
	return found
}

// read takes over the declarations of a file.
func (c *listing) read(f *file) {
	for _, d := range f.AST.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for i, v := range spec.Values {
					c.variable(f, spec.Names[i], v)
				}
			case *ast.TypeSpec:
				if s, ok := spec.Type.(*ast.StructType); ok {
					c.structure(f, spec, s)
				}
			}
		}
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if l, ok := n.(*ast.CompositeLit); ok {
			c.list(l)
		}
		return true
	})
}

// variable takes over one that is of a struct.
func (c *listing) variable(f *file, name *ast.Ident, value ast.Expr) {
	if l, ok := value.(*ast.CompositeLit); ok && elementOf(l.Type) != "" {
		c.lists[elementOf(l.Type)] = true
		if _, isMap := l.Type.(*ast.MapType); isMap && name.Name == "kinds" {
			c.table = true
		}
		return
	}
	if u, ok := value.(*ast.UnaryExpr); ok {
		value = u.X
	}
	if l, ok := value.(*ast.CompositeLit); ok {
		if typ, ok := l.Type.(*ast.Ident); ok && name.Name != "_" {
			c.variables[typ.Name] = append(c.variables[typ.Name], declared{name.Name, f, name})
		}
	}
}

// structure takes over a type that is named as a kind, and those that are part
// of it.
func (c *listing) structure(f *file, spec *ast.TypeSpec, s *ast.StructType) {
	if !strings.HasSuffix(spec.Name.Name, "Kind") {
		return
	}
	c.structs = append(c.structs, declared{spec.Name.Name, f, spec})
	for _, field := range s.Fields.List {
		if typ, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 {
			c.listed[typ.Name] = true
		}
	}
}

// list takes over what stands in a list or a map.
func (c *listing) list(l *ast.CompositeLit) {
	if elementOf(l.Type) == "" {
		return
	}
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if u, ok := e.(*ast.UnaryExpr); ok {
			e = u.X
		}
		if lit, ok := e.(*ast.CompositeLit); ok {
			e = lit.Type
		}
		if name, ok := e.(*ast.Ident); ok {
			c.listed[name.Name] = true
		}
	}
}

// elementOf is the type of what a list or a map of this package's values holds,
// "" for any other type.
func elementOf(typ ast.Expr) string {
	switch t := typ.(type) {
	case *ast.ArrayType:
		typ = t.Elt
	case *ast.MapType:
		typ = t.Value
	default:
		return ""
	}
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// Shows that what is declared as an entry of a list stands in it.
func TestLists(t *testing.T) { report(t, checkLists(goFiles(t))) }

// Shows that an entry which was forgotten is found, and nothing else.
func TestListsFindOffenders(t *testing.T) {
	const list = "package x\ntype Kind struct{ Name string }\nvar kinds = []*Kind{one, &two}\nvar one = &Kind{}\nvar two = Kind{}\n"
	const table = "package x\ntype stepKind interface{ do() }\nvar kinds = map[string]stepKind{\"a\": aKind{}}\ntype basicKind struct{}\ntype aKind struct{ basicKind }\n"
	for _, c := range []struct{ name, source, want string }{
		{"all listed", list, ""},
		{"forgotten", list + "var three = &Kind{}", "three is a Kind, and in no list"},
		{"of another type", list + "type other struct{}\nvar three = &other{}", ""},
		{"in a second list", list + "var more = []*Kind{three}\nvar three = &Kind{}", ""},
		{"a type without a list", "package x\ntype Kind struct{}\nvar one = &Kind{}", ""},
		{"rows", table, ""},
		{"a row that is missing", table + "type bKind struct{ basicKind }", "bKind is no row"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkLists([]*file{source(t, "x/x.go", c.source)}), c.want)
		})
	}
}

package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// IsLiteral reports whether an expression refers to nothing, cheaply and for
// the common forms.
func IsLiteral(e hclsyntax.Expression) bool {
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.UnaryOpExpr:
		return IsLiteral(x.Val)
	case *hclsyntax.TemplateExpr:
		return x.IsStringLiteral()
	case *hclsyntax.TupleConsExpr:
		for _, e := range x.Exprs {
			if !IsLiteral(e) {
				return false
			}
		}
		return true
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			key, plain := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr)
			if !plain || key.ForceNonLiteral || !IsLiteral(key.Wrapped) && hcl.ExprAsKeyword(key.Wrapped) == "" || !IsLiteral(item.ValueExpr) {
				return false
			}
		}
		return true
	}
	return false
}

// Directory is a root whose names are declarations.
func Directory(noun, within string, names map[string]*schema.Shape) *schema.Shape {
	return &schema.Shape{Kind: schema.ShapeObject, Name: noun, Within: within, Attrs: names}
}

// fileReads remembers what file and fileset gave for every argument. They are
// asked while a scenario file is compiled: a run then touches no disk, and the
// hash of a plan covers what was read.
type fileReads struct {
	mu   sync.Mutex
	seen map[string]cty.Value // by function and argument
}

// remember adds file and fileset with a memory to a table, for the expressions
// of a file in the directory dir, seen from the file that is compiled.
func (m *fileReads) remember(table map[string]function.Function, files stdlib.Files, dir string) {
	files.Dir = path.Join(files.Dir, dir)
	for name, f := range stdlib.FileFunctions(files) {
		name = nameFrom(name, dir)
		table[name] = function.New(&function.Spec{
			Params: f.Params(),
			Type:   function.StaticReturnType(cty.DynamicPseudoType),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				return m.read(name+" "+args[0].AsString(), func() (cty.Value, error) { return f.Call(args) })
			},
		})
	}
}

// nameFrom is what a function that reads files is called in a file that was
// imported from another directory: its paths are relative to that one.
func nameFrom(name, dir string) string {
	if dir == "." {
		return name
	}
	return name + " in " + dir
}

// ReadsFiles reports whether a function, by its name as [nameFrom] gives it,
// reads files.
func ReadsFiles(name string) bool {
	name, _, _ = strings.Cut(name, " ")
	return name == "file" || name == "fileset"
}

// importDir is the directory of an imported file, seen from the one that is
// compiled.
func importDir(file, imported *dsl.File) string {
	if stdlib.IsModule(imported.Path) {
		return "."
	}
	dir, err := filepath.Rel(filepath.Dir(file.Path), filepath.Dir(imported.Path))
	if err != nil {
		return "."
	}
	return filepath.ToSlash(dir)
}

// fromTheirOwn makes the calls in an imported file those of its directory.
func fromTheirOwn(b *dsl.Block, dir string) {
	for _, a := range b.Attrs {
		dsl.EachExpr(a.Expr, func(e hclsyntax.Expression) {
			if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && (call.Name == "file" || call.Name == "fileset") {
				call.Name = nameFrom(call.Name, dir)
			}
		})
	}
	for _, n := range b.Blocks {
		fromTheirOwn(n, dir)
	}
}

func (m *fileReads) read(key string, need func() (cty.Value, error)) (cty.Value, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.seen[key]; ok {
		return v, nil
	}
	v, err := need()
	if err != nil {
		return v, err
	}
	if m.seen == nil {
		m.seen = map[string]cty.Value{}
	}
	m.seen[key] = v
	return v, nil
}

// sums identifies everything that was read, by function and argument; nil
// where nothing was.
func (m *fileReads) sums() any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) == 0 {
		return nil
	}
	sums := make(map[string]any, len(m.seen))
	for key, v := range m.seen {
		sum := sha256.Sum256(event.Value{Value: v}.AppendJSON(nil))
		sums[key] = "sha256:" + hex.EncodeToString(sum[:])
	}
	return sums
}

// MentionsFiles reports whether a file may call a function that reads others:
// there is the name of one with what can stand between a name and its bracket.
func MentionsFiles(f *dsl.File) bool {
	for rest := f.Source; ; {
		at := bytes.Index(rest, []byte("file"))
		if at < 0 {
			return false
		}
		rest = bytes.TrimPrefix(rest[at+len("file"):], []byte("set"))
		if len(rest) > 0 && strings.IndexByte(" \t\r\n(/#", rest[0]) >= 0 {
			return true
		}
	}
}

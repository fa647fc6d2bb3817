package interp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

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

// readsFiles reports whether a function, by its name as [nameFrom] gives it,
// reads files.
func readsFiles(name string) bool {
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

func (m *fileReads) read(key string, read func() (cty.Value, error)) (cty.Value, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.seen[key]; ok {
		return v, nil
	}
	v, err := read()
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
		sum := sha256.Sum256(valueAttr{v}.AppendJSON(nil))
		sums[key] = "sha256:" + hex.EncodeToString(sum[:])
	}
	return sums
}

// readFiles asks for every file that an expression of the run will ask for.
func (c *compiler) readFiles() {
	if mentionsFiles(c.file) || slices.ContainsFunc(c.file.Imports, mentionsFiles) {
		c.readFilesOf(c.file.Body)
	}
}

// readFilesIn does so for what was written out of one block.
func (c *compiler) readFilesIn(b *dsl.Block) {
	if mentionsFiles(c.file) {
		c.readFilesOf(b)
	}
}

// mentionsFiles reports whether a file may call a function that reads others:
// there is the name of one with what can stand between a name and its bracket.
func mentionsFiles(f *dsl.File) bool {
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

func (c *compiler) readFilesOf(b *dsl.Block) {
	for _, a := range b.Attrs {
		if a.Schema == nil || a.Schema.Runtime || a.Schema.Type == schema.Expr {
			dsl.EachExpr(a.Expr, c.readFile)
		}
	}
	for _, n := range b.Blocks {
		if !n.Multiplied() { // its instances are looked at one by one
			c.readFilesOf(n)
		}
	}
}

func (c *compiler) readFile(e hclsyntax.Expression) {
	call, ok := e.(*hclsyntax.FunctionCallExpr)
	if !ok || !readsFiles(call.Name) || len(call.Args) != 1 {
		return
	}
	for _, t := range call.Args[0].Variables() {
		if root := t.RootName(); root != "var" && root != "local" {
			name, _, _ := strings.Cut(call.Name, " ")
			c.errorf(call.Args[0].Range(), "Path that is not known before the run", "A run reads no files: what %s gives is read before it and is part of the plan. Write the path out, or make it of var and local.", name)
			return
		}
	}
	_, diags := call.Value(c.statics)
	c.diags = append(c.diags, diags...)
}

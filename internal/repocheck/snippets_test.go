package repocheck

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// snippets are the Go code blocks of a package's comment: indented lines that
// mention the package, other than a command to type.
func snippets(f *file) []string {
	if f.AST == nil || f.IsTest() || f.AST.Doc == nil {
		return nil
	}
	var blocks []string
	block := ""
	for line := range strings.Lines(f.AST.Doc.Text() + "\nend\n") {
		switch {
		case strings.HasPrefix(line, "\t"):
			block += line[1:]
		case strings.TrimSpace(line) == "" && block != "":
			block += line
		default:
			if strings.Contains(block, f.AST.Name.Name+".") && !strings.HasPrefix(block, "go run ") {
				blocks = append(blocks, block)
			}
			block = ""
		}
	}
	return blocks
}

// inWords are names that a snippet may leave unsaid.
var inWords = regexp.MustCompile(`^undefined: [a-z]\w*$`)

// checkSnippet type-checks the code in a package's comment. It may use values
// that it does not declare, and leave its own unused; what it says of packages
// must be so. paths are the packages that names stand for.
func checkSnippet(f *file, code string, imports types.Importer, paths func(name string) string) []string {
	declared := strings.HasPrefix(code, "func ")
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b([a-z]\w*)\.`).FindAllStringSubmatch(code, -1) {
		used[m[1]] = true
	}
	head := "package snippet\n"
	for name := range used {
		if p := paths(name); p != "" {
			head += "import " + name + " " + strconv.Quote(p) + "\n"
		}
	}
	if !declared {
		code = "func _() error {\n" + code + "\n}\n"
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "snippet.go", head+code, parser.SkipObjectResolution)
	if err != nil {
		return []string{f.at(f.AST.Package, "the code in the package's comment is no Go: %v", err)}
	}
	var found []string
	conf := types.Config{Importer: imports, Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && !e.Soft && !inWords.MatchString(e.Msg) && e.Msg != "missing return" {
			found = append(found, f.at(f.AST.Package, "the code in the package's comment does not compile: %s", e.Msg))
		}
	}}
	_, _ = conf.Check("snippet", fset, []*ast.File{tree}, nil)
	return found
}

// compiled imports packages of this module and of the standard library from
// Go's cache.
func compiled(root string, packages ...string) (types.Importer, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, packages...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		if exports[name] == "" {
			return nil, fmt.Errorf("nothing of this module imports %s", name)
		}
		return os.Open(exports[name])
	}), nil
}

// packageNames tells what a name stands for in the comment of a package: itself,
// what it imports, a package of this module, one of the standard library.
func packageNames(files []*file, f *file) func(string) string {
	return func(name string) string {
		dir := f.Dir()
		if name == f.AST.Name.Name {
			return path.Join(modulePath, dir)
		}
		for _, g := range files {
			if g.Dir() != dir {
				continue
			}
			for _, spec := range g.AST.Imports {
				if p, _ := strconv.Unquote(spec.Path.Value); importName(spec, p) == name {
					return p
				}
			}
		}
		for _, g := range files {
			if path.Base(g.Dir()) == name && !g.IsTest() {
				return modulePath + "/" + g.Dir()
			}
		}
		for _, p := range []string{"context", "errors", "fmt", "io", "os", "net/http", "testing", "time"} {
			if path.Base(p) == name {
				return p
			}
		}
		return ""
	}
}

// Shows that the code in every package's comment compiles: it is what a reader
// copies first, and nothing else would tell that it went stale.
func TestSnippets(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command for compiled packages")
	}
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	imports, err := compiled(root, "./...", "testing")
	if err != nil {
		t.Fatal(err)
	}
	files, n := goFiles(t), 0
	for _, f := range files {
		for _, code := range snippets(f) {
			report(t, checkSnippet(f, code, imports, packageNames(files, f)))
			n++
		}
	}
	if n < 20 {
		t.Errorf("only %d snippets were found", n)
	}
}

// Shows that a stale name, a wrong call and what is no Go are found, and that a
// snippet may use what it does not declare.
func TestSnippetsFindOffenders(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	imports, err := compiled(root, "strings", "os")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, comment, want string }{
		{"good", "\ttext := strings.ToUpper(given)\n\tif err != nil {\n\t\treturn err\n\t}", ""},
		{"a name that is gone", "\tstrings.Shout(given)", "undefined: strings.Shout"},
		{"too few arguments", "\tstrings.Repeat(given)", "not enough arguments"},
		{"another type", "\tvar n int = strings.ToUpper(given)", "cannot use strings.ToUpper"},
		{"a field that is gone", "\tb := strings.Builder{Size: 1}", "unknown field Size"},
		{"no Go", "\tfor _, s := range strings.Fields(given) { … }", "is no Go"},
		{"a function", "\tfunc example() {\n\t\tstrings.Shout()\n\t}", "undefined: strings.Shout"},
		{"a command", "\tgo run ./strings.go", ""},
		{"no code", "  of strings.Shout in prose", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := "// Package strings is planted.\n//\n"
			for line := range strings.Lines(c.comment + "\n") {
				doc += "//" + line
			}
			f := source(t, "x/doc.go", doc+"package strings\n")
			var found []string
			for _, code := range snippets(f) {
				found = append(found, checkSnippet(f, code, imports, func(name string) string {
					if name == "strings" || name == "os" {
						return name
					}
					return ""
				})...)
			}
			expect(t, found, c.want)
		})
	}
}

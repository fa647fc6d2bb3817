package repocheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
)

// modulePath is the module whose files are checked.
const modulePath = "github.com/scenario-lang/scenario"

// A file is one file of the repository. AST is nil for what is not Go of the
// root module.
type file struct {
	Path string // relative to the root, with slashes
	Text string // "" for what is not text
	AST  *ast.File
	Fset *token.FileSet
}

// Dir is the package's directory relative to the root, "" for the root itself.
func (f *file) Dir() string {
	if d := path.Dir(f.Path); d != "." {
		return d
	}
	return ""
}

// IsTest reports whether the file is compiled for tests only.
func (f *file) IsTest() bool { return strings.HasSuffix(f.Path, "_test.go") }

// at writes a finding in the form that editors can follow.
func (f *file) at(p token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Fset.Position(p).Line, fmt.Sprintf(format, args...))
}

// readTree reads the repository once for all checks: its text files, and the
// syntax of those of the root module. Nested modules (a go.mod of their own)
// follow their own rules as to Go.
var readTree = sync.OnceValues(func() ([]*file, error) {
	root, err := findRoot()
	if err != nil {
		return nil, err
	}
	var files []*file
	nested := map[string]bool{}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			return enter(name, rel, nested)
		}
		if rel == ".git" {
			return nil // of a linked work tree
		}
		f := &file{Path: rel}
		files = append(files, f)
		if !d.Type().IsRegular() || !isText(rel) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f.Text = string(text)
		if strings.HasSuffix(rel, ".go") && !nested[f.Dir()] && !strings.Contains("/"+rel, "/testdata/") {
			return f.parse()
		}
		return nil
	})
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, err
})

// enter decides whether a directory is read and notes those of nested modules.
func enter(name, rel string, nested map[string]bool) error {
	switch base := path.Base(rel); {
	case rel == ".":
		return nil
	case base == ".git", rel == "bin", rel == "tmp", base == "node_modules":
		return filepath.SkipDir
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	nested[rel] = err == nil || nested[path.Dir(rel)]
	return nil
}

// findRoot walks up from the working directory to go.mod.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working directory: run the tests inside the repository")
		}
		dir = up
	}
}

var textSuffixes = []string{
	".go", ".md", ".hcl", ".yaml", ".yml", ".json", ".txt", ".txtar", ".golden", ".mod", ".toml", ".sh", ".html", ".css", ".conf", ".js", ".py",
}

// isText reports whether a file's text is read: by its suffix, or because it
// is one of the repository's own files without one.
func isText(rel string) bool {
	for _, s := range textSuffixes {
		if strings.HasSuffix(rel, s) {
			return true
		}
	}
	return path.Ext(path.Base(rel)) == "" || strings.HasPrefix(path.Base(rel), ".")
}

func (f *file) parse() error {
	f.Fset = token.NewFileSet()
	tree, err := parser.ParseFile(f.Fset, f.Path, f.Text, parser.ParseComments|parser.SkipObjectResolution)
	f.AST = tree
	return err
}

// goFiles returns the root module's own Go files.
func goFiles(t *testing.T) []*file {
	t.Helper()
	var out []*file
	for _, f := range allFiles(t) {
		if f.AST != nil {
			out = append(out, f)
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d Go files were found: the walk is broken, and every check would pass for nothing", len(out))
	}
	return out
}

func allFiles(t *testing.T) []*file {
	t.Helper()
	files, err := readTree()
	if err != nil {
		t.Fatalf("reading the repository: %v", err)
	}
	return files
}

// source makes a planted file for a test of a checker.
func source(t *testing.T, name, text string) *file {
	t.Helper()
	f := &file{Path: name, Text: text}
	if strings.HasSuffix(name, ".go") {
		if err := f.parse(); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// report turns findings into failures of the test.
func report(t *testing.T, findings []string) {
	t.Helper()
	for _, f := range findings {
		t.Error(f)
	}
}

// expect checks that a checker finds exactly one thing in a planted file, and
// that the finding says want.
func expect(t *testing.T, findings []string, want string) {
	t.Helper()
	if want == "" {
		report(t, findings)
		return
	}
	if len(findings) != 1 || !strings.Contains(findings[0], want) {
		t.Errorf("findings %q, want one that says %q", findings, want)
	}
}

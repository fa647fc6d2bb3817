package repocheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named are the exported names of packages that a text mentions as `pkg.Name`.
var named = regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z]*[a-z][A-Za-z]*)")

// Every exported name of a package of this module that a page mentions is there:
// what is removed or renamed goes from the pages, too.
func TestNamesInPagesAreThere(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	exported := exportedNames(t, root)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		known, gone := mentioned(string(text), exported)
		found += known
		for _, name := range gone {
			t.Errorf("%s mentions %s, which is not there", filepath.Base(page), name)
		}
	}
	if found < 4 {
		t.Errorf("only %d names were found: the search is broken", found)
	}
	if _, gone := mentioned("`bench.Runner` and `bench.Vanished`, `fs.FS`, `step.NAME.x`", exported); len(gone) != 1 || gone[0] != "bench.Vanished" {
		t.Errorf("planted: %q", gone)
	}
}

// mentioned counts the names of the module's packages in a text, and lists those
// that no package has.
func mentioned(text string, exported map[string]map[string]bool) (known int, gone []string) {
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		switch names := exported[m[1]]; {
		case names == nil: // a package of others
		case names[m[2]]:
			known++
		default:
			gone = append(gone, m[1]+"."+m[2])
		}
	}
	return known, gone
}

// exportedNames are the exported names of all packages, by the packages' names.
func exportedNames(t *testing.T, root string) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		names := all[file.Name.Name]
		if names == nil {
			names = map[string]bool{}
			all[file.Name.Name] = names
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = names[n.Name.Name] || n.Recv == nil
				return false
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					names[name.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

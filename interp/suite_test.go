package interp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// suiteDir holds the scenarios that teach the language.
const suiteDir = "../scenarios"

// suiteFiles lists the files of the suite, sorted.
func suiteFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(suiteDir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".scenario.hcl") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compileAt compiles source as if it were the file at path; cassettes and
// records of snapshots are read beside it.
func compileAt(t *testing.T, path, source string) []*Plan {
	t.Helper()
	plans, diags := tryCompile(path, source)
	mustBeValid(t, diags)
	return plans
}

// tryCompile does so with a source that may be wrong.
func tryCompile(path, source string) ([]*Plan, hcl.Diagnostics) {
	return tryCompileWith(path, source, nil)
}

// tryCompileWith tells watch the names of its expressions.
func tryCompileWith(path, source string, watch func(dsl.Name)) ([]*Plan, hcl.Diagnostics) {
	file, diags := dsl.Parse(path, []byte(source))
	if diags.HasErrors() {
		return nil, diags
	}
	file, diags = dsl.Link(file, func(from, written string) (string, []byte, error) {
		path := filepath.ToSlash(filepath.Join(filepath.Dir(from), written))
		src, err := os.ReadFile(path)
		return path, src, err
	})
	if diags.HasErrors() {
		return nil, diags
	}
	suite, diags := Compile(file, Options{
		Files: stdlib.Files{FS: os.DirFS(suiteDir), Dir: inSuite(path)},
		LoadCassette: func(name string) (*cassette.Cassette, error) {
			return cassette.Load(filepath.Join(filepath.Dir(path), name))
		},
		ReadSnapshot: func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(filepath.Dir(path), name))
		},
		Watch: watch,
	})
	if diags.HasErrors() {
		return nil, diags
	}
	return suite.Plans, diags
}

// inSuite is the directory of a file below that of the suite.
func inSuite(path string) string {
	dir, err := filepath.Rel(suiteDir, filepath.Dir(path))
	if err != nil {
		return "."
	}
	return filepath.ToSlash(dir)
}

func mustBeValid(t *testing.T, diags hcl.Diagnostics) {
	t.Helper()
	if diags.HasErrors() {
		t.Fatal(errors.Join(diags.Errs()...))
	}
}

// compileFile compiles a file of the suite. What only a program can play is left
// out.
func compileFile(t *testing.T, path string) []*Plan {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(compileAt(t, path, string(source)), func(p *Plan) bool { return p.Barred(Interpreted) != "" })
}

// complain tells what is wrong with a result that should have passed.
func complain(t *testing.T, r *Result) {
	t.Helper()
	t.Errorf("scenario %q of %s: %s", r.Plan.Name, r.Plan.File, r.Verdict)
	for _, p := range r.Problems {
		t.Errorf("  %s %s: %s\n%s%v", p.Kind, p.Name, p.Message, p.Diff, p.Operands)
	}
}

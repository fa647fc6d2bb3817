package dsl

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
)

// shipped calls f with each of the scenario files of the repository.
func shipped(t *testing.T, f func(path string, src []byte, file *hcl.File)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(filepath.Join("..", "scenarios"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".scenario.hcl") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, diags := dotted.ParseConfig(src, path, hcl.InitialPos)
		if diags.HasErrors() {
			return diags
		}
		n++
		f(path, src, file)
		return nil
	})
	if err != nil || n < 20 {
		t.Fatalf("%d files: %v", n, err)
	}
}

// Shows that Variables yields what the parser's own walk returns, in its order, for
// every kind of expression, and stops when it is told to.
func TestVariables(t *testing.T) {
	same := func(e hclsyntax.Expression) {
		var got []hcl.Traversal
		for v := range Variables(e) {
			got = append(got, v)
		}
		if !slices.EqualFunc(got, e.Variables(), func(a, b hcl.Traversal) bool { return a.SourceRange() == b.SourceRange() }) {
			t.Errorf("%s: %d references, not %d", e.Range(), len(got), len(e.Variables()))
		}
		for range Variables(e) {
			break
		}
	}
	for _, src := range []string{
		`{for k, v in a.b : k => [for k in v : k + c.d if k > e] if v != k}`,
		`[for v in v : v]`, `{(a) = b, c = d, "${e}" = f}`, `a[b].c[*].d`, `a.*.b`, `-(!a)`, `a ? b : c`, `f(a, g(b)...)`,
		`"x ${a} %{ for a in b }${a}${c}%{ endfor } %{ if d }y%{ else }${e}%{ endif }"`, `null`, `"${a}"`,
	} {
		e, diags := hclsyntax.ParseExpression([]byte(src), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		same(e)
	}
	shipped(t, func(_ string, _ []byte, file *hcl.File) {
		_ = hclsyntax.VisitAll(file.Body.(*hclsyntax.Body), func(n hclsyntax.Node) hcl.Diagnostics {
			if a, ok := n.(*hclsyntax.Attribute); ok {
				same(a.Expr)
			}
			return nil
		})
	})
}

// Shows that looking for variables allocates nothing, which is why it is not the
// parser's walk: the checks of one file look at every expression several times.
func TestVariablesAllocateNothing(t *testing.T) {
	e, diags := hclsyntax.ParseExpression([]byte(`[for k, v in a : "${b.c} ${k}" if v > length(d.e)]`), "x", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	n := 0
	if got := testing.AllocsPerRun(10, func() {
		for range Variables(e) {
			n++
		}
	}); got != 0 || n == 0 {
		t.Errorf("%v allocations", got)
	}
}

// Shows that an outline names the block around any place as a file does that is
// parsed for it.
func TestOutline(t *testing.T) {
	shipped(t, func(path string, src []byte, file *hcl.File) {
		f, _ := Parse(path, src)
		o := f.Outlines()[path]
		for at := 0; at < len(src); at += 5 {
			if got, want := o.at(at), hcled.ContextString(file, at); got != want {
				t.Fatalf("%s at %d: %q, not %q", filepath.Base(path), at, got, want)
			}
		}
	})
}

package scenario

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario/internal/overlay"
)

// Shows that every exported name is used in an example that is compiled and
// run.
func TestEveryNameHasAnExample(t *testing.T) {
	fset := token.NewFileSet()
	used := map[string]bool{}
	for _, path := range []string{"example_test.go", "extension_test.go"} {
		examples, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range examples.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Example") && !runs(examples, f) {
				continue
			}
			used[strings.TrimPrefix(f.Name.Name, "Example")] = true
			ast.Inspect(f, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					used[sel.Sel.Name] = true
				}
				return true
			})
		}
	}
	n := 0
	for _, name := range exported(t, fset) {
		n++
		if !used[name] {
			t.Errorf("%s is in no example", name)
		}
	}
	if n < 30 {
		t.Errorf("%d names", n)
	}
}

// runs reports whether an example says what it prints.
func runs(file *ast.File, f *ast.FuncDecl) bool {
	return slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool {
		return f.Pos() < c.Pos() && c.End() < f.End() && strings.HasPrefix(c.Text(), "Output:")
	})
}

// exported lists the functions, types, constants and methods of the package;
// what a type implements for others is not for its users to call.
func exported(t *testing.T, fset *token.FileSet) []string {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported()) && d.Name.Name != "Unwrap" && d.Name.Name != "String" {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						if spec.Name.IsExported() {
							names = append(names, spec.Name.Name)
						}
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							if name.IsExported() {
								names = append(names, name.Name)
							}
						}
					}
				}
			}
		}
	}
	return names
}

func receiver(f *ast.FuncDecl) *ast.Ident {
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	return typ.(*ast.Ident)
}

// Shows what a program links that embeds the package: testdata/imports.txt has
// the modules, and nothing that exports telemetry, connects to databases or
// parses command lines is among them.
func TestWhatIsLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	var outside []string
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		if path != "" && !strings.HasPrefix(path, "github.com/scenario-lang/scenario") {
			outside = append(outside, path)
		}
	}
	slices.Sort(outside)
	got := strings.Join(outside, "\n") + "\n"
	const golden = "testdata/imports.txt"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v: it imports\n%s\nand %s has\n%s", err, got, golden, want)
	}
	for _, path := range outside {
		for _, banned := range []string{"go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters", "github.com/spf13", "google.golang.org"} {
			if strings.HasPrefix(path, banned) {
				t.Errorf("it imports %s", path)
			}
		}
		// The messages of the protocol, and the binary values in them: no driver.
		protocol := []string{
			"github.com/jackc/pgx/v5/pgproto3", "github.com/jackc/pgx/v5/internal/pgio", "github.com/jackc/pgx/v5/internal/iobufpool",
			"github.com/jackc/pgx/v5/pgtype", "github.com/jackc/pgx/v5/internal/pgdatetime",
		}
		if strings.HasPrefix(path, "github.com/jackc/") && !slices.Contains(protocol, path) {
			t.Errorf("it imports %s", path)
		}
	}
}

// linkedMax bounds, in bytes, a stripped program that embeds the package. The last 168 KiB are
// for what reads the forms in which languages print a credential (16), the ways in which a name
// and its value stand together in statements, settings and messages (16), for what calls with a
// list that is spread and numbers of many digits cost (8), for forms that are put together when
// they are used (4), for what -v tells of texts that are nearly a word of the program (8), for the
// commands that have a password behind a letter, and the bound on what a run keeps (28), for what
// -v tells of scenarios that are named after something that the data does not show (28), of words
// in each function that compares some, in schemas and of classifiers (48), of steps that were not
// asked and of what a check does not go over (4), and for the next pages (8).
const linkedMax = 18<<20 + 808<<10

// Shows that a program which embeds the package stays small.
func TestLinkedSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it links a program")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the bound is that of linux/amd64")
	}
	path := filepath.Join(t.TempDir(), "embed")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./examples/embed") // wherever the tree lies
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > linkedMax {
		t.Errorf("it has %d bytes, and %d at most", info.Size(), linkedMax)
	}
	t.Logf("%d bytes", info.Size())
}

const loop = `
provider "openai" "primary" { model = "m" }
retry "linear" "std" {
  delay       = "1s"
  max_retries = 1000
}
workflow "w" {
  provider = provider.primary
  step "llm" "a" {
    prompt = "x"
    retry  = retry.std
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 503
      times       = "*"
    }
  }
  expect "run" { status = "failed" }
}
`

// ending is a context that ends as soon as a run has begun.
type ending struct {
	context.Context
	asked atomic.Int64
	done  chan struct{}
}

func (e *ending) Done() <-chan struct{} { return e.done }

func (e *ending) Err() error {
	if e.asked.Add(1) == 1 {
		return nil // before the run
	}
	return errEnded
}

func (*ending) Value(any) any { return nil }

var errEnded = errors.New("ended by the test")

// Shows that a run which is under way is broken off when its context ends, with
// the events up to there, and that the scenario can be run again.
func TestRunIsBrokenOff(t *testing.T) {
	s := loaded(t, fstest.MapFS{"a.scenario.hcl": {Data: []byte(loop)}})[0]
	whole := s.Run(context.Background())
	if whole.Verdict() != Passed || whole.Err() != nil || whole.Step("a").Retries != 1000 {
		t.Fatalf("%s, %v, %+v", whole.Verdict(), whole.Err(), whole.Problems())
	}
	ctx := &ending{Context: context.Background(), done: make(chan struct{})}
	close(ctx.done)
	r := s.Run(ctx)
	if r.Verdict() != Errored || !errors.Is(r.Err(), errEnded) || len(r.Problems()) != 1 {
		t.Errorf("%s, %v, %v", r.Verdict(), r.Err(), r.Problems())
	}
	if broken, all := traceOf(t, r), traceOf(t, whole); broken == "" || len(broken) > len(all)/100 {
		t.Errorf("%d bytes of %d", len(broken), len(all))
	}
	if again := s.Run(context.Background()); traceOf(t, again) != traceOf(t, whole) {
		t.Errorf("again: %s", again.Verdict())
	}
}

func traceOf(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteTrace(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const secret = `
variable "word" {
  default   = "planted"
  sensitive = true
}
provider "openai" "primary" { model = "m" }
workflow "w" {
  provider = provider.primary
  step "llm" "a" { prompt = "x" }
  step "value" "skipped" {
    value = 1
    when  = step.a.content == "never"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "the word is ${var.word}" }
  }
  expect "a" { content = "another" }
}
scenario "not today" {
  run  = workflow.w
  skip = "because"
}
`

// Shows that what is sensitive is in nothing that a result gives out, and that a
// scenario that is skipped has nothing to give.
func TestResultsHideSecrets(t *testing.T) {
	all := loaded(t, fstest.MapFS{"a.scenario.hcl": {Data: []byte(secret)}})
	r := all[0].Run(context.Background())
	value, err := r.Value("[step.a, var.word, events()]")
	out := fmt.Sprintf("%v %v %+v %+v %s", value, err, r.Step("a"), r.Problems(), traceOf(t, r))
	if strings.Contains(out, "planted") || !strings.Contains(out, "the word is") {
		t.Errorf("%s", out)
	}
	if steps := r.Steps(); len(steps) != 2 || steps[1].Status != "skipped" || steps[1].Attempts != nil {
		t.Errorf("%+v", steps)
	}
	r = all[1].Run(context.Background())
	if value, err := r.Value("run.status"); err == nil || r.Verdict() != Skipped || r.Step("a") != nil || r.Steps() != nil || traceOf(t, r) != "" {
		t.Errorf("%v, %s, %v", value, r.Verdict(), r.Steps())
	}
}

// Shows that files that are given beside a file system are found, read and
// imported as if they were in it, before those that are.
func TestFilesBeside(t *testing.T) {
	fsys := fstest.MapFS{
		"dir/a.scenario.hcl": {Data: []byte("import = [\"./w.scenario.hcl\"]\nscenario \"s\" {\n  run = workflow.w\n  assert \"x\" { condition = \"${step.v.output} \" == file(\"../more/x.txt\") }\n}\n")},
		"dir/w.scenario.hcl": {Data: []byte("wrong")},
	}
	s := loaded(t, fsys,
		File("dir/w.scenario.hcl", "workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n"), File("more/x.txt", "1 "), File("more/deep/b.scenario.hcl", "locals {}\n"))
	if r := s[0].Run(context.Background()); len(s) != 1 || r.Verdict() != Passed {
		t.Errorf("%d scenarios, %v", len(s), r.Problems())
	}
	under := overlay.FS{Below: fsys, Files: map[string]string{"dir/w.scenario.hcl": "1", "more/deep/b": "22", "c": ""}}
	if err := fstest.TestFS(under, "dir/a.scenario.hcl", "dir/w.scenario.hcl", "more/deep/b", "c"); err != nil {
		t.Error(err)
	}
}

func loaded(t *testing.T, fsys fs.FS, options ...Option) []*Scenario {
	t.Helper()
	suite, err := Load(fsys, ".", options...)
	if err != nil {
		t.Fatal(err)
	}
	return suite.Scenarios()
}

// What env() gives is the environment that the program hands in, and nothing else:
// without one it is a placeholder, as in scenario test.
func TestEnvIsWhatTheProgramGives(t *testing.T) {
	t.Setenv("REGION", "of the process")
	const file = `
provider "http" "api" { base_url = "http://${env("REGION")}.test/${try(env("VERSION"), "v1")}" }
workflow "w" {
  provider = provider.api
  step "http" "get" { path = "/x" }
}
scenario "s" {
  run = workflow.w
  on "get" {
    reply {}
  }
  assert "the address" {
    condition = startswith(step.get.attempts[0].request.url, "http://")
  }
}`
	fsys := fstest.MapFS{"a.scenario.hcl": {Data: []byte(file)}}
	given := func(env map[string]string) []Option {
		return []Option{Env(func(name string) (string, bool) { v, ok := env[name]; return v, ok })}
	}
	for _, c := range []struct {
		options []Option
		url     string
		verdict Verdict
	}{
		{nil, "http://env-region.invalid.test/v1/x", Failed},
		{given(map[string]string{"REGION": "eu"}), "http://eu.test/v1/x", Passed},
		{given(map[string]string{"REGION": "eu", "VERSION": "v2"}), "http://eu.test/v2/x", Passed},
	} {
		suite, err := Load(fsys, ".", c.options...)
		if err != nil {
			t.Fatal(err)
		}
		r := suite.Scenarios()[0].Run(t.Context())
		if got, _ := r.Value("step.get.attempts[0].request.url"); got != c.url || r.Verdict() != c.verdict {
			t.Errorf("got %v, %s; want %s, %s", got, r.Verdict(), c.url, c.verdict)
		}
	}
	if _, err := Load(fsys, ".", given(nil)...); err == nil || !strings.Contains(err.Error(), "no variable REGION") {
		t.Errorf("a variable that the environment has not: %v", err)
	}
}

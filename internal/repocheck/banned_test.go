package repocheck

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A permit lifts some bans for one file.
type permit struct {
	// Calls lists what may be used, as "package.Name" or "package.*".
	Calls []string
	// Go allows go statements and select with several cases.
	Go bool
}

// permits are the only places where the real world enters an engine package,
// each with its reason.
var permits = map[string]permit{
	// The scheduler's real-clock half waits with timers and runs blocking
	// calls beside the tasks.
	"interp/sched/real.go": {Calls: []string{"time.*", "context.*"}, Go: true},
	// The clock of package time is made here, once, so that whatever is driven
	// from outside a simulation is given it like any other clock.
	"wire/system.go": {Calls: []string{"time.*", "context.*"}, Go: true},
	// A request of a program waits for the one before it to end, or for its own
	// client to leave: whichever comes first is not the run's to decide.
	"interp/internal/drive/turn.go": {Go: true},
	// A recording is brought to the medium behind the calls, in their order:
	// no run waits for a disk.
	"cassette/internal/behind/queue.go": {Go: true},
	// context.Cause reads a cause only from a context of its own package; this
	// one has ended before anything can wait on it.
	"interp/sched/cause.go": {Calls: []string{"context.WithCancelCause"}},
	// What is too deep is found before anything is parsed.
	"dsl/decode.go":   {Calls: []string{"github.com/scenario-lang/scenario/dsl/dotted.*"}},
	"dsl/diagnose.go": {Calls: []string{"github.com/scenario-lang/scenario/dsl/dotted.*"}},
	// What a message shows is a part of a file that was read, and short.
	"dsl/mistakes/values.go": {Calls: []string{"github.com/scenario-lang/scenario/dsl/dotted.*"}},
	"dsl/dotted/dotted.go":   {Calls: []string{"github.com/hashicorp/hcl/v2/hclsyntax.*"}},
	// wall_ms is the one value of a result that the wall clock gives.
	"internal/command/cli/wall.go": {Calls: []string{"time.Now", "time.Since"}},
}

// A ban is a set of names of one package, with the reason.
type ban struct {
	Names *regexp.Regexp
	Why   string
}

var (
	clockReads = map[string]ban{
		"time": {regexp.MustCompile(`^(Now|Since|Until)$`), "read the clock that the run was given"},
	}
	// fileReads wait for a pipe that nobody writes to.
	fileReads = map[string]ban{
		"os":         {regexp.MustCompile(`^(Open|ReadFile)$`), "what is named may be a pipe or a device: use internal/disk"},
		"crypto/tls": {regexp.MustCompile(`^LoadX509KeyPair$`), "what is named may be a pipe or a device: use internal/disk"},
	}
	// deepReads end the process where a text is nested deep enough.
	deepReads = map[string]ban{
		"github.com/hashicorp/hcl/v2/hclsyntax":        {regexp.MustCompile(`^Parse`), "the parser recurses, and a deep text ends the process: use dsl.Syntax or dsl.Expression"},
		"github.com/scenario-lang/scenario/dsl/dotted": {regexp.MustCompile(`^Parse`), "the parser recurses, and a deep text ends the process: use dsl.Syntax or dsl.Expression"},
	}
	engineBans = map[string]ban{
		"time":         {regexp.MustCompile(`^(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)$`), "time is a parameter: use the clock that the run was given"},
		"context":      {regexp.MustCompile(`^(With(Cancel|Deadline|Timeout).*|WithoutCancel|AfterFunc)$`), "a context of the standard library does not wake a sleeper on our clock: use the clock's own"},
		"math/rand/v2": {regexp.MustCompile(`^(\w*Int\w*|N|Float32|Float64|ExpFloat64|NormFloat64|Perm|Shuffle)$`), "the global generator is not seeded by the run: use rand.New(rand.NewPCG(…))"},
	}
	bannedImports = map[string]string{
		"math/rand":              "its global generator is seeded by the process: use math/rand/v2 with a seed of the run",
		"crypto/rand":            "random bytes differ from run to run: derive them from the seed",
		"github.com/google/uuid": "random ids differ from run to run: derive them from the seed",
	}
)

// isEngine reports whether a package is driven by a clock that it is given.
// The command, the sockets, the language server and the checks are not.
func isEngine(dir string) bool {
	for _, p := range []string{"cmd/...", "internal/..."} {
		if matchDir(p, dir) {
			return false
		}
	}
	return true
}

// checkBanned finds what would let real time, real chance or the Go scheduler
// into a run, what would wait for a file that never ends, and what would parse a text
// of any depth.
func checkBanned(f *file) []string {
	if f.IsTest() || matchDir("internal/...", f.Dir()) {
		return nil
	}
	if !isEngine(f.Dir()) {
		return slices.Concat(bannedReferences(f, clockReads), bannedReferences(f, fileReads), bannedReferences(f, deepReads))
	}
	found := append(bannedReferences(f, engineBans), bannedSpecs(f)...)
	found = slices.Concat(found, bannedReferences(f, fileReads), bannedReferences(f, deepReads))
	return append(found, bannedSyntax(f)...)
}

func bannedReferences(f *file, bans map[string]ban) []string {
	var found []string
	references(f, func(sel *ast.SelectorExpr, pkg string) {
		name := sel.Sel.Name
		b, ok := bans[pkg]
		if ok && b.Names.MatchString(name) && !permitted(f, pkg, name) {
			found = append(found, f.at(sel.Pos(), "%s.%s is banned here: %s", pkg, name, b.Why))
		}
	})
	return found
}

// bannedSpecs finds imports that are wrong as such, and dot imports that would
// hide a banned name.
func bannedSpecs(f *file) []string {
	var found []string
	for _, spec := range f.AST.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if why := bannedImports[name]; why != "" {
			found = append(found, f.at(spec.Pos(), "import of %s is banned here: %s", name, why))
		}
		if _, ok := engineBans[name]; ok && spec.Name != nil && spec.Name.Name == "." {
			found = append(found, f.at(spec.Pos(), "dot import of %s hides what is called", name))
		}
	}
	return found
}

// pointerVerb matches %p with flags and width; %% was taken out before.
var pointerVerb = regexp.MustCompile(`%[-+#0]*[0-9]*p`)

func bannedSyntax(f *file) []string {
	var found []string
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !permits[f.Path].Go {
				found = append(found, f.at(n.Pos(), "a go statement is banned here: tasks belong to the scheduler"))
			}
		case *ast.SelectStmt:
			if ways(n) > 1 && !permits[f.Path].Go {
				found = append(found, f.at(n.Pos(), "select with several channels is banned here: the runtime picks among the ready ones by chance"))
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && pointerVerb.MatchString(strings.ReplaceAll(n.Value, "%%", "")) {
				found = append(found, f.at(n.Pos(), "%%p is banned here: addresses differ from run to run"))
			}
		}
		return true
	})
	return found
}

// ways counts the channels that a select waits for; a default is none.
func ways(s *ast.SelectStmt) int {
	n := 0
	for _, c := range s.Body.List {
		if c.(*ast.CommClause).Comm != nil {
			n++
		}
	}
	return n
}

func permitted(f *file, pkg, name string) bool {
	for _, c := range permits[f.Path].Calls {
		if c == pkg+"."+name || c == pkg+".*" {
			return true
		}
	}
	return false
}

// references calls found for every pkg.Name in the file, with the import path
// that pkg stands for in it.
func references(f *file, found func(sel *ast.SelectorExpr, pkg string)) {
	names := map[string]string{}
	for _, spec := range f.AST.Imports {
		pkg, _ := strconv.Unquote(spec.Path.Value)
		names[importName(spec, pkg)] = pkg
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && names[id.Name] != "" {
			found(sel, names[id.Name])
		}
		return true
	})
}

// versionSuffix is the last element of a module path of major version 2 or up.
var versionSuffix = regexp.MustCompile(`/v[0-9]+$`)

// importName is the name by which a file knows a package. For the packages
// that are checked the last element of the path, before a version, is right.
func importName(spec *ast.ImportSpec, pkg string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	pkg = versionSuffix.ReplaceAllString(pkg, "")
	return pkg[strings.LastIndex(pkg, "/")+1:]
}

// Shows that no engine package reads the wall clock, waits in real time, draws
// from an unseeded generator, starts a goroutine or prints an address, and that
// files are read by what refuses pipes.
func TestBannedCalls(t *testing.T) {
	for _, f := range goFiles(t) {
		report(t, checkBanned(f))
	}
}

// Shows that the scan finds a planted offender of each ban, also behind an
// import's other name, and leaves alone what looks like one.
func TestBannedCallsFindOffenders(t *testing.T) {
	for _, c := range []struct{ name, file, source, want string }{
		{"now", "interp/x.go", `import "time"; var _ = time.Now()`, "time.Now is banned"},
		{"now as a value", "interp/x.go", `import "time"; var _ = time.Now`, "time.Now is banned"},
		{"renamed", "wire/x.go", `import clock "time"; func f() { clock.Sleep(1) }`, "time.Sleep is banned"},
		{"dot import", "wire/x.go", `import . "time"; var _ = Now()`, "dot import of time"},
		{"timer", "interp/sched/virtual.go", `import "time"; var _ = time.NewTimer(1)`, "time.NewTimer is banned"},
		{"timer in the real clock", "interp/sched/real.go", `import "time"; var _ = time.NewTimer(1)`, ""},
		{"timer in the system's clock", "wire/system.go", `import "time"; var _ = time.NewTimer(1)`, ""},
		{"duration", "wire/x.go", `import "time"; var _ = time.Second`, ""},
		{"a method called Now", "wire/x.go", `func f(c interface{ Now() int }) int { return c.Now() }`, ""},
		{"with timeout", "cassette/x.go", `import "context"; var _, _ = context.WithTimeout(nil, 1)`, "context.WithTimeout is banned"},
		{"with cancel cause", "cassette/x.go", `import "context"; var _, _ = context.WithCancelCause(nil)`, "context.WithCancelCause is banned"},
		{"with value", "cassette/x.go", `import "context"; var _ = context.WithValue(nil, 1, 2)`, ""},
		{"old random", "stdlib/x.go", `import _ "math/rand"`, "import of math/rand is banned"},
		{"global random", "stdlib/x.go", `import "math/rand/v2"; var _ = rand.IntN(3)`, "math/rand/v2.IntN is banned"},
		{"global generic random", "stdlib/x.go", `import "math/rand/v2"; var _ = rand.N(3)`, "math/rand/v2.N is banned"},
		{"seeded random", "stdlib/x.go", `import "math/rand/v2"; var _ = rand.New(rand.NewPCG(1, 2))`, ""},
		{"crypto random", "stdlib/x.go", `import _ "crypto/rand"`, "import of crypto/rand is banned"},
		{"goroutine", "report/x.go", `func f() { go f() }`, "go statement is banned"},
		{"goroutine in the real clock", "interp/sched/real.go", `func f() { go f() }`, ""},
		{"goroutine in cmd", "cmd/scenario/x.go", `func f() { go f() }`, ""},
		{"select of two", "wire/x.go", `func f(a, b chan int) { select { case <-a: case <-b: } }`, "select with several channels"},
		{"select that polls", "wire/x.go", `func f(a chan int) { select { case <-a: default: } }`, ""},
		{"address", "trace/x.go", `var _ = "%+p"`, "%p is banned"},
		{"percent sign", "trace/x.go", `var _ = "100%% pure, 5% profit"`, ""},
		{"wall clock in cmd", "cmd/scenario/test.go", `import "time"; var _ = time.Since(time.Time{})`, "time.Since is banned"},
		{"wall clock in its file", "internal/command/cli/wall.go", `import "time"; var _ = time.Now()`, ""},
		{"timer in cmd", "cmd/scenario/watch.go", `import "time"; var _ = time.NewTimer(1)`, ""},
		{"file in cmd", "cmd/scenario/x.go", `import "os"; var _, _ = os.Open("a")`, "os.Open is banned"},
		{"file in an engine package", "suite/x.go", `import "os"; var _ = os.ReadFile`, "os.ReadFile is banned"},
		{"file that is written", "cmd/scenario/x.go", `import "os"; var _, _ = os.Create("a")`, ""},
		{"parser", "suite/x.go", `import "github.com/hashicorp/hcl/v2/hclsyntax"; var _ = hclsyntax.ParseConfig`, "hclsyntax.ParseConfig is banned"},
		{"parser of expressions in cmd", "cmd/scenario/x.go", `import "github.com/scenario-lang/scenario/dsl/dotted"; var _ = dotted.ParseExpression`, "dotted.ParseExpression is banned"},
		{"lexer", "suite/x.go", `import "github.com/hashicorp/hcl/v2/hclsyntax"; var _ = hclsyntax.LexConfig`, ""},
		{"tests", "wire/x_test.go", `import "time"; var _ = time.Now()`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkBanned(source(t, c.file, "package x\n"+c.source)), c.want)
		})
	}
}

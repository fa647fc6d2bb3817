package repocheck

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The client of a queue, and its server.
const (
	natsClient = "github.com/nats-io/nats.go"
	natsServer = "github.com/nats-io/nats-server/v2"
)

// commandParts are what a command needs of this module besides its library.
var commandParts = []string{"internal/command/benches", "internal/command/cli", "internal/command/harness", "internal/command/notify", "internal/disk"}

// queueTable says what the packages of dist may import outside their tests. Local are
// directories of this module and of dist alike.
var queueTable = []layer{
	{Dir: "dist/internal/job", Local: []string{"internal/command/harness", "interp", "interp/bench", "suite"}},
	{Dir: "dist/internal/bundle", Local: []string{"internal/command/cli", "internal/disk", "suite"}},
	{Dir: "dist/internal/queue", Local: []string{"dist/internal/job", "internal/command/cli"}, Outside: []string{natsClient, natsServer}},
	{Dir: "dist/internal/work", Local: append([]string{"dist/internal/bundle", "dist/internal/job", "dist/internal/queue", "interp", "interp/bench", "money", "report", "suite"}, commandParts...), Outside: []string{natsClient}},
	{Dir: "dist/internal/submit", Local: append([]string{"dist/internal/bundle", "dist/internal/job", "dist/internal/queue", "dist/internal/work", "interp", "suite"}, commandParts...), Outside: []string{natsClient}},
	{Dir: "dist/internal/collect", Local: []string{"dist/internal/job", "dist/internal/queue", "dist/internal/submit", "dist/internal/work", "interp", "interp/bench", "report"}, Outside: []string{natsClient}},
	{Dir: "dist/cmd/scenario-dist", Local: append([]string{"dist/internal/collect", "dist/internal/job", "dist/internal/queue", "dist/internal/submit", "dist/internal/work", "dsl", "interp", "report", "suite"}, commandParts...), Outside: []string{cobra, pflag}},
}

// checkQueueImports compares the imports of a file of dist with the table.
func checkQueueImports(path, text string) []string {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, path, text, parser.ImportsOnly)
	if err != nil {
		return []string{err.Error()}
	}
	f := &file{Path: path, AST: tree, Fset: fset}
	var row *layer
	for i := range queueTable {
		if queueTable[i].Dir == f.Dir() {
			row = &queueTable[i]
		}
	}
	if row == nil {
		return []string{f.at(tree.Package, "package %q has no row in the import table of dist: add one to internal/repocheck/queue_test.go", f.Dir())}
	}
	var found []string
	for _, spec := range tree.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		local, inModule := strings.CutPrefix(name, modulePath+"/")
		first, _, _ := strings.Cut(name, "/")
		switch {
		case inModule && !anyDir(row.Local, local):
			found = append(found, f.at(spec.Pos(), "package %s may not import %s: of this module it may import %s", row.Dir, local, list(row.Local)))
		case !inModule && strings.Contains(first, ".") && !slices.ContainsFunc(row.Outside, func(m string) bool { return name == m || strings.HasPrefix(name, m+"/") }):
			found = append(found, f.at(spec.Pos(), "package %s may not import %s: of others it may import %s", row.Dir, name, list(row.Outside)))
		}
	}
	return found
}

// Shows that the packages of dist import downwards, nothing of cmd/, and that only one
// of them knows the server.
func TestQueueImports(t *testing.T) {
	n := 0
	for _, f := range allFiles(t) {
		if strings.HasPrefix(f.Path, "dist/") && strings.HasSuffix(f.Path, ".go") && !f.IsTest() {
			n++
			report(t, checkQueueImports(f.Path, f.Text))
		}
	}
	if n < 20 {
		t.Errorf("only %d files of dist were found", n)
	}
}

// Shows that each rule about the imports of dist finds its offender, and that no
// package of the root module may import a queue, or dist.
func TestQueueImportsFindOffenders(t *testing.T) {
	for _, c := range []struct{ name, path, imports, want string }{
		{"the server where it belongs", "dist/internal/queue/x.go", natsServer + "/server", ""},
		{"the server elsewhere", "dist/internal/submit/x.go", natsServer + "/server", "may not import " + natsServer},
		{"the client in the command", "dist/cmd/scenario-dist/x.go", natsClient, "may not import " + natsClient},
		{"upwards", "dist/internal/queue/x.go", modulePath + "/dist/internal/work", "may not import dist/internal/work"},
		{"the command", "dist/internal/submit/x.go", modulePath + "/cmd/scenario/internal/dial", "may not import cmd/scenario/internal/dial"},
		{"the inside of the engine", "dist/internal/submit/x.go", modulePath + "/interp/internal/plan", "may not import interp/internal/plan"},
		{"a package without a row", "dist/internal/new/x.go", "fmt", "has no row"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkQueueImports(c.path, "package x\n\nimport _ "+strconv.Quote(c.imports)+"\n"), c.want)
		})
	}
	for _, dir := range []string{"", "interp", "suite", "report", "cmd/scenario", "internal/command/harness", "internal/explore"} {
		for _, name := range []string{natsClient, natsServer + "/server", modulePath + "/dist/internal/queue"} {
			f := source(t, path.Join(dir, "x.go"), "package x\n\nimport _ "+strconv.Quote(name)+"\n")
			expect(t, checkImports(f), "may not import "+strings.TrimPrefix(name, modulePath+"/"))
		}
	}
}

// Shows that no module of a queue is known to who uses this one, not even by a sum.
func TestNoQueueInTheModule(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(sums), "nats-io") {
		t.Error("go.sum has sums of a queue")
	}
	c := exec.Command("go", "list", "-m", "all")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Skip("the modules are not all at hand: " + err.Error())
	}
	if !strings.Contains(string(out), hcl) || strings.Contains(string(out), "nats-io") {
		t.Errorf("the modules are\n%s", out)
	}
}

// Shows that the command links nothing of a queue and nothing of dist, so that it does
// not grow with them.
func TestNoQueueInTheCommand(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	linked := func(dir, pkg string) string {
		c := exec.Command("go", "list", "-deps", pkg)
		c.Dir = filepath.Join(root, dir)
		out, err := c.Output()
		if err != nil {
			t.Skip("the modules are not all at hand: " + err.Error())
		}
		return string(out)
	}
	found := func(list string) (all []string) {
		for name := range strings.Lines(list) {
			if name = strings.TrimSpace(name); strings.Contains(name, "nats-io/") || strings.HasPrefix(name, modulePath+"/dist/") {
				all = append(all, name)
			}
		}
		return all
	}
	command := linked(".", "./cmd/scenario")
	if all := found(command); len(all) > 0 || !strings.Contains(command, modulePath+"/internal/command/harness\n") {
		t.Errorf("the command links %v, of\n%s", all, command)
	}
	if all := found(linked("dist", "./cmd/scenario-dist")); len(all) < 10 { // what is looked for is found where it is
		t.Errorf("scenario-dist links only %v", all)
	}
}

package repocheck

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// checkImports compares a file's imports with the table.
func checkImports(f *file) []string {
	row := layerOf(f.Dir())
	if row == nil {
		return []string{f.at(f.AST.Package, "package %q has no row in the import table: add one to internal/repocheck/importtable_test.go", f.Dir())}
	}
	var found []string
	for _, spec := range f.AST.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if why := refused(f, row, name); why != "" {
			found = append(found, f.at(spec.Pos(), "%s", why))
		}
	}
	return found
}

// refused says why a file may not import a package, "" where it may.
func refused(f *file, row *layer, name string) string {
	first, _, _ := strings.Cut(name, "/")
	local, inModule := strings.CutPrefix(name+"/", modulePath+"/")
	local = strings.TrimSuffix(local, "/") // "" is the root package
	switch {
	case inModule && strings.HasPrefix(local+"/", "dist/"):
		return "package " + row.Dir + " may not import " + local + ": it is of another module, so that nobody gets a queue with this one"
	case inModule && (f.IsTest() || local == "internal/pattern"): // which is to the module what regexp is
		return ""
	case inModule && !anyDir(row.Local, local):
		return "package " + row.Dir + " may not import " + local + ": it may import " + list(row.Local) + " of this module"
	case inModule, name == "C":
		return ""
	case !strings.Contains(first, "."):
		return refusedStd(f, row, name)
	case f.IsTest() && anyModule(testOnly, name):
		return ""
	case !anyModule(row.Outside, name):
		return "package " + row.Dir + " may not import " + name + ": outside this module it may import " + list(row.Outside)
	}
	return ""
}

func refusedStd(f *file, row *layer, name string) string {
	if f.IsTest() || row.World {
		return ""
	}
	switch name {
	case "os/exec", "os/signal", "plugin":
		return name + " belongs in cmd/ and internal/server: the engine starts nothing"
	case "testing", "net/http/httptest", "testing/synctest":
		if row.Dir == "providers/*" && strings.HasSuffix(f.Dir(), "test") || row.Dir == "scenariotest" {
			return ""
		}
		return name + " belongs in tests: it would be linked into the command"
	}
	return ""
}

func anyDir(patterns []string, dir string) bool {
	for _, p := range patterns {
		if matchDir(p, dir) {
			return true
		}
	}
	return false
}

// anyModule reports whether the longest module path that holds the package is
// listed; go.opentelemetry.io/otel does not stand for the SDK modules below it.
func anyModule(modules []string, name string) bool {
	owner := ""
	for _, m := range directModules() {
		if (name == m || strings.HasPrefix(name, m+"/")) && len(m) > len(owner) {
			owner = m
		}
	}
	for _, m := range modules {
		if m == owner {
			return true
		}
	}
	return false
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// listeners are the calls that open a port.
var listeners = map[string][]string{
	"net":        {"Listen", "ListenTCP", "ListenUDP", "ListenUnix", "ListenPacket", "ListenIP", "ListenMulticastUDP", "ListenConfig"},
	"net/http":   {"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"},
	"crypto/tls": {"Listen", "NewListener"},
}

// dialers are what reaches the network, and dialsIn the files of the product
// that do. What the first makes is handed to `scenario run` and `scenario
// record` alone, so that a test can reach no provider; the second sends
// telemetry where the environment asks for it.
var (
	dialers = map[string][]string{
		"net": {
			"Dial", "DialTCP", "DialUDP", "DialUnix", "DialIP", "DialTimeout", "Dialer", "Resolver", "DefaultResolver",
			"LookupHost", "LookupIP", "LookupAddr", "LookupCNAME", "LookupMX", "LookupNS", "LookupPort", "LookupSRV", "LookupTXT",
		},
		"net/http":   {"Get", "Head", "Post", "PostForm", "Client", "DefaultClient", "Transport", "DefaultTransport", "NewFileTransport"},
		"crypto/tls": {"Dial", "DialWithDialer", "Dialer"},
	}
	// The last one gives a client a transport that never dials.
	dialsIn = []string{"cmd/scenario/internal/dial/direct.go", "cmd/scenario/internal/dial/network.go", "cmd/scenario/internal/dial/through.go", "internal/command/otlp/sender.go", "scenariotest/client.go"}
)

// checkDialers finds what could reach the network outside of that file.
func checkDialers(f *file) []string {
	if slices.Contains(dialsIn, f.Path) || f.IsTest() || matchDir("internal/bench", f.Dir()) || matchDir("internal/bench/work", f.Dir()) || matchDir("internal/versus", f.Dir()) {
		return nil
	}
	var found []string
	references(f, func(sel *ast.SelectorExpr, pkg string) {
		for _, name := range dialers[pkg] {
			if name == sel.Sel.Name {
				found = append(found, f.at(sel.Pos(), "%s.%s reaches the network: only %s do", pkg, name, list(dialsIn)))
			}
		}
	})
	return found
}

// checkListeners finds what opens a listener outside the packages that may.
func checkListeners(f *file) []string {
	row := layerOf(f.Dir())
	if row == nil || row.World || f.IsTest() {
		return nil
	}
	var found []string
	references(f, func(sel *ast.SelectorExpr, pkg string) {
		for _, name := range listeners[pkg] {
			if name == sel.Sel.Name {
				found = append(found, f.at(sel.Pos(), "%s.%s opens a listener: only cmd/ and internal/server may", pkg, name))
			}
		}
	})
	return found
}

// Shows that every package imports only what its row of the import table
// allows, and that only cmd/ and internal/server reach for the outside.
func TestImports(t *testing.T) {
	for _, f := range goFiles(t) {
		report(t, checkImports(f))
		report(t, checkListeners(f))
		report(t, checkDialers(f))
	}
}

// Shows that the import check finds a planted offender of each rule and lets
// the allowed neighbour of each through.
func TestImportsFindOffenders(t *testing.T) {
	for _, c := range []struct{ name, file, source, want string }{
		{"upwards", "wire/x.go", `import "` + modulePath + `/failure"`, "wire may not import failure"},
		{"policies know no faults", "interp/policy/x.go", `import _ "` + modulePath + `/faults"`, "interp/policy may not import faults"},
		{"downwards", "interp/x.go", `import "` + modulePath + `/interp/policy"`, ""},
		{"compiler to engine", "interp/internal/compile/x.go", `import "` + modulePath + `/interp/internal/engine"`, "may not import interp/internal/engine"},
		{"judge to engine", "interp/internal/judge/x.go", `import "` + modulePath + `/interp/internal/engine"`, "may not import interp/internal/engine"},
		{"engine to judge", "interp/internal/engine/x.go", `import "` + modulePath + `/interp/internal/judge"`, "may not import interp/internal/judge"},
		{"exchange to engine", "interp/internal/exchange/x.go", `import "` + modulePath + `/interp/internal/engine"`, "may not import interp/internal/engine"},
		{"plan to observe", "interp/internal/plan/x.go", `import "` + modulePath + `/interp/internal/observe"`, "may not import interp/internal/observe"},
		{"provider to base", "providers/openai/x.go", `import "` + modulePath + `/providers"`, ""},
		{"provider to engine", "providers/openai/x.go", `import "` + modulePath + `/interp/sched"`, "may not import interp/sched"},
		{"tests import freely", "wire/x_test.go", `import "` + modulePath + `/failure"`, ""},
		{"unknown package", "util/x.go", ``, "no row in the import table"},
		{"unknown below a leaf", "wire/deep/x.go", ``, "no row in the import table"},
		{"hcl in faults", "faults/x.go", `import "github.com/hashicorp/hcl/v2"`, "faults may not import github.com/hashicorp/hcl/v2"},
		{"hcl in dsl", "dsl/x.go", `import "github.com/hashicorp/hcl/v2/hclsyntax"`, ""},
		{"otel api", "telemetry/export/x.go", `import "go.opentelemetry.io/otel/trace"`, ""},
		{"otel sdk in telemetry", "telemetry/x.go", `import "go.opentelemetry.io/otel/sdk/trace"`, "may not import go.opentelemetry.io/otel/sdk/trace"},
		{"otel sdk in a test", "telemetry/x_test.go", `import "go.opentelemetry.io/otel/sdk/trace"`, ""},
		{"otel sdk in cmd", "cmd/scenario/x.go", `import "go.opentelemetry.io/otel/sdk/metric"`, "may not import go.opentelemetry.io/otel/sdk/metric"},
		{"otel sdk in its package", "internal/command/otlp/x.go", `import "go.opentelemetry.io/otel/sdk/metric"`, ""},
		{"assertion library", "dsl/x_test.go", `import "github.com/stretchr/testify/assert"`, "may not import github.com/stretchr/testify/assert"},
		{"subprocess", "interp/x.go", `import "os/exec"`, "os/exec belongs in cmd/"},
		{"subprocess in cmd", "cmd/scenario/x.go", `import "os/exec"`, ""},
		{"testing in the engine", "interp/x.go", `import "testing"`, "testing belongs in tests"},
		{"listener", "wire/x.go", `import n "net"; var _, _ = n.Listen("tcp", ":0")`, "net.Listen opens a listener"},
		{"dialer", "wire/x.go", `import "net"; var _, _ = net.Dial("tcp", ":0")`, "net.Dial reaches the network"},
		{"client", "cmd/scenario/test.go", `import "net/http"; var _ = http.DefaultClient`, "net/http.DefaultClient reaches the network"},
		{"transport as a type", "interp/x.go", `import web "net/http"; var _ web.Transport`, "net/http.Transport reaches the network"},
		{"the one that may", "cmd/scenario/internal/dial/network.go", `import "net/http"; var _ = http.DefaultTransport`, ""},
		{"round tripper", "interp/x.go", `import "net/http"; var _ http.RoundTripper`, ""},
		{"conn is no listener", "wire/x.go", `import "net"; var _ net.Conn`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := source(t, c.file, "package x\n"+c.source)
			expect(t, slices.Concat(checkImports(f), checkListeners(f), checkDialers(f)), c.want)
		})
	}
}

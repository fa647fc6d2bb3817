package repocheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A modLine is one directive of a go.mod, blocks taken apart.
type modLine struct {
	Verb     string
	Args     []string
	Indirect bool
}

// readMod takes a go.mod apart as far as the checks need it.
func readMod(text string) []modLine {
	var out []modLine
	block := ""
	for line := range strings.Lines(text) {
		code, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(code)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		default:
			if block != "" {
				words = append([]string{block}, words...)
			}
			out = append(out, modLine{words[0], words[1:], strings.TrimSpace(comment) == "indirect"})
		}
	}
	return out
}

// checkMod holds the root go.mod to what a user who installs the command or
// embeds the library gets.
func checkMod(text string) []string {
	var found []string
	vcr := ""
	for _, l := range readMod(text) {
		switch {
		case l.Verb == "replace":
			found = append(found, "go.mod: replace makes `go install …@version` refuse the module: take it out")
		case l.Verb == "tool":
			found = append(found, "go.mod: a tool line puts the tool's dependencies into every user's graph: it belongs in tools/go.mod")
		case l.Verb == "require" && l.Args[0] == gover:
			vcr = l.Args[1]
		}
		if l.Verb == "require" && strings.HasPrefix(l.Args[0], "github.com/nats-io/") {
			found = append(found, fmt.Sprintf("go.mod: %s belongs in dist/go.mod: who embeds this module gets no queue with it", l.Args[0]))
		}
		if l.Verb == "require" && !l.Indirect && !slices.Contains(directModules(), l.Args[0]) {
			found = append(found, fmt.Sprintf("go.mod: %s is not among the direct dependencies of internal/repocheck/importtable_test.go: a new one needs a reason", l.Args[0]))
		}
	}
	if vcr != "v2.1.0" {
		found = append(found, fmt.Sprintf("go.mod: %s is %q, want exactly v2.1.0: its file format is the one that cassettes are compatible with", gover, vcr))
	}
	return found
}

// Shows that the root go.mod can be installed, pins go-vcr and requires
// nothing that was not decided on.
func TestGoMod(t *testing.T) {
	for _, f := range allFiles(t) {
		if f.Path == "go.mod" {
			report(t, checkMod(f.Text))
			return
		}
	}
	t.Error("there is no go.mod")
}

// Shows that each rule about go.mod finds its offender.
func TestGoModFindsOffenders(t *testing.T) {
	const good = "module m\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/dnaeon/go-vcr/v2 v2.1.0\n\tgolang.org/x/sys v0.1.0 // indirect\n)\n"
	for _, c := range []struct{ name, text, want string }{
		{"good", good, ""},
		{"replace", good + "replace a => ../a\n", "replace makes"},
		{"replace block", good + "replace (\n\ta => ../a\n)\n", "replace makes"},
		{"tool", good + "tool example.com/x\n", "belongs in tools/go.mod"},
		{"newer vcr", strings.Replace(good, "v2.1.0", "v2.3.0", 1), "want exactly v2.1.0"},
		{"no vcr", "module m\n", "want exactly v2.1.0"},
		{"a queue", good + "require github.com/nats-io/nats.go v1.55.0 // indirect\n", "belongs in dist/go.mod"},
		{"unknown module", good + "require github.com/stretchr/testify v1.9.0\n", "testify is not among"},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, checkMod(c.text), c.want) })
	}
}

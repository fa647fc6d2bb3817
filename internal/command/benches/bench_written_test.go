package benches

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// beside says of every file of the command's source that creates files why none of them
// counts among those that a program depends on.
var beside = map[string]string{
	"cassette/internal/disk/disk.go":               "cassettes, which are recognised, and what lies beside them: cassette.Aside",
	"cassette/internal/disk/lock_other.go":         "the lock of a cassette: cassette.Aside",
	"cassette/internal/disk/lock_unix.go":          "the lock of a cassette: cassette.Aside",
	"cmd/scenario/init.go":                         "starter projects, which are there before a bench runs",
	"cmd/scenario/init_agents.go":                  "instructions for agents, which people ask for by name",
	"cmd/scenario/internal/mcp/fmt.go":             "scenario files",
	"internal/command/harness/github.go":           "the summary of a job, outside of the suite",
	"internal/command/lastfailed/notes.go":         "the cache of test, which a bench does not write",
	"internal/disk/open.go":                        "files that the caller names",
	"internal/server/nodeproxy/nodeproxy.go":       "the temporary directory of the run",
	"cmd/scenario/internal/search/explore_emit.go": "scenario files, and a directory whose name begins with a dot",
	"internal/command/benches/bench_begun.go":      "the log, in .scenario or --state",
	"internal/command/benches/bench_log.go":        "the log, in .scenario or --state",
	"internal/command/benches/bench_programs.go":   "the system's temporary directory",
	"internal/disk/atomic.go":                      "unfinished, until it is a report or a trace: disk.Unfinished and Invocation.Written",
	"internal/disk/folder.go":                      "a report of many pages: Invocation.Written",
	"internal/disk/spool.go":                       "unfinished: disk.Unfinished",
	"internal/server/authority/authority.go":       "the system's temporary directory",
}

// Shows that the command's own files are all accounted for: a new place that creates
// files has to say here why they do not count.
func TestOwnFilesAreAccountedFor(t *testing.T) {
	root, found := filepath.Join("..", "..", ".."), map[string]bool{}
	for _, dir := range []string{"cassette", "cmd/scenario", "internal/command", "internal/disk", "internal/process", "internal/recording", "internal/server", "internal/sut", "report", "suite", "trace"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), "starters")) {
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
					switch s.Sel.Name {
					case "Create", "CreateTemp", "MkdirTemp", "WriteFile", "OpenFile", "O_CREATE":
						rel, _ := filepath.Rel(root, path)
						found[filepath.ToSlash(rel)] = true
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path := range found {
		if beside[path] == "" {
			t.Errorf("%s creates files, and nothing says why they do not count among those that a program depends on", path)
		}
	}
	for path := range beside {
		if !found[path] {
			t.Errorf("%s creates no files any more", path)
		}
	}
}

// Shows that what a killed recording or report leaves behind is no part of a program,
// and that what has nearly such a name is one.
func TestLeftoversArePassing(t *testing.T) {
	for name, want := range map[string]bool{
		"judge.yaml.lock": true, "judge.yaml.journal": true, "judge.yaml.tmp": true, ".page.html.4711.0": true, ".scenario.123": true,
		"poetry.lock": false, "prompt.tmp": false, "judge.yaml": false, ".env": false, "data.4711.0": false,
	} {
		if got := passing(name); got != want {
			t.Errorf("%s is passing: %v", name, got)
		}
	}
}

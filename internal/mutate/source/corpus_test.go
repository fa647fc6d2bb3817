package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A changed is the text of a mutant or a probe, and what it is.
type changed struct {
	Name, Text, what string
}

// programs are the files of this repository that end so, with all their mutants and a
// probe of every line.
func programs(t *testing.T, roots []string, ends ...string) []changed {
	t.Helper()
	var all []changed
	for _, root := range roots {
		err := filepath.WalkDir(filepath.Join("..", "..", "..", root), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			for _, end := range ends {
				if !strings.HasSuffix(name, end) || d.IsDir() {
					continue
				}
				text, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				for _, m := range sound(t, name, text) {
					all = append(all, changed{name, string(m.Apply(text)), fmt.Sprintf("%s:%d: %s: %s", name, m.Line, m.Operator, m.Change)})
				}
				for line := range bytes.Count(text, []byte("\n")) {
					if m, ok := Probe(name, text, line+1); ok {
						all = append(all, changed{name, string(m.Apply(text)), fmt.Sprintf("%s:%d: probe of line %d", name, m.Line, line+1)})
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// parse says of each text whether it can be parsed: at least 98 of 100 have to be.
func parses(t *testing.T, all []changed, fails func([]changed) []bool) {
	t.Helper()
	broken := 0
	for i, bad := range fails(all) {
		if bad {
			if broken++; broken < 20 {
				t.Log(all[i].what)
			}
		}
	}
	t.Logf("%d of %d cannot be parsed", broken, len(all))
	if len(all) < 20 || broken*50 > len(all) {
		t.Errorf("%d of %d cannot be parsed: at most 2 of 100 may be", broken, len(all))
	}
}

// asked hands all texts to a program, which answers with a list of what fails.
func asked(t *testing.T, program string, args ...string) func([]changed) []bool {
	t.Helper()
	tool, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("no %s here", program)
	}
	return func(all []changed) []bool {
		in, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(tool, args...)
		cmd.Stdin = bytes.NewReader(in)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		var bad []bool
		if err := json.Unmarshal(out, &bad); err != nil || len(bad) != len(all) {
			t.Fatalf("%s answered %.200q: %v", program, out, err)
		}
		return bad
	}
}

const compilePython = `
import json, sys, warnings
warnings.simplefilter("ignore")
bad = []
for c in json.load(sys.stdin):
    try:
        compile(c["Text"], "x", "exec")
        bad.append(False)
    except (SyntaxError, ValueError):
        bad.append(True)
json.dump(bad, sys.stdout)`

const compileScript = `
const vm = require("vm");
const bad = JSON.parse(require("fs").readFileSync(0, "utf8")).map(c => {
  try {
    if (c.Name.endsWith(".mjs") || /^(import|export) /m.test(c.Text)) new vm.SourceTextModule(c.Text);
    else new vm.Script("(function (require, module, exports) {" + c.Text.replace(/^#!.*/, "") + "\n})");
    return false;
  } catch (e) { return true; }
});
process.stdout.write(JSON.stringify(bad));`

// Shows that what is made of the programs of this repository can be compiled.
func TestProgramsParse(t *testing.T) {
	examples := []string{"scenarios", "examples", "conformance", "site", "editors"}
	t.Run("python", func(t *testing.T) {
		parses(t, programs(t, examples, ".py"), asked(t, "python3", "-c", compilePython))
	})
	t.Run("javascript", func(t *testing.T) {
		parses(t, programs(t, examples, ".js", ".mjs"), asked(t, "node", "--experimental-vm-modules", "--no-warnings", "-e", compileScript))
	})
	t.Run("go", func(t *testing.T) {
		roots := []string{"internal/shrink"}
		if !testing.Short() {
			roots = append(roots, "internal/mutate")
		}
		parses(t, programs(t, roots, ".go"), func(all []changed) []bool {
			bad := make([]bool, len(all))
			for i, c := range all {
				_, err := parser.ParseFile(gotoken.NewFileSet(), c.Name, c.Text, parser.SkipObjectResolution)
				bad[i] = err != nil
			}
			return bad
		})
	})
	t.Run("shell", func(t *testing.T) {
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Skip("no sh here")
		}
		parses(t, programs(t, examples, ".sh"), func(all []changed) []bool {
			bad := make([]bool, len(all))
			for i, c := range all {
				cmd := exec.Command(sh, "-n")
				cmd.Stdin = strings.NewReader(c.Text)
				bad[i] = cmd.Run() != nil
			}
			return bad
		})
	})
}

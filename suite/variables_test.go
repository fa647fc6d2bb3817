package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that a file of variables is refused or read, whatever it holds, and
// that every value that was read can be handed to the compiler as text.
func FuzzVariableFile(f *testing.F) {
	for _, s := range []string{"a = 1", "a = \"x\"\nb = { c = [1, true, null] }", "a = null", "a {}", "a = b", "a = \"${", strings.Repeat("[", 2000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "x.vars")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		v := &Variables{}
		if err := v.ReadFile(Disk(), path); err != nil {
			return
		}
		for name, value := range v.fromFile {
			for _, declared := range []string{"string", "number", "any"} {
				if asText(value, declared) == "" && !value.RawEquals(cty.StringVal("")) {
					t.Errorf("%s has no text as %s", name, declared)
				}
			}
		}
	})
}

// Shows where the value of a variable comes from: what was set before a file,
// a later file before an earlier one, a file before the environment, and that
// what no file declares is told.
func TestWhereValuesComeFrom(t *testing.T) {
	inMemory := inDirectory(t, map[string]string{
		"1.vars": "b = \"file 1\"\nc = \"file 1\"\nd = \"file 1\"\nzz = 1\n", "2.vars": "c = \"file 2\"\nd = \"file 2\"\n",
		"v.scenario.hcl": plain + `
variable "a" { default = "default" }
variable "b" {}
variable "c" {}
variable "d" {}
variable "e" {}
scenario "s" {
  run = workflow.w
  assert "all" { condition = [step.v.output, var.a, var.b, var.c, var.d, var.e] == [1, "default", "file 1", "file 2", "set", "environment"] }
}
`,
	})
	for source, s := range sources(inMemory) {
		v := &Variables{}
		for _, name := range []string{"1.vars", "2.vars"} {
			if err := v.ReadFile(s, name); err != nil {
				t.Fatal(err)
			}
		}
		v.Set("d", "set")
		v.Set("y", "set")
		l := &Loader{Source: s, Vars: v, Env: func(name string) (string, bool) {
			return "environment", name != "SCENARIO_VAR_a" && strings.HasPrefix(name, "SCENARIO_VAR_")
		}}
		defer l.Close()
		f := l.Load("v.scenario.hcl")
		if f.Failed() {
			t.Fatalf("%s: %s", source, f.Diags)
		}
		if r := interp.Run(f.Plans[0], interp.RunOptions{}); r.Verdict != interp.Pass {
			t.Errorf("%s: %+v", source, r.Problems)
		}
		if got := fmt.Sprint(v.Undeclared(f.Variables)); got != "[{zz 1.vars} {y }]" {
			t.Errorf("%s: %s", source, got)
		}
	}
}

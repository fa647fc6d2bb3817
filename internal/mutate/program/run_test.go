package program_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/mutate/program"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A trial is a directory with a program in it, and scenarios that start it.
type trial struct {
	dir string
	// counted is a file outside of the directory, to which the program writes.
	counted string
	options program.Options
	plans   []*interp.Plan
}

// try lays files, and compiles the scenarios of a.scenario.hcl.
func try(t *testing.T, files map[string]string) *trial {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	x := &trial{dir: filepath.Join(dir, "app"), counted: filepath.Join(dir, "counted")}
	if err := os.Mkdir(x.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	loader := &suite.Loader{Source: suite.Disk()}
	defer loader.Close()
	file := loader.Load(filepath.Join(x.dir, "a.scenario.hcl"))
	if file.Diags.HasErrors() {
		t.Fatal(file.Diags)
	}
	x.plans = file.Plans
	x.options = program.Options{Root: x.dir, Starts: sut.Options{WorkingDir: x.dir, Environment: append(os.Environ(), "COUNTED="+x.counted)}}
	if x.options.Sources, err = program.Sources(x.dir, nil, []string{files["a.scenario.hcl"]}, filepath.Base); err != nil {
		t.Fatal(err)
	}
	return x
}

// run tries the mutants, and returns the report as it is written.
func (x *trial) run(t *testing.T) (*program.Report, string) {
	t.Helper()
	r, err := program.Run(x.plans, x.options)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := program.WriteText(&b, r, 0); err != nil {
		t.Fatal(err)
	}
	if len(r.Broken) > 0 {
		t.Fatalf("%+v", r.Broken[0].Problems)
	}
	return r, b.String()
}

// count is how often something was written.
func (x *trial) count() int {
	text, _ := os.ReadFile(x.counted)
	return strings.Count(string(text), "\n")
}

// two are two scenarios that start a program, which says done.
func two(command string) string {
	var b strings.Builder
	for _, name := range []string{"one", "another"} {
		fmt.Fprintf(&b, "scenario %q {\n  sut { command = [\"sh\", %q] }\n  assert \"done\" { condition = sut.stdout == \"done\\n\" }\n}\n", name, command)
	}
	return b.String()
}

// Shows that a program is built once for a mutant, and not for each of the scenarios that are run with it.
func TestBuiltOnce(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("made.sh"),
		"app.sh":         "x=17\necho $x > out.txt\necho done\n",
		"build.sh":       "echo built >> \"$COUNTED\"\ncp app.sh made.sh\n",
	})
	x.options.Build, x.options.Only = []string{"sh", "build.sh"}, []string{"number"}
	for i, s := range x.options.Sources {
		if s.Path == "app.sh" {
			x.options.Sources = x.options.Sources[i : i+1]
			break
		}
	}
	r, text := x.run(t)
	if n := len(r.Mutants); n == 0 || r.Count(program.Survived) != n {
		t.Errorf("not all survive:\n%s", text)
	}
	// Two times for each scenario as it is, and once for each without what it reads.
	if want := 2*2 + 2 + len(r.Mutants); x.count() != want {
		t.Errorf("it was built %d times and not %d", x.count(), want)
	}
}

// Shows that a program which changes what was built is built again for the next scenario.
func TestBuiltAgain(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("made.sh"),
		"app.sh":         "x=17\necho $x > out.txt\necho 'echo broken' > made.sh; echo done\n",
		"build.sh":       "cp app.sh made.sh\n",
	})
	x.options.Build, x.options.Only = []string{"sh", "build.sh"}, []string{"number"}
	if r, text := x.run(t); len(r.Mutants) == 0 || r.Count(program.Survived) != len(r.Mutants) {
		t.Errorf("not all survive:\n%s", text)
	}
}

// Shows that once the time is over no run is begun, also of a mutant that some scenarios were run with, and that this
// one is not told of.
func TestEndOfTheTime(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "echo run >> \"$COUNTED\"\nx=17\necho $x > out.txt\necho done\n",
	})
	const asItIs = 2 * 2 // with nonsense in its place it does not come to its first line
	x.options.Only, x.options.Limit = []string{"number"}, time.Hour
	begin := time.Unix(0, 0)
	x.options.Now = func() time.Time {
		if x.count() > asItIs {
			return begin.Add(2 * time.Hour)
		}
		return begin
	}
	r, text := x.run(t)
	if x.count() != asItIs+1 {
		t.Errorf("it was run %d times and not %d", x.count(), asItIs+1)
	}
	if r.Tried() != 0 || !r.Late || !strings.Contains(text, "not tried") {
		t.Errorf("tried:\n%s", text)
	}
}

// Shows what is changed of files that the program reads, and which are none: those that it writes, and those that
// nothing names.
func TestData(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": "scenario \"two hosts\" {\n  sut { command = [\"sh\", \"app.sh\"] }\n  assert \"both\" { condition = sut.stdout == \"a.example\\nb.example\\n\" }\n}\n",
		"app.sh":         "date > state.txt\ngrep example hosts.list\ncat other.list > /dev/null\n",
		"hosts.list":     "a.example\nb.example\nnothing\n",
		"other.list":     "c.example\n",
		"state.txt":      "yesterday 1\n",
		"notes.txt":      "nobody names it\n",
	})
	x.options.Only = []string{"data"}
	r, text := x.run(t)
	for _, want := range []string{
		"unseen    hosts.list:3: `nothing` left out\n",
		"unread    other.list\n",
		"score: 2 of 3, 66.6 %\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, m := range r.Mutants {
		if m.Of.Path != "hosts.list" || m.Operator != "data" {
			t.Errorf("%s of %s", m.Name(), m.Operator)
		}
	}
	if strings.Contains(text, "notes.txt") || strings.Contains(text, "state.txt") {
		t.Errorf("of too much:\n%s", text)
	}
}

// Shows what is said of what was not changed at all.
func TestUnchanged(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": "scenario \"by a shell\" {\n  sut { command = [\"sh\", \"-ec\", \". ./app.sh; . ./large.sh; . ./empty.sh; cat mode.txt; : main.php\"] }\n  assert \"done\" { condition = sut.stdout == \"--\\n\" && sut.exit_code == 0 }\n}\n",
		"app.sh":         "x=17\n",
		"large.sh":       strings.Repeat("# a line that says nothing to anybody\n", 8000),
		"empty.sh":       "# nothing\n",
		"mode.txt":       "--\n",
		"main.rs":        "fn main() {}\n",
	})
	_, text := x.run(t)
	for _, want := range []string{
		"not changed: large.sh (it is larger than 256 KiB)\n",
		"not changed: mode.txt (it has no place that is changed)\n",
		"not changed: the command of \"by a shell\" (the code behind sh -ec is not read)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, not := range []string{"main.rs", "empty.sh"} {
		if strings.Contains(text, "not changed: "+not) {
			t.Errorf("%s is told of:\n%s", not, text)
		}
	}
	for argument, told := range map[string]bool{"main.rs": true, "main.txt": false} {
		x := try(t, map[string]string{
			"a.scenario.hcl": "scenario \"by a shell\" {\n  sut { command = [\"sh\", \"app.sh\", \"" + argument + "\"] }\n  assert \"done\" { condition = sut.stdout == \"17\\n\" }\n}\n",
			"app.sh":         "x=17\necho $x\n",
			"main.rs":        "fn main() {}\n",
		})
		if _, text := x.run(t); strings.Contains(text, "not changed: main.rs (") != told {
			t.Errorf("with %s:\n%s", argument, text)
		}
	}
}

// Shows that calls that no change is about are named, for people and with --json, and none of a file that no scenario reads.
func TestSilentCallsAreTold(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "printf 'a\\n' > a.txt\ncomm a.txt a.txt > /dev/null\necho done\n",
		"unread.sh":      "comm a b\n",
	})
	r, text := x.run(t)
	if want := "not changed: app.sh: comm in line 2\n"; !strings.Contains(text, want) || strings.Count(text, "not changed") != 1 {
		t.Errorf("no %q in\n%s", want, text)
	}
	var b strings.Builder
	if err := program.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if want := `"verdict":"unchanged","file":"app.sh","calls":"comm in line 2"}`; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in\n%s", want, b.String())
	}
}

// Shows that two changes which are noticed alone are tried together, and told as one.
func TestPairIsTold(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "set -e\nfor i in 1 2; do\n  mkdir import.lock\n  : > seen.txt\n  rmdir import.lock\ndone\necho done\n",
	})
	x.options.Only = []string{"statement", "together"}
	r, text := x.run(t)
	if want := "unseen    app.sh:3: `mkdir import.lock` left out, and in line 5 `rmdir import.lock` left out\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if m := r.Mutants[len(r.Mutants)-1]; m.Parts == nil || m.Operator != "together" {
		t.Errorf("the last one is %s of %s", m.Name(), m.Operator)
	}
	x.options.Only = []string{"statement"}
	if _, text := x.run(t); strings.Contains(text, "and in line") {
		t.Errorf("a pair of no operator that is used:\n%s", text)
	}
}

// Shows that a call that is left out in two places is no change that no scenario comes to, if one comes to the second.
func TestSecondPlaceIsRun(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "set -e\nf() {\n  sort a.txt > b.txt\n}\nprintf 'x\\n' > a.txt\nsort a.txt > /dev/null\necho done\n",
	})
	x.options.Only = []string{"together"}
	if r, text := x.run(t); len(r.Mutants) == 0 || strings.Contains(text, "unrun") || !strings.Contains(text, "unseen    app.sh:3: `sort` left out in 2 places, in lines 3 and 6\n") {
		t.Errorf("it is told as\n%s", text)
	}
}

package repocheck

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	// drivenExamples teach how programs are tested, and drivenScript runs them.
	drivenExamples = "scenarios/drive/"
	drivenScript   = "cmd/scenario/testdata/script/drive.txtar"
)

// failsWith is a line of the script that runs a file with another program, which fails.
var failsWith = regexp.MustCompile(`^exits 1 scenario exec .*?(\S+)\.scenario\.hcl -- (.+)$`)

// Each example about programs is run with a program that is wrong, which lies beside it
// and fails for a reason that the script names; no such program is left unused.
func TestWrongPrograms(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	var examples, programs []string
	script := ""
	for _, f := range files {
		name, below := strings.CutPrefix(f.Path, drivenExamples)
		switch {
		case f.Path == drivenScript:
			script = f.Text
		case !below:
		case strings.HasSuffix(name, ".scenario.hcl"):
			examples = append(examples, strings.TrimSuffix(name, ".scenario.hcl"))
		case strings.Contains(name, "wrong"):
			programs = append(programs, name)
		}
	}
	if len(examples) < 12 || len(programs) < 12 {
		t.Errorf("%d examples and %d wrong programs were found in %s", len(examples), len(programs), drivenExamples)
	}
	for _, w := range checkWrongPrograms(script, examples, programs) {
		t.Errorf("%s: %s", drivenScript, w)
	}
}

// Shows that the check finds what it is for.
func TestWrongProgramsFindsOffenders(t *testing.T) {
	for script, want := range map[string]string{
		"exits 1 scenario exec a.scenario.hcl -- sh a_wrong.sh x\nstdout 'gate'\n":            "",
		"exits 1 scenario exec --run 'b c' a.scenario.hcl -- go -C a run ./wrong\nstdout 'x'": "a_wrong.sh is not used",
		"exits 1 scenario exec a.scenario.hcl -- sh a_wrong.sh\n! stdout 'gate'\n":            "no reason is asked for",
		"exits 1 scenario exec a.scenario.hcl -- sh a_wrong.sh\n\nstdout 'gate'\n":            "no reason is asked for",
		"exits 1 scenario exec a.scenario.hcl -- sh a.sh\nstdout 'gate'\n":                    "no wrong program",
		"exits 0 scenario exec a.scenario.hcl -- sh a_wrong.sh\nstdout 'gate'\n":              "no wrong program",
		"exits 1 scenario exec b.scenario.hcl -- sh a_wrong.sh\nstdout 'gate'\n":              "no wrong program is run for a",
	} {
		got := strings.Join(checkWrongPrograms(script, []string{"a"}, []string{"a_wrong.sh"}), "\n")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

// checkWrongPrograms lists the examples that a script runs with no wrong program for a
// reason, and the programs that it does not use.
func checkWrongPrograms(script string, examples, programs []string) (wrong []string) {
	var run, used []string
	lines := strings.Split(script, "\n")
	for i, line := range lines {
		m := failsWith.FindStringSubmatch(line)
		if m == nil || !strings.Contains(m[2], "wrong") {
			continue
		}
		run = append(run, path.Base(m[1]))
		used = append(used, m[2])
		if i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "stdout '") {
			wrong = append(wrong, fmt.Sprintf("line %d: no reason is asked for", i+1))
		}
	}
	for _, e := range examples {
		if !slices.Contains(run, e) {
			wrong = append(wrong, "no wrong program is run for "+e)
		}
	}
	for _, p := range programs {
		if !slices.ContainsFunc(used, func(command string) bool { return runs(command, p) }) {
			wrong = append(wrong, p+" is not used")
		}
	}
	return wrong
}

// runs reports whether a command runs a file: by its name, or, one of Go, by its
// directory.
func runs(command, file string) bool {
	if path.Ext(file) == ".go" {
		return strings.Contains(command, "./"+path.Base(path.Dir(file)))
	}
	return slices.Contains(strings.Fields(command), file)
}

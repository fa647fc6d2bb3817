package repocheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeScenario stands in for the command: it takes the same flags, writes a
// constant trace and result, and does one thing wrong where BREAK says so.
const fakeScenario = `#!/usr/bin/env bash
trace=/dev/null twice=no files= workers= reports=()
while [ $# -gt 0 ]; do
  case $1 in
    --trace-out) case $2 in *=*) reports+=("${2#*=}") ;; *) trace=$2 ;; esac; shift ;;
    --report) reports+=("${2#*=}"); shift ;;
    --count) twice=yes; shift ;;
    --parallel) workers=$2; shift ;;
    *.hcl) files+=$1 ;;
  esac
  shift
done
event=same
[ "$BREAK" = cores ] && [ "$GOMAXPROCS" = 1 ] && event=other
[ "$BREAK" = order ] && event=$files
[ "$BREAK" = workers ] && [ "$workers" = 7 ] && event=other
echo "{\"event\":\"$event\"}" > "$trace"
for r in "${reports[@]}"; do echo same > "$r"; done
[ "$BREAK" = report ] && [ "$workers" = 7 ] && echo other > "${reports[1]}"
[ "$BREAK" = silent ] && rm -f "$trace"
status=pass
[ "$BREAK" = result ] && [ -n "$files" ] && status=fail
echo "{\"status\":\"$status\",\"wall_ms\":$RANDOM}"
[ "$BREAK" = twice ] && [ $twice = yes ] && exit 6
exit 0
`

// runScript runs a script of the repository over two empty scenario files, and
// returns what it printed and whether it passed.
func runScript(t *testing.T, broken string) (string, bool) {
	t.Helper()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fake := filepath.Join(dir, "fake")
	for name, text := range map[string]string{fake: fakeScenario, dir + "/a.scenario.hcl": "", dir + "/b.scenario.hcl": ""} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", filepath.Join(root, ".ci", "determinism"), dir)
	cmd.Env = append(os.Environ(), "SCENARIO="+fake, "SCENARIO_DETECTOR="+fake, "BREAK="+broken)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// Shows that the determinism script passes a command that is deterministic but
// for wall_ms, and names the condition under which another one is not.
func TestDeterminismScript(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("0 of 1 script: there is no bash to run it")
	}
	for _, c := range []struct{ broken, want string }{
		{"", "determinism: equal bytes in 11 runs over 2 files"},
		{"cores", "FAIL GOMAXPROCS=1: the first run differs in trace"},
		{"workers", "FAIL seven workers: the first run differs in trace"},
		{"order", "FAIL files backwards: the first run differs in trace"},
		{"result", "FAIL files shuffled: the first run differs in results"},
		{"report", "FAIL seven workers: the first run differs in junit"},
		{"twice", "FAIL twice in one process: exit 6"},
		{"silent", "FAIL first run: exit 0 and no trace"},
	} {
		t.Run("broken "+c.broken, func(t *testing.T) {
			t.Parallel()
			out, passed := runScript(t, c.broken)
			if passed != (c.broken == "") || !strings.Contains(out, c.want) {
				t.Errorf("passed %v, want %v and a line that says %q:\n%s", passed, c.broken == "", c.want, out)
			}
		})
	}
}

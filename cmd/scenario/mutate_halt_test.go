//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Shows that a signal while programs are changed ends the command with the code of the signal, that what was tried
// until then is told, and that no copy is left behind. The program sends the signal itself, in one of its runs.
func TestMutateOfAProgramIsInterrupted(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", tmp)
	runs := filepath.Join(t.TempDir(), "runs")
	for name, text := range map[string]string{
		"app.sh": "n=1\necho $n\n[ $n -lt 5 ] && echo less\n[ $n -gt 0 ] && echo more\ntrue\n",
		"a.scenario.hcl": `scenario "s" {
  sut {
    command = ["sh", "-c", "echo >>$RUNS; test $(wc -l <$RUNS) -ne $AT || kill -INT $PPID; sh app.sh"]
    env     = { RUNS = "` + runs + `", AT = "AT" }
  }
  assert "all" { condition = sut.stdout == "1\nless\nmore\n" }
}
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("a.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ at, out, err string }{
		{"1", `^$`, `^interrupted: no mutant was tried\n$`},
		{"6", `(?s)not tried +[0-9]+\nscore: `, `^interrupted: [1-3] of [0-9]+ mutants were tried\n$`},
	} {
		_ = os.Remove(runs)
		if err := os.WriteFile("a.scenario.hcl", bytes.Replace(text, []byte(`"AT"`), []byte(`"`+c.at+`"`), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := run([]string{"mutate", "--exec", "--budget", "0", "a.scenario.hcl"}, strings.NewReader(""), &out, &errs, noEnv)
		if code != 130 || !regexp.MustCompile(c.out).MatchString(out.String()) || !regexp.MustCompile(c.err).MatchString(errs.String()) {
			t.Errorf("in run %s: exit code %d\n%s\n%s", c.at, code, &out, &errs)
		}
		left, err := os.ReadDir(tmp)
		for _, e := range left {
			if err != nil || strings.HasPrefix(e.Name(), "scenario-") {
				t.Errorf("in run %s: left behind: %s, %v", c.at, e.Name(), err)
			}
		}
	}
}

package sut_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// Shows that a file which the command shows, and which an earlier run left, is told of where a check needs it,
// and not one that was written in this run.
func TestEarlierFile(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	const both = `strcontains(sut.stdout, "2 items")`
	for name, c := range map[string]struct {
		script, condition string
		warned            bool
	}{
		"left":                {"ls > list && cat report.txt", both, true},
		"left, in a pipe":     {"ls > list; cat report.txt | sort", both, true},
		"left, all of it":     {"ls > list; cat report.txt", `sut.stdout == "2 items\n"`, true},
		"written":             {"ls > list && echo 2 items > report.txt && cat report.txt", both, false},
		"removed before":      {"rm -f report.txt && ls > list && echo 2 items > report.txt && cat report.txt", both, false},
		"made before":         {"cp copy.txt report.txt && ls > list && cat report.txt", both, false},
		"replaced":            {"ls > list && cp -p copy.txt new.txt && mv new.txt report.txt && cat report.txt", both, false},
		"not there before":    {"ls > list && echo 2 items > other.txt && cat other.txt", both, false},
		"no check needs it":   {"ls > list && echo done && cat report.txt", `strcontains(sut.stdout, "done")`, false},
		"left, a part of it":  {"ls > list && cut -c1- report.txt", both, true},
		"said otherwise":      {"ls > list && echo you have 2 items now && head -1 report.txt | tr a-z A-Z", both, false},
		"its text is nowhere": {"ls > list && cat report.txt > new.txt && echo 2 items", both, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			text := fmt.Sprintf("scenario \"s\" {\n  sut {}\n  assert \"x\" { condition = %s }\n}\n", c.condition)
			for name, text := range map[string]string{"a.scenario.hcl": text, "report.txt": "2 items\n", "copy.txt": "2 items\n"} {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			r := sut.Play(planOf(t, filepath.Join(dir, "a.scenario.hcl")), sut.Options{Command: []string{sh, "-c", c.script}, WorkingDir: dir, Environment: os.Environ()})
			if warned := strings.Contains(fmt.Sprint(r.Warnings), "was not written in this run"); r.Verdict != interp.Pass || warned != c.warned {
				t.Errorf("%s %v, warned %t: %q", r.Verdict, r.Problems, warned, r.Warnings)
			}
		})
	}
}

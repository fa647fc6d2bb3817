package sut_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// zoned, in the environment, is what makes a test the program: it writes that.
const zoned = "SUT_TEST_ZONED"

// Shows that a time of day that a program gives as one of UTC is told of where the machine's zone is UTC, unless
// the program has a zone of its own or was given the time.
func TestZoned(t *testing.T) {
	if said := os.Getenv(zoned); said != "" {
		fmt.Println(said)
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tokyo := time.FixedZone("JST", 9*60*60)
	const utc = "j-1 2025-07-01T10:00:00Z"
	for name, c := range map[string]struct {
		zone              *time.Location
		said, sut, clause string
		warned            bool
	}{
		"UTC":               {time.UTC, utc, "", `strcontains(sut.stdout, "10:00:00Z")`, true},
		"all of it":         {time.UTC, utc, "", `trimspace(sut.stdout) == "j-1 2025-07-01T10:00:00Z"`, true},
		"another zone":      {tokyo, utc, "", `strcontains(sut.stdout, "10:00:00Z")`, false},
		"a zone of its own": {time.UTC, utc, `env = { TZ = "America/New_York" }`, `strcontains(sut.stdout, "10:00:00Z")`, false},
		"no zone is said":   {time.UTC, "j-1 10:00", "", `strcontains(sut.stdout, "10:00")`, false},
		"given":             {time.UTC, utc, `stdin = "due 10:00:00"`, `strcontains(sut.stdout, "10:00:00Z")`, false},
		"no check has it":   {time.UTC, utc, "", `strcontains(sut.stdout, "j-1")`, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.scenario.hcl")
			text := fmt.Sprintf("scenario \"s\" {\n  sut {\n    %s\n  }\n  assert \"x\" { condition = %s }\n}\n", c.sut, c.clause)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			r := sut.Play(planOf(t, path), sut.Options{
				Command: []string{self, "-test.run=^TestZoned$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), zoned+"="+c.said), Zone: c.zone,
			})
			if warned := strings.Contains(fmt.Sprint(r.Warnings), "the machine's zone is UTC"); r.Verdict != interp.Pass || warned != c.warned {
				t.Errorf("%s %v, warned %t: %q", r.Verdict, r.Problems, warned, r.Warnings)
			}
		})
	}
}

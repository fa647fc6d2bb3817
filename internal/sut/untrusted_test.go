package sut_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// askedOnce, in the environment, is what makes a test the program: it asks that address once.
const askedOnce = "SUT_TEST_ASKED_ONCE"

// Shows that a program which meets the fault tls_error is told that it is a connection which breaks, and that
// nothing is said of a fault that says so, nor of one that it does not meet.
func TestUntrusted(t *testing.T) {
	if url := os.Getenv(askedOnce); url != "" {
		resp, err := http.Post(url, "text/plain", strings.NewReader("card"))
		if err != nil {
			os.Exit(3)
		}
		_ = resp.Body.Close()
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		script string
		code   int
		warned bool
	}{
		"tls_error":          {`fault "tls_error" {}`, 3, true},
		"connection_reset":   {`fault "connection_reset" {}`, 3, false},
		"one not come to":    {"fault \"http_error\" {}\n    fault \"tls_error\" { optional = true }", 0, false},
		"no fault":           {`reply {}`, 0, false},
		"connection_refused": {`fault "connection_refused" {}`, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.scenario.hcl")
			text := fmt.Sprintf("provider \"http\" \"bank\" { base_url = \"https://bank.example\" }\nscenario \"s\" {\n  sut { env = { %s = \"${provider.bank.url}/pay\" } }\n  on \"bank\" {\n    %s\n  }\n  assert \"asked\" { condition = endpoint.bank.attempts[0].request.body == \"card\" && sut.exit_code == %d }\n}\n", askedOnce, c.script, c.code)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			r := sut.Play(planOf(t, path), sut.Options{Command: []string{self, "-test.run=^TestUntrusted$"}, WorkingDir: t.TempDir(), Environment: os.Environ()})
			if warned := strings.Contains(fmt.Sprint(r.Warnings), "whether the program looks at certificates is not tested"); r.Verdict != interp.Pass || warned != c.warned {
				t.Errorf("%s %v, warned %t: %q", r.Verdict, r.Problems, warned, r.Warnings)
			}
		})
	}
}

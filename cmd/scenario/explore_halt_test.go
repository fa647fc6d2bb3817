//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Shows that a signal in the middle of an exploration prints what was found out until
// then, with the account of it, and ends the command with the code of the signal. The
// program sends it itself, in its twelfth run.
func TestExploreEndsWithItsAccount(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	text := `provider "http" "shop" { base_url = "https://shop.test" }

invariant "what is asked is answered" {
  condition = alltrue([for a in endpoint.shop.attempts : a.outcome != "failure"])
}
scenario "s" {
  sut {
    command = ["sh", "-c", "echo >>runs; test $(wc -l <runs) -ne 12 || kill -$SIGNAL $PPID; curl -s -m 5 $SHOP; true"]
    env     = { SHOP = provider.shop.url, SIGNAL = "NAMED" }
  }
  on "shop" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
`
	for _, c := range []struct {
		signal string
		code   int
		flags  []string
		want   string
	}{
		{"INT", 130, nil, `(?s)^find   "what is asked is answered" .*\nnot finished: the search ended after [0-9]+ of [0-9]+ single faults, .*nothing else found among [0-9]+ runs: [0-9]+ of [0-9]+ single faults`},
		{"TERM", 143, nil, `(?s)^find   "what is asked is answered" .*nothing else found among [0-9]+ runs: [0-9]+ of [0-9]+ single faults`},
		{"INT", 130, []string{"--json"}, `(?s)"type":"find".*"type":"account","runs":[0-9]+,.*"complete":false`},
	} {
		_ = os.Remove("runs")
		if err := os.WriteFile("a.scenario.hcl", []byte(strings.Replace(text, "NAMED", c.signal, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := run(append([]string{"explore", "--exec"}, c.flags...), strings.NewReader(""), &out, &errs, noEnv)
		if code != c.code || !strings.Contains(errs.String(), "interrupted: 0 of 1 scenario were explored to the end") || !regexp.MustCompile(c.want).MatchString(out.String()) {
			t.Errorf("exit code %d\n%s\n%s", code, &out, &errs)
		}
	}
}

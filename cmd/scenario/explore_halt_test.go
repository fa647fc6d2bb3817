//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
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

// A signaller is a writer that has the process interrupted when it is first written to.
type signaller struct {
	bytes.Buffer
	sent bool
}

func (s *signaller) Write(p []byte) (int, error) {
	if !s.sent {
		s.sent = true
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			return 0, err
		}
	}
	return s.Buffer.Write(p)
}

// Shows the same of what is interpreted: of three scenarios the first is explored to the
// end, what is told of the second interrupts the command, and the third would take some
// millions of runs.
func TestExploreOfAWorkflowEndsWithItsAccount(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `provider "http" "shop" {
  base_url = "https://shop.test"
  timeout  = "1s"
}
workflow "w" {
  provider = provider.shop
  step "http" "look" { path = "/look" }
}
workflow "many" {
  provider   = provider.shop
  on_failure = "continue"
  step "loop" "outer" {
    max_iterations = 60
    step "http" "look" {
      path     = "/look"
      required = false
    }
  }
}
scenario "short" {
  run = workflow.w
  on "look" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
scenario "red" {
  run = workflow.w
  on "look" {
    reply { json = {} }
  }
  expect "run" { status = "failed" }
}
scenario "long" {
  run = workflow.many
  on "outer.look" {
    reply {
      json  = {}
      times = "*"
    }
  }
  expect "run" { status = "success" }
}
`
	if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"":       `(?s)nothing (else )?found among [0-9,]+ runs.* of CPU\n$`,
		"--json": `"type":"account","runs":[0-9]+,.*"complete":false`,
	} {
		args := []string{"explore", "--budget", "100000000runs"}
		if flag != "" {
			args = append(args, flag)
		}
		var out bytes.Buffer
		errs := &signaller{}
		code := run(args, strings.NewReader(""), &out, errs, noEnv)
		if code != 130 || !strings.Contains(errs.String(), "interrupted: 1 of 3 scenarios were explored to the end") || !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%q: exit code %d\n%s\n%s", flag, code, &out, errs)
		}
	}
}

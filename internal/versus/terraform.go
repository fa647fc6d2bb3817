package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A claim is what a test says of a call, in both languages.
type claim struct {
	what string
	// on and expect are a scenario's, mock and assert those of terraform test.
	on, expect, mock, assert string
}

var claims = []claim{
	{"a call is answered with a text", `reply { content = "a" }`, `expect "call" { content = "a" }`, `defaults = { output = "a" }`, `output.answer == "a"`},
	{"the same, wrongly expected", `reply { content = "a" }`, `expect "call" { content = "b" }`, `defaults = { output = "a" }`, `output.answer == "b"`},
	{"a call is refused", `fault "http_error" { status_code = 400 }`, `expect "run" { status = "failed" }`, `error = "400 Bad Request"`, `true`},
	{"a call is refused once, then answered", "fault \"http_error\" { status_code = 503 }\n    reply { content = \"a\" }", `expect "call" { retries = 1 }`, "defaults = { output = null }\n  }\n  mock_resource \"terraform_data\" {\n    defaults = { output = \"a\" }", `output.answer == "a"`},
	{"an answer comes after two hours", "reply {\n      content = \"a\"\n      latency = \"2h\"\n    }", `expect "call" { elapsed_ms = 7200000 }`, "defaults = { output = \"a\" }\n    delay    = \"2h\"", `output.answer == "a"`},
}

const claimScenario = `provider "openai" "api" { model = "m" }

retry "exponential" "std" {}

workflow "ask" {
  provider = provider.api
  step "llm" "call" {
    prompt = "x"
    retry  = retry.std
  }
}

scenario "claim" {
  run = workflow.ask
  on "call" {
    ON
  }
  EXPECT
}
`

// The resource is one that Terraform has without a provider of others, since
// only what a provider declares can be mocked.
const claimModule = `resource "terraform_data" "call" { input = "x" }

output "answer" { value = terraform_data.call.output }
`

const claimTest = `mock_provider "terraform" {
  mock_resource "terraform_data" {
    MOCK
  }
}

run "claim" {
  assert {
    condition     = ASSERT
    error_message = "another answer"
  }
}
`

// measureTerraform lets both tools judge every claim. The table is empty where
// there is neither Terraform nor OpenTofu.
func measureTerraform(stderr io.Writer) (string, error) {
	var tool string
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil && tool == "" {
			tool = path
		}
	}
	if tool == "" {
		fmt.Fprintln(stderr, "versus: without terraform test: there is neither terraform nor tofu")
		return "", nil
	}
	dir, err := os.MkdirTemp("", "versus")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var b strings.Builder
	theirs := ""
	for i, c := range claims {
		own := filepath.Join(dir, fmt.Sprint("claim", i))
		if err := c.write(own); err != nil {
			return "", err
		}
		here, err := judgedHere(own)
		if err != nil {
			return "", err
		}
		version, there, err := judgedThere(tool, own)
		if err != nil {
			return "", err
		}
		theirs = version
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.what, here, there)
	}
	return fmt.Sprintf("| a test says | scenario | %s |\n|---|---|---|\n", theirs) + b.String(), nil
}

func (c claim) write(dir string) error {
	return errors.Join(
		os.Mkdir(dir, 0o777),
		os.WriteFile(filepath.Join(dir, "claim.scenario.hcl"), []byte(strings.NewReplacer("ON", c.on, "EXPECT", c.expect).Replace(claimScenario)), 0o666),
		os.WriteFile(filepath.Join(dir, "main.tf"), []byte(claimModule), 0o666),
		os.WriteFile(filepath.Join(dir, "claim.tftest.hcl"), []byte(strings.NewReplacer("MOCK", c.mock, "ASSERT", c.assert).Replace(claimTest)), 0o666),
	)
}

// judgedHere is what scenario test says of the claim in a folder.
func judgedHere(dir string) (string, error) {
	out, _ := exec.Command("go", "run", "./cmd/scenario", "test", "--json", filepath.Join(dir, "claim.scenario.hcl")).Output()
	return verdict(out, func(event map[string]any) string {
		if event["type"] == "scenario" {
			return fmt.Sprint(event["status"])
		}
		return ""
	})
}

// judgedThere is what terraform test says, and its version. What it cannot read
// is told by the summaries of its errors.
func judgedThere(tool, dir string) (version, says string, err error) {
	initialise := exec.Command(tool, "init", "-no-color")
	initialise.Dir = dir
	// A test that does not load fails here already, and says so again below.
	_ = initialise.Run()
	test := exec.Command(tool, "test", "-json")
	test.Dir = dir
	out, _ := test.Output()
	says, err = verdict(out, func(event map[string]any) string {
		if v, ok := event["terraform"].(string); ok {
			version = "terraform test " + v
		}
		if v, ok := event["tofu"].(string); ok {
			version = "tofu test " + v
		}
		if run, ok := event["test_run"].(map[string]any); ok && run["status"] != nil {
			return fmt.Sprint(run["status"])
		}
		if d, ok := event["diagnostic"].(map[string]any); ok && d["severity"] == "error" {
			return fmt.Sprintf("cannot be said: %s", d["summary"])
		}
		return ""
	})
	return version, says, err
}

// verdict is what the first event of JSON Lines says that tells one.
func verdict(lines []byte, of func(map[string]any) string) (string, error) {
	says := ""
	for line := range bytes.Lines(lines) {
		var event map[string]any
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		if v := of(event); v != "" && says == "" {
			says = v
		}
	}
	if says == "" {
		return "", fmt.Errorf("no verdict in %q", lines)
	}
	return says, nil
}

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// askFile is a scenario that asks a model once, with retries.
const askFile = `
variable "api" {}

provider "openai" "primary" {
  base_url    = "${var.api}/v1"
  api_key_env = "STAND_IN_KEY"
}

retry "linear" "quick" { delay = "1ms" }

workflow "ask" {
  provider = provider.primary
  step "llm" "answer" {
    model  = "MODEL"
    prompt = "hello"
    retry  = retry.quick
    stream = STREAM
  }
}

scenario "asks" {
  run = workflow.ask
  cassette { path = "tapes/ask.yaml" }
  expect "answer" { content = "echo hello" }
}
`

// askSuite writes askFile for a model to a new folder and returns that. The model
// ends in -stream where the answer is one.
func askSuite(t *testing.T, model string) string {
	t.Helper()
	dir := t.TempDir()
	stream := "false"
	if strings.HasSuffix(model, "-stream") {
		stream = "true"
	}
	text := strings.NewReplacer("MODEL", model, "STREAM", stream).Replace(askFile)
	if err := os.WriteFile(filepath.Join(dir, "ask.scenario.hcl"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

const standInKey = "key-of-the-stand-in-0123456789"

// liveIn runs a command in a folder with a stand-in in reach, and returns all
// that it printed.
func liveIn(t *testing.T, dir string, s *standIn, args ...string) (string, int) {
	t.Helper()
	return commandIn(t, dir, s.env(), args...)
}

// env is how a scenario reaches the stand-in.
func (s *standIn) env() []string {
	return []string{"SCENARIO_VAR_api=" + s.URL, "STAND_IN_KEY=" + standInKey}
}

// commandIn runs a command in a folder, and returns all that it printed.
func commandIn(t *testing.T, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	c, out := command(t, dir, env, args...)
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), c.ProcessState.ExitCode()
}

// command is a process that has not begun, and what it will print.
func command(t *testing.T, dir string, env []string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	c := exec.Command(filepath.Join(commandDir(t), "scenario"), args...)
	out := &bytes.Buffer{}
	c.Dir, c.Stdout, c.Stderr = dir, out, out
	c.Env = append(cleanEnv(), env...)
	return c, out
}

// Shows that a recording holds what a provider answered, refusals, cut streams
// and resets included, that it replays with the same verdict when nothing can be
// reached any more, and that the key is in neither.
func TestRecordAndReplay(t *testing.T) {
	for model, attempts := range map[string]int{"plain": 1, "flaky": 3, "cut-stream": 2, "early-stream": 2, "plain-stream": 1} {
		t.Run(model, func(t *testing.T) {
			s, dir := standInFor(t), askSuite(t, model)
			out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl")
			if code != 0 {
				t.Fatalf("exit %d:\n%s", code, out)
			}
			if n := s.requests(); n != attempts {
				t.Errorf("%d requests, want %d", n, attempts)
			}
			text, err := os.ReadFile(filepath.Join(dir, "tapes", "ask.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), standInKey) || strings.Contains(string(text), "Authorization") {
				t.Errorf("the key is in\n%s", text)
			}
			if s.keys[0] != "Bearer "+standInKey {
				t.Errorf("sent %q", s.keys)
			}
			before := s.dialled
			out, code = liveIn(t, dir, s, "test", "ask.scenario.hcl")
			if code != 0 || s.dialled != before {
				t.Errorf("replay: exit %d, %d connections:\n%s\n%s", code, s.dialled-before, out, text)
			}
		})
	}
}

// Shows that run answers like record and writes nothing, and that a secret which
// the service repeats is not shown.
func TestRunWritesNothing(t *testing.T) {
	s, dir := standInFor(t), askSuite(t, "plain")
	out, code := liveIn(t, dir, s, "run", "ask.scenario.hcl")
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if code != 0 || len(left) != 1 || s.requests() != 1 {
		t.Errorf("exit %d, left %v, %d requests:\n%s", code, left, s.requests(), out)
	}
	dir = askSuite(t, "leaky")
	out, code = liveIn(t, dir, s, "run", "-v", "ask.scenario.hcl")
	if code != 1 || strings.Contains(out, standInKey) || !strings.Contains(out, "no such key: <REDACTED") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows that test reaches nothing, whatever the scenario lacks.
func TestTestDialsNothing(t *testing.T) {
	s, dir := standInFor(t), askSuite(t, "plain")
	text, err := os.ReadFile(filepath.Join(dir, "ask.scenario.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	without := strings.Replace(string(text), `cassette { path = "tapes/ask.yaml" }`, "", 1)
	if err := os.WriteFile(filepath.Join(dir, "ask.scenario.hcl"), []byte(without), 0o666); err != nil {
		t.Fatal(err)
	}
	out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl")
	if code != 1 || s.dialled != 0 || !strings.Contains(out, "nothing answers attempt 1") {
		t.Errorf("exit %d, %d connections:\n%s", code, s.dialled, out)
	}
}

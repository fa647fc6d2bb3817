package main

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mockFixtures are what aimock serves: a refusal and then an answer, and a
// stream that is cut.
const mockFixtures = `{"fixtures": [
	{"match": {"userMessage": "flaky", "sequenceIndex": 0}, "response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429}},
	{"match": {"userMessage": "flaky"}, "response": {"content": "in the end"}},
	{"match": {"userMessage": "cut"}, "chunkSize": 4, "truncateAfterChunks": 3, "response": {"content": "a stream that ends early"}},
	{"match": {"userMessage": "stream"}, "chunkSize": 4, "response": {"content": "a whole stream"}}]}`

const mockScenarios = `
variable "api" {}

provider "openai" "primary" {
  model    = "m"
  base_url = "${var.api}/v1"
}

retry "linear" "quick" { delay = "1ms" }

workflow "ask" {
  provider = provider.primary
  inputs   = { prompt = null }

  step "llm" "answer" {
    prompt = input.prompt
    stream = STREAM
    retry  = retry.quick
  }
}

scenario "asks" {
  run    = workflow.ask
  inputs = { prompt = "PROMPT" }
  cassette { path = "tapes/ask.yaml" }
  expect "run" { status = "STATUS" }
}
`

// Shows that what aimock answers, software that nobody here wrote, is recorded,
// has the same shape when it is asked again, and replays with the same verdict
// when aimock is gone. It runs where SCENARIO_NODE_MODULES names a folder that
// has @copilotkit/aimock.
func TestRecordsAIMock(t *testing.T) {
	cli := filepath.Join(os.Getenv("SCENARIO_NODE_MODULES"), "@copilotkit", "aimock", "dist", "cli.js")
	if _, err := os.Stat(cli); err != nil || os.Getenv("SCENARIO_NODE_MODULES") == "" {
		t.Skip("0 recordings of aimock: SCENARIO_NODE_MODULES names no folder that has it")
	}
	for prompt, want := range map[string]struct{ stream, status string }{
		"flaky": {"false", "success"}, "stream": {"true", "success"}, "cut": {"true", "failed"},
	} {
		t.Run(prompt, func(t *testing.T) {
			dir := t.TempDir()
			text := strings.NewReplacer("PROMPT", prompt, "STREAM", want.stream, "STATUS", want.status).Replace(mockScenarios)
			if err := os.WriteFile(filepath.Join(dir, "ask.scenario.hcl"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			url, stop := startAIMock(t, cli)
			run := func(args ...string) {
				t.Helper()
				if out, code := commandIn(t, dir, []string{"SCENARIO_VAR_api=" + url}, args...); code != 0 {
					t.Errorf("%q: exit %d\n%s", args, code, out)
				}
			}
			run("record", "ask.scenario.hcl")
			run("record", "--check", "ask.scenario.hcl")
			stop()
			run("test", "ask.scenario.hcl")
		})
	}
}

// startAIMock runs aimock until stop is called.
func startAIMock(t *testing.T, cli string) (url string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	if err := os.WriteFile(fixtures, []byte(mockFixtures), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", cli, "--port", port, "--fixtures", fixtures)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = c.Stdout
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	}
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), port) {
			return "http://127.0.0.1:" + port, stop
		}
	}
	t.Fatal("aimock does not listen")
	return "", nil
}

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that every command which has --trace-out writes the file, with what was asked in it. That of serve
// is read by TestServeEndsWithASignal.
func TestEveryCommandWritesTheTraceItIsAskedFor(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"ok": true}`))
	}))
	defer service.Close()
	const asks = `provider "http" "api" { base_url = "SERVICE" }
workflow "w" {
  step "http" "get" {
    provider = provider.api
    path     = "/x"
  }
}
`
	files := map[string]string{
		"test.scenario.hcl":   asks + "scenario \"s\" {\n  run = workflow.w\n  on \"get\" {\n    reply { json = { ok = true } }\n  }\n  expect \"get\" { json = { ok = true } }\n  assert \"a\" { condition = endswith(step.get.attempts[0].request.url, \"/x\") }\n}\n",
		"live.scenario.hcl":   asks + "scenario \"s\" {\n  run = workflow.w\n  expect \"get\" { json = { ok = true } }\n}\n",
		"record.scenario.hcl": asks + "scenario \"s\" {\n  run = workflow.w\n  cassette { path = \"c.yaml\" }\n  expect \"get\" { json = { ok = true } }\n}\n",
		"exec.scenario.hcl":   "provider \"http\" \"api\" { base_url = \"http://api.test\" }\nscenario \"s\" {\n  sut {\n    command = [\"curl\", \"-sS\", provider.api.url]\n  }\n  on \"api\" {\n    reply { json = {} }\n  }\n  assert \"a\" { condition = endpoint.api.attempts[0].request.url == \"http://api.test/\" }\n}\n",
		"bench.scenario.hcl":  "bench \"b\" {\n  cases = [\"cases.jsonl\"]\n  sut {\n    command = [\"cat\"]\n    stdin   = jsonencode(case.input)\n    output  = \"process\"\n  }\n  rubric { passed = strcontains(output.stdout, \"why\") }\n  gate \"g\" { lower_bound = 0.1 }\n}\n",
		"cases.jsonl":         strings.Join([]string{`{"id": "a", "question": "why"}`, `{"id": "b", "question": "why not"}`, `{"id": "c", "question": "why me"}`, `{"id": "d", "question": "why you"}`, `{"id": "e", "question": "why now"}`}, "\n"),
	}
	calls := map[string][][]string{
		"test":   {{"test", "--trace-out", "t.jsonl", "test.scenario.hcl"}},
		"run":    {{"run", "--trace-out", "t.jsonl", "live.scenario.hcl"}},
		"record": {{"record", "--trace-out", "t.jsonl", "record.scenario.hcl"}},
		"exec":   {{"exec", "--trace-out", "t.jsonl", "exec.scenario.hcl"}},
		"bench":  {{"bench", "--state", "state", "--trace-out", "t.jsonl", "bench.scenario.hcl"}},
		"merge":  {{"test", "--report", "merge=m", "--trace-out", "first", "test.scenario.hcl"}, {"merge", "--trace-out", "t.jsonl", "m"}},
	}
	elsewhere := map[string]bool{"serve": true}
	for _, cmd := range withFlag(root(&cli.App{Env: noEnv}), "trace-out") {
		name := cmd.Name()
		if elsewhere[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, text := range files {
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "SERVICE", service.URL)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if len(calls[name]) == 0 {
				t.Fatalf("scenario %s has --trace-out: add a call of it", name)
			}
			for _, args := range calls[name] {
				var out, errs bytes.Buffer
				if code := run(args, strings.NewReader(""), &out, &errs, noEnv); code != 0 {
					t.Fatalf("%v: exit %d\n%s%s", args, code, &out, &errs)
				}
			}
			written, err := os.ReadFile("t.jsonl")
			has := `"type":"attempt_start"`
			if name == "bench" {
				has = `"case":"c"`
			}
			if err != nil || !strings.Contains(string(written), has) {
				t.Errorf("%v: the trace is\n%s", err, written)
			}
		})
	}
}

// withFlag are the commands that have a flag.
func withFlag(cmd *cobra.Command, name string) (list []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		list = append(list, withFlag(sub, name)...)
	}
	if cmd.LocalFlags().Lookup(name) != nil && cmd.Runnable() {
		list = append(list, cmd)
	}
	return list
}

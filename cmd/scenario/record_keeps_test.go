package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fourKinds are scenarios that share a cassette: what one of them records is no reason
// to touch what is there of the others.
const fourKinds = `
variable "api" {}
provider "openai" "llm" {
  model       = "plain"
  base_url    = "${var.api}/v1"
  api_key_env = "STAND_IN_KEY"
}
workflow "ask" {
  provider = provider.llm
  step "llm" "first" { prompt = "one" }
  step "llm" "second" { prompt = "two" }
}
scenario "chosen" {
  run = workflow.ask
  cassette { path = "ask.yaml" }
  expect "run" { status = "success" }
}
scenario "left out" {
  run  = workflow.ask
  SKIP
  cassette { path = "ask.yaml" }
  expect "run" { status = "success" }
}
scenario "not selected" {
  run = workflow.ask
  cassette { path = "ask.yaml" }
  expect "run" { status = "success" }
}
scenario "of a program" {
  sut { command = ["python3", "ask.py"] }
  cassette { path = "ask.yaml" }
  expect "run" { status = "success" }
}
`

const askProgram = `
import json, os, sys, urllib.request
for question in os.environ.get("QUESTIONS", "three four").split():
    if question == "die":
        sys.exit("no more")
    body = json.dumps({"model": "plain", "messages": [{"role": "user", "content": question}]}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers), timeout=10).read()
`

// Shows for every command that writes cassettes that what was recorded of a scenario
// which it does not run stays, byte for byte, whatever keeps it from running: that it is
// one of a program or of a workflow, skip, --run, or a failure before it.
func TestRecordingsOfWhatIsNotRunStay(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	s, dir := standInFor(t), t.TempDir()
	env := append(s.env(), "OPENAI_API_KEY="+standInKey)
	must := func(args ...string) {
		t.Helper()
		if out, code := commandIn(t, dir, env, args...); code != 0 {
			t.Fatalf("%s: exit %d:\n%s", args, code, out)
		}
	}
	writeIn(t, dir, "ask.py", askProgram)
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(fourKinds, "SKIP", "", 1))
	must("record", "ask.scenario.hcl")
	must("exec", "--live", "ask.scenario.hcl")
	before, err := os.ReadFile(filepath.Join(dir, "ask.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(before), "\n- request:"); n != 8 {
		t.Fatalf("%d interactions are recorded, want 8:\n%s", n, before)
	}
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(fourKinds, "SKIP", `skip = "not today"`, 1))

	workflows := []string{"chosen", "not selected"}
	for _, c := range []struct {
		command string
		runs    []string
		env     string
	}{
		{"record ask.scenario.hcl", workflows, ""},
		{"record --run ^chosen$ ask.scenario.hcl", workflows[:1], ""},
		{"record --run left ask.scenario.hcl", nil, ""},
		{"record --run program ask.scenario.hcl", nil, ""},
		{"record --step second ask.scenario.hcl", workflows, ""},
		{"record --missing ask.scenario.hcl", nil, ""},
		{"record --drifted ask.scenario.hcl", nil, ""},
		{"record --fail-fast ask.scenario.hcl", workflows[:1], "STAND_IN_KEY="},
		{"record --check ask.scenario.hcl", nil, ""},
		{"exec --live ask.scenario.hcl", []string{"of a program"}, ""},
		{"exec --live=llm ask.scenario.hcl", []string{"of a program"}, ""},
		{"exec --live --run chosen ask.scenario.hcl", nil, ""},
		{"exec --missing ask.scenario.hcl", nil, ""},
		{"exec --drifted ask.scenario.hcl", nil, ""},
		{"exec --drifted ask.scenario.hcl", []string{"of a program"}, "QUESTIONS=three five"},
		{"exec --live ask.scenario.hcl", nil, "QUESTIONS="},
		{"exec --live ask.scenario.hcl", nil, "QUESTIONS=die"},
		{"exec --live ask.scenario.hcl", nil, "QUESTIONS=three die"},
		{"exec --drifted ask.scenario.hcl", nil, "QUESTIONS=five die"},
		{"exec --live=llm ask.scenario.hcl", nil, "QUESTIONS=die"},
		{"exec --live=llm ask.scenario.hcl", []string{"of a program"}, "QUESTIONS=three die"},
		{"cassette gc --write ask.scenario.hcl", nil, ""},
		{"cassette seal ask.yaml", nil, ""},
		{"record --recover ask.scenario.hcl", nil, ""},
	} {
		writeIn(t, dir, "ask.yaml", string(before))
		out, code := commandIn(t, dir, append(env, c.env), strings.Fields(c.command)...)
		after, err := os.ReadFile(filepath.Join(dir, "ask.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"chosen", "left out", "not selected", "of a program"} {
			was, is := itemTexts(string(before), name), itemTexts(string(after), name)
			ran := false
			for _, r := range c.runs {
				ran = ran || r == name
			}
			if !ran && was != is {
				t.Errorf("%s %s (exit %d) changes what was recorded of %q:\n%s\nnow:\n%s", c.env, c.command, code, name, out, is)
			}
			if c.env == "" && ran && code == 0 && is == was {
				t.Errorf("%s: of %q nothing was recorded anew, so this shows nothing:\n%s", c.command, name, out)
			}
		}
		if c.runs == nil && string(before) != string(after) {
			t.Errorf("%s %s (exit %d) writes the file:\n%s", c.env, c.command, code, out)
		}
	}
}

// Shows that a recording with less than the file holds is refused with exit code 4, and
// says what to do.
func TestLessIsNotRecorded(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	s, dir := standInFor(t), t.TempDir()
	env := append(s.env(), "OPENAI_API_KEY="+standInKey)
	writeIn(t, dir, "ask.py", askProgram)
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(fourKinds, "SKIP", "", 1))
	if out, code := commandIn(t, dir, env, "exec", "--live", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	for _, c := range []struct{ questions, command, want string }{
		{"", "exec --live ask.scenario.hcl", `ask.yaml is unchanged: it holds 2 interactions of scenario "of a program", and now it asked no service`},
		{"die", "exec --live=llm ask.scenario.hcl", "and now it asked no service"},
		{"three die", "exec --live ask.scenario.hcl", "and now its run failed after 1\n"},
		{"three die", "exec --live ask.scenario.hcl", "if this is to be kept, name what to record: scenario exec --live=llm ask.scenario.hcl\n"},
		{"five die", "exec --drifted ask.scenario.hcl", "and now its run failed after 1\n"},
	} {
		out, code := commandIn(t, dir, append(env, "QUESTIONS="+c.questions), strings.Fields(c.command)...)
		if code != 4 || !strings.Contains(out, c.want) {
			t.Errorf("%s, asking %q: exit %d, want 4 and %q:\n%s", c.command, c.questions, code, c.want, out)
		}
	}
	out, code := commandIn(t, dir, env, "record", "--run", "program", "ask.scenario.hcl")
	if want := "scenario exec --live ask.scenario.hcl records it"; code != 5 || !strings.Contains(out, want) {
		t.Errorf("record: exit %d, want 5 and %q:\n%s", code, want, out)
	}
}

// itemTexts are the interactions of a scenario, as they stand in a file.
func itemTexts(file, scenario string) string {
	var mine []string
	body, _, _ := strings.Cut(file, "\nx-scenario-end:")
	for _, item := range strings.Split(body, "\n- request:")[1:] {
		if strings.Contains(item, "\n    scenario: "+scenario+"\n") {
			mine = append(mine, item)
		}
	}
	return strings.Join(mine, "\n")
}

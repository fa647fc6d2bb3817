package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
)

// twoSteps is a scenario of two steps, one after the other.
const twoSteps = `
variable "api" {}
provider "openai" "primary" {
  model       = "plain"
  base_url    = "${var.api}/v1"
  api_key_env = "STAND_IN_KEY"
}
workflow "ask" {
  provider = provider.primary
  step "llm" "first" { prompt = "one" }
  step "llm" "second" { prompt = "two, ${step.first.content}" }
}
scenario "asks" {
  run = workflow.ask
  cassette { path = "ask.yaml" }
  expect "second" { content = "echo two, echo one" }
}
`

func writeIn(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func cassetteIn(t *testing.T, dir string) *cassette.Cassette {
	t.Helper()
	c, err := cassette.Load(filepath.Join(dir, "ask.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Shows that --step dials for one step alone and leaves the others' recording,
// that --missing dials for what nothing answers, that what is there is played
// in their place, and that a step nobody has is named.
func TestRecordPartOfAFile(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	writeIn(t, dir, "ask.scenario.hcl", twoSteps)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 || s.requests() != 2 {
		t.Fatalf("exit %d, %d requests:\n%s", code, s.requests(), out)
	}
	before := cassetteIn(t, dir)
	out, code := liveIn(t, dir, s, "record", "--step", "second", "ask.scenario.hcl")
	after := cassetteIn(t, dir)
	if code != 0 || s.requests() != 3 || len(after.Interactions) != 2 {
		t.Fatalf("exit %d, %d requests, %d interactions:\n%s", code, s.requests(), len(after.Interactions), out)
	}
	if first := string(after.Interactions[0].Response.Body()); first != string(before.Interactions[0].Response.Body()) || !strings.Contains(first, `"id":"c1"`) {
		t.Errorf("the first step is now %s", first)
	}
	if second := string(after.Interactions[1].Response.Body()); !strings.Contains(second, `"id":"c3"`) {
		t.Errorf("the second step is %s", second)
	}
	if out, code := liveIn(t, dir, s, "record", "--missing", "ask.scenario.hcl"); code != 0 || s.requests() != 3 {
		t.Errorf("exit %d, %d requests:\n%s", code, s.requests(), out)
	}
	longer := strings.Replace(twoSteps, `  step "llm" "second"`, "  step \"llm\" \"third\" { prompt = \"three\" }\n  step \"llm\" \"second\"", 1)
	writeIn(t, dir, "ask.scenario.hcl", longer)
	if out, code := liveIn(t, dir, s, "record", "--missing", "ask.scenario.hcl"); code != 0 || s.requests() != 4 || len(cassetteIn(t, dir).Interactions) != 3 {
		t.Errorf("exit %d, %d requests, %d interactions:\n%s", code, s.requests(), len(cassetteIn(t, dir).Interactions), out)
	}
	if out, code := liveIn(t, dir, s, "record", "--step", "secnd", "ask.scenario.hcl"); code != 2 || !strings.Contains(out, `Did you mean "second"?`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows what record refuses before anything is dialled: a build without --yes,
// a scenario without a cassette, a key that is not set.
func TestRecordRefuses(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	writeIn(t, dir, "ask.scenario.hcl", twoSteps)
	run := func(env string, args ...string) (string, int) {
		t.Helper()
		return commandIn(t, dir, []string{"SCENARIO_VAR_api=" + s.URL, env}, args...)
	}
	if out, code := run("CI=true", "record", "ask.scenario.hcl"); code != 2 || !strings.Contains(out, "--yes") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := run("X=1", "record", "ask.scenario.hcl"); code != 1 || !strings.Contains(out, "STAND_IN_KEY, which is not set") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(twoSteps, `cassette { path = "ask.yaml" }`, "", 1))
	if out, code := run("X=1", "record", "ask.scenario.hcl"); code != 2 || !strings.Contains(out, "names no cassette") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if s.requests() != 0 || len(left) != 1 {
		t.Errorf("%d requests, left %v", s.requests(), left)
	}
}

// Shows that a recording whose process is killed loses nothing that was
// answered: the file stays as it was, the next recording says what is left, and
// --recover puts it into the file.
func TestRecordSurvivesAKill(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	s.hold(0)
	file := strings.Replace(twoSteps, `step "llm" "second" { prompt = "two, ${step.first.content}" }`, "step \"llm\" \"second\" {\n    prompt = \"two, ${step.first.content}\"\n    stream = true\n  }", 1)
	writeIn(t, dir, "ask.scenario.hcl", file)
	c, _ := started(t, dir, s)
	<-s.streaming // the first step was answered, and the second is on its way
	_ = c.Process.Signal(syscall.SIGKILL)
	_ = c.Wait()
	close(s.resume)
	go func() {
		for range s.streaming {
		}
	}()
	if _, err := os.Stat(filepath.Join(dir, "ask.yaml")); !os.IsNotExist(err) {
		t.Errorf("the cassette: %v", err)
	}
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 4 || !strings.Contains(out, "scenario record --recover ask.scenario.hcl") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := liveIn(t, dir, s, "record", "--recover", "ask.scenario.hcl"); code != 0 || !strings.Contains(out, "ask.yaml: recovered 1 interaction\nhint: steps that it did not reach are unchanged; scenario test ask.scenario.hcl shows") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if c := cassetteIn(t, dir); len(c.Interactions) != 1 || c.Interactions[0].Step != "first" {
		t.Errorf("%+v", c.Interactions)
	}
	if out, code := liveIn(t, dir, s, "record", "--missing", "ask.scenario.hcl"); code != 0 || len(cassetteIn(t, dir).Interactions) != 2 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows that a part of a file of another tool, or of one that was converted from
// it, is refused before anything is dialled, that what is missing in it is
// refused where it is dialled, and that neither leaves anything behind; the whole
// file is recorded anew.
func TestRecordOverAFileOfAnotherTool(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	writeIn(t, dir, "ask.scenario.hcl", twoSteps)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	for _, args := range [][]string{{"ask.yaml", "--to", "go-vcr-1", "-o", "vcr.yaml"}, {"vcr.yaml", "-o", "ours.yaml"}} {
		if out, code := liveIn(t, dir, s, append([]string{"cassette", "convert"}, args...)...); code != 0 {
			t.Fatalf("exit %d:\n%s", code, out)
		}
	}
	before := s.requests()
	for name, want := range map[string]string{"vcr": "is of the format go-vcr 1", "ours": "2 of its interactions name no step"} {
		writeIn(t, dir, name+".scenario.hcl", strings.Replace(twoSteps, "ask.yaml", name+".yaml", 1))
		if out, code := liveIn(t, dir, s, "record", "--step", "second", name+".scenario.hcl"); code != 4 || !strings.Contains(out, want) || s.requests() != before {
			t.Errorf("exit %d, %d requests:\n%s", code, s.requests()-before, out)
		}
	}
	writeIn(t, dir, "vcr.scenario.hcl", strings.NewReplacer("ask.yaml", "vcr.yaml", "two, ", "three, ").Replace(twoSteps))
	if out, code := liveIn(t, dir, s, "record", "--missing", "vcr.scenario.hcl"); code != 1 || !strings.Contains(out, "is of the format go-vcr 1") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.journal")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	writeIn(t, dir, "vcr.scenario.hcl", strings.Replace(twoSteps, "ask.yaml", "vcr.yaml", 1))
	if out, code := liveIn(t, dir, s, "record", "vcr.scenario.hcl"); code != 0 || !strings.Contains(out, "recorded 2 interactions, 2 in all") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := liveIn(t, dir, s, "record", "--recover", "--step", "second", "vcr.scenario.hcl"); code != 2 || !strings.Contains(out, "cannot be combined with") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows that Ctrl-C in the middle of an answer leaves the file as it was, and that
// the exchange it cut off is no recording: what is recovered are the answers that
// came, and of the other step what was there before.
func TestRecordIsInterrupted(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	file := strings.Replace(twoSteps, `step "llm" "second" { prompt = "two, ${step.first.content}" }`, "step \"llm\" \"second\" {\n    prompt = \"two, ${step.first.content}\"\n    stream = true\n  }", 1)
	writeIn(t, dir, "ask.scenario.hcl", file)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	s.hold(0)
	c, out := started(t, dir, s)
	<-s.streaming // the first step was answered, and the second is on its way
	_ = c.Process.Signal(syscall.SIGINT)
	_ = c.Wait()
	close(s.resume)
	go func() {
		for range s.streaming {
		}
	}()
	if code := c.ProcessState.ExitCode(); code != 130 || !strings.Contains(out.String(), "ask.yaml is unchanged: the run was interrupted\nhint: scenario record --recover ask.scenario.hcl keeps 1 interaction of") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if said := out.String(); !strings.Contains(said, "0 failed, 0 errored, 1 skipped") || !strings.Contains(said, "interrupted: 1 of 1 scenarios were not run") {
		t.Errorf("what was cut off has a result:\n%s", said)
	}
	if out, code := liveIn(t, dir, s, "record", "--recover", "ask.scenario.hcl"); code != 0 || !strings.Contains(out, "ask.yaml: recovered 1 interaction") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 || len(cassetteIn(t, dir).Interactions) != 2 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows that a step of a workflow that another step runs is dialled and
// recorded by its address, and that the key it sends is hidden where the
// service repeats it.
func TestRecordInnerSteps(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	text := strings.Replace(twoSteps, `scenario "asks"`, "workflow \"outer\" {\n  step \"workflow\" \"part\" { run = workflow.ask }\n}\n\nscenario \"asks\"", 1)
	text = strings.NewReplacer("run = workflow.ask\n  cassette", "run = workflow.outer\n  cassette", `  expect "second" { content = "echo two, echo one" }`, `  expect "run" { status = "failed" }`, `"plain"`, `"leaky"`).Replace(text)
	writeIn(t, dir, "ask.scenario.hcl", text)
	out, code := liveIn(t, dir, s, "record", "-v", "ask.scenario.hcl")
	if code != 0 || strings.Contains(out, standInKey) {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "ask.yaml"))
	if err != nil || strings.Contains(string(data), standInKey) || !strings.Contains(string(data), "step: part.first") {
		t.Errorf("%v\n%s", err, data)
	}
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 {
		t.Errorf("replay: exit %d:\n%s", code, out)
	}
}

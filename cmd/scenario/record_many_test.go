package main

import (
	"bytes"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette"
)

// shared is a file with two scenarios in one cassette.
const shared = `
variable "api" {}
provider "openai" "primary" {
  model       = "plain"
  base_url    = "${var.api}/v1"
  api_key_env = "STAND_IN_KEY"
}
workflow "one" {
  provider = provider.primary
  step "llm" "first" { prompt = "one" }
  step "llm" "second" { prompt = "two" }
}
workflow "other" {
  provider = provider.primary
  step "llm" "first" { prompt = "three" }
}
scenario "red" {
  run = workflow.one
  cassette { path = "ask.yaml" }
  expect "second" { content = "echo two" }
}
scenario "blue" {
  run = workflow.other
  cassette { path = "ask.yaml" }
  expect "first" { content = "echo three" }
}
`

// itemsOf are the interactions of a file as they stand in it.
func itemsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "ask.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(data), "\nx-scenario-end:")
	items := map[string]string{}
	for _, item := range strings.Split(text, "\n- request:")[1:] {
		field := func(name string) string {
			_, rest, _ := strings.Cut(item, "\n    "+name+": ")
			value, _, _ := strings.Cut(rest, "\n")
			return value
		}
		items[field("scenario")+"/"+field("step")] = item
	}
	return items
}

// Shows that recording one scenario, or one step, of a shared file leaves every
// other interaction byte by byte as it was.
func TestRecordPartOfASharedFile(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	writeIn(t, dir, "ask.scenario.hcl", shared)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	for _, c := range []struct {
		args    []string
		changed string
	}{
		{[]string{"--run", "blue"}, "blue/first"},
		{[]string{"--run", "red", "--step", "second"}, "red/second"},
		{[]string{"--step", "first"}, "blue/first red/first"},
	} {
		before := itemsOf(t, dir)
		if out, code := liveIn(t, dir, s, append([]string{"record", "ask.scenario.hcl"}, c.args...)...); code != 0 {
			t.Fatalf("exit %d:\n%s", code, out)
		}
		var changed []string
		after := itemsOf(t, dir)
		for _, name := range []string{"blue/first", "red/first", "red/second"} {
			if after[name] != before[name] {
				changed = append(changed, name)
			}
		}
		if got := strings.Join(changed, " "); got != c.changed || len(after) != 3 {
			t.Errorf("%v changed %q of %d, want %q", c.args, got, len(after), c.changed)
		}
	}
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// started is a recording in a process of its own.
func started(t *testing.T, dir string, s *standIn, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	c, out := command(t, dir, s.env(), append([]string{"record", "ask.scenario.hcl"}, args...)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, out
}

// Shows that of two processes that record into one file the second is refused
// while the first goes on, with the number of that process, and spoils nothing.
func TestTwoProcessesOneCassette(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	s.hold(0)
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(twoSteps, `prompt = "one" }`, "\n    prompt = \"one\"\n    stream = true\n  }", 1))
	first, firstOut := started(t, dir, s)
	<-s.streaming
	second, secondOut := started(t, dir, s)
	_ = second.Wait()
	if code := second.ProcessState.ExitCode(); code != 4 || !strings.Contains(secondOut.String(), "another recording is writing the file") {
		t.Errorf("exit %d:\n%s", code, secondOut)
	}
	for range 2 {
		s.resume <- struct{}{}
		<-s.streaming
	}
	s.resume <- struct{}{}
	if err := first.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, firstOut)
	}
	if c := cassetteIn(t, dir); len(c.Interactions) != 2 {
		t.Errorf("%d interactions", len(c.Interactions))
	}
}

// Shows that a recording may be killed at any moment: the file is the old one
// or the new one, and what the journal holds can be recovered or, where there is
// none, the next recording begins at once.
func TestKillsAtRandomPoints(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	writeIn(t, dir, "ask.scenario.hcl", shared)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewSource(seed))
	killed := 0
	for range 24 {
		c, _ := started(t, dir, s)
		time.AfterFunc(time.Duration(random.Intn(60))*time.Millisecond, func() { _ = c.Process.Signal(syscall.SIGKILL) })
		if err := c.Wait(); err != nil {
			killed++
		}
		path := filepath.Join(dir, "ask.yaml")
		recorded, err := cassette.Load(path)
		if err != nil || len(recorded.Interactions) != 3 {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if _, err := cassette.Recover(path, []string{"red", "blue"}); err != nil {
			t.Fatalf("seed %d: recovery: %v", seed, err)
		}
		if recorded, err = cassette.Load(path); err != nil || len(recorded.Interactions) != 3 {
			t.Fatalf("seed %d: after the recovery: %v", seed, err)
		}
		r, err := cassette.NewRecorder(path, cassette.RecordOptions{})
		if err != nil {
			t.Fatalf("seed %d: the next recording: %v", seed, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of 24 were killed on their way", killed)
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows that a live run ends at its --timeout, keeps what was answered, and
// leaves the file as it was.
func TestRecordTimeout(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	s.hold(9)
	defer close(s.resume)
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(twoSteps, `prompt = "two, ${step.first.content}" }`, "\n    prompt = \"two\"\n    stream = true\n  }", 1))
	out, code := liveIn(t, dir, s, "record", "--timeout", "1s", "ask.scenario.hcl")
	if code == 0 || len(s.streaming) > 0 && (!strings.Contains(out, "ask.yaml is unchanged") || !strings.Contains(out, "--recover")) {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if len(s.streaming) == 0 {
		return // the machine was too slow for the first answer
	}
	if out, code := liveIn(t, dir, s, "record", "--recover", "ask.scenario.hcl"); code != 0 || !strings.Contains(out, "recovered") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Shows that a fault around replay {} disturbs what the service answered in a
// live run, that the recording holds the answer as it was, and that its replay
// meets the same fault.
func TestRecordUnderAFault(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	text := strings.Replace(twoSteps, `expect "second" { content = "echo two, echo one" }`,
		"on \"first\" {\n    fault \"malformed_response\" {\n      replay {}\n    }\n  }\n  expect \"run\" { status = \"failed\" }", 1)
	writeIn(t, dir, "ask.scenario.hcl", text)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 || s.requests() != 1 {
		t.Fatalf("exit %d, %d requests\n%s", code, s.requests(), out)
	}
	if c := cassetteIn(t, dir); len(c.Interactions) != 1 || !strings.Contains(string(c.Interactions[0].Response.Body()), `"content":"echo one"`) {
		t.Errorf("%+v", c.Interactions)
	}
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 || s.requests() != 1 {
		t.Errorf("exit %d, %d requests\n%s", code, s.requests(), out)
	}
}

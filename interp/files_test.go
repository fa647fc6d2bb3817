package interp

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/trace"
)

const readsAFile = `
provider "openai" "p" { model = "m" }
workflow "w" {
  provider = provider.p
  step "llm" "a" { prompt = file("prompt.txt") }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "b" }
  }
  assert "it asks what the file says" { condition = step.a.attempts[0].request.json.messages[0].content == "first" }
}`

// What file() gives is part of the plan: it is read once, before the run, and
// another content is another plan.
func TestFilesArePartOfThePlan(t *testing.T) {
	disk := fstest.MapFS{"prompt.txt": {Data: []byte("first")}}
	compileIt := func() *Plan {
		t.Helper()
		file, diags := dsl.Parse("f.scenario.hcl", []byte(readsAFile))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		suite, diags := Compile(file, Options{Files: stdlib.Files{FS: disk}})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return suite.Plans[0]
	}
	p := compileIt()
	hash := p.Hash()
	disk["prompt.txt"] = &fstest.MapFile{Data: []byte("second")}
	if r := Run(p, RunOptions{}); r.Verdict != Pass {
		t.Errorf("the run read the disk: %s", told(r))
	}
	if compileIt().Hash() == hash {
		t.Error("another content of the file gives the same plan")
	}
	disk["prompt.txt"] = &fstest.MapFile{Data: []byte("first")}
	if compileIt().Hash() != hash {
		t.Error("the same content of the file gives another plan")
	}
}

// A path that only the run would know is refused, because a run reads nothing.
func TestFilePathsAreKnownBeforeTheRun(t *testing.T) {
	src := strings.Replace(readsAFile, `  step "llm" "a" { prompt = file("prompt.txt") }
`, `  step "llm" "a" { prompt = file(step.b.output) }
  step "value" "b" { value = "prompt.txt" }
`, 1)
	file, diags := dsl.Parse("f.scenario.hcl", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, diags = Compile(file, Options{Files: stdlib.Files{FS: fstest.MapFS{}}})
	if !diags.HasErrors() || diags[0].Summary != "Path that is not known before the run" {
		t.Errorf("%v", diags)
	}
}

// Traces call a file by its place in the suite, so that they are the same
// wherever the command was started.
func TestPlaceInTraces(t *testing.T) {
	src := strings.Replace(readsAFile, `file("prompt.txt")`, `"first"`, 1)
	src = strings.Replace(src, `reply { content = "b" }`, "fault \"connection_refused\" {}", 1)
	var traces []string
	for _, path := range []string{"f.scenario.hcl", "/somewhere/suite/sub/f.scenario.hcl"} {
		file, _ := dsl.Parse(path, []byte(src))
		suite, diags := Compile(file, Options{Place: "sub/f.scenario.hcl"})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var b strings.Builder
		r := Run(suite.Plans[0], RunOptions{})
		if err := trace.WriteTo(&b, r.Header(), r.Events); err != nil {
			t.Fatal(err)
		}
		traces = append(traces, b.String())
	}
	if traces[0] != traces[1] || !strings.Contains(traces[0], `"file":"sub/f.scenario.hcl"`) {
		t.Errorf("the traces are\n%s\nand\n%s", traces[0], traces[1])
	}
}

// Numbers keep their digits on the wire, in what is read and in the trace.
func TestLongNumbersKeepTheirDigits(t *testing.T) {
	r := play(t, `
workflow "w" {
  provider = provider.api
  step "http" "a" {
    method = "POST"
    path   = "/"
    json   = { id = 9007199254740993, share = 0.1 }
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { json = { id = 9007199254740995 } }
  }
  expect "a" { json = { id = 9007199254740995 } }
  assert "sent" { condition = strcontains(step.a.attempts[0].request.body, "9007199254740993") && step.a.attempts[0].request.json.share == 0.1 }
}`)
	if r.Verdict != Pass {
		t.Error(told(r))
	}
	if tr := traceOf(t, r); !strings.Contains(tr, `{"id":9007199254740995}`) {
		t.Errorf("the trace lost digits:\n%s", tr)
	}
}

package interp

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// A scenario stands for ten thousand others at most, and a
// dynamic block for as many.
func TestExpansionLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles ten thousand scenarios")
	}
	const world = testWorld + askOnce
	if plans := mustCompile(t, world+`
scenario "s" {
  run = workflow.w
  matrix {
    a = range(100)
    b = range(100)
  }
  on "ask" {
    reply { content = "${matrix.a} ${matrix.b}" }
  }
  expect "ask" { content = "${matrix.a} ${matrix.b}" }
}`); len(plans) != 10000 || plans[9999].Name != "s[a=99,b=99]" || Run(plans[9999], RunOptions{}).Verdict != Pass {
		t.Errorf("%d plans", len(plans))
	}
	generated := func(n int) []byte {
		return []byte(world + fmt.Sprintf(`
scenario "s" {
  run = workflow.w
  on "ask" {
    dynamic "reply" {
      for_each = slice(flatten([for i in range(101) : range(100)]), 0, %d)
      content {
        content  = "${reply.key} ${reply.value}"
        optional = true
      }
    }
  }
  expect "ask" { content = "0 0" }
}`, n))
	}
	if diags := diagnose("big.scenario.hcl", generated(10000)); diags.HasErrors() {
		t.Error(diags)
	}
	if diags := diagnose("big.scenario.hcl", generated(10001)); len(diags) != 1 || !strings.Contains(diags[0].Detail, "at most 10,000 blocks, and this one would generate 10,001") {
		t.Error(diags)
	}
}

// Generators in each other are bounded by what they generate together, before
// they cost much.
func TestGeneratedInEachOther(t *testing.T) {
	if testing.Short() {
		t.Skip("generates a hundred thousand blocks")
	}
	src := testWorld + askOnce + `
scenario "s" {
  run = workflow.w
  on "ask" {
    dynamic "fault" {
      for_each = range(1000)
      labels   = ["timeout"]
      content {
        dynamic "reply" {
          for_each = range(1000)
          content {}
        }
      }
    }
  }
  expect "ask" { content = "x" }
}`
	diags := diagnose("big.scenario.hcl", []byte(src))
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "at most 100,000 blocks together") {
		t.Error(diags)
	}
}

// Shows that a scenario whose instances would generate too many blocks is refused
// before they are written out, whether or not what generates them depends on the
// instance; and that one within the limit is not.
func TestTooManyBlocksAreCountedFirst(t *testing.T) {
	src := func(axis, elements string) []byte {
		return []byte(testWorld + askOnce + fmt.Sprintf(`
scenario "s" {
  matrix {
    a = range(%s)
    b = range(%s)
  }
  run = workflow.w
  on "ask" {
    reply { content = "x" }
  }
  dynamic "assert" {
    for_each = %s
    labels   = ["x${assert.key}"]
    content { condition = step.ask.content == "x" }
  }
}`, axis, axis, elements))
	}
	for _, elements := range []string{"range(100)", "[for i in range(100) : \"${matrix.a} ${i}\"]", "range(matrix.b < 3 ? 11 : 99)"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		diags := diagnose("big.scenario.hcl", src("100", elements))
		runtime.ReadMemStats(&after)
		if len(diags) != 1 || !strings.Contains(diags[0].Detail, "which stands for 10,000, would generate more") {
			t.Errorf("%s: %v", elements, diags)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 500 {
			t.Errorf("%s: %d MiB were allocated to find that out", elements, made)
		}
	}
	if diags := diagnose("small.scenario.hcl", src("3", "range(100)")); diags.HasErrors() {
		t.Error(diags)
	}
}

// The plan of an instance is that of the scenario written out: the same hash,
// whether values come from for_each, from a matrix, from a dynamic block or
// stand there.
func TestExpandedHash(t *testing.T) {
	body := func(status, content string) string {
		return fmt.Sprintf(`
  run    = workflow.w
  on "ask" {
    fault "http_error" {
      status_code = %s
      times       = 1
    }
    reply { content = %s }
  }
  expect "ask" { content = %s }
  assert "m" {
    condition = length(step.ask.attempts) == 2 && step.ask.attempts[0].status_code == %s
  }
}
`, status, content, content, status)
	}
	plain := mustCompile(t, testWorld+askOnce+`scenario "s[k]" {`+body("503", `"v"`))[0]
	for name, src := range map[string]string{
		"for_each": `scenario "s" {
  for_each = { k = { status = 503, content = "v" } }` + body("each.value.status", "each.value.content"),
		"dynamic": `dynamic "scenario" {
  for_each = { k = "v" }
  labels   = ["s[${scenario.key}]"]
  content {` + body("503", "scenario.value") + "}\n",
	} {
		got := mustCompile(t, testWorld+askOnce+src)[0]
		if got.Name != plain.Name || got.Hash() != plain.Hash() {
			t.Errorf("%s: %q has the hash %s, want %s\n%s\n%s", name, got.Name, got.Hash(), plain.Hash(), got.JSON(), plain.JSON())
		}
		if bytes.Contains(got.JSON(), []byte("\\u0000")) {
			t.Errorf("%s: a place with the mark of an instance", name)
		}
	}
}

// A problem of an instance is told with the place in the file and the value
// that stands there.
func TestProblemOfAnInstance(t *testing.T) {
	p := mustCompile(t, testWorld+askOnce+`
scenario "s" {
  for_each = { a = "right" }
  run      = workflow.w
  on "ask" {
    reply { content = "wrong" }
    reply { content = "never" }
  }
  assert "m" {
    condition = step.ask.content == each.value
  }
}`)[0]
	r := Run(p, RunOptions{})
	if r.Verdict != Fail || len(r.Problems) != 2 {
		t.Fatal(told(r))
	}
	for _, pr := range r.Problems {
		if pr.Range.Filename != "test.scenario.hcl" {
			t.Errorf("%s: a place in %q", pr.Name, pr.Range.Filename)
		}
	}
	if ops := fmt.Sprint(r.Problems[1].Operands); !strings.Contains(ops, `{each.value "right"}`) {
		t.Error(ops)
	}
}

// A linked file compiles as often as one likes, and one that is not linked has
// the standard library.
func TestLinkedFile(t *testing.T) {
	file, diags := dsl.Parse("test.scenario.hcl", []byte(`import = ["std/cuga"]`+testWorld+strings.Replace(askOnce, "retry.std", "retry.cuga", 1)+`
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" { times = 3 }
    reply { content = "x" }
  }
  assert "waits of 1, 2 and 4 seconds, each a tenth longer or shorter" {
    condition = alltrue([for i, d in step.ask.delays_ms : approx(d, pow(2, i) * 1000, pow(2, i) * 100)]) && step.ask.delays_ms != [1000, 2000, 4000]
  }
}`))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	linked, diags := dsl.Link(file, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, f := range []*dsl.File{file, linked, linked} {
		suite, diags := Compile(f, Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if r := Run(suite.Plans[0], RunOptions{}); r.Verdict != Pass {
			t.Error(told(r))
		}
	}
	other, _ := dsl.Parse("test.scenario.hcl", []byte(`import = ["./other.scenario.hcl"]`))
	if _, diags := Compile(other, Options{}); !diags.HasErrors() || !strings.Contains(diags.Error(), "No files can be imported here") {
		t.Error(diags)
	}
}

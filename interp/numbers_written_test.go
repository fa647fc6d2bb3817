package interp

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// writtenMany are scenarios whose twenty instances, or replies, each write something sixty
// times: WRITE, of one of VALUES, which are twenty as well. The key says what that is called.
var writtenMany = map[string]string{
	"matrix.n": `
scenario "s" {
  matrix {
    n = VALUES
  }
  run = workflow.w
  on "ask" {
    reply { json = { x = [for j in range(60) : WRITE] } }
  }
}`,
	"each.value.n": `
scenario "s" {
  for_each = { for i, v in VALUES : "k${i}" => { n = v } }
  run      = workflow.w
  on "ask" {
    reply { json = { x = [for j in range(60) : WRITE] } }
  }
}`,
	"reply.value": `
scenario "s" {
  run = workflow.w
  on "ask" {
    dynamic "reply" {
      for_each = VALUES
      content { json = { x = [for j in range(60) : WRITE] } }
    }
  }
}`,
	"n": `
scenario "s" {
  for_each = toset([for i in range(20) : "k${i}"])
  run      = workflow.w
  on "ask" {
    reply { json = { x = [for n in flatten([for i in range(3) : VALUES]) : "${WRITE}${each.key}"] } }
  }
}`,
	"json": `
scenario "s" {
  for_each = toset([for i in range(20) : "k${i}"])
  run      = workflow.w
  on "ask" {
    reply { json = { x = [for json in jsondecode(jsonencode(flatten([for i in range(3) : VALUES]))) : "${WRITE}${each.key}"] } }
  }
}`,
}

// Shows that writing a number of an instance takes little more memory than writing a string,
// wherever the number comes from and whatever writes it: less than 2.3 kB. At the precision with
// which expressions compute it takes 3.5 to 5 kB, and a hundred times the time. In the
// expression itself that goes for the numbers of a range, and for all that a template writes.
func TestNumbersOfInstancesAreWrittenAtOnce(t *testing.T) {
	const world = `
provider "http" "a" { base_url = "https://a.example" }
workflow "w" {
  provider = provider.a
  step "http" "ask" { path = "/" }
}
locals { texts = [for i in range(20) : "k${100 + i}"] }
`
	made := func(source string) uint64 {
		file, diags := dsl.Parse("numbers.scenario.hcl", []byte(world+source))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, diags = Compile(file, Options{})
		runtime.ReadMemStats(&after)
		if diags.HasErrors() {
			t.Fatal(source, diags)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	const writings = 20 * 60
	var integers, others []string
	for i := range 20 {
		integers, others = append(integers, fmt.Sprint(1000+i)), append(others, fmt.Sprintf("1.%02d1", i))
	}
	for value, file := range writtenMany {
		for _, numbers := range []string{"range(1000, 1020)", "[" + strings.Join(integers, ", ") + "]", "[" + strings.Join(others, ", ") + "]"} {
			ofExpression := value == "n" || value == "json"
			if ofExpression && numbers[0] == '[' {
				continue // those keep their precision
			}
			for _, write := range []string{`"${N} x"`, `tostring(N)`, `jsonencode(N)`, `format("%s", N)`} {
				if value == "json" && write[0] != '"' {
					continue // nor does a function shorten what it is given
				}
				source := strings.ReplaceAll(file, "WRITE", strings.ReplaceAll(write, "N", value))
				as := func(values string) uint64 { return made(strings.ReplaceAll(source, "VALUES", values)) }
				number, text := as(numbers), as("local.texts")
				if number > text+9<<8*writings {
					t.Errorf("%s of %s, %s: %d kB, and %d kB for strings", write, value, numbers, number>>10, text>>10)
				}
			}
		}
	}
}

// Shows that a number of an instance is the one that is sent, wherever it comes from: what is
// written and compared is what an answer with it says, and not the digits beyond a float64.
func TestNumbersOfInstancesAreThoseThatAreSent(t *testing.T) {
	const workflow = `
provider "http" "a" { base_url = "https://a.example" }
workflow "w" {
  provider = provider.a
  step "http" "ask" { path = "/" }
}
`
	for value, head := range map[string]string{
		"matrix.n":   "matrix {\n    n = [NUMBERS]\n  }",
		"each.value": "for_each = { for i, n in [NUMBERS] : \"k${i}\" => n }",
	} {
		plans := mustCompile(t, strings.NewReplacer("NUMBERS", "0.1, 3, 1e20, 0.1234567890123456789012345, 9007199254740993", "N", value).Replace(workflow+`
scenario "s" {
  run = workflow.w
  `+head+`
  on "ask" {
    reply { json = { x = N, text = "${N} x" } }
  }
  assert "what is sent is what there is" { condition = step.ask.json.x == N }
  assert "and what is written" { condition = step.ask.json.text == "${step.ask.json.x} x" }
}`))
		if len(plans) != 5 {
			t.Errorf("%s: %d plans, want 5", value, len(plans))
		}
		for _, p := range plans {
			if r := Run(p, RunOptions{}); r.Verdict != Pass {
				t.Errorf("%s of %s: %s", p.Name, value, r.Verdict)
			}
		}
	}
	p := mustCompile(t, workflow+`
scenario "s" {
  run = workflow.w
  dynamic "on" {
    for_each = [{ n = 0.1234567890123456789012345 }]
    labels   = ["ask"]
    content {
      reply { json = { x = on.value.n, text = "${on.value.n} x" } }
    }
  }
  dynamic "assert" {
    for_each = [0.1234567890123456789012345]
    labels   = ["what is sent is what there is"]
    content { condition = step.ask.json.x == assert.value && step.ask.json.text == "${assert.value} x" }
  }
}`)[0]
	if r := Run(p, RunOptions{}); r.Verdict != Pass {
		t.Errorf("dynamic: %s", r.Verdict)
	}
}

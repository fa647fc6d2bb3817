package lsp

import (
	"slices"
	"strings"
	"testing"
)

// Completion offers what the language has for the place of the cursor and
// nothing that belongs elsewhere, in files that are whole and in files that
// are not.
func TestCompletion(t *testing.T) {
	c := start(t, testOptions())
	for _, test := range []struct {
		name, text string
		want, not  string // words that must be, and must not be among the labels
		exact      string // where given, all labels
	}{
		{name: "top level", text: "‸", want: "provider retry workflow scenario variable locals gateway", not: "step on reply"},
		{name: "top level after a block", text: world + "\nscen‸", exact: "scenario"},
		{name: "kinds", text: `provider "‸" "x" {}`, want: "openai anthropic gemini ollama cohere http", not: "exponential"},
		{name: "kinds without quotes", text: "retry ‸", want: "exponential linear none"},
		{name: "kinds while the quote is open", text: "retry \"exp‸\n", exact: "exponential"},
		{name: "step kinds", text: "workflow \"w\" {\n  step \"‸\n}\n", want: "llm http value wait"},
		{name: "fault kinds", text: scenarioWith("  on \"answer\" {\n    fault \"time‸\" {}\n  }"), exact: "timeout"},
		{name: "attributes of the kind", text: "retry \"exponential\" \"x\" {\n  ‸\n}\n", want: "base multiplier max_delay jitter max_retries retry_on", not: "delay increment"},
		{name: "attributes that are not there yet", text: "retry \"exponential\" \"x\" {\n  base = \"1s\"\n  ‸\n}\n", want: "multiplier", not: "base"},
		{name: "attributes and blocks of a step", text: "workflow \"w\" {\n  step \"llm\" \"a\" {\n    ‸\n  }\n}\n", want: "prompt messages stream tool validate consumer retry", not: "path method"},
		{name: "no attributes that the kind refuses", text: "workflow \"w\" {\n  step \"value\" \"a\" {\n    ‸\n  }\n}\n", want: "value when output validate", not: "timeout gateway provider retry attempt_timeout idempotent"},
		{name: "attributes that a step which calls an actor keeps", text: "workflow \"w\" {\n  step \"call\" \"a\" {\n    ‸\n  }\n}\n", want: "target retry idempotent", not: "gateway provider attempt_timeout"},
		{name: "blocks of a scenario", text: scenarioWith("  ‸"), want: "on expect assert cassette seed tags", not: "run inputs step"},
		{name: "entries of a script", text: scenarioWith("  on \"answer\" {\n    ‸\n  }"), want: "reply fault replay exhausted target"},
		{name: "a kind that does not exist has nothing", text: "retry \"exp\" \"x\" {\n  ‸\n}\n", exact: ""},
		{name: "where an outage is", text: scenarioWith("  outage \"o\" {\n    address = \"‸\"\n  }"), want: "answer classify", not: "*"},
		{name: "what an outage has", text: scenarioWith("  outage \"o\" {\n    ‸\n  }"), exact: "address target provider from to optional fault"},
		{name: "kinds of faults of an outage", text: scenarioWith("  outage \"o\" {\n    fault \"‸\" {}\n  }"), want: "timeout http_error delay"},
		{name: "one of a few words", text: "gateway \"g\" {\n  strategy = \"‸\"\n}\n", exact: "priority round_robin least_busy"},
		{name: "one of a few words without quotes", text: "gateway \"g\" {\n  strategy = ‸\n}\n", want: `"priority" "round_robin"`},
		{name: "gates", text: scenarioWith("  allow = [\"unu‸\"]"), exact: "unused_reply unused_interaction"},
		{name: "bools", text: "workflow \"w\" {\n  step \"llm\" \"a\" {\n    stream = ‸\n  }\n}\n", want: "true false"},
		{name: "what a program says of itself", text: programWith("  assert \"a\" {\n    condition = sut.‸\n  }"), want: "exit_code stdout metric metrics spans logs"},
		{name: "what a program says of itself, begun", text: programWith("  assert \"a\" {\n    condition = sut.met‸\n  }"), exact: "metrics metric metrics"},
		{name: "references by type", text: world + "gateway \"x\" {\n  target \"t\" {\n    provider = ‸\n  }\n}\n", exact: "provider.primary provider.backup"},
		{name: "references after the type", text: world + "gateway \"x\" {\n  target \"t\" {\n    provider = provider.b‸\n  }\n}\n", exact: "provider.backup"},
		{name: "references in a list", text: "workflow \"w\" {\n  step \"value\" \"a\" { value = 1 }\n  step \"value\" \"b\" {\n    value = 2\n    depends_on = [‸]\n  }\n}\n", want: "step.a"},
		{name: "steps of its own workflow only", text: world + "workflow \"w\" {\n  step \"value\" \"a\" { value = 1 }\n  step \"value\" \"b\" {\n    value = 2\n    depends_on = [step.‸]\n  }\n}\n", want: "step.a", not: "step.answer step.classify"},
		{name: "endpoints in a condition", text: "provider \"openai\" \"llm\" {}\nprovider \"http\" \"web\" { base_url = \"https://web.example\" }\nendpoint \"create\" {\n  provider = provider.web\n}\nscenario \"p\" {\n  on \"llm\" {\n    reply { content = \"a\" }\n  }\n  assert \"a\" {\n    condition = endpoint.‸\n  }\n}\n", want: "create llm"},
		{name: "results of an endpoint", text: "provider \"openai\" \"llm\" {}\nprovider \"http\" \"web\" { base_url = \"https://web.example\" }\nendpoint \"create\" {\n  provider = provider.web\n}\nscenario \"p\" {\n  on \"llm\" {\n    reply { content = \"a\" }\n  }\n  assert \"a\" {\n    condition = endpoint.create.‸ == 1\n  }\n}\n", want: "retries attempts calls lanes status_code"},
		{name: "addresses of a program", text: "provider \"openai\" \"llm\" {}\nprovider \"http\" \"web\" { base_url = \"https://web.example\" }\nendpoint \"create\" {\n  provider = provider.web\n}\nscenario \"p\" {\n  on \"llm\" {\n    reply { content = \"a\" }\n  }\n  expect \"‸\" {}\n}\n", want: "create llm", not: "web"},
		{name: "what a lane reads", text: "provider \"openai\" \"llm\" {}\nendpoint \"e\" {\n  provider = provider.llm\n  lane     = request.‸\n}\n", want: "body headers prompt turn"},
		{name: "workflows", text: world + "scenario \"x\" {\n  run = ‸\n}\n", exact: "workflow.support"},
		{name: "targets as texts", text: scenarioWith("  on \"answer\" {\n    target = \"‸\"\n    reply { content = \"x\" }\n  }"), exact: "first second"},
		{name: "addresses", text: scenarioWith("  on \"‸\" {\n    reply { content = \"x\" }\n  }"), exact: "* classify answer"},
		{name: "addresses while the quote is open", text: scenarioWith("  expect \"‸"), exact: "run classify answer"},
		{name: "addresses without quotes", text: scenarioWith("  expect ‸"), exact: "run classify answer"},
		{name: "results in an expectation", text: scenarioWith("  expect \"answer\" {\n    ‸\n  }"), want: "status content attempts retries finish_reason", not: "status_code rows"},
		{name: "results that are not expected yet", text: scenarioWith("  expect \"answer\" {\n    status = \"success\"\n    ‸\n  }"), want: "content", not: "status"},
		{name: "the run", text: scenarioWith("  expect \"run\" {\n    st‸\n  }"), want: "status started_ms", not: "content"},
		{name: "parts of a nested result", text: scenarioWith("  expect \"run\" {\n    partial = { ‸ }\n  }"), want: "completed_steps hint"},
		{name: "roots of a condition", text: scenarioWith("  assert \"x\" {\n    condition = ‸\n  }"), want: "step steps run target breaker gateway input var local metric length", not: "self each"},
		{name: "steps in a condition", text: scenarioWith("  assert \"x\" {\n    condition = step.‸\n  }"), exact: "answer classify"},
		{name: "attributes of a step", text: scenarioWith("  assert \"x\" {\n    condition = step.answer.‸\n  }"), want: "content attempts status error", not: "rows"},
		{name: "before other words on the line", text: scenarioWith("  assert \"x\" {\n    condition = step.answer.‸ == \"x\"\n  }"), want: "content"},
		{name: "elements of a list", text: scenarioWith("  assert \"x\" {\n    condition = step.answer.attempts[0].‸\n  }"), want: "at_ms target outcome response", not: "content"},
		{name: "a variable of a for expression", text: scenarioWith("  assert \"x\" {\n    condition = [for a in step.answer.attempts : a.‸] == []\n  }"), want: "at_ms target"},
		{name: "a for expression that is not closed", text: scenarioWith("  assert \"x\" {\n    condition = [for a in step.answer.attempts : a.‸\n  }"), want: "at_ms target"},
		{name: "names that a for expression binds", text: scenarioWith("  assert \"x\" {\n    condition = [for attempt in step.answer.attempts : ‸] == []\n  }"), want: "attempt step"},
		{name: "after a splat", text: scenarioWith("  assert \"x\" {\n    condition = step.answer.attempts[*].‸\n  }"), want: "at_ms"},
		{name: "a breaker in a condition is a target's", text: scenarioWith("  assert \"x\" {\n    condition = breaker.‸\n  }"), exact: "first"},
		{name: "in the argument of a function", text: scenarioWith("  assert \"x\" {\n    condition = length(step.‸)\n  }"), exact: "answer classify"},
		{name: "in a call that is not closed", text: scenarioWith("  assert \"x\" {\n    condition = length(step.‸\n  }"), exact: "answer classify"},
		{name: "in an interpolation", text: strings.Replace(world, "${input.question}", "${input.‸}", 1), exact: "mood question"},
		{name: "in an interpolation that is not closed", text: strings.Replace(world, `${input.question}"`, "${input.‸", 1), want: "mood question"},
		{name: "a step's own result", text: "workflow \"w\" {\n  step \"llm\" \"a\" {\n    prompt = \"x\"\n    output = self.‸\n  }\n}\n", want: "content finish_reason"},
		{name: "variables", text: strings.Replace(world, "max_retries = 3", "max_retries = var.‸", 1), exact: "size"},
		{name: "locals", text: strings.Replace(world, "max_retries = 3", "max_retries = local.‸", 1), exact: "limit"},
		{name: "inputs of the workflow", text: world + "scenario \"x\" {\n  run = workflow.support\n  inputs = { ‸ }\n}\n", exact: "question mood"},
		{name: "functions", text: "locals {\n  x = jsonde‸\n}\n", exact: "jsondecode"},
		{name: "the element of for_each", text: multiplied("for_each = { a = { want = 1 }, b = { want = 2, more = 3 } }", "each.‸"), exact: "key value"},
		{name: "attributes of the element", text: multiplied("for_each = { a = { want = 1 }, b = { want = 2, more = 3 } }", "each.value.‸ == 1"), exact: "more want"},
		{name: "attributes of an attribute of the element", text: multiplied("for_each = { a = { want = { deep = 1 } } }", "each.value.want.‸"), exact: "deep"},
		{name: "the element of a local", text: "locals {\n  cases = { a = { want = 1 } }\n}\n" + multiplied("for_each = local.cases", "each.value.‸"), exact: "want"},
		{name: "an element without attributes", text: multiplied(`for_each = toset(["a"])`, "each.value.‸"), exact: ""},
		{name: "axes of a matrix", text: multiplied("matrix {\n    model = [1, 2]\n    size  = [{ width = 1 }]\n  }", "matrix.‸"), exact: "model size"},
		{name: "attributes of an axis", text: multiplied("matrix {\n    model = [1, 2]\n    size  = [{ width = 1 }]\n  }", "[matrix.size.‸]"), exact: "width"},
		{name: "names of elements", text: multiplied("for_each = { a = 1 }", "‸"), want: "each step", not: "matrix"},
		{name: "no element of another scenario", text: multiplied("for_each = { a = 1 }", "true") + scenarioWith("  assert \"x\" {\n    condition = each.‸\n  }")[len(world):], exact: ""},
		{name: "the element of a dynamic block", text: "workflow \"w\" {\n  dynamic \"step\" {\n    for_each = { a = { text = 1 } }\n    labels = [\"value\", step.‸]\n  }\n}\n", exact: "key value"},
		{name: "the iterator of a dynamic block", text: "workflow \"w\" {\n  dynamic \"step\" {\n    for_each = [{ text = 1 }]\n    iterator = one\n    labels = [\"value\", \"a\"]\n    content {\n      value = one.value.‸\n    }\n  }\n}\n", exact: "text"},
		{name: "not in a comment", text: "# ‸", exact: ""},
		{name: "not in a text", text: "locals {\n  x = \"‸\"\n}\n", exact: ""},
		{name: "with a mistake elsewhere", text: strings.Replace(scenarioWith("  assert \"x\" {\n    condition = step.answer.‸\n  }"), "threshold = 3", "threshold = = 3", 1), want: "content"},
		{name: "with a block that is not closed", text: scenarioWith("  assert \"x\" {\n    condition = step.answer.‸\n"), want: "content"},
		{name: "with a block above that is not closed", text: strings.Replace(scenarioWith("  assert \"x\" {\n    condition = step.answer.‸\n  }"), "limit = 5 }", "limit = 5", 1), want: "content"},
		{name: "with a quote above that is not closed", text: strings.Replace(scenarioWith("  assert \"x\" {\n    condition = step.answer.‸\n  }"), `mood = "calm" }`, `mood = "calm }`, 1), want: "content"},
		{name: "behind characters of several bytes", text: scenarioWith("  assert \"🙂 größer\" {\n    condition = \"🙂\" == step.answer.‸\n  }"), want: "content"},
		{name: "with CRLF", text: strings.ReplaceAll(scenarioWith("  assert \"x\" {\n    condition = step.answer.‸\n  }"), "\n", "\r\n"), want: "content"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.t = t
			got := labelsOf(c.complete(test.text))
			for _, w := range strings.Fields(test.want) {
				if !slices.Contains(got, w) {
					t.Errorf("%s is not among %v", w, got)
				}
			}
			for _, w := range strings.Fields(test.not) {
				if slices.Contains(got, w) {
					t.Errorf("%s is among %v", w, got)
				}
			}
			if want := strings.Fields(test.exact); test.want == "" && !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// multiplied is a scenario that stands for several, with a condition.
func multiplied(by, condition string) string {
	return world + "scenario \"many\" {\n  run = workflow.support\n  inputs = { question = \"?\" }\n  " + by + "\n  assert \"x\" {\n    condition = " + condition + "\n  }\n}\n"
}

// programWith is a file with a scenario about a program that has such a block.
func programWith(block string) string {
	return "provider \"openai\" \"llm\" {}\n\nscenario \"s\" {\n  sut { command = [\"agent\"] }\n" + block + "\n}\n"
}

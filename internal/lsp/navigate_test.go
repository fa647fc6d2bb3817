package lsp

import (
	"slices"
	"strings"
	"testing"
)

// Every way to name a declaration leads to it, is among its references, and
// changes with its name: in attributes, in conditions, in interpolations, as
// the label of a script or an expectation, as a text.
func TestDefinitionReferencesRename(t *testing.T) {
	c := start(t, testOptions())
	for _, test := range []struct{ name, text, to string }{
		{"a provider", `
provider "openai" "⟦primary⟧" {}
provider "openai" "other" {}
gateway "g" {
  target "primary" { provider = provider.⟦primary⟧ }
}
`, "main"},
		{"an endpoint", `
provider "http" "web" { base_url = "https://web.example" }
endpoint "⟦create⟧" { provider = provider.web }
scenario "s" {
  on "⟦create⟧" {
    reply { body = "create" }
  }
  outage "create" {
    address = "⟦create⟧"
    fault "timeout" {}
  }
  expect "⟦create⟧" { status = "success" }
  assert "create" { condition = endpoint.⟦create⟧.retries == 0 }
}
`, "order"},
		{"a provider that is an endpoint", `
provider "openai" "⟦llm⟧" {}
scenario "s" {
  on "⟦llm⟧" {
    reply { content = "llm" }
  }
  expect "⟦llm⟧" { status = "success" }
  assert "llm" { condition = endpoint.⟦llm⟧.retries == 0 }
}
`, "model"},
		{"a step", `
provider "openai" "p" { model = "m" }
workflow "w" {
  provider = provider.p
  step "llm" "⟦classify⟧" { prompt = "x" }
  step "llm" "b" {
    prompt     = "${step.⟦classify⟧.content} and ${step["⟦classify⟧"].content}"
    depends_on = [step.⟦classify⟧]
  }
}
workflow "other" {
  provider = provider.p
  step "llm" "classify" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "⟦classify⟧" {
    reply { content = "classify" }
  }
  expect "⟦classify⟧" { content = "classify" }
  assert "classify" {
    condition = step.⟦classify⟧.content == "classify" && metric("scenario_mock_fault_total", { step_id = "⟦classify⟧" }) == 0
  }
}
`, "sort"},
		{"a target", `
provider "openai" "p" { model = "m" }
breaker "first" {}
gateway "g" {
  target "⟦first⟧" {
    provider = provider.p
    breaker  = breaker.first
  }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "a" { prompt = "first" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    target = "⟦first⟧"
    reply {
      content = "first"
      target  = "⟦first⟧"
    }
  }
  assert "x" { condition = breaker.⟦first⟧.state == "closed" && length(target.⟦first⟧.attempts) == 1 }
}
`, "uno"},
		{"a template of breakers", `
breaker "⟦std⟧" {}
retry "none" "std" {}
provider "openai" "p" { model = "m" }
gateway "g" {
  target "std" {
    provider = provider.p
    breaker  = breaker.⟦std⟧
  }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "a" {
    prompt = "x"
    retry  = retry.std
  }
}
scenario "s" {
  run = workflow.w
  assert "x" { condition = breaker.std.state == "closed" }
}
`, "usual"},
		{"a provider that is a target", `
provider "openai" "⟦p⟧" { model = "m" }
workflow "w" {
  provider = provider.⟦p⟧
  step "llm" "a" { prompt = "p" }
}
scenario "s" {
  run = workflow.w
  assert "x" { condition = length(target.⟦p⟧.attempts) == 1 }
}
`, "q"},
		{"a workflow", `
workflow "⟦w⟧" {
  step "value" "w" { value = 1 }
}
scenario "w" { run = workflow.⟦w⟧ }
`, "flow"},
		{"a variable", `
variable "⟦size⟧" { default = 3 }
locals { size = var.⟦size⟧ }
retry "linear" "x" { max_retries = var.⟦size⟧ }
`, "length"},
		{"a local", `
locals {
  ⟦limit⟧ = 3
  twice = local.⟦limit⟧ * 2
}
retry "linear" "x" { max_retries = local.⟦limit⟧ }
`, "most"},
		{"an input", `
workflow "w" {
  inputs = { ⟦question⟧ = null, "other" = 1 }
  step "value" "a" { value = input.⟦question⟧ }
}
scenario "s" {
  run    = workflow.w
  inputs = { ⟦question⟧ = "question" }
  assert "x" { condition = input.⟦question⟧ == step.a.output }
}
`, "asked"},
		{"a name that a for expression hides", `
workflow "w" {
  step "value" "⟦a⟧" { value = [{ a = 1 }] }
  step "value" "b" { value = [for step in step.⟦a⟧.output : step.a] }
}
`, "first"},
		{"behind characters of two units", `
workflow "w" {
  step "value" "⟦größe⟧" { value = "🙂🙂" }
  step "value" "b" { value = "🙂 ${step.⟦größe⟧.output}" }
}
`, "größer"},
	} {
		for _, crlf := range []bool{false, true} {
			name, marked := test.name, test.text
			if crlf {
				name, marked = name+" with CRLF", strings.ReplaceAll(marked, "\n", "\r\n")
			}
			t.Run(name, func(t *testing.T) {
				c.t = t
				text, want := spans(marked)
				uri := c.open(strings.ReplaceAll(name, " ", "_")+".scenario.hcl", text)
				for _, at := range want {
					var def [1]location
					c.call("textDocument/definition", here(uri, at.Start), &def)
					if def[0].Range != want[0] {
						t.Errorf("definition from %v: %v, want %v", at, def[0].Range, want[0])
					}
					var refs []location
					params := here(uri, at.End)
					params["context"] = map[string]any{"includeDeclaration": true}
					c.call("textDocument/references", params, &refs)
					if got := rangesOf(refs); !slices.Equal(got, want) {
						t.Errorf("references from %v: %v, want %v", at, got, want)
					}
					var edit workspaceEdit
					params = here(uri, at.Start)
					params["newName"] = test.to
					c.call("textDocument/rename", params, &edit)
					renamed, _, _ := strings.Cut(marked, "⟦")
					for _, part := range strings.Split(marked, "⟦")[1:] {
						_, after, _ := strings.Cut(part, "⟧")
						renamed += test.to + after
					}
					if got := edited(text, edit.Changes[0].Edits); got != renamed {
						t.Errorf("renamed from %v:\n%s\nwant\n%s", at, got, renamed)
					}
				}
			})
		}
	}
}

func rangesOf(refs []location) []span {
	var all []span
	for _, r := range refs {
		all = append(all, r.Range)
	}
	return all
}

// A rename that would break the file, or that has nothing to rename, is
// refused with the reason.
func TestRenameRefuses(t *testing.T) {
	c := start(t, testOptions())
	for _, test := range []struct{ text, to, why string }{
		{strings.Replace(world, `"classify"`, `"‸classify"`, 1), "9lives", "is no name"},
		{strings.Replace(world, `"classify"`, `"‸classify"`, 1), "a b", "is no name"},
		{strings.Replace(world, `"classify"`, `"‸classify"`, 1), "", "at least one letter"},
		{strings.Replace(world, `"classify"`, `"‸classify"`, 1), "answer", `a step "answer" already, in line 26`},
		{strings.Replace(world, "locals", "loc‸als", 1), "x", "no name here"},
		{strings.Replace(world, `"classify"`, `"‸classify"`, 1) + "}", "x", "syntax error"},
		{world + `scenario "a‸" { run = workflow.support }`, `x"y`, "between quotes"},
	} {
		text, at := cursor(t, test.text)
		uri := c.open("refused.scenario.hcl", text)
		params := here(uri, at)
		params["newName"] = test.to
		err := c.try("textDocument/rename", params, nil)
		if err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("to %q: %v, want %q", test.to, err, test.why)
		}
	}
}

// What may be renamed is told before the new name is asked for.
func TestPrepareRename(t *testing.T) {
	c := start(t, testOptions())
	text, want := spans(strings.Replace(world, "step.classify", "step.⟦classify⟧", 1))
	var got prepared
	c.call("textDocument/prepareRename", here(c.open("a.scenario.hcl", text), want[0].Start), &got)
	if got != (prepared{want[0], "classify"}) {
		t.Errorf("%v, want %v", got, want[0])
	}
}

// Hover explains the words of the language, functions, declarations and what
// conditions can read, each at its own place.
func TestHover(t *testing.T) {
	c := start(t, testOptions())
	for _, test := range []struct{ name, text, want string }{
		{"a block type", strings.Replace(world, "retry", "⟦retry⟧", 1), "When and how often a failed round is tried again."},
		{"a kind", strings.Replace(world, `"exponential"`, `⟦"exponential"⟧`, 1), "Wait before retry n: min(base * multiplier^(n-1), max_delay), then jitter."},
		{"an attribute", strings.Replace(world, "max_retries", "⟦max_retries⟧", 1), "How many rounds may follow the first."},
		{"its default", strings.Replace(world, "max_retries", "⟦max_retries⟧", 1), "default `3`"},
		{"a reference", strings.Replace(world, "retry.std", "retry.⟦std⟧", 1), `retry "exponential" "std" { max_retries = 3 }`},
		{"the comment above it", strings.Replace(world, "retry.std", "retry.⟦std⟧", 1), "Waits longer each time."},
		{"what a variable is for", "variable \"v\" { description = \"How often.\" }\nlocals { x = var.⟦v⟧ }", "How often."},
		{"a function", "locals { x = ⟦percentile⟧([1, 2], 50) }", "percentile(values, p)"},
		{"an example of it", `locals { x = ⟦tonumber⟧("30") }`, `tonumber("30") # 30`},
		{"what a program says of itself", programWith("  assert \"x\" { condition = ⟦sut.metric⟧(\"a\") == 1 }"), "The value of a metric that the program exported"},
		{"an attribute of a result", scenarioWith("  assert \"x\" { condition = step.answer.⟦attempts⟧ == [] }"), "list of "},
		{"a part of an attempt", scenarioWith("  assert \"x\" { condition = [for a in step.answer.attempts : a.⟦at_ms⟧] == [] }"), "`at_ms`: number"},
		{"an expected attribute", scenarioWith("  expect \"answer\" { ⟦content⟧ = \"x\" }"), "`content`: string"},
		{"the root of a condition", scenarioWith("  assert \"x\" { condition = ⟦step⟧.answer.content == \"\" }"), `every step declared in workflow "support"`},
		{"behind characters of two units", scenarioWith("  assert \"x\" { condition = \"🙂\" == step.answer.⟦content⟧ }"), "`content`: string"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.t = t
			text, want := spans(test.text)
			uri := c.open("hover.scenario.hcl", text)
			var got hover
			c.call("textDocument/hover", here(uri, want[0].Start), &got)
			if !strings.Contains(got.Contents.Value, test.want) || got.Range != want[0] {
				t.Errorf("at %v:\n%s\nwant at %v: %s", got.Range, got.Contents.Value, want[0], test.want)
			}
		})
	}
	text, at := cursor(t, "\n‸\n"+world)
	var got *hover
	if c.call("textDocument/hover", here(c.open("hover.scenario.hcl", text), at), &got); got != nil {
		t.Errorf("an empty line is explained: %v", got)
	}
}

// The signature of the function that is being called is shown with the
// parameter that is being written.
func TestSignatureHelp(t *testing.T) {
	c := start(t, testOptions())
	for text, want := range map[string]struct {
		label     string
		parameter int
	}{
		"locals { x = percentile(‸":                  {"percentile(values, p)", 0},
		"locals { x = percentile([1, 2], ‸":          {"percentile(values, p)", 1},
		"locals { x = percentile([length(‸), 2], 1)": {"length(value)", 0},
		"locals { x = max(1, 2, 3, ‸)":               {"max(number, …)", 1},
	} {
		text, at := cursor(t, text)
		var got signatureHelp
		c.call("textDocument/signatureHelp", here(c.open("call.scenario.hcl", text), at), &got)
		if len(got.Signatures) != 1 || got.Signatures[0].Label != want.label || got.Parameter != want.parameter {
			t.Errorf("%s: %s", text, asJSON(got))
		}
	}
}

// The outline is the tree of blocks, each with its whole extent.
func TestDocumentSymbols(t *testing.T) {
	c := start(t, testOptions())
	uri := c.open("outline.scenario.hcl", "locals {\n  limit = 3\n}\nworkflow \"w\" {\n  step \"value\" \"größe 🙂\" { value = 1 }\n}\n")
	var got []documentSymbol
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}}, &got)
	var lines []string
	var visit func(list []documentSymbol, indent string)
	visit = func(list []documentSymbol, indent string) {
		for _, s := range list {
			lines = append(lines, indent+s.Name+" "+asText(s.Range))
			visit(s.Children, indent+"  ")
		}
	}
	visit(got, "")
	const tree = "locals 0:0-2:1\n  limit 1:2-1:11\nworkflow w 3:0-5:1\n  step value größe 🙂 4:2-4:39"
	if strings.Join(lines, "\n") != tree {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), tree)
	}
}

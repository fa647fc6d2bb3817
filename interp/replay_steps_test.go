package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// twoSteps are recordings of vcrpy in which a second call goes on with what the
// first one answered: to the same address, where under loose nothing but the
// order tells the two apart, and to another vendor.
var twoSteps = []struct{ path, providers, first, then string }{
	{
		path: "test_mistral/test_mistral_history_uses_prompt_cache.yaml",
		providers: `
provider "openai" "first" {
  model    = "mistral-large-latest"
  base_url = "https://api.mistral.ai/v1"
}
provider "openai" "then" {
  model    = "mistral-large-latest"
  base_url = "https://api.mistral.ai/v1"
}`,
		first: "cache probe one.", then: "cache probe two.",
	},
	{
		path: "test_anthropic/test_anthropic_server_tool_pass_history_to_another_provider.yaml",
		providers: `
provider "anthropic" "first" { model = "claude-sonnet-4-5" }
provider "openai" "then" {
  model = "gpt-4.1"
  api   = "responses"
}`,
		first: "Today is November 19, 2025.", then: "Tomorrow is November 20, 2025.",
	},
}

// Real recordings of two calls are replayed under loose by two steps of which
// one reads the other, with prompts of its own: each step gets the answer of
// its place, though both could take either, and neither is called ambiguous.
// Under the default profile the same steps are told that nothing matches.
func TestReplayRecordedSteps(t *testing.T) {
	for _, c := range twoSteps {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			data := vcrpyOfTwo(t, c.path, c.first, c.then)
			source := c.providers + `
workflow "talk" {
  step "llm" "then" {
    provider = provider.then
    prompt   = "You said: ${step.first.content} What now?"
  }
  step "llm" "first" {
    provider = provider.first
    prompt   = "Begin."
  }
  output = step.then.content
}
scenario "loose" {
  run = workflow.talk
  cassette {
    path  = "recorded.yaml"
    match = "loose"
  }
` + fmt.Sprintf("  expect \"first\" { content = %q }\n  expect \"run\" { output = %q }\n", c.first, c.then) + `
  assert "the second asked with the first answer" {
    condition = contains(step.then.attempts[0].request.body, step.first.content)
  }
}`
			path := filepath.Join(t.TempDir(), "replay.scenario.hcl")
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), "recorded.yaml"), data, 0o600); err != nil {
				t.Fatal(err)
			}
			if r := Run(compileAt(t, path, source)[0], RunOptions{}); r.Verdict != Pass {
				complain(t, r)
			}
			strict := strings.Replace(source, `match = "loose"`, "", 1)
			r := Run(compileAt(t, path, strict)[0], RunOptions{})
			mustSay(t, gateOf(t, r, plan.GateUnmatched), "first")
		})
	}
}

// vcrpyOfTwo reads a recording that must hold two calls of models, the second
// with the first answer in its request.
func vcrpyOfTwo(t *testing.T, name, first, then string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(adaptertest.Corpus(t), "vcrpy", filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("0 of 1 recordings: %v", err)
	}
	var file struct {
		Interactions []struct {
			Request, Response struct {
				Parsed any `yaml:"parsed_body"`
			}
		}
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Interactions) != 2 {
		t.Fatalf("%s has %d interactions", name, len(file.Interactions))
	}
	one, two := file.Interactions[0], file.Interactions[1]
	for want, in := range map[string]any{first: one.Response.Parsed, then: two.Response.Parsed} {
		if !strings.Contains(fmt.Sprint(in), want) {
			t.Fatalf("%s: %q is not recorded", name, want)
		}
	}
	if !strings.Contains(fmt.Sprint(two.Request.Parsed), first) {
		t.Fatalf("%s: the second call does not go on with the first", name)
	}
	return data
}

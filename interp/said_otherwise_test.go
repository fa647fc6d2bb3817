package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows that checks which show nothing are marked however they are written: negated as a
// whole, as a program of jq, as a schema, over one wait, over a step that takes no time beside one that
// does; and that their like is not marked where there is something.
func TestChecksSaidOtherwise(t *testing.T) {
	const source = `
provider "openai" "m" { model = "x" }
provider "http" "api" { base_url = "https://api.test" }
retry "linear" "r" { max_retries = 3 }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "x"
    retry  = retry.r
  }
  step "http" "b" {
    provider = provider.api
    path     = "/b"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" { times = %d }
    reply { content = "all fine" }
  }
  on "b" {
    reply {
      json    = %s
      latency = "%s"
    }
  }
  assert "x" { condition = %s }
}
`
	const empty, full = `{ items = [], name = "n" }`, `{ items = [{ ok = true }], ok = true, name = "n" }`
	for _, c := range []struct {
		faults        int
		json, latency string
		condition     string
		shows         bool
	}{
		{1, empty, "1s", `!(step.a.status == "failed" && step.a.retries != 7)`, false},
		{1, empty, "1s", `!(step.a.status == "failed" && (step.a.retries == 0 || step.a.retries > 7))`, true},
		{1, empty, "1s", `!(step.a.status == "success" && step.a.retries == 3)`, true},
		{1, empty, "1s", `!(step.a.status == "success" && step.a.retries == 7)`, false}, // its own policy allows no more
		{1, empty, "1s", `!(step.a.status == "failed" || step.a.retries == 0)`, true},
		{1, empty, "1s", `jq(step.b.json, "all(.items[]; .ok)")`, false},
		{1, full, "1s", `jq(step.b.json, "all(.items[]; .ok)")`, true},
		{1, empty, "1s", `jq(step.b.json, ".ok // true")`, false},
		{1, full, "1s", `jq(step.b.json, ".name // \"x\"") == "n"`, true},
		{1, empty, "1s", `jq(step.b.json, "[.items[] | select(.ok | not)] | length") == 0`, false},
		{1, full, "1s", `jq(step.b.json, ".items | length") == 1`, true},
		{1, empty, "1s", `jq(step.b.json, ".items | length") == 0`, true},
		{1, empty, "1s", `jq(step.b.json, ".name") == "n"`, true},
		{1, empty, "1s", `min(concat([9999], step.b.json.items)...) >= 500`, false},
		{1, empty, "1s", `max(concat(step.b.json.items, [0])...) <= 5`, false},
		{1, empty, "1s", `max(concat([0], step.b.json.items)...) == 0`, true},
		{1, empty, "1s", `max(concat([0], [for i in step.b.json.items : i.n])...) <= 5`, false},
		{1, empty, "1s", `max(concat([0], step.a.delays_ms, step.b.json.items)...) <= 5000`, true},
		{1, empty, "1s", `max(concat([0], step.a.delays_ms)...) >= 500`, true},
		{1, full, "1s", `merge(step.b.json, { ok = true }).ok && merge({ ok = false }, step.b.json).ok`, true},
		{1, full, "1s", `merge({ ok = false }, step.b.json).ok && merge(step.b.json, { ok = true }).ok`, true},
		{1, empty, "1s", `length(concat(["x"], step.b.json.items)) == 1`, true},
		{1, full, "1s", `length(concat(["x"], step.b.json.items)) <= 5`, true},
		{1, empty, "1s", `schemaerror(step.b.json, { description = "an order" }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { additionalProperties = true }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { anyOf = [{}] }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { type = "object" }) == null`, true},
		{1, empty, "1s", `schemaerror(step.b.json, { type = "object", properties = { answer = { type = "string" } } }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { properties = { answer = { type = "string" } }, additionalProperties = true }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { type = "object", properties = { name = { type = "string" } } }) == null`, true},
		{1, empty, "1s", `schemaerror(step.b.json, jsonencode({ type = "object", properties = { answer = { type = "string" } } })) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { required = ["name"], properties = { answer = { type = "string" } } }) == null`, true},
		{1, empty, "1s", `schemaerror({ for k, v in step.b.json : k => v if k == "zz" }, { properties = { answer = {} }, additionalProperties = false }) == null`, true},
		{1, empty, "1s", `schemaerror(step.b.json, { allOf = [{ type = "object" }, { patternProperties = { "^x" = { type = "string" } } }] }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { "$ref" = "#/$defs/o", "$defs" = { o = { type = "object", properties = { answer = { type = "string" } } } } }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json, { "$ref" = "#/$defs/o", "$defs" = { o = { type = "object", properties = { name = { type = "string" } } } } }) == null`, true},
		{1, empty, "1s", `schemaerror(step.b.json, { if = { required = ["zz"] }, then = { required = ["y"] } }) == null`, false},
		{1, empty, "1s", `schemaerror(step.b.json.items, { type = "array", items = { type = "object" } }) == null`, false},
		{1, full, "1s", `schemaerror(step.b.json.items, { type = "array", items = { type = "object" } }) == null`, true},
		{1, empty, "1s", `schemaerror(step.b.json.items, { type = "array", maxItems = 0 }) == null`, true},
		{1, empty, "1s", `schemaerror(step.b.json, { description = "an order" }) == null && step.b.status_code == 200`, true},
		{1, empty, "1s", `schemaerror(step.b.json, { required = ["id"] }) != null`, true},
		{1, empty, "1s", `max(step.a.delays_ms...) <= 2 * min(step.a.delays_ms...)`, false},
		{2, empty, "1s", `max(step.a.delays_ms...) <= 2 * min(step.a.delays_ms...)`, true},
		{1, empty, "1s", `step.a.delays_ms[length(step.a.delays_ms) - 1] >= step.a.delays_ms[0]`, false},
		{2, empty, "1s", `step.a.delays_ms[length(step.a.delays_ms) - 1] >= step.a.delays_ms[0]`, true},
		{1, empty, "0s", `step.b.elapsed_ms < 5000`, false},
		{1, empty, "1s", `step.b.elapsed_ms < 5000`, true},
		{1, empty, "0s", `step.b.elapsed_ms == 0`, true},
		{1, empty, "0s", `step.a.elapsed_ms < 5000`, true},
		{1, empty, "1s", `merge({ ok = true }, step.b.json).ok`, false},
		{1, full, "1s", `merge({ ok = false }, step.b.json).ok`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.faults, c.json, c.latency, c.condition))[0], RunOptions{})
		if (len(r.Relaxed) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: that it shows something is %v; %s: %s: %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	for condition, constant := range map[string]bool{
		`length(regexall("Error", lower(step.a.content))) == 0`:   true,
		`length(regexall("error", lower(step.a.content))) == 0`:   false,
		`length(split("Error", lower(step.a.content))) == 1`:      true,
		`!contains(["Error", "Fail"], lower(step.a.content))`:     true,
		`!contains(["Error", "fail"], lower(step.a.content))`:     false,
		`similarity(step.a.content, "all fine") >= 0`:             true,
		`similarity(step.a.content, "all fine") >= 0.5`:           false,
		`max(0.9, similarity(step.a.content, "all fine")) >= 0.8`: true,
	} {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(fmt.Sprintf(source, 1, empty, "1s", condition)))
		if !diags.HasErrors() {
			_, diags = Compile(file, Options{})
		}
		if found := strings.Contains(diags.Error(), "Constant condition"); found != constant || !constant && diags.HasErrors() {
			t.Errorf("%s: that it is constant is %v: %s", condition, constant, diags)
		}
	}
}

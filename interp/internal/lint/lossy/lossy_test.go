package lossy_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint/lossy"
)

// Shows which calls in a condition are warned of as leaving out what it is about, and which are not.
func TestFunctionsThatLeaveOutWhatDiffers(t *testing.T) {
	for _, c := range []struct{ condition, want string }{
		{`length(distinct(endpoint.mail.attempts)) == length(endpoint.mail.attempts)`, "no two of endpoint.mail.attempts are"},
		{`length(distinct([for a in endpoint.mail.attempts : a if a.n > 0])) == 3`, "no two of endpoint.mail.attempts are"},
		{`length(toset(step.all.runs)) == 2`, "no two of step.all.runs are"},
		{`length(distinct(events({ type = "fault" }))) == 2`, "no two of events() are"},
		{`length(distinct(steps)) == 2`, "no two of steps are"},
		{`length(distinct([for a in endpoint.mail.attempts : a.request.json.to])) == 3`, ""},
		{`length(distinct(endpoint.mail.attempts[*].idempotency_key)) == 1`, ""},
		{`distinct(gateway.api.served_by) == ["one", "two"]`, ""},
		{`length(distinct(step.a.delays_ms)) == 3`, ""},
		{`length(distinct(step.a.json.attempts)) == 3`, ""},

		{`toset([for a in endpoint.mail.attempts : a.request.json.to]) == ["ann", "bob"]`, "toset takes repetitions away"},
		{`["ann", "bob"] == toset([for a in endpoint.mail.attempts : a.request.json.to])`, "toset takes repetitions away"},
		{`toset(step.a.json.ids) == toset(["a", "b"])`, "toset takes repetitions away"},
		{`toset(step.a.json.ids) == toset(["a", "b"]) && length(step.a.json.ids) == 2`, ""},
		{`toset(step.a.json.ids) == toset(["a"])`, ""},
		{`sort(step.a.json.ids) == ["a", "b"]`, ""},

		{`element(endpoint.mail.attempts, 2).n == 3`, "LIST[2]"},
		{`element(step.a.delays_ms, -1) == 3`, ""}, // which is the last one
		{`element(endpoint.mail.attempts, 0).n == 1`, ""},
		{`element(["a", "b"], 3) == step.a.content`, ""},
		{`[for i in range(3) : element(["a", "b"], i)] == step.a.json`, ""},

		{`percentile([for c in call.page : c.elapsed_ms], 0.95) <= 500`, "percentile(…, 95)"},
		{`percentile([for c in call.page : c.elapsed_ms], 95) <= 500`, ""},
		{`percentile([for c in call.page : c.elapsed_ms], 0) <= 500`, ""},
		{`percentile([for c in call.page : c.elapsed_ms], 1) <= 500`, ""},

		{`word(sut.stdout, "green kettle", "39.90", "Friday")`, "word is true as soon as one"},
		{`word(sut.stdout, "refused", "declined", "sorry")`, ""},
		{`word(sut.stdout, "39.90")`, ""},
		{`word("39.90 Friday", "39.90", "Friday") && sut.exit_code == 0`, ""},

		{`distinct([for a in endpoint.mail.attempts : a.request.json.to]) == ["ann", "bob"]`, "distinct takes repetitions away"},
		{`distinct([for a in endpoint.mail.attempts : a.request.json.to]) == ["ann", "bob"] && length(endpoint.mail.attempts) == 2`, ""},
		{`distinct([for a in endpoint.mail.attempts : a.request.json.to]) == ["ann"]`, ""},
		{`distinct([for a in step.a.attempts : a.target]) == ["ann", "bob"]`, ""},

		{`regexmatch("^kettle 39.90$", sut.stdout)`, "A dot in a pattern is any character"},
		{`regexmatch("[0-9]+.[0-9]{2} EUR", sut.stdout)`, "A dot in a pattern is any character"},
		{`regexmatch("(\\d+).(\\d\\d)", sut.stdout)`, "A dot in a pattern is any character"},
		{`regexmatch("^kettle 39[.]90$", sut.stdout)`, ""},
		{`regexmatch("^kettle 39\\.90$", sut.stdout)`, ""},
		{`regexmatch("1.* of 3", sut.stdout)`, ""},
		{`regexmatch("a.1", sut.stdout)`, ""},

		{`replace(sut.stdout, "/[0-9][0-9:.]*/", "#") == "total #"`, "replaces every number of sut.stdout"},
		{`strcontains(replace(step.a.content, "/\\d+/", ""), "total")`, "replaces every number of step.a.content"},
		{`replace(sut.stdout, "/o-[0-9]+/", "#") == "total 7 of #"`, ""},
		{`replace(sut.stdout, "/[0-9]{4}-[0-9]{2}-[0-9]{2}/", "#") == "total 7 on #"`, ""},
		{`replace(sut.stdout, "/([0-9]+)/", "<$1>") == "total <7>"`, ""},
		{`replace("total 7", "/[0-9]+/", "#") == step.a.content`, ""},
		{`replace(sut.stdout, "7", "#") == "total #"`, ""},
		{`replace(sut.stdout, "/[0-9]+/", "#") == "total #" }
  assert "b" { condition = strcontains(sut.stdout, "132.30")`, ""},
		{`sut.exit_code == 0 }
  snapshot "b" { value = { text = replace(sut.stdout, "/[0-9]+/", "#") }`, "replaces every number of sut.stdout"},

		{`merge({ total = 900 }, jsondecode(sut.stdout)) == jsondecode(sut.stdout)`, "only the names of the members are compared"},
		{`step.a.json == merge({ total = 900 }, step.a.json)`, "only the names of the members are compared"},
		{`merge(step.a.json, { total = 900 }) == step.a.json`, ""},
		{`merge({ total = 900 }, step.a.json) == step.b.json`, ""},
	} {
		source := "scenario \"s\" {\n  assert \"a\" { condition = " + c.condition + " }\n}\n"
		file, diags := dsl.Parse("x.scenario.hcl", []byte(source))
		if diags.HasErrors() {
			t.Fatal(c.condition, diags)
		}
		file, diags = dsl.Link(file, nil)
		if diags.HasErrors() {
			t.Fatal(c.condition, diags)
		}
		said := ""
		for _, d := range lossy.File(file) {
			said += d.Detail + "\n"
		}
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: said %q, want %q", c.condition, said, c.want)
		}
	}
}

package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint"
)

// said are the warnings about a file that may import others, each with its line.
func said(t *testing.T, source string, imports map[string]string) []string {
	t.Helper()
	file, diags := dsl.Parse("x.scenario.hcl", []byte(source))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	file, diags = dsl.Link(file, func(_, written string) (string, []byte, error) { return written, []byte(imports[written]), nil })
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var list []string
	for _, d := range lint.File(file) {
		list = append(list, fmt.Sprintf("%d %s", d.Subject.Start.Line, d.Detail))
	}
	return list
}

// want compares what is said with the beginning of each of its sentences.
func want(t *testing.T, got []string, begins ...string) {
	t.Helper()
	if !slices.EqualFunc(got, begins, strings.HasPrefix) {
		t.Errorf("(- want, + got)\n%s", cmp.Diff(begins, got))
	}
}

const used = `
workflow "w" {
  step "value" "v" { value = 1 }
}
scenario "s" { run = workflow.w }
`

// Shows that a declaration of each type is warned of where nothing uses it.
func TestUnusedDeclarations(t *testing.T) {
	for _, declared := range []string{
		`variable "x" { default = 1 }`, `locals { x = 1 }`, `provider "openai" "x" {}`, `retry "linear" "x" {}`, `breaker "x" {}`, `rate_limit "x" {}`,
		`taxonomy "x" {}`, `lock "x" {}`, `registry "x" {}`, `actor "x" {}`, `fanout "x" {}`,
		"classifier \"x\" {\n fallback = \"a\"\n candidates = [\"a\"]\n}",
		"workflow \"x\" {\n step \"value\" \"v\" { value = 1 }\n}",
	} {
		got := said(t, declared+used, nil)
		if len(got) != 1 || !strings.HasPrefix(got[0], "1 No scenario in this file uses ") {
			t.Errorf("%s: %q", declared, got)
		}
	}
}

// Shows that a script for every step is none for a provider that no step names,
// and that every provider of a file is one that a program may ask.
func TestProvidersOfPrograms(t *testing.T) {
	const all = "scenario \"s\" {\n run = workflow.w\n on \"*\" {\n  reply { content = \"a\" }\n }\n}\nworkflow \"w\" {\n step \"value\" \"v\" { value = 1 }\n}\n"
	want(t, said(t, "provider \"openai\" \"x\" {}\n"+all, nil), "1 No scenario in this file uses provider")
	want(t, said(t, "provider \"openai\" \"x\" {}\nscenario \"s\" {\n expect \"run\" { status = \"success\" }\n}\n", nil))
}

// Shows that what is used counts as such however it is named: by an expression in
// a generated block, an index, a choice, an address, a name in quotes, by way of
// others.
func TestUses(t *testing.T) {
	for _, source := range []string{
		"locals {\n a = 1\n b = local.a\n}\nscenario \"s\" {\n run = workflow.w\n dynamic \"assert\" {\n for_each = [local.b]\n labels = [\"l\"]\n content { condition = step.v.output == 1 }\n }\n}\nworkflow \"w\" {\n step \"value\" \"v\" { value = 1 }\n}",
		"variable \"x\" { default = 1 }\nlocals { all = var }\nscenario \"s\" {\n run = workflow.w\n tags = keys(local.all)\n}\nworkflow \"w\" {\n step \"value\" \"v\" { value = 1 }\n}",
		"retry \"linear\" \"x\" {}\nprovider \"openai\" \"p\" {}\nworkflow \"w\" {\n provider = provider.p\n step \"llm\" \"v\" {\n prompt = \"x\"\n retry = retry[\"x\"]\n }\n}\nscenario \"s\" { run = workflow.w }",
		"lock \"x\" {}\nactor \"a\" {\n pool \"p\" { size = 1 }\n lock \"own\" {}\n handler \"h\" {\n lock = [\"own\", \"x\"]\n uses = [\"p\"]\n }\n}\nscenario \"s\" {\n start = []\n on \"actor.a.h\" {\n reply {}\n }\n}",
		"variable \"x\" {\n default = \"long enough\"\n sensitive = true\n}" + used,
		`import = ["common"]` + used,
		"breaker \"nobody\" {}",
		"provider \"openai\" \"x\" {}\nscenario \"s\" {\n on \"*\" {\n reply {}\n }\n}",
		"provider \"http\" \"x\" { base_url = \"https://a.example\" }\nendpoint \"e\" { provider = provider.x }\nscenario \"s\" {\n on \"e\" {\n reply {}\n }\n}",
		"provider \"openai\" \"x\" {}\nprovider \"openai\" \"y\" {}\nscenario \"s\" {\n run = workflow.w\n expect \"x\" { status = \"success\" }\n assert \"a\" { condition = endpoint.y.status == \"success\" }\n}\nworkflow \"w\" {\n step \"value\" \"v\" { value = 1 }\n}",
	} {
		want(t, said(t, source, map[string]string{"common": `retry "linear" "theirs" {}`}))
	}
}

// Shows that of declarations that use each other only those are named that nothing
// uses, or the first of a circle.
func TestUnusedByWayOfOthers(t *testing.T) {
	want(t, said(t, `
breaker "b" {}
provider "openai" "p" {}
gateway "g" {
  target "t" {
    provider = provider.p
    breaker  = breaker.b
  }
}
actor "one" {
  handler "h" { forward_to = actor.two.h }
}
actor "two" {
  handler "h" { forward_to = actor.one.h }
}`+used, nil),
		`4 No scenario in this file uses gateway "g"`, `10 No scenario in this file uses actor "one"`)
}

// Shows that a declaration that refers to itself is used by nobody all the same,
// and told before those that it alone uses.
func TestUnusedButByItself(t *testing.T) {
	want(t, said(t, `
actor "theirs" {
  handler "h" {}
}
actor "own" {
  handler "h" { forward_to = actor.own.i }
  handler "i" { forward_to = actor.theirs.h }
}`+used, nil),
		`5 No scenario in this file uses actor "own"`)
}

// Shows that an input, a pool, a lock and a bulkhead are warned of where nothing
// reads, takes or fills them.
func TestUnusedParts(t *testing.T) {
	want(t, said(t, `
provider "openai" "p" {}
workflow "w" {
  provider = provider.p
  inputs = {
    read     = null
    asserted = 1
    lost     = null
  }
  step "llm" "ask" {
    prompt = "Say ${input.read}"
    bulkhead { max_concurrent = 1 }
  }
}
actor "a" {
  pool "idle" { size = 1 }
  pool "struck" { size = 1 }
  lock "free" {}
  handler "h" {}
}
scenario "s" {
  run = workflow.w
  call "c" { target = actor.a.h }
  on "actor.a.pool.struck" {
    fault "db_down" {}
  }
  assert "a" { condition = step.ask.content != input.asserted }
}`, nil),
		`8 No step of workflow "w" reads input.lost`,
		`12 One run makes one call of step "ask" at a time`,
		`16 No handler or tool of actor "a" takes its pool "idle"`,
		`18 No handler or tool of actor "a" takes its lock "free"`,
	)
}

// Shows that a bulkhead is not warned of where several runs of its workflow may
// fill it.
func TestBulkheadOfSeveralRuns(t *testing.T) {
	want(t, said(t, `
provider "openai" "p" {}
workflow "w" {
  provider = provider.p
  step "llm" "ask" {
    prompt = "Say"
    bulkhead { max_concurrent = 1 }
  }
}
scenario "s" {
  run = workflow.w
  call "again" { target = workflow.w }
}`, nil))
}

// Shows that instances are warned of that differ in nothing, and no others.
func TestInstances(t *testing.T) {
	scenario := func(text string) string {
		return "workflow \"w\" {\n step \"value\" \"v\" { value = 1 }\n}\nscenario \"s\" {\n run = workflow.w\n" + text + "\n}"
	}
	want(t, said(t, scenario(`for_each = { a = 1, b = 2 }`), nil), `6 Nothing in scenario "s" reads each.key or each.value`)
	want(t, said(t, scenario("for_each = { a = 1 }\n tags = [each.key]"), nil))
	want(t, said(t, scenario("for_each = { a = 1 }\n matrix {\n m = range(each.value)\n n = [1]\n }\n seed = matrix.m"), nil), `9 Nothing in scenario "s" reads matrix.n`)
	want(t, said(t, scenario("matrix {\n m = [1]\n n = [1]\n }\n tags = values(matrix)"), nil))
	table := "for_each = {\n a = { n = 1, kind = \"x\" }\n b = { n = 2, kind = \"y\" }\n }\n"
	want(t, said(t, scenario(table+"seed = each.value.n"), nil), `7 Nothing in scenario "s" reads each.value.kind`)
	want(t, said(t, scenario(table+"tags = [each.value.kind]\n seed = each.value[\"n\"]"), nil))
	want(t, said(t, scenario(table+"tags = [for k, v in each.value : k]"), nil))
	want(t, said(t, scenario(table+"seed = lookup(each.value, \"n\", 1)"), nil), `7 Nothing in scenario "s" reads each.value.kind`)
	want(t, said(t, scenario(table+"seed = lookup(each.value, each.key, 1)"), nil))
	want(t, said(t, scenario(table+"tags = [each.key]"), nil), `7 Nothing in scenario "s" reads each.value.n`, `7 Nothing in scenario "s" reads each.value.kind`)
}

// Shows that what looks like a reference of another tool is warned of where its
// name means something, with what to write, and nothing else is.
func TestTexts(t *testing.T) {
	for text, meant := range map[string]string{
		`"Say {input.question}"`:                    "${input.question}",
		`"Say {{ input.question }}"`:                "${input.question}",
		`"Say {{.input.question}}"`:                 "${input.question}",
		`"Say $${input.question}"`:                  "${input.question}",
		`"Say $${question} of ${input.other}"`:      "${input.question}",
		`"Say {{question}} to {{ input.other }}"`:   "${input.question}",
		`"Say $question."`:                          "${input.question}",
		`"Say {question}"`:                          "${input.question}",
		`"{var.region}"`:                            "${var.region}",
		`upper("in $region")`:                       "${var.region}",
		`"After {step.first.content}"`:              "${step.first.content}",
		`"After {{first.content}}"`:                 "${step.first.content}",
		`jsonencode({ q = "{{question}}" })`:        "${input.question}",
		`"Say ${input.question}, not {question}"`:   "",
		`"{\"question\": 1} costs $5 or {a} {b.c}"`: "",
		`"${input.question}"`:                       "",
		`"f(x) { question } and { return }"`:        "${input.question}",
		`"{input.unknown} $input.nothing {{q}}"`:    "",
		`"{question} = ${jsonencode(input)}"`:       "",
	} {
		got := said(t, `provider "openai" "p" {}
variable "region" { default = "eu" }
workflow "w" {
  provider = provider.p
  inputs   = { question = "?", other = "o" }
  step "llm" "first" { prompt = "${var.region} ${input.question} ${input.other}" }
  step "llm" "ask" { prompt = `+text+` }
}
scenario "s" { run = workflow.w }`, nil)
		if meant == "" {
			want(t, got)
		} else if len(got) != 1 || !strings.HasPrefix(got[0], "7 ") || !strings.HasSuffix(got[0], " In a string, "+meant+" inserts the value.") {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Shows that a gate is not allowed in vain: one that no block of the scenario could
// break is warned of, and one that some block could, a generated one too, is not.
func TestAllowedInVain(t *testing.T) {
	scenario := func(allow, text string) string {
		return "workflow \"w\" {\n step \"value\" \"v\" { value = 1 }\n}\nscenario \"s\" {\n run = workflow.w\n allow = [\"" + allow + "\"]\n" + text + "\n}"
	}
	event := "event \"e\" {\n cancel = \"run\"\n}"
	want(t, said(t, scenario("unfired_fault", ""), nil), `6 Scenario "s" allows "unfired_fault"`)
	want(t, said(t, scenario("unfired_fault", event), nil))
	want(t, said(t, scenario("unfired_fault", "dynamic \"event\" {\n for_each = [1]\n labels = [\"e\"]\n content { cancel = \"run\" }\n}"), nil))
	want(t, said(t, scenario("drifted", event), nil), `6 Scenario "s" allows "drifted"`)
	want(t, said(t, scenario("deadlock", ""), nil))
}

// Shows which attributes another one of their block leaves without effect, and
// that those are left alone of which that is not so, or not known.
func TestAttributesWithoutEffect(t *testing.T) {
	retry := func(attrs string) string { return "retry \"exponential\" \"x\" {\n" + attrs + "\n}\n" }
	step := func(attrs string) string {
		return "workflow \"y\" {\nstep \"http\" \"v\" {\n" + attrs + "\n}\n}\n"
	}
	for source, begins := range map[string]string{
		retry("base = \"1s\"\nmax_retries = 0"):                        "2 retry \"x\" never retries",
		retry("max_retries = 0"):                                       "",
		retry("base = \"1s\"\nmax_retries = 1"):                        "",
		retry("max_retry_after = \"1s\"\nrespect_retry_after = false"): "2 max_retry_after is about",
		retry("retry_after_jitter = 0.2\nrespect_retry_after = false"): "2 retry_after_jitter is about",
		retry("max_retry_after = \"1s\"\nrespect_retry_after = true"):  "",
		retry("base = \"9s\"\nmax_delay = \"1s\""):                     "2 No wait of retry \"x\"",
		retry("base = \"1s\"\nmax_delay = \"1s\""):                     "",
		retry("base = var.x\nmax_delay = \"1s\""):                      "",
		step("timeout = \"1s\"\nattempt_timeout = \"9s\""):             "4 No attempt of step \"v\"",
		step("timeout = \"9s\"\nattempt_timeout = \"1s\""):             "",
		step("timeout = null\nattempt_timeout = \"1s\""):               "",
		step("timeout = \"9s\"\nidle_timeout = \"9s\""):                "4 No attempt of step \"v\" is silent",
		step("attempt_timeout = \"1s\"\nfirst_byte_timeout = \"2s\""):  "4 No attempt of step \"v\" is silent",
		step("attempt_timeout = \"2s\"\nfirst_byte_timeout = \"1s\""):  "",
	} {
		got := said(t, source, nil)
		if begins == "" {
			want(t, got)
		} else {
			want(t, got, begins)
		}
	}
}

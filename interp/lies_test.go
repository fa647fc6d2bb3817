package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/schema"
)

// liedTo is a workflow that asks two services of each family, and checks nothing.
const liedTo = `
provider "http" "web" { base_url = "https://web.test" }
provider "mcp" "tools" { base_url = "https://tools.test" }
provider "sql" "db" { base_url = "postgres://db.test/shop" }
provider "openai" "llm" { model = "m" }
workflow "w" {
  step "http" "one" {
    provider = provider.web
    path     = "/customers/41"
    query    = { lang = "fr" }
  }
  step "http" "two" {
    provider   = provider.web
    path       = "/customers/42"
    depends_on = [step.one]
  }
  step "mcp" "tool" {
    provider  = provider.tools
    tool      = "weather"
    arguments = { city = "Paris", days = 3 }
  }
  step "mcp" "other" {
    provider   = provider.tools
    tool       = "weather"
    arguments  = { city = "Rome", days = 1 }
    depends_on = [step.tool]
  }
  step "sql" "rows" {
    provider = provider.db
    query    = "select id, who from orders where who = $1 and id > 5"
    args     = ["ann"]
  }
  step "llm" "ask" {
    provider   = provider.llm
    prompt     = "x"
    depends_on = [step.rows]
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["no_assertion", "unexpected_failure"]
  on "one" {
    ENTRY one
    reply { json = { id = 41, lang = "fr", total = 7 } }
  }
  on "two" {
    ENTRY two
    reply { json = { id = 42, total = 8 } }
  }
  on "tool" {
    ENTRY tool
    reply { structured = { city = "Paris", days = 3, degrees = [14] } }
  }
  on "other" {
    ENTRY other
    reply { structured = { city = "Rome", days = 1 } }
  }
  on "rows" {
    ENTRY rows
    reply { rows = [{ id = 6, who = "ann" }] }
  }
  on "ask" {
    ENTRY ask
    reply { content = "It costs 12 dollars." }
  }
}`

// entries is the world with entries in the place of the replies of some steps.
func entries(with map[string]string) string {
	text := liedTo
	for _, step := range []string{"one", "two", "tool", "other", "rows", "ask"} {
		mark := "    ENTRY " + step + "\n"
		before, after, _ := strings.Cut(text, mark)
		if entry := with[step]; entry != "" {
			reply, rest, _ := strings.Cut(after, "\n")
			after = strings.ReplaceAll(entry, "REPLY", strings.TrimSpace(reply)) + "\n" + rest
		}
		text = before + after
	}
	return text
}

// What a lie changes of an answer is what it says that it changes, and an injected one
// is what a script with it is.
func TestLies(t *testing.T) {
	for _, c := range []struct {
		kind, step string
		args       schema.Values
		written    string
		want       string // a condition over the run
	}{
		{"swapped_response", "two", schema.Values{"of": "one"}, `of = "one"`, `step.two.output == { id = 41, lang = "fr", total = 7 }`},
		{"swapped_response", "two", nil, "", `step.two.output.id == 41`},
		{"swapped_response", "other", nil, "", `step.other.output.city == "Paris"`},
		{"contradiction", "one", nil, "", `step.one.output.id == 42 && step.one.output.lang != "fr" && step.one.output.total == 7`},
		{"contradiction", "tool", nil, "", `step.tool.output.city != "Paris" && step.tool.output.days == 4 && step.tool.output.degrees == [14]`},
		{"contradiction", "rows", nil, "", `step.rows.rows[0].who != "ann" && length(step.rows.rows[0].who) == 3 && step.rows.rows[0].id == 6`},
		{"wrong_numbers", "ask", schema.Values{"factor": 100.0}, "", `step.ask.content == "It costs 1200 dollars."`},
		{"wrong_numbers", "one", schema.Values{"factor": 0.5}, "factor = 0.5", `step.one.output == { id = 41, lang = "fr", total = 3.5 }`},
		{"wrong_record", "rows", nil, "", `step.rows.rows[0].id == 7 && step.rows.rows[0].who == "ann"`},
		{"truncated_list", "rows", nil, "", `length(step.rows.rows) == 0`},
		{"truncated_list", "tool", nil, "", `step.tool.output.degrees == [] && step.tool.output.city == "Paris"`},
		{"refusal", "ask", schema.Values{"content": "I'm sorry, but I can't help with that."}, "", `strcontains(step.ask.content, "sorry") && step.ask.finish_reason == "stop"`},
		{"refusal", "tool", schema.Values{"content": "no"}, `content = "no"`, `step.tool.content == "no" && step.tool.status == "success"`},
	} {
		kind := faults.Lookup(c.kind)
		inner := "REPLY"
		if kind.Answerless != nil {
			inner = ""
		}
		file := entries(map[string]string{c.step: fmt.Sprintf("fault %q {\n%s\n%s\n}", c.kind, c.written, inner)})
		checked := strings.TrimSuffix(file, "}") + fmt.Sprintf("  assert \"it is false\" { condition = %s }\n}", c.want)
		if r := Run(mustCompile(t, checked)[0], RunOptions{}); r.Verdict != Pass {
			t.Errorf("%s of %s:\n%s", c.kind, c.step, told(r))
		}
		scripted := Run(mustCompile(t, file)[0], RunOptions{})
		injected := Run(mustCompile(t, entries(nil))[0], RunOptions{Inject: func(at Point) *Injection {
			if at.Address != c.step {
				return nil
			}
			args := kind.Usual()
			for name, v := range c.args {
				args[name] = v
			}
			return &Injection{Fault: kind, Args: args}
		}})
		if diff := cmp.Diff(placeless(t, scripted), placeless(t, injected)); diff != "" {
			t.Errorf("%s of %s (- scripted, + injected):\n%s", c.kind, c.step, diff)
		}
	}
}

// A lie that cannot be told leaves the answer as it is, breaks the gate and says why.
func TestLiesThatCannotBeTold(t *testing.T) {
	for _, c := range []struct{ step, entry, want string }{
		{"one", "fault \"stale_response\" {\nREPLY\n}", "nothing was answered here before"},
		{"one", "fault \"swapped_response\" {\nREPLY\n}", "no other call was answered"},
		{"two", "fault \"contradiction\" {\nreply { json = { ok = true } }\n}", "repeats nothing of what was asked"},
		{"two", "fault \"swapped_response\" {\nof = \"one\"\nreply { json = { id = 41, lang = \"fr\", total = 7 } }\n}", "got the same answer as without it"},
	} {
		r := Run(mustCompile(t, entries(map[string]string{c.step: c.entry}))[0], RunOptions{})
		if text := told(r); r.Verdict != Fail || !strings.Contains(text, "unfired_fault") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, %s", c.entry, r.Verdict, text)
		}
	}
}

// A lie that no run could tell is refused where that is known.
func TestLiesThatAreRefused(t *testing.T) {
	for entry, want := range map[string]string{
		"fault \"truncated_list\" {\nreply { json = { a = 1 } }\n}":            "holds no list",
		"fault \"truncated_list\" {\nkeep = 3\nreply { json = [1, 2] }\n}":     "longer than it may stay",
		"fault \"wrong_numbers\" {\nreply { json = { id = 1, a = \"x\" } }\n}": "holds no number",
		"fault \"wrong_numbers\" { factor = 1 }":                               "factor is 1",
		"fault \"wrong_record\" {\nreply { json = { total = 1 } }\n}":          "whose record",
		"fault \"swapped_response\" { of = \"nobody\" }":                       "nobody",
		"fault \"swapped_response\" { of = \"one\" }":                          "stale_response",
		"fault \"swapped_response\" { of = \"rows\" }":                         "cannot have its answer",
		"fault \"refusal\" {}":                                                 "is for llm, mcp tool",
		"fault \"refused_answer\" {}":                                          "refusal",
		"fault \"stale_cache\" {}":                                             "stale_response",
	} {
		_, diags := tryCompile("test.scenario.hcl", entries(map[string]string{"one": entry}))
		if !diags.HasErrors() || !strings.Contains(diags.Error(), want) {
			t.Errorf("%s: %v, want %q", entry, diags, want)
		}
	}
}

// A program in whose place others ask gets the answers of their lanes, which are other
// calls, too; and a wrong record of a secret does not tell it.
func TestLiesTellNoSecret(t *testing.T) {
	src := strings.Replace(entries(map[string]string{"one": "fault \"wrong_record\" {\nreply { json = { id = 1, user = var.who } }\n}"}), "provider \"http\"", "variable \"who\" {\n  default = \"correct-horse-battery\"\n  sensitive = true\n}\nprovider \"http\"", 1)
	r := Run(mustCompile(t, src)[0], RunOptions{})
	text := strings.Join(placeless(t, r), "\n")
	if strings.Contains(text, "correct-horse") {
		t.Error("the secret stands in the trace")
	}
	if !strings.Contains(text, `\"id\":2`) {
		t.Errorf("the record is not another:\n%s", text)
	}
}

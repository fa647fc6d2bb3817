package interp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"

	"github.com/scenario-lang/scenario/interp/internal/event"
)

// What tells that a limit of a file had no part in a run: a line of -v, the mark of a check that rests on the
// limit, which the test has that is named, or nothing, for a reason.
var settingsTold = map[string]string{
	"breaker.threshold":         "line",
	"breaker.window":            "line",
	"breaker.reset":             "line",
	"breaker.half_open_max":     "line",
	"breaker.success_threshold": "line",
	"breaker.ignore":            "line",
	"breaker.failure_rate":      "none: it is part of the window, whose line tells of it",
	"breaker.min_calls":         "none: it is part of the window, whose line tells of it",

	"bulkhead.max_concurrent": "line",
	"bulkhead.max_queue":      "line",

	"rate_limit.requests_per_minute": "line",
	"rate_limit.burst":               "line",
	"rate_limit.tokens_per_minute":   "line",

	"lock.capacity":          "line",
	"lock.max_queue":         "line",
	"lock.acquire_timeout":   "mark: limits_of_locks_test.go",
	"pool.size":              "line",
	"pool.acquire_timeout":   "mark: limits_of_locks_test.go",
	"pool.statement_timeout": "none: a deadline, of which scenario coverage says whether it ended something",

	"budget.usd":    "mark: run_budget_test.go",
	"budget.tokens": "mark: run_budget_test.go",

	"retry.max_retries":         "mark: limits_unreached_test.go",
	"retry.max_delay":           "line",
	"retry.max_retry_after":     "mark: waits_unreached_test.go",
	"retry.retry_after_cap":     "line",
	"retry.jitter":              "mark: jitter_test.go",
	"retry.retry_after_jitter":  "none: each wait that a server asks for has it",
	"retry.respect_retry_after": "none: it limits nothing",
	"retry.retry_on":            "none: it limits nothing; scenario coverage says which failures a step met",
	"retry.base":                "none: each first wait is that long",
	"retry.multiplier":          "none: it limits nothing",
	"retry.delay":               "none: each first wait is that long",
	"retry.increment":           "none: it limits nothing",
}

// Shows that each attribute of a policy, a lock, a pool and a budget is in the table of what tells that it
// had no part in a run, and that what the table names is there.
func TestEveryLimitIsToldOf(t *testing.T) {
	types := []string{"retry", "breaker", "rate_limit", "bulkhead", "lock", "pool", "budget"}
	found := map[string]bool{}
	language.Each(func(b *schema.Block) {
		if !slices.Contains(types, b.Type) || len(b.Labels) == 0 && b.Type != "bulkhead" && b.Type != "budget" {
			return
		}
		for _, a := range b.Attrs {
			found[b.Type+"."+a.Name] = true
		}
	})
	for name := range found {
		told := settingsTold[name]
		kind, of, _ := strings.Cut(told, ": ")
		switch kind {
		case "line", "none":
		case "mark":
			if _, err := os.Stat(of); err != nil {
				t.Errorf("%s: there is no %s", name, of)
			}
		default:
			t.Errorf("%s: say in settingsTold what tells that it had no part in a run: a line of -v (cover.Settings), a mark of a check, or why nothing", name)
		}
		if kind == "line" && !slices.ContainsFunc(plantedSettings, func(p plantedSetting) bool { return p.name == name }) {
			t.Errorf("%s: no case of plantedSettings has it", name)
		}
	}
	for name := range settingsTold {
		if !found[name] {
			t.Errorf("there is no attribute %s", name)
		}
	}
}

// A plantedSetting is a file with a limit, in a world that does not come near to it, one in which it has no
// part, and one in which it has.
type plantedSetting struct {
	name string
	file string
	// far, idle and busy stand in the place of %s. What each call comes to has no far.
	far, idle, busy string
}

const (
	settingsGateway = `provider "http" "shop" { base_url = "https://shop.example" }
%[1]s
gateway "shop" {
  target "main" {
    provider = provider.shop
    %[2]s
  }
}
workflow "check" {
  gateway = gateway.shop
  step "http" "get" { path = "/items/7" }
}
scenario "s" {
  %%s
  assert "x" { condition = length(target.main.attempts) < 100 }
}
`
	settingsActor = `actor "desk" {
  lock "order" {
    capacity = 2
  %s
  }
  pool "db" { size = 2 }
  handler "sell" {
    takes  = "2s"
    lock   = ["order"]
    return = "sold"
  }
  handler "list" {
    takes  = "2s"
    uses   = ["db"]
    return = "listed"
  }
}
scenario "s" {
  %%s
  assert "x" { condition = length(actor.desk.sessions) < 100 }
}
`
)

func settingsOfBreaker(attrs string) string {
	return fmt.Sprintf(settingsGateway, "breaker \"std\" {\n  "+attrs+"\n}", "breaker  = breaker.std")
}

func settingsOfBulkhead(attrs string) string {
	return fmt.Sprintf(settingsGateway, "", "bulkhead {\n      "+attrs+"\n    }")
}

func settingsOfRate(attrs string) string {
	return fmt.Sprintf(settingsGateway, "rate_limit \"std\" {\n  "+attrs+"\n}", "rate_limit = rate_limit.std")
}

// settingsCalls are calls of a target at some times, after which they come to what the script says.
func settingsCalls(target, script string, times ...string) string {
	var b strings.Builder
	for i, at := range times {
		fmt.Fprintf(&b, "  call \"c%d\" {\n    target = %s\n    at     = %q\n  }\n", i, target, at)
	}
	return b.String() + script + "\n  allow = [\"unexpected_failure\"]\n"
}

func settingsRun(script string, times ...string) string {
	return settingsCalls("workflow.check", "  on \"*\" {\n    "+script+"\n  }", times...)
}

// settingsBroken is settingsRun of calls of which the first two fail.
func settingsBroken(script string, times ...string) string {
	const fails = "  on %q {\n    fault \"http_error\" { status_code = 500 }\n  }\n"
	return settingsCalls("workflow.check", fmt.Sprintf(fails, "c0.get")+fmt.Sprintf(fails, "c1.get")+"  on \"*\" {\n    "+script+"\n  }", times...)
}

const (
	settingsDown = `fault "http_error" {
      status_code = 500
      times       = "*"
    }`
	settingsUp   = `reply { times = "*" }`
	settingsSlow = "reply {\n      latency = \"5s\"\n      times   = \"*\"\n    }"
)

// settingsOfTokens is a model behind a limit on tokens, and settingsTokens are calls of it whose answers cost so much.
const settingsOfTokens = `provider "openai" "llm" { model = "m" }
rate_limit "std" { tokens_per_minute = 2000 }
gateway "models" {
  target "main" {
    provider   = provider.llm
    rate_limit = rate_limit.std
  }
}
workflow "check" {
  gateway = gateway.models
  step "llm" "get" {
    prompt     = "Say something."
    max_tokens = 100
  }
}
scenario "s" {
  %s
  assert "x" { condition = length(target.main.attempts) < 100 }
}
`

func settingsTokens(cost int, times ...string) string {
	return settingsRun(fmt.Sprintf("reply {\n      content = \"x\"\n      usage   = { prompt_tokens = %d }\n      times   = \"*\"\n    }", cost), times...)
}

// settingsOfRetry is a policy with waits of 1, 2, 4 and 8 seconds, and settingsFails are so many failures with a wait
// that the server asks for.
func settingsOfRetry(attr string) string {
	return fmt.Sprintf(`provider "http" "shop" { base_url = "https://shop.example" }
retry "exponential" "std" {
  max_retries = 6
  %s
}
workflow "check" {
  provider = provider.shop
  step "http" "get" {
    path  = "/items/7"
    retry = retry.std
  }
}
scenario "s" {
  run = workflow.check
  %%s
  assert "x" { condition = length(step.get.attempts) < 100 }
}
`, attr)
}

func settingsFails(times int, asked string) string {
	text, headers := "", ""
	if asked != "" {
		headers = fmt.Sprintf("headers = { \"Retry-After\" = %q }", asked)
	}
	if times > 0 {
		text = fmt.Sprintf("fault \"http_error\" {\n      status_code = 503\n      times = %d\n      %s\n    }\n    ", times, headers)
	}
	return "on \"get\" {\n    " + text + "reply {}\n  }"
}

var plantedSettings = []plantedSetting{
	{"breaker.threshold", settingsOfBreaker("threshold = 3"), settingsRun(settingsUp, "0s"), settingsRun(settingsDown, "0s", "1s"), settingsRun(settingsDown, "0s", "1s", "2s")},
	{"breaker.window", settingsOfBreaker("window = 3\n  min_calls = 3"), settingsRun(settingsUp, "0s"), settingsRun(settingsDown, "0s", "1s"), settingsRun(settingsDown, "0s", "1s", "2s")},
	{"breaker.reset", settingsOfBreaker("threshold = 2\n  reset = \"30s\""), settingsRun(settingsDown, "0s"), settingsRun(settingsDown, "0s", "1s"), settingsRun(settingsDown, "0s", "1s", "2s")},
	{"breaker.half_open_max", settingsOfBreaker("threshold = 2\n  reset = \"30s\"\n  half_open_max = 10"), settingsRun(settingsDown, "0s", "1s", "2s"), settingsRun(settingsDown, "0s", "1s", "32s", "33s", "34s"), settingsBroken(settingsSlow, "0s", "1s", "32s", "33s")},
	{"breaker.half_open_max", settingsOfBreaker("threshold = 2\n  reset = \"30s\"\n  half_open_max = 1"), settingsRun(settingsUp, "0s", "1s", "2s"), settingsBroken(settingsSlow, "0s", "1s", "32s", "38s"), settingsBroken(settingsSlow, "0s", "1s", "32s", "33s")},
	{"breaker.success_threshold", settingsOfBreaker("threshold = 2\n  reset = \"30s\"\n  success_threshold = 2"), settingsRun(settingsDown, "0s", "1s", "2s"), settingsRun(settingsDown, "0s", "1s", "32s"), settingsBroken(settingsUp, "0s", "1s", "32s")},
	{"breaker.success_threshold", settingsOfBreaker("threshold = 2\n  reset = \"30s\"\n  success_threshold = 1"), settingsRun(settingsDown, "0s", "1s", "2s"), settingsRun(settingsDown, "0s", "1s", "32s"), settingsBroken(settingsUp, "0s", "1s", "32s")},
	{"breaker.ignore", settingsOfBreaker("ignore = [\"rate_limit\"]"), settingsRun(settingsUp, "0s"), settingsRun(settingsDown, "0s", "1s"), settingsRun("fault \"http_error\" { status_code = 429 }", "0s")},

	{"bulkhead.max_concurrent", settingsOfBulkhead("max_concurrent = 3"), "", settingsRun(settingsSlow, "0s", "1s", "2s"), settingsRun(settingsSlow, "0s", "1s", "2s", "3s")},
	{"bulkhead.max_concurrent", settingsOfBulkhead("max_concurrent = 1\n      max_queue = 2"), "", settingsRun(settingsSlow, "0s", "6s"), settingsRun(settingsSlow, "0s", "1s")},
	{"bulkhead.max_concurrent", settingsOfBulkhead("max_concurrent = 2\n      max_queue = 9"), "", settingsRun(settingsSlow, "0s", "0s"), settingsRun(settingsSlow, "0s", "0s", "0s", "0s")},
	{"bulkhead.max_queue", settingsOfBulkhead("max_concurrent = 1\n      max_queue = 2"), settingsRun(settingsSlow, "0s", "6s"), settingsRun(settingsSlow, "0s", "1s", "1s"), settingsRun(settingsSlow, "0s", "1s", "1s", "1s")},

	{"rate_limit.requests_per_minute", settingsOfRate("requests_per_minute = 60"), "", settingsRun(settingsUp, "0s", "1s"), settingsRun(settingsUp, slices.Repeat([]string{"0s"}, 61)...)},
	{"rate_limit.burst", settingsOfRate("burst = 2"), "", settingsRun(settingsUp, "0s", "1s"), settingsRun(settingsUp, "0s", "0s", "0s")},

	{"rate_limit.tokens_per_minute", settingsOfTokens, "", settingsTokens(100, "0s", "1s", "2s"), settingsTokens(1000, "0s", "1s", "2s")},
	{"rate_limit.tokens_per_minute", settingsOfTokens, "", settingsTokens(1700, "0s", "1s"), settingsTokens(1950, "0s", "1s")},
	{"retry.max_delay", settingsOfRetry("max_delay = \"5s\""), settingsFails(0, ""), settingsFails(3, ""), settingsFails(4, "")},
	{"retry.retry_after_cap", settingsOfRetry("retry_after_cap = \"5s\""), settingsFails(2, ""), settingsFails(1, "5"), settingsFails(1, "6")},

	{"lock.capacity", fmt.Sprintf(settingsActor, ""), settingsCalls("actor.desk.list", "", "0s"), settingsCalls("actor.desk.sell", "", "0s", "1s"), settingsCalls("actor.desk.sell", "", "0s", "1s", "1s")},
	{"lock.max_queue", fmt.Sprintf(settingsActor, "max_queue = 1"), settingsCalls("actor.desk.sell", "", "0s", "1s"), settingsCalls("actor.desk.sell", "", "0s", "1s", "1s"), settingsCalls("actor.desk.sell", "", "0s", "1s", "1s", "1s")},
	{"pool.size", fmt.Sprintf(settingsActor, ""), settingsCalls("actor.desk.sell", "", "0s"), settingsCalls("actor.desk.list", "", "0s", "1s"), settingsCalls("actor.desk.list", "", "0s", "1s", "1s")},
}

// Shows that a limit is told of where the run came to it and nothing would have been otherwise with a larger
// one, and not where it had a part in the run, or the run came to nothing of it.
func TestSettingsWithoutPart(t *testing.T) {
	for _, c := range plantedSettings {
		_, attr, _ := strings.Cut(c.name, ".")
		for _, w := range []struct {
			what, with string
			near, part bool
		}{{"far", c.far, false, false}, {"idle", c.idle, true, false}, {"busy", c.busy, true, true}} {
			if w.with == "" {
				continue
			}
			p := mustCompile(t, fmt.Sprintf(c.file, w.with))[0]
			r := Run(p, RunOptions{})
			var found []string
			for _, s := range SettingsOf(p, r.Events) {
				if s.Name == attr {
					found = append(found, fmt.Sprint(s.Near, s.Part))
					if s.Why == "" || s.Else == "" || s.Hint == "" {
						t.Errorf("%s: %+v", c.name, s)
					}
				}
			}
			if want := []string{fmt.Sprint(w.near, w.part)}; !slices.Equal(found, want) || r.Verdict == Error {
				t.Errorf("%s, %s: near and part are %v, want %v; %s %s", c.name, w.what, found, want, r.Verdict, told(r))
			}
		}
	}
}

// Shows that nothing is said of what a file leaves to its default.
func TestSettingsOfDefaults(t *testing.T) {
	p := mustCompile(t, fmt.Sprintf(settingsOfBreaker("threshold = 2\n  reset = \"30s\""), settingsRun(settingsDown, "0s", "1s", "32s")))[0]
	for _, s := range SettingsOf(p, Run(p, RunOptions{}).Events) {
		if s.Name != "threshold" && s.Name != "reset" {
			t.Errorf("%+v", s)
		}
	}
}

// Shows that the events of a run say the same of its settings as those of a trace file: what is
// hidden of them is none of it, so that they need not be written and read again for that.
func TestSettingsOfTraceFiles(t *testing.T) {
	compared := 0
	for _, path := range suiteFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range compileAt(t, path, string(text)) {
			events := Run(p, RunOptions{}).Events
			got, want := SettingsOf(p, events), SettingsOf(p, event.Shown(events))
			if len(want) > 0 {
				compared++
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q: %+v, of a trace file %+v", path, p.Name, got, want)
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d scenarios have settings", compared)
	}
}

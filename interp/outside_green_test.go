package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/wire"
)

// answered is a run of a program that asks a model for each prompt, one after the other.
func answeredBy(t *testing.T, source string, bodies ...string) (r *Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, source)
		for _, body := range bodies {
			d.asks(chatURL, body).End(false)
		}
		r, _ = d.run.Finish("success")
	})
	return r
}

// Shows that what the script of a scenario answers a program is no check of the
// program, unless it may as well not have been used, or is compared with what the
// program did.
func TestWhatTheScriptSaysItself(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  %s
  on "llm" {
    fault "http_error" { optional = true }
    reply {
      content  = "Rayleigh"
      optional = %t
    }
  }
  %s
}
`
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" { condition = %s }", condition) }
	for _, c := range []struct {
		optional     bool
		allow, check string
		shows        bool
	}{
		{false, "", `expect "llm" { content = "Rayleigh" }`, false},
		{false, "", assert(`endpoint.llm.content == "Rayleigh"`), false},
		{false, "", assert(`strcontains(lower(endpoint.llm.content), "ray")`), false},
		{false, "", assert(`endpoint.llm.content != "Mie"`), false},
		{false, "", "expect \"llm\" {\n content = \"Rayleigh\"\n status = \"success\"\n}", true},
		{false, "", assert(`endpoint.llm.content == "Rayleigh" && endpoint.llm.retries == 1`), true},
		{false, "", assert(`endpoint.llm.content != sut.stderr`), true},
		{true, "", `expect "llm" { content = "Rayleigh" }`, true},
		{false, `allow = ["unused_reply"]`, `expect "llm" { content = "Rayleigh" }`, true},
		{false, "", `expect "llm" { status = "success" }`, true},
		{false, "", `expect "llm" { usage = { total_tokens = 3 } }`, true},
		{false, "", assert(`length(endpoint.llm.attempts) == 2`), true},
		{false, "", assert(`endpoint.llm.attempts[1].status_code == 200`), false},
		{true, "", assert(`endpoint.llm.attempts[1].status_code == 200`), true},
		// The first answer need not have been used, the second has to be.
		{false, "", assert(`anytrue([for a in endpoint.llm.attempts : a.status_code == 200])`), true},
		{false, "", assert(`endpoint.llm.attempts[length(endpoint.llm.attempts) - 1].status_code == 200`), true},
	} {
		r := answeredBy(t, fmt.Sprintf(source, c.allow, c.optional, c.check), chatOf("why?"), chatOf("why?"))
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (optional %v %s): that it shows something is %v; %s: %s %+v", c.check, c.optional, c.allow, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what is said of all attempts of a program, and holds of the answers that have to be
// used, whatever else it asked, shows nothing of it; and that how many there are of some does.
func TestWhatTheScriptSaysOfAllAttempts(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    fault "http_error" { status_code = 503 }
    reply {
      content  = "Rayleigh"
      optional = %t
    }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		optional  bool
		condition string
		shows     bool
	}{
		{false, `anytrue([for a in endpoint.llm.attempts : a.status_code == 200])`, false},
		{true, `anytrue([for a in endpoint.llm.attempts : a.status_code == 200])`, true},
		{true, `anytrue([for a in endpoint.llm.attempts : a.status_code == 503])`, false},
		{false, `!alltrue([for a in endpoint.llm.attempts : a.status_code == 200])`, false},
		{false, `contains([for a in endpoint.llm.attempts : a.fault], "http_error")`, false},
		{false, `contains(endpoint.llm.attempts[*].status_code, 503)`, false},
		{false, `[for a in endpoint.llm.attempts : a.status_code] == [503, 200]`, true},
		{false, `length([for a in endpoint.llm.attempts : a if a.status_code == 503]) == 1`, true},
		{false, `alltrue([for a in endpoint.llm.attempts : a.status_code == 503 || a.status_code == 200])`, true},
		{false, `anytrue([for a in endpoint.llm.attempts : a.status_code == 200 && a.request.json.model == "m"])`, true},
		{false, `length(endpoint.llm.attempts) >= 2`, true},
	} {
		r := answeredBy(t, fmt.Sprintf(source, c.optional, c.condition), chatOf("why?"), chatOf("why?"))
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%+v: %s: %s %+v", c, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what a recording answers a program is no check of the program either, unless it
// may as well not have been used, or is compared with what the program did.
func TestWhatTheRecordingSaysItself(t *testing.T) {
	for _, c := range []struct {
		allow, check string
		shows        bool
	}{
		{"", `expect "m" { content = "so" }`, false},
		{"", `assert "x" { condition = endpoint.m.content == "so" }`, false},
		{"", `assert "x" { condition = endpoint.m.attempts[0].status_code == 200 }`, false},
		{"", `assert "x" { condition = endpoint.m.attempts[0].response.content == "so" }`, false},
		{"", `assert "x" { condition = endpoint.m.attempts[0].request.json.model == "m" }`, true},
		{"", `assert "x" { condition = endpoint.m.content != sut.stderr }`, true},
		{"", "expect \"m\" {\n content = \"so\"\n status = \"success\"\n}", true},
		{`allow = ["unused_interaction"]`, `expect "m" { content = "so" }`, true},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "tape.yaml"), []byte(ignoredTape), 0o600); err != nil {
			t.Fatal(err)
		}
		p := compileAt(t, filepath.Join(dir, "x.scenario.hcl"), fmt.Sprintf(`
provider "openai" "m" { model = "m" }
scenario "s" {
  %s
  sut { command = ["agent"] }
  cassette { path = "tape.yaml" }
  %s
}
`, c.allow, c.check))[0]
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			d := &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})}
			d.asks(chatURL, chatOf("why?")).End(false)
			r, _ = d.run.Finish("success")
		})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s: that it shows something is %v; %s: %s %+v", c.allow, c.check, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what a run of a program never has is no proof of what the program did:
// its own retries and breakers are in no event and no metric of the run.
func TestQueriesOfWhatARunOfAProgramHasNot(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    %s
    reply { content = "Rayleigh" }
  }
  assert "x" { condition = %s }
  expect "run" { status = "success" }
}
`
	const failing = `fault "http_error" {}`
	for _, c := range []struct {
		fault, condition string
		unseen           string
		shows            bool
	}{
		{failing, `metric("scenario_retries_total") == 0`, `metric("scenario_retries_total")`, false},
		{failing, `metrics("scenario_fallbacks_total") == []`, `metrics("scenario_fallbacks_total")`, false},
		{failing, `events({ type = "retry_wait" }) == []`, `events({ type = "retry_wait" })`, false},
		{failing, `length(events({ "type" = ("breaker") })) == 0`, `events({ type = "breaker" })`, false},
		{failing, `metric("scenario_attempts_total") == 2`, "", true},
		{failing, `length(events({ type = "fault" })) == 1`, "", true},
		{"", `length(events({ type = "fault" })) == 0`, "", false},
		{"", `metric("scenario_mock_fault_total") == 0`, "", false},
		{"", `events({ type = "failure" }) == []`, "", true},
	} {
		bodies := []string{chatOf("why?")}
		if c.fault != "" {
			bodies = append(bodies, bodies[0])
		}
		r := answeredBy(t, fmt.Sprintf(source, c.fault, c.condition), bodies...)
		unseen := ""
		if len(r.Unseen) > 0 {
			unseen = r.Unseen[0].What
		}
		if unseen != c.unseen || (unseen == "" && countIdle(r) == 0) != c.shows || r.Verdict != Pass {
			t.Errorf("%s: not observed: %q, want %q; that it shows something is %v; %s: %s %+v", c.condition, unseen, c.unseen, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// What is said to be in no run of a program is in none: neither in one that retries,
// nor in one that asks twice over a connection and calls a stranger.
func TestWhatNoRunOfAProgramHas(t *testing.T) {
	retries := answeredBy(t, `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    fault "http_error" {}
    fault "connection_reset" {}
    reply { content = "Rayleigh" }
  }
  expect "llm" { retries = 2 }
}
`, chatOf("why?"), chatOf("why?"), chatOf("why?"))
	if retries.Verdict != Pass {
		t.Fatalf("%s", told(retries))
	}
	seen := map[string]bool{}
	for _, r := range []*Result{retries, drivenRun(t)} {
		for _, e := range r.Events {
			seen[fmt.Sprintf(`events({ type = %q })`, e.Type)] = true
		}
		for _, m := range telemetry.Metrics(r.Events, "scenario") {
			seen[fmt.Sprintf(`metrics(%q)`, m.Name)] = m.Value != 0
		}
	}
	if len(seen) < 12 {
		t.Errorf("only %d sorts: %v", len(seen), seen)
	}
	for query, is := range seen {
		text := everyWay + "scenario \"s\" {\nrun = workflow.w\nsut { command = [\"true\"] }\nassert \"a\" {\n condition = " + query + " == []\n}\n}\n"
		if got := plan.Inside(fileAt(t, text)).Asserts[0].Unseen.Driven; is && got != "" {
			t.Errorf("%s is said not to be observed, and is", got)
		}
	}
}

// countIdle counts the checks of a result that show nothing.
func countIdle(r *Result) (n int) {
	for _, p := range r.Relaxed {
		if p.Kind == KindIdle || p.Kind == KindNothing {
			n++
		}
	}
	return n
}

// Shows that attempts which count themselves in what they ask are not taken for calls
// that were never repeated.
func TestAttemptsThatCountThemselves(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    fault "http_error" { %s }
    reply { content = "Rayleigh" }
  }
  %s
}
`
	both := func(a, b string) [2]string { return [2]string{chatOf(a), chatOf(b)} }
	for _, c := range []struct {
		asked [2]string
		check string
		shows bool
	}{
		{both("why? (attempt 1)", "why? (attempt 2)"), `expect "llm" { retries = 0 }`, false},
		{both("why is it blue", "Second attempt: why is it blue"), `expect "llm" { retries = 0 }`, false},
		{both("why is it blue", "why is it blue, please try again"), `expect "llm" { retries = 0 }`, false},
		{both("why? [id 4f1c9e207a]", "why? [id 99ab27cd01]"), `expect "llm" { retries = 0 }`, false},
		{both("why? 1", "why? 2"), `assert "x" { condition = endpoint.llm.retries == 0 }`, false},
		{both("why? 1", "why? 2"), `assert "x" { condition = endpoint.llm.retries <= 3 }`, false},
		{both("why? 1", "why? 2"), `assert "x" { condition = length(endpoint.llm.attempts) == 2 }`, true},
		{both("why?", "why?"), `expect "llm" { retries = 1 }`, true},
		{both("why is the sky blue", "why is the grass green"), `expect "llm" { retries = 0 }`, true},
		{both("order 4711", "order 4712"), `expect "llm" { retries = 0 }`, true},
	} {
		r := answeredBy(t, fmt.Sprintf(source, "", c.check), c.asked[:]...)
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s: that it shows something is %v; %s: %s %+v", c.asked, c.check, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	// After a success another question is another call, however much it is like the one before:
	// that nothing failed is why there is no retry.
	r := answeredBy(t, strings.Replace(fmt.Sprintf(source, "optional = true", `expect "llm" { retries = 0 }`), "fault \"http_error\" { optional = true }", "reply { content = \"one\" }", 1), chatOf("why? 1"), chatOf("why? 2"))
	if countIdle(r) != 1 || strings.Contains(r.Relaxed[0].Message, "in the same words") {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
}

// Shows that a check of what the run of a program waited for is not taken for one that
// could have failed: what comes after the run's end is not seen.
func TestChecksOfWhatTheRunWaitedFor(t *testing.T) {
	const source = `provider "openai" "llm" {}
provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["agent"]
    until   = %s
    %s
  }
  on "llm" {
    fault "http_error" {}
    reply { content = "Rayleigh" }
  }
  %s
}
`
	const twice, success = "length(endpoint.llm.attempts) >= 2", `endpoint.llm.status == "success"`
	for _, c := range []struct {
		until, settle, check string
		marked, passes       bool
	}{
		// The run is ended at the second attempt, so a third is not seen.
		{twice, "", `assert "x" { condition = length(endpoint.llm.attempts) <= 2 }`, true, false},
		{twice, "", `assert "x" { condition = length(endpoint.llm.attempts) == 2 }`, true, false},
		{twice, "", `assert "x" { condition = !(length(endpoint.llm.attempts) > 5) }`, true, false},
		{"2 <= length(endpoint.llm.attempts)", "", `assert "x" { condition = within(length(endpoint.llm.attempts), 1, 3) }`, true, false},
		{"endpoint.llm.retries > 0", "", `expect "llm" { retries = 1 }`, true, false},
		{twice + " && " + success, "", `assert "x" { condition = length(endpoint.llm.attempts) == 2 }`, true, false},
		// Neither is what else it would have asked, or written.
		{success, "", `assert "x" { condition = endpoint.shop.status == "unused" }`, true, false},
		{success, "", `assert "x" { condition = endpoint.llm.retries == 1 && endpoint.shop.attempts == [] }`, true, false},
		{success, "", `assert "x" { condition = endpoint.llm.retries == 1 && !strcontains(sut.stderr, "Traceback") }`, true, false},
		{success, "", `expect "shop" { status = "unused" }`, true, false},
		// Nor by any other name.
		{success, "", `assert "x" { condition = endpoint.llm.retries == 1 && length(endpoint.shop.attempts) < 1 }`, true, false},
		{success, "", `assert "x" { condition = endpoint.llm.retries == 1 && !(length(endpoint.shop.attempts) > 0) }`, true, false},
		{success, "", `assert "x" { condition = endpoint.llm.retries == 1 && [for e in [endpoint.shop] : e.status] == ["unused"] }`, true, false},
		{success, "", `assert "x" { condition = events({ type = "attempt_start", step = "shop" }) == [] }`, true, false},
		{success, `settle = "1s"`, `assert "x" { condition = events({ type = "attempt_start", step = "shop" }) == [] }`, false, true},
		{success, "", `assert "x" { condition = length(events({ type = "attempt_start", step = "llm" })) == 2 }`, false, true},
		{success, "", `assert "x" { condition = endpoint.llm.retries == 1 || endpoint.shop.attempts == [] }`, false, true},
		{success, "", `assert "x" { condition = !anytrue([for e in events() : try(e.step == "shop", false)]) }`, true, false},
		{success, "", `assert "x" { condition = [for e in events({ type = "attempt_start" }) : e if e.step == "shop"] == [] }`, true, false},
		{success, "", `assert "x" { condition = !contains(events({ type = "attempt_start" })[*].step, "shop") && endpoint.llm.retries == 1 }`, true, false},
		{success, "", `assert "x" { condition = [for e in events() : e if e.type == "attempt_start" && e.step == "shop"] == [] }`, true, false},
		{success, "", `assert "x" { condition = length(events({ type = "attempt_start" })) == 2 }`, false, true},
		{success, "", `assert "x" { condition = sut.exit_code == null }`, true, false},
		{success, "", `assert "x" { condition = sut.exit_code != 1 && endpoint.llm.retries == 1 }`, true, false},
		{success, `settle = "1s"`, `assert "x" { condition = !anytrue([for e in events() : try(e.step == "shop", false)]) }`, false, true},
		{success, `settle = "1s"`, `assert "x" { condition = sut.exit_code == null }`, false, true},
		{success, "", `assert "x" { condition = length([for e in events() : e if e.type == "attempt_start"]) == 2 }`, false, true},
		{success, "", `assert "x" { condition = anytrue([for e in events() : try(e.step == "llm", false)]) }`, false, true},
		{success, `settle = "1s"`, `assert "x" { condition = endpoint.shop.status == "unused" }`, false, true},
		{success, `settle = "1s"`, `expect "shop" { status = "unused" }`, false, true},
		{success + ` && endpoint.shop.status == "unused"`, "", `assert "x" { condition = endpoint.llm.retries == 1 }`, false, true},
		// With a settle one more would be.
		{twice, `settle = "1s"`, `assert "x" { condition = length(endpoint.llm.attempts) == 2 }`, false, true},
		// What it waits for is the business of a gate.
		{success, "", `assert "x" { condition = endpoint.llm.status == "success" }`, true, true},
		{success, "", `expect "llm" { status = "success" }`, true, true},
		{twice, "", `assert "x" { condition = length(endpoint.llm.attempts)  >=  2 }`, true, true},
		// Other things are checks.
		{success, "", `expect "llm" { retries = 1 }`, false, true},
		{twice, "", `assert "x" { condition = endpoint.llm.retries == 1 }`, false, true},
		{success, "", `assert "x" { condition = endpoint.llm.status == "success" && endpoint.llm.retries == 1 }`, false, true},
		{"length(endpoint.llm.attempts) >= 1", "", `assert "x" { condition = length(endpoint.llm.attempts) == 2 }`, false, true},
	} {
		r := answeredBy(t, fmt.Sprintf(source, c.until, c.settle, c.check), chatOf("why?"), chatOf("why?"))
		if (countIdle(r) > 0) != c.marked || (r.Verdict == Pass) != c.passes {
			t.Errorf("until %s %s: %s: that it is marked is %v, and that it passes %v; %s: %s %+v", c.until, c.settle, c.check, c.marked, c.passes, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that the record of what a script answered a program shows nothing of that, and one of
// what the program asked does.
func TestRecordsOfWhatTheScriptSays(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply { json = { id = 7 } }
  }
  snapshot "n" { value = %s }
}
`
	for _, c := range []struct {
		value, golden string
		shows         bool
	}{
		{`endpoint.shop.json`, `{"id":7}`, false},
		{`endpoint.shop.attempts[0].status_code`, `200`, false},
		{`{ status = endpoint.shop.attempts[0].status_code, body = endpoint.shop.json }`, `{"body":{"id":7},"status":200}`, false},
		{`{ n = length(endpoint.shop.attempts), body = endpoint.shop.json }`, `{"body":{"id":7},"n":1}`, true},
		{`jsondecode(endpoint.shop.attempts[0].request.body)`, `{"item":"tea"}`, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := &driver{t, NewOutside(recordedOf(t, fmt.Sprintf(source, c.value), "", c.golden), OutsideOptions{Clock: wire.System(), Way: Exec})}
			d.asks("https://shop.test/orders", `{"item":"tea"}`).End(false)
			r, _ := d.run.Finish("success")
			if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
				t.Errorf("%s: that it shows something is %v; %s: %s %+v", c.value, c.shows, r.Verdict, told(r), r.Relaxed)
			}
		})
	}
}

// Shows that a condition on the exit code of a program that every exit code meets shows
// nothing.
func TestExitCodesThatAreAllRight(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  assert "x" { condition = %s }
}
`
	for condition, shows := range map[string]bool{
		"sut.exit_code >= 0":              false,
		"within(sut.exit_code, 0, 255)":   false,
		"sut.exit_code < 128":             true,
		"contains([0, 7], sut.exit_code)": true,
		"sut.exit_code == 0":              true,
	} {
		o := NewOutside(mustCompile(t, fmt.Sprintf(source, condition))[0], OutsideOptions{Clock: wire.System(), Way: Exec})
		code := 0
		o.ProgramEnded(ProgramEnd{Code: &code})
		r, _ := o.Finish("success")
		if (countIdle(r) == 0) != shows {
			t.Errorf("%s: that it shows something is %v; %s: %s %+v", condition, shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a limit on how many requests of a program are under way at one time shows
// nothing where it made no more than that.
func TestOneRequestIsNeverTwo(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    reply {
      content = "x"
      latency = "1s"
      times   = "*"
    }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition string
		requests  int
		shows     bool
	}{
		{"endpoint.llm.in_flight_max <= 2", 1, false},
		{"endpoint.llm.in_flight_max == 1", 1, false},
		{"endpoint.llm.in_flight_max <= 2", 2, false},
		{"endpoint.llm.in_flight_max < 3", 2, false},
		{"!(endpoint.llm.in_flight_max > 2)", 2, false},
		{"max(endpoint.llm.in_flight_max, 1) <= 2", 2, false},
		{"alltrue([for e in endpoints : e.in_flight_max <= 2])", 2, false},
		{"endpoint.llm.in_flight_max <= 1", 2, true},
		{"endpoint.llm.in_flight_max == 1", 2, true},
		{"endpoint.llm.in_flight_max >= 1", 2, true},
		{"endpoint.llm.in_flight_max <= 2", 3, true},
		{"endpoint.llm.in_flight_max <= length(endpoint.llm.attempts)", 2, false},
		{"endpoint.llm.in_flight_max <= 2 && length(endpoint.llm.attempts) == 2", 2, true},
	} {
		bodies := []string{chatOf("why?"), chatOf("how?"), chatOf("who?")}
		r := answeredBy(t, fmt.Sprintf(source, c.condition), bodies[:c.requests]...)
		if (countIdle(r) == 0) != c.shows {
			t.Errorf("%s after %d requests: that it shows something is %v; %s: %s %+v", c.condition, c.requests, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

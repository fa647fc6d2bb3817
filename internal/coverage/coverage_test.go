package coverage

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// plansOf compiles a file.
func plansOf(t testing.TB, text string) []*interp.Plan {
	t.Helper()
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}}), Placeholder: func(string) bool { return true }}
	t.Cleanup(func() { l.Close() })
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		t.Fatal(f.Diags, f.Crash)
	}
	return f.Plans
}

// tablesOf measures all scenarios of a file, which pass.
func tablesOf(t testing.TB, text string) []*Table {
	t.Helper()
	var list []*Measured
	for _, p := range plansOf(t, text) {
		m := Measure(p, nil)
		if m.Result.Verdict != interp.Pass {
			t.Fatalf("%q does not pass: %+v", p.Name, m.Result.Problems)
		}
		list = append(list, m)
	}
	return Tables(list)
}

func textOf(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteText(&b, tablesOf(t, text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const shop = `
provider "http" "store" { base_url = "http://store" }
provider "openai" "model" { model = "m" }
retry "linear" "again" {
  delay       = "1s"
  max_retries = 1
}
breaker "std" {
  threshold = 2
  reset     = "5s"
}
gateway "store" {
  target "store" {
    provider = provider.store
    breaker  = breaker.std
  }
}
workflow "w" {
  taxonomy = taxonomy.t
  step "http" "order" {
    gateway = gateway.store
    path    = "/orders"
    retry   = retry.again
  }
  step "llm" "tell" {
    provider = provider.model
    prompt   = "Say ${step.order.body}"
    timeout  = "20s"
  }
  step "http" "mail" {
    gateway = gateway.store
    path    = "/mail"
    when    = step.tell.content == "never"
  }
}
taxonomy "t" {
  extends = taxonomy.cuga
  mode "GONE" {
    category  = "resource"
    severity  = "high"
    retryable = false
  }
  detect "GONE" {
    when  = failure.status_code == 410
    first = true
  }
}
`

// Shows tables that were worked out by hand.
func TestTablesByHand(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			// The first failure is seen in the number of attempts. Of the delay nothing is
			// read: the text is the same without it, and with one each time.
			"a retry that is checked, a delay that is not", shop + `
scenario "a" {
  run = workflow.w
  on "order" {
    fault "http_error" { status_code = 503 }
    reply { body = "7" }
  }
  on "tell" {
    fault "delay" {
      by = "2s"
      reply { content = "7 it is" }
    }
  }
  on "mail" {
    reply {
      body     = ""
      optional = true
    }
  }
  assert "twice" { condition = length(step.order.attempts) == 2 && step.tell.content == "7 it is" }
}`, `
workflow w  a.scenario.hcl:18, 1 scenario
             conn hang 429 5xx 4xx garbled cut wrong late own
order         ·    ·    ·   ●   ·     ·     ·    ·    ·    ·
tell          ·    ·    ·   ·   ·     ·     ·    ·    ○    ·
mail          ·    ·    ·   ·   ·     ·     ·    ·    ·    ·
● checked 1 of 30 possible (3 %)  ○ met 1  · open 28
retry "again"    succeeded later ●  used up ·  not tried ·  the server's wait ·
breaker "store"  opened ·  refused ·  probe ·  closed again ·
timeout "tell"   ended it ·
never evaluated: step "mail"  a.scenario.hcl:30
never evaluated: detect "GONE"  a.scenario.hcl:43
`,
		},
		{
			// A reply with an error is a failure of its group, too. Where it comes twice
			// the breaker opens, and the retry is used up.
			"failures by answers", shop + `
scenario "gone" {
  run = workflow.w
  on "order" {
    reply {
      status_code = 410
      body        = "gone"
    }
  }
  expect "run" { status = "failed" }
}
scenario "down" {
  run = workflow.w
  on "order" {
    fault "connection_refused" { times = 2 }
  }
  expect "run" { status = "failed" }
  expect "order" { status = "failed" }
}
scenario "told to wait" {
  run = workflow.w
  on "order" {
    fault "http_error" {
      status_code = 429
      headers     = { Retry-After = "3" }
    }
    reply { body = "7" }
  }
  on "tell" {
    fault "timeout" {}
  }
  expect "run" { status = "failed" }
  assert "waits" { condition = step.order.delays_ms == [3000] && step.tell.status == "timeout" }
}`, `
workflow w  a.scenario.hcl:18, 3 scenarios
             conn hang 429 5xx 4xx garbled cut wrong late own
order         ●    ·    ●   ·   ●     ·     ·    ·    ·    ·
tell          ·    ●    ·   ·   ·     ·     ·    ·    ·    ·
mail          ·    ·    ·   ·   ·     ·     ·    ·    ·    ·
● checked 4 of 30 possible (13 %)  ○ met 0  · open 26
retry "again"    succeeded later ●  used up ●  not tried ●  the server's wait ●
breaker "store"  opened ●  refused ·  probe ·  closed again ·
timeout "tell"   ended it ●
never evaluated: step "mail"  a.scenario.hcl:30
`,
		},
		{
			// A server over a pipe has no statuses, a database neither, and what an actor
			// meets has no body. The lost record is nobody's failure, and nobody asks.
			"servers, databases and actors", `
provider "mcp" "tools" { command = ["tools"] }
provider "sql" "db" {}
workflow "w" {
  on_failure = "continue"
  step "mcp" "search" {
    provider  = provider.tools
    tool      = "search"
    arguments = { q = "x" }
  }
  step "sql" "rows" {
    provider = provider.db
    query    = "SELECT 1 AS one"
  }
}
actor "desk" {
  handler "note" {}
}
scenario "a" {
  run = workflow.w
  call "note" { target = actor.desk.note }
  on "search" {
    fault "tool_error" { message = "no index" }
  }
  on "rows" {
    fault "db_down" {}
  }
  on "note" {
    fault "bookkeeping" {}
  }
  expect "run" { status = "failed" }
  expect "search" { status = "failed" }
}`, `
workflow w  a.scenario.hcl:4, 1 scenario
             conn hang 429 5xx 4xx garbled cut wrong late own
search        ·    ·                  ·          ·    ·    ●
rows          ·    ·                  ·          ·    ·    ●
actor.desk    ·    ·    ·   ·   ·     ·     ·         ·    ·
note          ·    ·    ·   ·   ·     ·     ·         ·    ○
● checked 2 of 30 possible (6 %)  ○ met 1  · open 27
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), textOf(t, c.text)); diff != "" {
				t.Errorf("by hand (-), measured (+):\n%s", diff)
			}
		})
	}
}

// Shows what locks, pools and registries did, by hand: the second session waits for the
// lock of the first, the third gives up after a second, and the pool is never short.
func TestPoliciesOfActors(t *testing.T) {
	got := textOf(t, `
registry "known" {}
actor "desk" {
  registry = registry.known
  lock "seat" { acquire_timeout = "3s" }
  pool "db" { size = 9 }
  handler "serve" {
    takes = "2s"
    lock  = ["seat"]
    uses  = ["db"]
  }
}
scenario "s" {
  call "first" { target = actor.desk.serve }
  call "second" { target = actor.desk.serve }
  call "third" { target = actor.desk.serve }
  expect "third" { status = "failed" }
  assert "in turn" { condition = call.second.elapsed_ms == 4000 }
}`)
	for _, row := range []string{
		"lock \"desk.seat\"  waited ●  timed out ●\n",
		"pool \"desk.db\"    waited ·\n",
		"registry \"known\"  stale ·  quarantined ·  back again ·\n",
	} {
		if !strings.Contains(got, row) {
			t.Errorf("the row is not there:\n%s%s", row, got)
		}
	}
}

// Shows that what an outage strikes is met like what a script does, and checked by a run
// without the outage: here alone, since a retry that comes too late sees no more of one
// that does not end.
func TestOutagesAreMet(t *testing.T) {
	got := textOf(t, shop+`
scenario "s" {
  run = workflow.w
  outage "the store is down" {
    target = "store"
    to     = "500ms"
    fault "http_error" { status_code = 502 }
  }
  outage "the model is slow" {
    address = "tell"
    fault "delay" { by = "2s" }
  }
  on "order" {
    reply { body = "7" }
  }
  on "tell" {
    reply { content = "7" }
  }
  assert "twice" { condition = length(step.order.attempts) == 2 }
}`)
	for _, row := range []string{
		"order         ·    ·    ·   ●   ·     ·     ·    ·    ·    ·\n",
		"tell          ·    ·    ·   ·   ·     ·     ·    ·    ○    ·\n",
	} {
		if !strings.Contains(got, row) {
			t.Errorf("the row is not there:\n%s%s", row, got)
		}
	}
}

// Shows that every script which is proposed for an open cell meets it: pasted into a
// scenario of its own, the cell is open no more.
func TestProposedScriptsMeetTheirCells(t *testing.T) {
	const calm = `
scenario "s" {
  run   = workflow.w
  allow = ["unexpected_failure", "no_assertion", "unused_reply", "unfired_fault", "over_consumed", "unmatched_call", "deadlock"]
%s
  assert "it ends" { condition = run.status != "" }
}`
	text := shop + fmt.Sprintf(calm, `  on "order" {
    reply { body = "7" }
  }
  on "tell" {
    reply { content = "never" }
  }
  on "mail" {
    reply { body = "" }
  }`)
	tried := 0
	for _, r := range tablesOf(t, text)[0].Rows {
		for _, c := range r.Cells {
			if c.State != Open {
				continue
			}
			if tried++; testing.Short() && tried%5 != 0 {
				continue
			}
			script := r.script(c.Group)
			if script == "" {
				t.Errorf("nothing is proposed for %s: %s", r.Address, c.Group)
				continue
			}
			others := ""
			for _, other := range []string{"order", "tell", "mail"} {
				answer := map[bool]string{true: `content = "never"`, false: `body = "7"`}[other == "tell"]
				if other != r.Address {
					others += fmt.Sprintf("  on %q {\n    exhausted = \"repeat_last\"\n    reply { %s }\n  }\n", other, answer)
				} else {
					body, end := strings.TrimSpace(script), "    reply { "+answer+" }\n  }\n"
					others += strings.TrimSuffix(body, "}") + end
				}
			}
			again := tablesOf(t, shop+fmt.Sprintf(calm, others))[0].rowOf(r.Address)
			for _, now := range again.Cells {
				if now.Group == c.Group && now.State == Open {
					t.Errorf("%s: %s is still open with\n%s", r.Address, c.Group, script)
				}
			}
		}
	}
	if tried < 25 {
		t.Errorf("only %d cells were tried", tried)
	}
}

// Shows that a page says what files say as text, runs nothing and asks for nothing,
// and that 200 addresses fit in 2 MB.
func TestPage(t *testing.T) {
	var steps, scripts strings.Builder
	for i := range 200 {
		fmt.Fprintf(&steps, "  step \"http\" \"s%d\" {\n    provider = provider.p\n    path = \"/%d\"\n  }\n", i, i)
		fmt.Fprintf(&scripts, "  on \"s%d\" {\n    fault \"http_error\" {}\n  }\n", i)
	}
	tables := tablesOf(t, `
provider "http" "p" { base_url = "http://p" }
workflow "w" {
  on_failure = "continue"
`+steps.String()+`}
scenario "<script>alert('1')</script>" {
  run = workflow.w
`+scripts.String()+`
  expect "run" { status = "failed" }
}`)
	var b bytes.Buffer
	if err := WriteHTML(&b, tables); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, not := range []string{"<script", "http://", "https://", "url(", "@import", "<img", "<link", "onload"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	if !strings.HasPrefix(page, PageStart) {
		t.Errorf("the page begins with %.200q", page)
	}
	if len(page) > 2<<20 {
		t.Errorf("200 addresses take %d bytes", len(page))
	}
	if n := strings.Count(page, "<tr><th class=\"a\""); n != 200 {
		t.Errorf("there are %d rows", n)
	}
}

// Shows that what a scenario's checks notice does not depend on how they are
// written: a comparison inside a quantifier counts as one outside does, and a length
// notices nothing but the length.
func TestWhatChecksNotice(t *testing.T) {
	for _, c := range []struct {
		condition string
		want      State
	}{
		{`step.tell.content == "7"`, Met},
		{`length(step.tell.attempts) == 1`, Met},
		{`step.tell.elapsed_ms == 2000`, Checked},
		{`within(step.tell.elapsed_ms, "1s", "3s")`, Checked},
		{`!(step.tell.elapsed_ms == 7)`, Checked},
		{`alltrue([for a in step.tell.attempts : a.elapsed_ms < 9000])`, Checked},
		{`alltrue([for a in step.tell.attempts : a.status_code == 200])`, Met},
		{`contains([2000], step.tell.elapsed_ms)`, Checked},
		{`run.elapsed_ms >= 2000 && step.tell.content == "7"`, Checked},
		{`metric("scenario_mock_fault_total", { step_id = "tell" }) == 1`, Checked},
	} {
		t.Run(c.condition, func(t *testing.T) {
			tables := tablesOf(t, shop+`
scenario "s" {
  run = workflow.w
  on "order" {
    reply { body = "7" }
  }
  on "tell" {
    fault "delay" {
      by = "2s"
      reply { content = "7" }
    }
  }
  assert "it" { condition = `+c.condition+` }
}`)
			cells := tables[0].rowOf("tell").Cells
			if got := cells[slices.IndexFunc(cells, func(x Cell) bool { return x.Group == "late" })].State; got != c.want {
				t.Errorf("it is %s, want %s", got, c.want)
			}
		})
	}
}

// Shows that each deadline has a row, whoever declares it, and that the one that ended an
// attempt is the shortest of its attempts: of a step, of the target or of the provider. Of
// two that are equally short both did.
func TestDeadlines(t *testing.T) {
	const world = `
provider "http" "files" {
  base_url           = "https://files.example"
  timeout            = "30s"
  first_byte_timeout = "4s"
  idle_timeout       = "2s"
}
provider "http" "mirror" {
  base_url = "https://mirror.example"
  timeout  = "9s"
}
gateway "g" {
  target "fast" {
    provider = provider.mirror
    timeout  = "5s"
  }
}
actor "desk" {
  startup { timeout = "1m" }
  handler "serve" {
    takes   = "10s"
    timeout = "2s"
  }
  handler "look" {
    takes   = "1s"
    timeout = "2s"
  }
  tool "count" {
    takes   = "10s"
    timeout = "3s"
    return  = 1
  }
}
workflow "w" {
  on_failure = "continue"
  step "http" "get" {
    provider           = provider.files
    path               = "/a"
    stream             = true
    first_byte_timeout = "4s"
    idle_timeout       = "3s"
    required           = false
  }
  step "http" "put" {
    gateway         = gateway.g
    path            = "/b"
    attempt_timeout = "7s"
    required        = false
  }
}
`
	const rows = `timeout "provider files"             ended it A
first_byte_timeout "provider files"  ended it B
idle_timeout "provider files"        ended it C
first_byte_timeout "get"             ended it D
idle_timeout "get"                   ended it E
timeout "provider mirror"            ended it F
timeout "target fast"                ended it G
attempt_timeout "put"                ended it H
timeout "startup of desk"            ended it I
timeout "desk.serve"                 ended it J
timeout "desk.look"                  ended it K
timeout "desk.count"                 ended it L
`
	for _, c := range []struct{ name, text, ended string }{
		{"nothing ends", `
  on "get" {
    reply { chunks = ["x"] }
  }
  on "put" {
    reply { body = "x" }
  }
  assert "x" { condition = step.get.status == "success" }`, ""},
		{"no first byte: the limits of the step and of its provider are equal", `
  on "get" {
    fault "timeout" {}
  }
  on "put" {
    reply { body = "x" }
  }
  assert "x" { condition = step.get.status == "failed" }`, "BD"},
		{"a body that stops: the provider's limit is the shorter", `
  on "get" {
    fault "stream_truncate" {
      after_chunks = 1
      end          = "stall"
      chunks       = ["a", "b"]
    }
  }
  on "put" {
    reply { body = "x" }
  }
  assert "x" { condition = step.get.status == "failed" }`, "C"},
		{"no answer: the target's limit is the shortest of three", `
  on "get" {
    reply { chunks = ["x"] }
  }
  on "put" {
    fault "timeout" {}
  }
  assert "x" { condition = step.put.status == "failed" }`, "G"},
		{"actors", `
  on "get" {
    reply { chunks = ["x"] }
  }
  on "put" {
    reply { body = "x" }
  }
  call "a" { target = actor.desk.serve }
  call "b" { target = actor.desk.look }
  call "c" { target = actor.desk.count }
  call "d" {
    target  = actor.desk.look
    timeout = "500ms"
  }
  call "e" {
    target  = actor.desk.look
    timeout = "30s"
  }
  expect "a" { status = "timeout" }
  expect "c" { status = "timeout" }
  expect "d" { status = "timeout" }`, "JL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := textOf(t, world+"scenario \"s\" {\n  run = workflow.w"+c.text+"\n}\n")
			t.Log(got)
			for row := range strings.Lines(rows) {
				row = strings.TrimSpace(row)
				if strings.Contains(row, "desk") && c.name != "actors" {
					continue // no actor is there
				}
				sign := "·"
				if strings.Contains(c.ended, row[len(row)-1:]) {
					sign = "●"
				}
				if want := row[:len(row)-1] + sign + "\n"; !strings.Contains(got, want) {
					t.Errorf("the row is not there: %s", want)
				}
			}
			if c.name == "actors" && (!strings.Contains(got, "timeout \"call d\"                     ended it ●\n") || !strings.Contains(got, "timeout \"call e\"                     ended it ·\n")) {
				t.Error("the rows of the calls are not there")
			}
		})
	}
}

package interp

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// Shows, for each subject of a condition and each way of running, whether it is observed
// there: by `scenario test`, `exec`, the sessions of `serve`, and Go tests. What is not is
// no check in that way, and is never null there, which could pass.
func TestWhoObservesWhat(t *testing.T) {
	all, none := plan.Ways(), []Way(nil)
	// A Go test that asks over a transport has no connections.
	connected := []Way{Exec, Serve}
	inside, driven, started := []Way{Interpreted}, []Way{Exec, Serve, Embedded}, []Way{Exec}
	seen := map[string]bool{}
	for condition, want := range map[string][]Way{
		`run.status == "success"`:                                                  all,
		`run.cost_usd < 1`:                                                         all,
		`step.ask.status == "success"`:                                             all,
		`step.ask.content == "a"`:                                                  all,
		`step.ask.attempts[0].outcome == "success"`:                                all,
		`length(step.ask.delays_ms) == 1`:                                          all,
		`length(events({ type = "fault" })) == 1`:                                  all,
		`metric("scenario_attempts_total") == 1`:                                   all,
		`length(spans()) > 0`:                                                      all,
		`breaker.t.state == "closed"`:                                              inside,
		`target.t.attempts != []`:                                                  inside,
		`gateway.g.decisions != []`:                                                inside,
		`actor.shop.status == "running"`:                                           inside,
		`lock.till.waits == []`:                                                    inside,
		`registry.services.log == []`:                                              inside,
		`length(steps) == 3`:                                                       inside,
		`step.v.output == 1`:                                                       inside,
		`step.sub.status == "success"`:                                             inside,
		`step.ask.output == "a"`:                                                   inside,
		`step.ask.stop == "exhausted"`:                                             inside,
		`step.ask.rejections == []`:                                                inside,
		`step.ask.skipped_reason == "when is false"`:                               inside,
		`step.ask.replaced_by == "v"`:                                              inside,
		`step.ask.turns == 1`:                                                      inside,
		`step.ask.attempts[0].iteration == 1`:                                      inside,
		`run.output == 1`:                                                          inside,
		`length(run.partial) > 0`:                                                  inside,
		`length(events({ type = "retry_wait" })) == 1`:                             inside,
		`metric("scenario_retries_total") == 1`:                                    inside,
		`endpoint.create.status == "success"`:                                      driven,
		`endpoint.create.attempts[0].lane == ""`:                                   driven,
		`alltrue([for e in endpoints : e.status == "success"])`:                    driven,
		`length(step.ask.calls) == 1`:                                              driven,
		`length(step.ask.lanes) == 1`:                                              driven,
		`step.ask.in_flight_max == 1`:                                              driven,
		`step.ask.connections == 1`:                                                connected,
		`step.ask.attempts[0].lane == ""`:                                          driven,
		`step.ask.attempts[0].call == 1`:                                           driven,
		`step.ask.attempts[0].ended_by == "server"`:                                driven,
		`step.ask.attempts[0].sent_bytes == 1`:                                     driven,
		`step.ask.attempts[0].connection == 1`:                                     connected,
		`step.ask.attempts[0].reused`:                                              connected,
		`step.ask.attempts[0].trace_id == "x"`:                                     driven,
		`step.ask.attempts[0].outcome == "success" && step.ask.attempts[0].reused`: connected,
		`step.ask.calls[0].attempts[0].connection == 1`:                            connected,
		`step.ask.lanes[0].attempts[0].reused`:                                     connected,
		`endpoint.create.connections == 1`:                                         connected,
		`endpoint.create.attempts[0].connection == 1`:                              connected,
		`alltrue([for a in endpoint.create.attempts : a.reused])`:                  connected,
		`endpoint.create.calls[0].attempts[1].reused`:                              connected,
		`alltrue([for e in endpoints : e.connections == 1])`:                       connected,
		`endpoint.stock.connections == 1`:                                          driven,
		`endpoint.stock.attempts[0].connection == 1`:                               driven,
		`endpoint.stock.attempts[0].reused`:                                        driven,
		`endpoint.notes.attempts[0].connection == 1`:                               driven,
		`sut.exit_code == 0`:                                                       started,
		`sut.stdout == "x"`:                                                        started,
		`length(sut.refused_hosts) == 0`:                                           started,
		`sut.metric("x") == 1`:                                                     started,
		`length(sut.metrics) == 1`:                                                 started,
		`length(sut.spans({ name = "x" })) == 1`:                                   started,
		`length(sut.logs({ body = "x" })) == 1`:                                    started,
		`sut.exit_code == 0 && actor.shop.status == "dead"`:                        none,
		`endpoint.create.status == "success" && target.t.attempts != []`:           none,
	} {
		for _, root := range roots {
			seen[root] = seen[root] || strings.Contains(condition, root)
		}
		for name, text := range map[string]string{
			"assert":    "assert \"a\" {\n condition = " + condition + "\n}",
			"snapshot":  "snapshot \"a\" {\n value = " + condition + "\n}",
			"invariant": "invariant \"a\" {\n condition = " + condition + "\n}",
		} {
			if name == "invariant" && strings.Contains(condition, "sut.") && !strings.Contains(condition, "exit_code") && !strings.Contains(condition, "stdout") {
				continue // what a program says of itself is asked at the end
			}
			p := plan.Inside(fileAt(t, observedWorld+"scenario \"s\" {\nrun = workflow.w\nsut { command = [\"true\"] }\nassert \"b\" { condition = step.ask.attempts != [] }\n"+text+"\n}\n"))
			var u plan.Unseen
			switch name {
			case "assert":
				u = p.Asserts[1].Unseen
			case "snapshot":
				u = p.SnapshotChecks[0].Unseen
			case "invariant":
				u = p.Invariants[len(p.Invariants)-1].Unseen
			}
			var got []Way
			for _, w := range all {
				if u.In(w) == "" {
					got = append(got, w)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s %s: observed by %v, want %v", name, condition, got, want)
			}
		}
	}
	for _, root := range roots {
		if !seen[root] {
			t.Errorf("no condition reads %s", root)
		}
	}
}

// roots are what a condition of a scenario with a program may read.
var roots = []string{"run.", "step.", "steps", "breaker.", "target.", "gateway.", "actor.", "lock.", "registry.", "endpoint.", "endpoints", "sut.", "events(", "metric(", "spans("}

const observedWorld = `
provider "openai" "llm" {}
provider "http" "tickets" { base_url = "https://tickets.example" }
provider "sql" "stock" {}
provider "mcp" "notes" { command = ["notes"] }
endpoint "create" {
  provider = provider.tickets
}
registry "services" {}
lock "till" {}
actor "shop" {

  handler "buy" { return = 1 }
}
breaker "b" {}
gateway "g" {
  target "t" {
    provider = provider.llm
    breaker  = breaker.b
  }
}
workflow "inside" {
  gateway = gateway.g
  step "llm" "deep" { prompt = "b" }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "ask" {
    prompt   = "a"
  }
  step "value" "v" { value = 1 }
  step "workflow" "sub" { run = workflow.inside }
}
`

// Shows of every attribute of a step that a program's requests describe, and of its
// attempts, that it has a value in a driven run, which succeeds or fails, or is said not
// to be observed there: none is null without a word.
func TestNoAttributeIsNullWithoutAWord(t *testing.T) {
	// What is null rightly: nothing of it was there to see.
	rightly := map[string]bool{
		"http attempts.turn": true, // it is that of a conversation
	}
	for kind, c := range map[string]struct{ step, url, body string }{
		"llm":  {"step \"llm\" \"ask\" {\n provider = provider.p\n prompt = \"a\"\n}", chatURL, chatOf("a")},
		"http": {"step \"http\" \"ask\" {\n provider = provider.p\n path = \"/x\"\n}", "https://web.test/x", ""},
	} {
		provider := map[string]string{"llm": `provider "openai" "p" {}`, "http": `provider "http" "p" { base_url = "https://web.test" }`}[kind]
		var names []string
		for _, f := range observe.FieldsOf(plan.Kind(kind)) {
			names = append(names, f.Name)
		}
		for _, f := range observe.AttemptFields {
			names = append(names, "attempts[0]."+f.Name)
		}
		values := map[string]bool{}
		reply := map[string]string{"llm": `content = "yes"`, "http": `body = "{\"a\":1}"`}[kind]
		for _, script := range []string{"reply {\n " + reply + "\n}", "fault \"http_error\" {\n status_code = 429\n headers = { Retry-After = \"1\" }\n}\nreply {\n " + reply + "\n}", `fault "connection_reset" {}`} {
			text := provider + "\nworkflow \"w\" {\n" + c.step + "\n}\nscenario \"s\" {\nrun = workflow.w\nallow = [\"unused_reply\", \"unfired_fault\"]\non \"ask\" {\n" + script + "\n}\n"
			for i, name := range names {
				text += fmt.Sprintf("assert \"%d\" {\n condition = step.ask.%s != null\n}\n", i, name)
			}
			d := drivenBy(t, text+"}\n")
			for count := range 2 {
				method := "GET"
				if c.body != "" {
					method = "POST"
				}
				req := httptest.NewRequestWithContext(context.Background(), method, c.url, strings.NewReader(c.body))
				for name, value := range map[string]string{"Idempotency-Key": "k", "X-Stainless-Retry-Count": strconv.Itoa(count), "Traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"} {
					req.Header.Set(name, value)
				}
				x, err := d.run.Answer(req.Context(), Asked{Request: req, Body: []byte(c.body), Connection: 1, Reused: true})
				if err != nil {
					t.Fatal(err)
				}
				gives(x)
				x.Served(wire.Served{Sent: len(x.Script().Bytes()), By: wire.ByServer})
				if strings.HasPrefix(script, "reply") {
					break
				}
			}
			_, seen := d.run.Finish("")
			for i, name := range names {
				u := d.run.plan.Asserts[i].Unseen
				for _, attempt := range []string{"[0]", "[1]"} {
					v, diags := seen.Value("step.ask." + strings.Replace(name, "[0]", attempt, 1))
					values[name] = values[name] || u.In(Exec) != "" || !diags.HasErrors() && !v.IsNull()
				}
			}
		}
		for _, name := range names {
			if what := kind + " " + strings.Replace(name, "[0]", "", 1); !values[name] && !rightly[what] {
				t.Errorf("%s is null and not said not to be observed", what)
			}
		}
	}
}

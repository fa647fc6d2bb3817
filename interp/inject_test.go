package interp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// An injector that always answers nil changes nothing: not the trace, and not what
// is said of the run.
func TestInjectorThatInjectsNothing(t *testing.T) {
	for _, p := range deterministic(t) {
		plain, points := Run(p, RunOptions{}), 0
		asked := Run(p, RunOptions{Inject: func(Point) *Injection {
			points++
			return nil
		}})
		if want, got := traceOf(t, plain), traceOf(t, asked); got != want {
			t.Errorf("%s: %q differs:\n%s", p.File, p.Name, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
		if told(plain) != told(asked) || asked.Injected != (Injected{}) {
			t.Errorf("%s: %q: %s, %+v", p.File, p.Name, told(asked), asked.Injected)
		}
		attempts := 0
		for _, e := range plain.Events {
			if e.Type == trace.AttemptStart {
				attempts++
			}
		}
		if points < attempts {
			t.Errorf("%s: %q has %d attempts, and %d points", p.File, p.Name, attempts, points)
		}
	}
}

// The answers of a step that asks twice, by the family of its provider.
var twoAnswers = map[string][2]string{
	"llm":  {`content = "the first of two answers"`, `content = "the second of two answers"`},
	"http": {`json = { answer = "the first" }`, `json = { answer = "the second" }`},
	"mcp":  {`content = "the first"`, `content = "the second"`},
	"sql":  {`rows = [{ n = 1 }]`, `rows = [{ n = 2 }]`},

	"http stream": {`chunks = ["the ", "first"]`, `chunks = ["the ", "second"]`},
}

// asksTwice is a scenario in which a step asks twice, after a script of entries.
// falsifiable are two answers of which each lie can make a false one, for families of
// services to which asksTwice asks what they repeat.
var falsifiable = map[string][2]string{
	"llm":  {`content = "{\"id\":7,\"items\":[1,2]}"`, `content = "the second of two answers"`},
	"http": {`json = { id = 7, asked = "why", items = [1, 2] }`, `json = { answer = "the second" }`},
	"mcp":  {`structured = { id = 7, items = [1, 2] }`, `content = "the second"`},
	"sql":  {`rows = [{ id = 1, n = 2 }, { id = 3, n = 4 }]`, `rows = [{ id = 2, n = 3 }]`},
}

// answersTo are two answers that a fault disturbs at the attempt of a number, and whether
// there are any in the world of asksTwice.
func answersTo(f *faults.Kind, p service, stream bool) (answers [2]string, attempt int, ok bool) {
	switch {
	case f.Lies && stream && p.family == "http", f.Lies && f.NeedsArguments && p.family == "mcp":
		return answers, 0, false
	case f.Recalls:
		return falsifiable[p.family], 2, f.Attrs == nil
	case f.Lies:
		return falsifiable[p.family], 1, true
	case stream && p.family == "http":
		return twoAnswers["http stream"], 1, true
	}
	return twoAnswers[p.family], 1, true
}

func asksTwice(p service, stream bool, entries string) string {
	return fmt.Sprintf(`
provider %q "p" {
  %s
}
retry "linear" "patient" { max_retries = 5 }
workflow "w" {
  provider = provider.p
  step "loop" "twice" {
    while = loop.index < 2
    step %q "ask" {
      %s
      %s
      attempt_timeout = "1h"
      retry           = retry.patient
    }
  }
}
scenario "asks twice" {
  run   = workflow.w
  allow = ["unexpected_failure", "no_assertion", "unused_reply", "unfired_fault"]
  on "twice.ask" {
    %s
  }
}`, p.kind, p.declared, p.family, p.asked, streamed(p, stream), entries)
}

// Shows, for every kind of fault on every kind of provider, that an injected one is
// what a script with it is, byte for byte but for where it stands: what fails takes
// no answer, and what succeeds takes the one that it disturbed, so that the second
// call gets the second answer.
func TestInjectedIsScripted(t *testing.T) {
	compared := 0
	for _, f := range faults.Kinds() {
		for _, p := range services() {
			for _, stream := range []bool{false, true} {
				if !p.step(stream).Meets(f) || stream && p.family == "sql" {
					continue
				}
				what := fmt.Sprintf("%s on %s %s (stream = %t)", f.Name, p.kind, p.declared, stream)
				answers, attempt, ok := answersTo(f, p, stream)
				if !ok {
					continue // TestLies
				}
				first, second := "reply { "+answers[0]+" }\n", "reply { "+answers[1]+" }\n"
				args := f.Usual()
				injected := Run(mustCompile(t, asksTwice(p, stream, first+second))[0], RunOptions{Inject: func(at Point) *Injection {
					if at.Address != "twice.ask" || at.N != attempt {
						return nil
					}
					return &Injection{Fault: f, Args: args}
				}})
				if injected.Injected.Unfit != "" {
					t.Errorf("%s: %s", what, injected.Injected.Unfit)
					continue
				}
				inner := first
				if f.Answerless != nil && f.Answerless(args) {
					inner = ""
				}
				entries := fmt.Sprintf("fault %q {\n%s}\n", f.Name, inner)
				if became(injected, 1) != "none" || reconnected(injected) {
					entries += first
				}
				entries += second
				if attempt == 2 {
					entries = first + fmt.Sprintf("fault %q {\n%s}\n", f.Name, second)
				}
				scripted := Run(mustCompile(t, asksTwice(p, stream, entries))[0], RunOptions{})
				if diff := cmp.Diff(placeless(t, scripted), placeless(t, injected)); diff != "" {
					t.Errorf("%s (- scripted, + injected):\n%s", what, diff)
				}
				compared++
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d were compared", compared)
	}
}

// reconnected reports whether the first attempt of a run asked again, over a new
// connection, so that the fault was not what answered it.
func reconnected(r *Result) bool {
	i := slices.IndexFunc(r.Events, func(e trace.Event) bool { return e.Type == trace.AttemptEnd })
	again, _ := r.Events[i].Attr("reconnected").(bool)
	return again
}

// placeless are the events of a run without what says where a fault stands.
func placeless(t *testing.T, r *Result) []string {
	t.Helper()
	var lines []string
	for _, e := range r.Events {
		var members map[string]any
		if err := json.Unmarshal(e.AppendJSON(nil), &members); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"entry", "line", "file", "plan", "run_id", "range"} {
			delete(members, key)
		}
		if members["type"] == "gate" {
			members["message"] = nil // it names the entry
		}
		line, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

// What cannot strike where it is to, and what leads to a call without an answer, ends
// the run, and says so.
func TestInjectionsThatCannotBe(t *testing.T) {
	const world = `
workflow "w" {
  step "llm" "ask" {
    provider = provider.primary
    prompt   = "x"
    fallback = step.spare
    stream   = true
  }
  step "llm" "spare" {
    provider = provider.backup
    prompt   = "x"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "one" }
  }
  expect "ask" { content = "one" }
}
`
	p := mustCompile(t, testWorld+world)[0]
	inject := func(kind string, args schema.Values) *Result {
		return Run(p, RunOptions{Inject: func(Point) *Injection { return &Injection{Fault: faults.Lookup(kind), Args: args} }})
	}
	for _, r := range []*Result{
		inject("stream_truncate", schema.Values{"end": "reset", "after_chunks": 99}),
		inject("content_length_mismatch", schema.Values{"by": 0}),
	} {
		if r.Injected.Unfit == "" {
			t.Errorf("%+v: %s", r.Injected, told(r))
		}
	}
	once := Run(p, RunOptions{Inject: func(at Point) *Injection {
		if at.Address == "ask" {
			return &Injection{Fault: faults.Lookup("connection_refused"), Args: schema.Values{"reason": ""}}
		}
		return nil
	}})
	if !strings.Contains(once.Injected.Unanswered, `"spare"`) {
		t.Errorf("%+v: %s", once.Injected, told(once))
	}
}

// Past its end a script answers again with its last entry, where the call is made
// because of an injection, and breaks its gate where it is not.
func TestAfterTheEndOfAScript(t *testing.T) {
	src := asksTwice(services()[slices.IndexFunc(services(), func(p service) bool { return p.family == "llm" })], false, `
    fault "http_error" { status_code = 503 }
    reply { content = "last" }`)
	p := mustCompile(t, src)[0]
	if r := Run(p, RunOptions{}); !strings.Contains(told(r), "over_consumed") {
		t.Errorf("without an injection: %s", told(r))
	}
	r := Run(p, RunOptions{Inject: func(at Point) *Injection {
		if at.N == 1 {
			return &Injection{Fault: faults.Lookup("connection_refused"), Args: schema.Values{"reason": ""}}
		}
		return nil
	}})
	if strings.Contains(told(r), "over_consumed") || r.Injected.Unanswered != "" {
		t.Errorf("with one: %s %+v", told(r), r.Injected)
	}
}

// The same of calls of an actor, and of its startup: what strikes them is what a
// script for their address would strike them with.
func TestInjectedIntoActorsIsScripted(t *testing.T) {
	const world = `
actor "health" {
  module "store" {}
  handler "trigger" {
    takes   = "2s"
    timeout = "1h"
    return  = "fine"
  }
}
scenario "s" {
  allow = ["no_assertion", "unfired_fault", "unexpected_failure"]
  call "say" {
    target = actor.health.trigger
    at     = "5s"
  }
%s
}
`
	compared := 0
	for _, f := range faults.Kinds() {
		for address, word := range map[string]string{"say": "actor", "actor.health.module.store": "module"} {
			if !slices.Contains(f.For, word) {
				continue
			}
			args := f.Usual()
			injected := Run(mustCompile(t, fmt.Sprintf(world, ""))[0], RunOptions{Inject: func(at Point) *Injection {
				if at.Address != address || at.N != 1 || !at.Meets(f) || at.Part() != word {
					return nil
				}
				return &Injection{Fault: f, Args: args}
			}})
			if injected.Injected.Strikes != 1 || injected.Injected.Unfit != "" {
				t.Errorf("%s on %s: %+v", f.Name, address, injected.Injected)
				continue
			}
			text := fmt.Sprintf("on %q {\n exhausted = \"repeat_last\"\n fault %q {}\n reply { optional = true }\n }", address, f.Name)
			scripted := Run(mustCompile(t, fmt.Sprintf(world, text))[0], RunOptions{})
			if diff := cmp.Diff(placeless(t, scripted), placeless(t, injected)); diff != "" {
				t.Errorf("%s on %s (- scripted, + injected):\n%s", f.Name, address, diff)
			}
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("%d were compared", compared)
	}
}

// An injected fault takes the answer that a call of an actor would have had where the call
// succeeds all the same, so that the second one comes second, and none where it fails
// (rule 1.3 of the design of searches).
func TestInjectedIntoActorsTakesWhatItDisturbs(t *testing.T) {
	const world = `
actor "shop" {
  handler "pay" {
    takes   = "1s"
    timeout = "1m"
  }
}
scenario "s" {
  allow = ["unfired_fault", "unused_reply", "unexpected_failure"]
  call "pay" {
    target = actor.shop.pay
    at     = ["0s", "10s"]
  }
  on "pay" {
    reply { json = "one" }
    reply { json = "two" }
  }
  assert "answers" { condition = [for c in call.pay : c.output] == [null, %q] }
}
`
	for kind, second := range map[string]string{"bookkeeping": "two", "error": "one", "refuse": "one", "connection_reset": "one"} {
		f := faults.Lookup(kind)
		r := Run(mustCompile(t, fmt.Sprintf(world, second))[0], RunOptions{Inject: func(at Point) *Injection {
			if at.Address != "pay" || at.N != 1 || !at.Meets(f) {
				return nil
			}
			return &Injection{Fault: f, Args: f.Usual()}
		}})
		if r.Injected.Strikes != 1 || len(r.Problems) > 0 {
			t.Errorf("%s: %+v, %s", kind, r.Injected, told(r))
		}
	}
}

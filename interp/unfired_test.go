package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// unfiredWorld has a call of actor.back by way of actor.front, which is under way
// from 10 s to 15 s, and an actor that has nothing to do with it.
const unfiredWorld = `
registry "all" { recover = [] } # or a heartbeat would end a quarantine
lock "two" { capacity = 2 }
actor "front" {
  handler "route" { forward_to = actor.back.work }
}
actor "back" {
  registry = registry.all
  pool "db" { size = 2 }
  lock "own" {}
  handler "work" {
    takes = "5s"
    lock  = ["own"]
    uses  = ["db"]
  }
}
actor "other" {
  handler "work" { takes = "5s" }
}
classifier "who" {
  fallback   = actor.other
  candidates = [actor.back, actor.other]
}
`

// unfiredCase is a kind of block, done to actor.back before, while and after the
// call of it is under way. At stands for when it happens. By hand: who is there
// to meet it.
type unfiredCase struct {
	kind  string
	block string
	// first is what has to have happened for the block to do anything.
	first string
	// met says whether the call meets it where it comes before, during and after
	// the call.
	met [3]bool
}

// unfiredCases is the table: what each kind does to a call that was made before
// it, is under way, or comes after it.
var unfiredCases = []unfiredCase{
	{"start", `start = actor.back`, ``, [3]bool{true, true, true}}, // an actor that is started later is not there before
	{"kill", `kill = actor.back`, ``, [3]bool{true, true, false}},
	{"restart", `restart = actor.back`, ``, [3]bool{false, true, false}},
	{"restart", `restart = actor.back`, `kill = actor.back`, [3]bool{true, false, false}},
	{"unreachable", `unreachable = actor.back`, ``, [3]bool{true, false, false}},
	{"reachable", `reachable = actor.back`, ``, [3]bool{false, false, false}},
	{"reachable", `reachable = actor.back`, `unreachable = actor.back`, [3]bool{true, false, false}},
	{"drain", "drain = actor.back\n  timeout = \"1s\"", ``, [3]bool{true, true, false}},
	{"drain", `drain = actor.back`, ``, [3]bool{true, false, false}}, // what is under way may end
	{"activate", `activate = actor.back`, ``, [3]bool{false, false, false}},
	{"activate", `activate = actor.back`, `quarantine = actor.back`, [3]bool{true, false, false}},
	{"quarantine", `quarantine = actor.back`, ``, [3]bool{true, false, false}},
	{"cancel", `cancel = call.c`, ``, [3]bool{false, true, false}},
	{"partition", `partition = [[actor.front], [actor.back]]`, ``, [3]bool{true, false, false}},
	{"partition", `partition = [[actor.front], [actor.other]]`, ``, [3]bool{false, false, false}},
	{"heal", `heal = true`, ``, [3]bool{false, false, false}},
	{"heal", `heal = true`, `partition = [[actor.front], [actor.back]]`, [3]bool{true, false, false}},
	{"lock", `lock = actor.back.lock.own`, ``, [3]bool{true, false, false}},
	{"lock", `lock = lock.two`, ``, [3]bool{false, false, false}},
	{"pool", "pool = actor.back.pool.db\n  n = 2", ``, [3]bool{true, false, false}},
	{"pool", `pool = actor.back.pool.db`, ``, [3]bool{false, false, false}}, // one of two is enough
}

// scenario is the case at an instant, with a call of the target.
func (c unfiredCase) scenario(target, at string, seconds int) string {
	src := unfiredWorld + `
scenario "s" {
  allow = ["no_assertion", "unexpected_failure"]
  start = [actor.back]
  call "c" {
    target = ` + target + `
    at     = "10s"
  }
`
	if c.kind == "start" {
		src = strings.Replace(src, "  start = [actor.back]\n", "", 1)
	}
	if c.first != "" {
		src += "  event \"first\" {\n  at = \"2s\"\n  optional = true\n  " + c.first + "\n}\n"
	}
	if c.kind == "lock" || c.kind == "pool" {
		return src + fmt.Sprintf("  hold \"x\" {\n  %s\n  from = %q\n  to = \"%ds\"\n}\n}\n", c.block, at, seconds+6)
	}
	return src + fmt.Sprintf("  event \"x\" {\n  at = %q\n  %s\n}\n}\n", at, c.block)
}

// unmetGates are the gates that a run of a file breaks because of the block x.
func unmetGates(t *testing.T, src string) []string {
	t.Helper()
	var list []string
	for _, p := range mustCompile(t, src) {
		for _, problem := range Run(p, RunOptions{}).Problems {
			if problem.Name != plan.GateUnfiredFault {
				t.Errorf("%s %s: %s", problem.Kind, problem.Name, problem.Message)
			}
			list = append(list, problem.Message)
		}
	}
	return list
}

// Shows of every kind of event and hold, before, during and after a call, that it
// is reported exactly where no call meets it: a call of the actor it is about, or
// one of another.
func TestUnfiredEvents(t *testing.T) {
	for _, c := range unfiredCases {
		for i, at := range []int{5, 12, 20} {
			for _, target := range []string{"actor.front.route", "actor.other.work"} {
				met := c.met[i] && target == "actor.front.route"
				if c.kind == "cancel" {
					met = c.met[i] // it is about the call, whoever is called
				}
				src := c.scenario(target, fmt.Sprintf("%ds", at), at)
				got := unmetGates(t, src)
				switch {
				case met && len(got) > 0:
					t.Errorf("%s after %q at %d s, with a call of %s: %s", c.block, c.first, at, target, got)
				case !met && (len(got) != 1 || !strings.Contains(got[0], `"x"`)):
					t.Errorf("%s after %q at %d s, with a call of %s, met nobody, and what is said is %q", c.block, c.first, at, target, got)
				}
			}
		}
	}
}

// Shows that the table has every kind of event and of hold that the language has.
func TestUnfiredTableIsWhole(t *testing.T) {
	about := []string{"at", "after", "when", "timeout", "optional", "n", "from", "to"}
	scenario := language.File().Block("scenario")
	for _, typ := range []string{"event", "hold"} {
		for _, a := range scenario.Block(typ).Attrs {
			known := slices.ContainsFunc(unfiredCases, func(c unfiredCase) bool { return c.kind == a.Name })
			if !known && !slices.Contains(about, a.Name) {
				t.Errorf("no row of the table tries %s { %s }: what does nobody meet of it?", typ, a.Name)
			}
		}
	}
}

// Shows the edges: the very instant at which a call ends, what waits for its end,
// queues, states that a condition reads, and classifiers that lose a candidate.
func TestUnfiredEdges(t *testing.T) {
	call := "  call \"c\" {\n    target = actor.front.route\n    at = \"10s\"\n  }\n"
	loose := "  allow = [\"no_assertion\", \"unexpected_failure\"]\n  start = [actor.back, actor.other]\n" + call
	for _, c := range []struct {
		name, src string
		met       bool
	}{
		{"at the instant at which the call ends", loose + "  event \"x\" {\n at = \"15s\"\n kill = actor.back\n}\n", false},
		{"when the call has ended", loose + "  event \"x\" {\n after = call.c\n kill = actor.back\n}\n", false},
		{"as soon as the call is known to have ended", loose + "  event \"x\" {\n when = call.c.status == \"success\"\n kill = actor.back\n}\n", false},
		{"a condition that never holds", loose + "  event \"x\" {\n when = call.c.status == \"failed\"\n kill = actor.back\n}\n", false},
		{"a state that nobody reads", loose + "  event \"x\" {\n at = \"20s\"\n kill = actor.back\n}\n  assert \"a\" { condition = actor.other.status == \"running\" }\n", false},
		{"a state that an assertion reads", loose + "  event \"x\" {\n at = \"20s\"\n kill = actor.back\n}\n  assert \"a\" { condition = actor.back.status == \"dead\" }\n", true},
		{"a state that is another one in the end", loose + "  event \"x\" {\n at = \"20s\"\n unreachable = actor.back\n}\n  event \"y\" {\n at = \"21s\"\n kill = actor.back\n}\n  assert \"a\" { condition = actor.back.status == \"dead\" }\n", false},
		{"a state that an invariant reads meanwhile", loose + "  event \"x\" {\n at = \"20s\"\n unreachable = actor.back\n}\n  event \"y\" {\n at = \"21s\"\n kill = actor.back\n}\n  invariant \"a\" { condition = actor.back.status != \"failed\" }\n", true},
		{"a log that an assertion reads", loose + "  event \"x\" {\n at = \"20s\"\n quarantine = actor.back\n}\n  assert \"a\" { condition = length(registry.all.log) == 1 }\n", true},
		{"events that an assertion reads", loose + "  event \"x\" {\n at = \"20s\"\n quarantine = actor.back\n}\n  assert \"a\" { condition = length(events({ type = \"registry\", actor = \"back\" })) > 0 }\n", true},
		{"other events that an assertion reads", loose + "  event \"x\" {\n at = \"20s\"\n quarantine = actor.back\n}\n  assert \"a\" { condition = length(events({ type = \"route\" })) > 0 }\n", false},
		{"an event that waits for the state", loose + "  event \"x\" {\n at = \"5s\"\n unreachable = actor.other\n}\n  event \"y\" {\n when = actor.other.status == \"unreachable\"\n kill = actor.back\n}\n", true},
		{"a hold that queues before a call", loose + "  call \"first\" {\n target = actor.back.work\n at = \"6s\"\n}\n  hold \"x\" {\n lock = actor.back.lock.own\n from = \"8s\"\n to = \"20s\"\n}\n", true},
		{"a hold that queues behind every call", loose + "  hold \"x\" {\n lock = actor.back.lock.own\n from = \"11s\"\n to = \"20s\"\n}\n", false},
		{"a classifier that loses a candidate", "  allow = [\"no_assertion\"]\n  start = [actor.back, actor.other]\n  classify \"k\" {\n with = classifier.who\n text = \"hello\"\n reply = \"[]\"\n at = \"10s\"\n}\n  event \"x\" {\n at = \"6s\"\n quarantine = actor.back\n}\n", true},
		{"a classifier that has lost none yet", "  allow = [\"no_assertion\"]\n  start = [actor.back, actor.other]\n  classify \"k\" {\n with = classifier.who\n text = \"hello\"\n reply = \"[]\"\n at = \"10s\"\n}\n  event \"x\" {\n at = \"11s\"\n quarantine = actor.back\n}\n", false},
		{"a second death", loose + "  event \"y\" {\n at = \"5s\"\n kill = actor.back\n}\n  event \"x\" {\n at = \"6s\"\n kill = actor.back\n}\n", false},
		{"a second start", loose + "  event \"y\" {\n at = \"5s\"\n kill = actor.back\n}\n  event \"z\" {\n at = \"6s\"\n restart = actor.back\n optional = true\n}\n  event \"x\" {\n at = \"7s\"\n restart = actor.back\n}\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := slices.DeleteFunc(unmetGates(t, unfiredWorld+"scenario \"s\" {\n"+c.src+"}\n"), func(said string) bool { return !strings.Contains(said, `"x"`) })
			if c.met != (len(got) == 0) {
				t.Errorf("met is %v, and what is said is %q", c.met, got)
			}
		})
	}
}

// Shows that a fault whose time lies behind the end of its call has not fired,
// that one which is silence has, and that times counts those that came.
func TestUnfiredFaults(t *testing.T) {
	src := func(deadline, entries string) string {
		return testWorld + `
workflow "w" {
  provider = provider.primary
  step "llm" "ask" {
    prompt          = "x"
    attempt_timeout = "` + deadline + `"
    retry           = retry.std
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["no_assertion", "unexpected_failure"]
  on "ask" {
` + entries + `
    reply { content = "x" }
  }
}
`
	}
	fault := func(kind, args string) string { return "    fault \"" + kind + "\" {\n" + args + "\n    }\n" }
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"behind the deadline", src("5s", fault("http_error", `after = "10s"`)), []string{"1 of 1 calls ended before its after = 10s"}},
		{"at the deadline", src("5s", fault("http_error", `after = "5s"`)), nil},
		{"before the deadline", src("5s", fault("http_error", `after = "4s"`)), nil},
		{"silence", src("5s", fault("timeout", `after = "10s"`)), nil},
		{"each of two", src("5s", fault("connection_reset", "after = \"10s\"\n times = 2")), []string{"2 of 2 calls"}},
		{"optional, beside one that fires", src("5s", fault("http_error", "after = \"10s\"\n optional = true")+fault("http_error", "")), nil},
		{"optional, and nothing else", src("5s", fault("http_error", "after = \"10s\"\n optional = true")), []string{"nothing of what the scenario injects had an effect (0 of 1)"}},
		{"optional, and some of many fire", strings.Replace(src("5s", fault("http_error", "optional = true\n times = 50")), "    reply { content = \"x\" }\n", "", 1), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := unmetGates(t, c.src)
			if len(got) != len(c.want) || len(got) == 1 && !strings.Contains(got[0], c.want[0]) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	actor := unfiredWorld + `
scenario "s" {
  allow = ["no_assertion", "unexpected_failure"]
  call "c" {
    target  = actor.back.work
    timeout = "2s"
  }
  on "c" {
    fault "http_error" { after = "3s" }
  }
}
`
	if got := unmetGates(t, actor); len(got) != 1 || !strings.Contains(got[0], "1 of 1 calls ended") {
		t.Errorf("a call of an actor: got %q", got)
	}
}

// Shows that a consumer that never stops a stream before its end breaks the gate,
// one that stops some does not, nor one whose streams fail or that need not stop.
func TestUnfiredConsumers(t *testing.T) {
	src := func(consumer, entries string) string {
		return fmt.Sprintf(`
provider "openai" "m" { model = "gpt-4o-mini" }
workflow "w" {
  step "llm" "ask" {
    provider = provider.m
    prompt   = "hi"
    stream   = true
    consumer { %s }
  }
}
scenario "s" {
  allow = ["no_assertion", "unexpected_failure"]
  run   = workflow.w
  on "ask" {
    %s
  }
}
`, strings.ReplaceAll(consumer, "; ", "\n"), entries)
	}
	three := `reply { chunks = ["a", "b", "c"] }`
	slow := "reply {\n chunks = [\"a\", \"b\", \"c\"]\n chunk_delay = \"1s\"\n}"
	twice := strings.NewReplacer("  step \"llm\" \"ask\" {", "  step \"loop\" \"l\" {\n    while          = true\n    max_iterations = 2\n    step \"llm\" \"ask\" {", "on \"ask\"", "on \"l.ask\"", "}\n  }\n}\nscenario", "}\n  }\n  }\n}\nscenario")
	for _, c := range []struct {
		name, src string
		want      int
	}{
		{"in the second iteration alone", twice.Replace(src("abort_after_chunks = 2", `reply { chunks = ["a"] }`+"\n"+three)), 0},
		{"in none of two iterations", twice.Replace(src("abort_after_chunks = 20", three+"\n"+three)), 1},
		{"more chunks than there are", src("abort_after_chunks = 20", three), 1},
		{"as many as there are", src("abort_after_chunks = 2", three), 0},
		{"longer than it lasts", src(`abort_after = "10s"`, slow), 1},
		{"shorter than it lasts", src(`abort_after = "1500ms"`, slow), 0},
		{"optional", strings.Replace(src("abort_after_chunks = 20", three), "consumer { abort_after_chunks = 20 }", "consumer {\n abort_after_chunks = 20\n optional = true\n}", 1), 0},
		{"an answer that fails", src("abort_after_chunks = 20", `fault "http_error" { status_code = 400 }`), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := unmetGates(t, c.src); len(got) != c.want || c.want > 0 && !strings.Contains(got[0], `the consumer of step "ask" never stopped`) {
				t.Errorf("got %q, want %d", got, c.want)
			}
		})
	}
}

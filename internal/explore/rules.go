package explore

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// StandardRules is the module of the standard library whose invariants every run is
// held to. A search asks them in Go, once for each run: a test holds both against
// each other.
const StandardRules = "std/resilience"

// A rule is one of its invariants: it says what of a run breaks it, "" for nothing. What
// it looks at is a run as a T.
type rule[T any] struct {
	name  string
	check func(run T) string
}

// brokenOf are those of some rules that a run breaks.
func brokenOf[T any](rules []rule[T], run T) []interp.Problem {
	var list []interp.Problem
	for _, r := range rules {
		if why := r.check(run); why != "" {
			list = append(list, interp.Problem{Kind: "invariant", Name: r.name, Message: why, Range: hcl.Range{Filename: StandardRules}})
		}
	}
	return list
}

// ruleCircle is broken by the wait that closes a circle, whatever ends it later.
const ruleCircle = "no calls wait for each other in a circle"

var rules = []rule[*history]{
	{"a retry waits at least as long as the server asked", (*history).early},
	{"a repeated pass waits at least as long as the server asked", (*history).earlyPass},
	{"a terminal failure is not retried", (*history).afterTerminal},
	{"a terminal failure is not repeated in a new pass", (*history).terminalPass},
	{"an answer that was cut is no success", (*history).cut},
	{"a deadline ends what it is for, at its instant", (*history).lateEnd},
	{"an open breaker keeps calls from its target", (*history).throughBreaker},
	{"every attempt that began has ended when the run has", (*history).unended},
	{ruleCircle, (*history).circle},
	{"a call that has ended holds no lock and no connection", (*history).held},
}

// brokenRules are the rules that a run breaks.
func brokenRules(events []trace.Event) []interp.Problem { return brokenOf(rules, historyOf(events)) }

// An attempt is one of a run, with the one before it in its step.
type attempt struct {
	start, end *trace.Event // end is nil where there is none
	before     *attempt
	// passed is the last one of the pass of its step before, where this is the first of a
	// new one that asks the same.
	passed *attempt
}

// A history is a run by its attempts.
type history struct {
	events   []trace.Event
	attempts []*attempt
	// refused are the rounds of steps in which a policy turned a call away.
	refused map[place]bool
	ended   bool
}

// handlers begins the names of the steps of actors: two sessions are asked for by
// others, and none repeats the one before.
const handlers = "actor."

// A place is a round of a step, or with round 0 the step.
type place struct {
	step             string
	iteration, round int
}

func historyOf(events []trace.Event) *history {
	h := &history{events: events, refused: map[place]bool{}}
	open, last, passes := map[place]*attempt{}, map[place]*attempt{}, map[caller]*attempt{}
	for i := range events {
		e := &events[i]
		step := place{step: e.Step, iteration: e.Iteration}
		switch e.Type {
		case trace.AttemptStart:
			a := &attempt{start: e}
			if b := last[step]; b != nil && b.start.Attempt < e.Attempt {
				a.before = b
			}
			last[step] = a
			of := caller{call: e.Call, step: e.Step}
			if p := passes[of]; p != nil && !strings.HasPrefix(e.Step, handlers) && (p.start.Iteration != e.Iteration || e.Attempt <= p.start.Attempt) && p.end != nil && sameRequest(p.start, e) {
				a.passed = p
			}
			passes[of] = a
			open[place{e.Step, e.Iteration, -e.Attempt}] = a
			h.attempts = append(h.attempts, a)
		case trace.AttemptEnd:
			if a := open[place{e.Step, e.Iteration, -e.Attempt}]; a != nil {
				a.end = e
			}
		case trace.Rejection:
			h.refused[place{e.Step, e.Iteration, e.Round}] = true
		case trace.RunEnd:
			h.ended = h.ended || e.Step == ""
		}
	}
	return h
}

// String names an attempt.
func (a *attempt) String() string {
	return fmt.Sprintf("step %s: attempt %d at %s", a.start.Step, a.start.Attempt, a.start.At)
}

// again reports whether an attempt is of a round that follows that of the one before,
// with no call between them that a policy turned away.
func (h *history) again(a *attempt) bool {
	b := a.before
	return b != nil && b.end != nil && a.start.Round > b.start.Round && !h.refused[place{a.start.Step, a.start.Iteration, b.start.Round}]
}

// compared are the attributes of a request that say what it asks.
var compared = []string{"method", "url", "tool", "statement", "body"}

// sameRequest reports whether two attempts ask the same.
func sameRequest(a, b *trace.Event) bool {
	for _, name := range compared {
		if a.Text(name) != b.Text(name) {
			return false
		}
	}
	return reflect.DeepEqual(a.Attr("headers"), b.Attr("headers"))
}

// repeats calls f with each attempt that begins a new pass by asking the same after one
// that no policy turned away.
func (h *history) repeats(f func(a *attempt) string) string {
	for _, a := range h.attempts {
		if p := a.passed; p != nil && !h.refused[place{p.start.Step, p.start.Iteration, p.start.Round}] {
			if why := f(a); why != "" {
				return why
			}
		}
	}
	return ""
}

func (h *history) earlyPass() string {
	return h.repeats(func(a *attempt) string {
		wait, ok := a.passed.end.Attr("retry_after_ns").(time.Duration)
		if !ok || a.start.At >= a.passed.end.At+wait {
			return ""
		}
		return fmt.Sprintf("%s asks the same again, where the attempt before ended at %s with a Retry-After of %s", a, a.passed.end.At, wait)
	})
}

func (h *history) terminalPass() string {
	return h.repeats(func(a *attempt) string {
		if terminal, _ := a.passed.end.Attr("terminal").(bool); !terminal {
			return ""
		}
		return fmt.Sprintf("%s asks the same again, after the terminal failure %s", a, a.passed.end.Text("mode"))
	})
}

func (h *history) early() string {
	for _, a := range h.attempts {
		if !h.again(a) {
			continue
		}
		asked, ok := a.before.end.Attr("retry_after_ns").(time.Duration)
		if ok && a.start.At < a.before.end.At+asked {
			return fmt.Sprintf("%s, where the one before ended at %s with a Retry-After of %s", a, a.before.end.At, asked)
		}
	}
	return ""
}

func (h *history) afterTerminal() string {
	for _, a := range h.attempts {
		if !h.again(a) {
			continue
		}
		if terminal, _ := a.before.end.Attr("terminal").(bool); terminal {
			return fmt.Sprintf("%s, after the terminal failure %s", a, a.before.end.Text("mode"))
		}
	}
	return ""
}

func (h *history) cut() string {
	for _, a := range h.attempts {
		if a.end == nil || a.end.Text("outcome") != "success" {
			continue
		}
		if whole, _ := a.end.Attr("complete").(bool); !whole {
			return a.String()
		}
	}
	return ""
}

// layers are what a deadline of a layer ends.
var layers = map[string]trace.Type{"attempt": trace.AttemptEnd, "step": trace.StepEnd, "workflow": trace.RunEnd}

func (h *history) lateEnd() string {
	for i := range h.events {
		t := &h.events[i]
		want, known := layers[t.Text("layer")]
		if t.Type != trace.Timeout || !known {
			continue
		}
		for j := i + 1; j < len(h.events); j++ {
			e := &h.events[j]
			if e.Type != want || e.Step != t.Step {
				continue
			}
			if e.At != t.At {
				return fmt.Sprintf("%s timeout at %s, step %s, ended at %s", t.Text("layer"), t.At, t.Step, e.At)
			}
			break
		}
	}
	return ""
}

func (h *history) throughBreaker() string {
	state := map[string]string{}
	for i := range h.events {
		e := &h.events[i]
		switch e.Type {
		case trace.Breaker:
			state[e.Target] = e.Text("to")
		case trace.AttemptStart:
			if state[e.Target] == "open" {
				return fmt.Sprintf("target %s: dialled at %s by step %s", e.Target, e.At, e.Step)
			}
		}
	}
	return ""
}

func (h *history) unended() string {
	for _, a := range h.attempts {
		if h.ended && a.end == nil {
			return a.String() + " has no end"
		}
	}
	return ""
}

func (h *history) circle() string {
	for i := range h.events {
		e := &h.events[i]
		if list, ok := e.Attr("circle").([]string); ok && (e.Type == trace.LockWait || e.Type == trace.Pool) {
			return fmt.Sprintf("at %s %s", e.At, strings.Join(list, ", "))
		}
	}
	return ""
}

// A caller says whose call an event is of.
type caller struct {
	call, step string
	iteration  int
}

func (h *history) held() string {
	held := map[caller]int{}
	for i := range h.events {
		e := &h.events[i]
		of := caller{e.Call, e.Step, e.Iteration}
		switch e.Type {
		case trace.Lock:
			held[of]++
		case trace.Unlock:
			held[of]--
		case trace.Pool:
			held[of] += connections[e.Text("action")]
		case trace.Route:
			if forwarded, _ := e.Attr("forwarded").(bool); !forwarded && held[of] != 0 {
				return fmt.Sprintf("%s%s ended at %s", e.Call, e.Step, e.At)
			}
		}
	}
	return ""
}

// connections are by how many a call has more after what happens at a pool.
var connections = map[string]int{"acquire": 1, "release": -1}

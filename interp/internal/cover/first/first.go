// Package first finds failures of which a run shows only the easiest: those of the first of several things that are
// alike, behind which nothing had been done yet. What becomes of that shows only if a later one fails.
//
//	for _, s := range first.Settings(p, events) {
//		fmt.Println(s.Of, s.Near, s.Part) // put together for all runs of a file
//	}
package first

import (
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/trace"
)

// rowsMost bounds the rows of one run: a program may ask for any number of kinds of things.
const rowsMost = 64

// Settings are what several things of a run have in common that may end before all of them are done: the requests of
// one kind of a program, the passes of a loop, and the steps of a workflow that have one timeout, budget, retry or
// fallback. Near says that the first of them ended it, and Part that a later one did. Their Name is empty, and
// their Value is the place in a file where it failed.
func Settings(p *plan.Plan, events []trace.Event) []plan.Setting {
	w := &walk{plan: p, at: map[string]int{}, locks: locks{held: map[[2]string]map[origin]bool{}, used: map[[2]string]map[string]bool{}, handler: map[origin]string{}, behind: map[origin][]behind{}}}
	w.requests(asked(p, events))
	w.nodes = map[string]*node{"": {children: map[string]bool{}}}
	if p.Workflow != nil {
		w.nodes[""].of, w.nodes[""].asking = p.Workflow, askingOf(p.Workflow.Steps)
		plan.EachNode(p.Nodes(), w.add)
	}
	for i := range events {
		w.event(&events[i])
	}
	w.passes()
	w.shared()
	return w.rows
}

// A walk goes over the events of a run.
type walk struct {
	plan  *plan.Plan
	rows  []plan.Setting
	at    map[string]int // rows, by what they are of
	nodes map[string]*node
	order []*node // those inside a loop
	place string  // of the last fault
	locks locks
}

// A node is a step in its place, or the workflow of the scenario.
type node struct {
	name  string
	step  *plan.Step // nil for the workflow of the scenario
	of    *plan.Workflow
	outer *node
	// asking is how many of its steps ask somebody, or run steps that do.
	asking int
	// done says that one of its steps succeeded since its run began, and latest is when the last of them began.
	done          bool
	start, latest time.Duration
	// children are those of its steps that spent something, and usd and tokens are what that was.
	children map[string]bool
	usd      money.USD
	tokens   float64
	// pass is its last pass; failed is where the first pass failed, and behind says that a later one did.
	pass   int
	failed string
	behind bool
}

// add notes a step of the plan.
func (w *walk) add(n *plan.Node) {
	x := &node{name: n.Name, step: n.Step, of: n.Step.Inner, outer: w.nodes[""], children: map[string]bool{}}
	if n.Outer != nil {
		x.outer = w.nodes[n.Outer.Name]
		if n.Outer.Step.Kind == plan.KindLoop {
			w.order = append(w.order, x)
		}
	}
	if x.of != nil {
		x.asking = askingOf(x.of.Steps)
	}
	w.nodes[n.Name] = x
}

// asks reports whether a step asks somebody, itself or in what it runs.
func asks(s *plan.Step) bool {
	if s.Inner != nil {
		return askingOf(s.Inner.Steps) > 0
	}
	return s.Kind != plan.KindValue && s.Kind != plan.KindWait && !s.Substitute
}

func askingOf(steps []*plan.Step) (n int) {
	for _, s := range steps {
		if asks(s) {
			n++
		}
	}
	return n
}

// row is the row of something.
func (w *walk) row(of string) *plan.Setting {
	i, seen := w.at[of]
	if !seen {
		if len(w.rows) == rowsMost {
			return &plan.Setting{}
		}
		i = len(w.rows)
		w.at[of], w.rows = i, append(w.rows, plan.Setting{Of: of})
	}
	return &w.rows[i]
}

// near notes that the first of several things ended what is of them all, or that a later one did.
func (w *walk) near(of string, later bool, why, hint string) {
	r := w.row(of)
	if r.Part = r.Part || later; !r.Near {
		r.Near, r.Value, r.Why, r.Hint = true, w.where(), why, hint
	}
}

// where is the place of the last fault, or that of the scenario.
func (w *walk) where() string {
	if w.place != "" {
		return w.place
	}
	return fmt.Sprintf("%s:%d", w.plan.File, w.plan.Line)
}

func (w *walk) event(e *trace.Event) {
	n := w.nodes[e.Step]
	switch x := e.Payload.(type) {
	case *event.Fault:
		w.place = fmt.Sprintf("%s:%d", x.File, x.Line)
	case *event.RunStart:
		if n != nil {
			n.done, n.usd, n.tokens, n.start, n.latest = false, money.USD{}, 0, e.At, e.At
			clear(n.children)
		}
	case *event.StepStart:
		if n != nil && n.step != nil {
			n.pass = max(n.pass, e.Iteration)
			if n.step.Kind == plan.KindFanout || n.step.Kind == plan.KindLoop {
				n.done, n.start, n.latest = false, e.At, e.At
			}
			if asks(n.step) {
				n.outer.latest = e.At
			}
		}
	case *event.AttemptEnd:
		for c := n; c != nil && c.outer != nil; c = c.outer {
			c.outer.children[c.name] = true
			c.outer.usd, c.outer.tokens = c.outer.usd.Plus(money.Of(x.CostUSD)), c.outer.tokens+float64(x.Usage.Total)
		}
	case *event.StepEnd:
		w.ended(n, e, x)
	case *event.Timeout:
		if n != nil && n.of != nil && n.asking > 1 && (x.Layer == "workflow" || x.Layer == "step") {
			called := n.called()
			w.near("the time of "+called, n.latest > n.start, fmt.Sprintf("the %s that %s has only ever ends in the first of its steps that takes any: a limit for each step would do the same", x.After, called), fmt.Sprintf("let the first step take a while, and a later one take the rest of %s", x.After))
		}
	case *event.RetryWait:
		if n != nil && n.step != nil && n.of != nil && n.asking > 1 && n.step.Fanout == nil {
			w.near("the retries of "+n.called(), n.done, fmt.Sprintf("the retry of %s only ever follows a failure of the first of its steps: a retry of each step would do the same", n.called()), "let the first step succeed, and a later one fail")
		}
	case *event.Fallback:
		if from := w.nodes[x.From]; x.Gateway == "" && from != nil && from.step != nil && from.of != nil && from.asking > 1 && from.step.Fanout == nil {
			w.near("the fallback of "+from.called(), from.done, fmt.Sprintf("the fallback of %s only ever follows a failure of the first of its steps: a fallback of that step would do the same", from.called()), "let the first step succeed, and a later one fail")
		}
	case *event.Lock, *event.Unlock, *event.LockWait, *event.SessionStart:
		w.locks.event(e)
	}
}

// called is what messages call a node that runs steps.
func (n *node) called() string {
	if n.step == nil {
		return fmt.Sprintf("workflow %q", n.of.Name)
	}
	return "step." + n.name
}

// ended notes the end of a step.
func (w *walk) ended(n *node, e *trace.Event, x *event.StepEnd) {
	if n == nil || n.step == nil || n.outer == nil {
		return
	}
	if x.Status == "success" && asks(n.step) {
		n.outer.done = true
	}
	if failed := x.Status == "failed" || x.Status == "timeout"; failed && e.Iteration > 0 && asks(n.step) {
		if e.Iteration > 1 {
			n.behind = true
		} else {
			n.failed = w.where()
		}
	}
	if x.Failed == nil || x.Kind != string(failure.BudgetExceeded) || n.of != nil {
		return
	}
	for below, c := n, n.outer; c != nil; below, c = c, c.outer {
		if c.of == nil || c.of.Budget.Refuses(c.usd, c.tokens) == "" {
			continue // it is the budget of another one
		}
		if c.asking > 1 {
			later := len(c.children) > 1 || !c.children[below.name]
			w.near("the budget of "+c.called(), later, fmt.Sprintf("the budget of %s is only ever spent by one of its steps: a budget for each step would do the same", c.called()), "let one step spend a part of it, and a later one the rest")
		}
		return
	}
}

// passes are the rows of the steps inside loops.
func (w *walk) passes() {
	for _, n := range w.order {
		if n.pass == 0 {
			continue
		}
		r := w.row("the passes of step." + n.name)
		r.Alike = n.pass
		if r.Part = n.behind; n.failed != "" && n.pass == 1 || n.behind {
			r.Near, r.Value = true, n.failed
			r.Why = fmt.Sprintf("only the first pass of step.%s ever fails: nothing shows what becomes of what was done before it", n.name)
			r.Hint = "let the second one fail"
		}
	}
}

// locks follow who holds a lock, and who waits for it.
type locks struct {
	held    map[[2]string]map[origin]bool
	used    map[[2]string]map[string]bool // the handlers that had it
	handler map[origin]string
	behind  map[origin][]behind
	waits   []wait
	names   [][2]string
}

// An origin is one call of a handler.
type origin struct {
	step, call, actor string
	iteration         int
}

// Behind is what somebody waits for, and a wait is one that is over.
type behind struct {
	lock    [2]string
	holders []string
}
type wait struct {
	lock  [2]string
	apart bool // it waited for another handler than its own
}

// holdersMost bounds the holders of a lock that are looked at.
const holdersMost = 8

func (l *locks) event(e *trace.Event) {
	o := origin{e.Step, e.Call, e.Actor, e.Iteration}
	switch x := e.Payload.(type) {
	case *event.Lock:
		at := [2]string{e.Actor, x.Lock}
		if l.held[at] == nil {
			l.held[at], l.used[at] = map[origin]bool{}, map[string]bool{}
			l.names = append(l.names, at)
		}
		l.held[at][o] = true
	case *event.Unlock:
		delete(l.held[[2]string{e.Actor, x.Lock}], o)
	case *event.LockWait:
		at := [2]string{e.Actor, x.Lock}
		b := behind{lock: at}
		for h := range l.held[at] {
			if len(b.holders) == holdersMost {
				break
			}
			b.holders = append(b.holders, l.handler[h])
		}
		l.behind[o] = append(l.behind[o], b)
	case *event.SessionStart:
		l.handler[o] = x.Handler
		for at, by := range l.held {
			if at[0] == e.Actor && by[o] {
				l.used[at][x.Handler] = true
			}
		}
		for _, b := range l.behind[o] {
			l.waits = append(l.waits, wait{b.lock, slices.ContainsFunc(b.holders, func(h string) bool { return h != x.Handler })})
		}
		delete(l.behind, o)
	}
}

// shared are the rows of locks that several handlers take.
func (w *walk) shared() {
	of := map[[2]string]*wait{}
	for i := range w.locks.waits {
		one := &w.locks.waits[i]
		if of[one.lock] == nil {
			of[one.lock] = one
		}
		of[one.lock].apart = of[one.lock].apart || one.apart
	}
	for _, at := range w.locks.names {
		if one := of[at]; one != nil && len(w.locks.used[at]) > 1 {
			w.place = ""
			w.near(fmt.Sprintf("lock %s of actor %s", at[1], at[0]), one.apart, fmt.Sprintf("lock %q of actor %q only ever keeps calls of one handler apart: a lock for each handler would do the same", at[1], at[0]), "let a call of one handler come while another handler has it")
		}
	}
}

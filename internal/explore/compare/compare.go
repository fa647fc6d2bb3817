package compare

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// A Run is one run under a set of faults.
type Run struct {
	Events []trace.Event
	// Stuck says that nothing could end what it waited for.
	Stuck bool
}

// A Thing is what can differ.
type Thing string

// The things, in the order in which they are told of where several differ at one
// instant.
const (
	Wait     Thing = "wait"     // between two attempts
	Attempts Thing = "attempts" // how many there are
	Fault    Thing = "fault"    // that an attempt met
	Deadline Thing = "deadline" // how long an answer is waited for
	Outcome  Thing = "outcome"  // of an attempt
	Order    Thing = "order"    // of steps that depend on each other
	Status   Thing = "status"   // of the run
)

var things = []Thing{Wait, Attempts, Fault, Deadline, Outcome, Order, Status}

// A Difference is where a program first does otherwise than its model.
type Difference struct {
	// Step is "" where the run differs.
	Step  string
	Thing Thing
	// Model and Program say what each does, after its name: "waits 30s".
	Model, Program string

	at time.Duration
}

// First is where a program first differs from the model, nil where they agree. First is
// by the time of the model, which is the same in every run. It is not known where the
// program followed a redirect, each hop of which is a request of its own, nor where an
// answer came at the very instant of a deadline, which no program sees in the same order
// every time.
func (m *Model) First(model, program Run) (first *Difference, known bool) {
	c := &comparison{Model: m, model: m.courseOf(model.Events), program: m.courseOf(program.Events), modelStuck: model.Stuck, programStuck: program.Stuck}
	if c.program.redirected || m.exact && (c.program.tied || c.model.tied) {
		return nil, false
	}
	return c.first(), true
}

func (c *comparison) first() *Difference {
	var list []*Difference
	for _, step := range appendNew(slices.Clone(c.model.steps), c.program.steps) {
		if d := c.step(step); d != nil {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return c.whole()
	}
	return slices.MinFunc(list, func(a, b *Difference) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(slices.Index(things, a.Thing), slices.Index(things, b.Thing)))
	})
}

// A comparison is that of two runs.
type comparison struct {
	*Model
	model, program           *course
	modelStuck, programStuck bool
}

// step is the first difference of a step. In a lane that has a name a program has a
// script of its own, of which a workflow knows nothing: how many attempts there are, and
// how they end, is compared of all lanes together.
func (c *comparison) step(step string) *Difference {
	a, b := c.model.all(step), c.program.all(step)
	if c.program.lanes(step) {
		return c.sums(step, a, b)
	}
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			return c.number(step, a[i].start, len(a), len(b))
		case i >= len(a):
			return c.number(step, c.after(a), len(a), len(b))
		}
		if i > 0 {
			if d := c.wait(step, a[i-1], a[i], b[i-1], b[i]); d != nil {
				return d
			}
		}
		if d := c.attempt(step, a[i], b[i]); d != nil {
			return d
		}
	}
	return nil
}

// after is when the model was done with the attempts of a step.
func (c *comparison) after(l line) time.Duration {
	if len(l) == 0 || !l[len(l)-1].ended {
		return c.model.end
	}
	return l[len(l)-1].end
}

func (c *comparison) number(step string, at time.Duration, model, program int) *Difference {
	return &Difference{step, Attempts, asks(model), asks(program), at}
}

// asks says how often a step is asked.
func asks(n int) string {
	switch n {
	case 0:
		return "never asks it"
	case 1:
		return "asks once"
	case 2:
		return "asks twice"
	}
	return fmt.Sprintf("asks %d times", n)
}

// wait compares what passed between two attempts. On the real clock a program takes time
// to compute what it asks next: where the model waits for nothing after a good answer,
// that is not compared.
func (c *comparison) wait(step string, a0, a1, b0, b1 *attempt) *Difference {
	if !a0.ended || !b0.ended {
		return nil
	}
	model, program := max(0, a1.start-a0.end), max(0, b1.start-b0.end)
	if !c.exact && model == 0 && a0.outcome == "success" {
		return nil
	}
	if program >= model-a1.shorter-c.tolerance(model) && program <= model+a1.longer+c.tolerance(model) {
		return nil
	}
	said := "waits " + shown(model)
	if a1.shorter > 0 || a1.longer > 0 {
		said = fmt.Sprintf("waits %s to %s", shown(model-a1.shorter), shown(model+a1.longer))
	}
	return &Difference{step, Wait, said, "waits " + shown(program), a0.end}
}

// What may be between two times that are taken for one.
const (
	exactly = time.Millisecond
	roughly = 50 * time.Millisecond
	tenth   = 10
)

// tolerance is how far a time of the program may be from one of the model.
func (c *comparison) tolerance(d time.Duration) time.Duration {
	if c.exact {
		return exactly
	}
	return max(time.Duration(float64(roughly)*c.scale), d/tenth)
}

// attempt compares one attempt.
func (c *comparison) attempt(step string, a, b *attempt) *Difference {
	switch {
	case a.fault != b.fault && a.ended && b.ended:
		return &Difference{step, Fault, meets(a.fault), meets(b.fault), a.start}
	case !a.ended && !b.ended:
		return nil
	case !a.ended && c.modelStuck && b.left:
		return &Difference{step, Deadline, "waits for ever", "waits " + shown(b.end-b.start), a.start}
	case !a.ended || !b.ended:
		return nil // the end of the run is none of theirs
	}
	model, program := a.end-a.start, b.end-b.start
	if a.left && b.left && (program < model-c.tolerance(model) || program > model+c.tolerance(model)) {
		return &Difference{step, Deadline, "waits " + shown(model) + " for an answer", "waits " + shown(program), a.start}
	}
	if a.outcome == b.outcome || a.status == b.status && a.status >= 300 && a.outcome != "cancelled" && b.outcome != "cancelled" {
		return nil // which status is expected is in the model alone
	}
	return &Difference{step, Outcome, "sees " + a.sees(), "sees " + b.sees(), a.end}
}

// sees says what came of an attempt.
func (a *attempt) sees() string {
	switch {
	case a.outcome == "failure" && a.left:
		return "no answer in " + shown(a.end-a.start)
	case a.outcome == "failure":
		return "a failure"
	case a.outcome == "cancelled":
		return "no end of the answer: it leaves after " + shown(a.end-a.start)
	}
	return "a " + a.outcome
}

// meets says which fault an attempt meets.
func meets(fault string) string {
	if fault == "" {
		return "meets no fault"
	}
	return "meets " + fault
}

// sums compares the attempts of a step in all lanes, whatever their order.
func (c *comparison) sums(step string, a, b line) *Difference {
	if len(a) != len(b) {
		return c.number(step, c.after(a), len(a), len(b))
	}
	for _, outcome := range []string{"failure", "cancelled"} {
		of := func(l line) (n int) {
			for _, x := range l {
				if x.outcome == outcome {
					n++
				}
			}
			return n
		}
		if m, p := of(a), of(b); m != p {
			return &Difference{step, Outcome, fmt.Sprintf("sees %d times %s", m, outcome), fmt.Sprintf("sees it %d times", p), c.after(a)}
		}
	}
	return nil
}

// whole compares what is left where all steps agree by themselves.
func (c *comparison) whole() *Difference {
	for _, step := range c.model.steps {
		for _, before := range c.before[step] {
			if d := c.order(before, step); d != nil {
				return d
			}
		}
	}
	switch {
	case c.modelStuck && c.programStuck:
	case c.modelStuck:
		return &Difference{"", Deadline, "waits for ever", "ends", c.model.end}
	case c.programStuck:
		return &Difference{"", Deadline, "ends", "waits for ever", c.model.end}
	case (c.model.status == "success") != (c.program.status == "success"):
		return &Difference{"", Status, "ends in " + c.model.status, "ends in " + c.program.status, c.model.end}
	}
	return nil
}

// order compares, of two steps of which one depends on the other, how many attempts of
// the earlier were over when each of the later began. A client may be seen leaving later
// than it did.
func (c *comparison) order(first, then string) *Difference {
	seen := time.Duration(0)
	if !c.exact {
		seen = c.tolerance(0)
	}
	over := func(of *course, at *attempt, seen time.Duration) (n int) {
		for _, a := range of.all(first) {
			if a.n < at.n && a.ended && a.end <= at.start+seen {
				n++
			}
		}
		return n
	}
	a, b := c.model.all(then), c.program.all(then)
	for i := range min(len(a), len(b)) {
		if over(c.program, b[i], seen) < over(c.model, a[i], 0) {
			return &Difference{then, Order, "asks it after " + first, "asks it before " + first + " is over", a[i].start}
		}
	}
	return nil
}

// shown is a time for people: of a real clock no more than it is worth.
func shown(d time.Duration) string {
	switch {
	case d%time.Millisecond == 0:
		return d.String()
	case d > time.Second:
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

package plan

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Action is a block of a scenario that does something by itself: a call, an
// event, a hold.
type Action struct {
	// Order is its place among those of the scenario.
	Order int
	Name  string
	Rng   hcl.Range
	// At are the instants at which it acts, from the start of the scenario.
	At []time.Duration
	// After is the step or call whose end it waits for in place of that.
	After      *Awaited
	AfterRange hcl.Range
	// When is the condition that it waits for in place of that.
	When *Invariant
	// Optional says that nobody need meet an event or a hold.
	Optional bool

	Call  *CallAction
	Event *EventAction
	Hold  *HoldAction
	// Step is what a block does that is one: a fanout, a classification, a call
	// of anything but an actor. Its node stands beside the workflow.
	Step *Step
	Node *Node
	Typ  string
}

// Awaited is a step or a call.
type Awaited struct{ Typ, Name string }

// A CallAction calls a handler or a tool of an actor.
type CallAction struct {
	Target    actor.Target
	Arguments cty.Value
	Timeout   time.Duration
	Node      *Node // its result is that of a step
	Several   bool  // at is a tuple
}

// An EventAction makes something happen to an actor, to the network between
// actors, or to the run.
type EventAction struct {
	// What is the attribute that says what happens, and Actor whom it happens
	// to.
	What, Actor string
	Timeout     time.Duration
	Cancel      Awaited // of type "run" for the run
	Groups      [][]string
}

// A HoldAction keeps places of a pool, or a lock.
type HoldAction struct {
	Actor, Lock, Pool string // what of it is ""
	N                 int
	During            time.Duration
}

// ActionBlocks are the blocks of a scenario that drive something.
var ActionBlocks = []string{"call", "fanout", "classify", "event", "hold"}

// CallBlocks are those that have a result, and share their names with the steps.
var CallBlocks = ActionBlocks[:3]

// What is the type of the block.
func (d *Action) What() string {
	return d.Typ
}

// Address is how conditions name its result.
func (d *Action) Address() string { return d.Typ + "." + d.Name }

// ActionOf is the block of a name that has a result.
func (p *Plan) ActionOf(name string) *Action {
	for _, d := range p.Actions {
		if d.Name == name && read.Contains(CallBlocks, d.What()) {
			return d
		}
	}
	return nil
}

// StepsUnder yields the names of the workflow's steps, and of the blocks of a
// type that are steps; of endpoints alone under theirs.
func (p *Plan) StepsUnder(typ string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if typ == "endpoint" {
			for _, n := range p.Endpoints {
				if n.Step.Endpoint.Declared && !yield(n.Name) {
					return
				}
			}
			return
		}
		for name := range p.Workflow.Index {
			if !yield(name) {
				return
			}
		}
		for _, d := range p.Actions {
			if d.Node != nil && d.What() == typ && !yield(d.Name) {
				return
			}
		}
	}
}

// Address names what is held, as messages do.
func (h *HoldAction) Address() string {
	address := "lock." + h.Lock
	if h.Pool != "" {
		address = "pool." + h.Pool
	}
	if h.Actor != "" {
		address = "actor." + h.Actor + "." + address
	}
	return address
}

// Text is what an event does to whom.
func (e *EventAction) Text() string {
	switch e.What {
	case "cancel":
		return strings.TrimSuffix("cancel "+e.Cancel.Typ+"."+e.Cancel.Name, ".")
	case "partition":
		sides := make([]string, len(e.Groups))
		for i, g := range e.Groups {
			sides[i] = strings.Join(g, ", ")
		}
		return "partition " + strings.Join(sides, " | ")
	case "heal":
		return "heal"
	case "drain":
		return fmt.Sprintf("drain actor.%s within %s", e.Actor, e.Timeout)
	}
	return e.What + " actor." + e.Actor
}

// An Occurrence is an event that happens to a run from outside: what an event block of
// the scenario with an instant would say.
type Occurrence struct {
	// Name is that of the block. What is the attribute that says what happens, and
	// Actor whom it happens to.
	Name, What, Actor string
	// Groups are the sides of a partition.
	Groups [][]string
	// Cancel is the call that is cancelled, "" for the run.
	Cancel string
	At     time.Duration
}

// action is the block that an occurrence stands for.
func (o *Occurrence) action() *EventAction {
	e := &EventAction{What: o.What, Actor: o.Actor, Groups: o.Groups}
	if o.What == "cancel" {
		e.Cancel = Awaited{Typ: "run"}
		if o.Cancel != "" {
			e.Cancel = Awaited{Typ: "call", Name: o.Cancel}
		}
	}
	return e
}

// Text is what happens to whom.
func (o *Occurrence) Text() string { return o.action().Text() }

// With is the plan of a run to which something happens, behind all that its scenario
// says.
func (p *Plan) With(list []Occurrence) *Plan {
	if len(list) == 0 {
		return p
	}
	q := *p
	q.Actions = slices.Clone(p.Actions)
	order := 0
	for _, d := range q.Actions {
		order = max(order, d.Order+1)
	}
	for i := range list {
		o := &list[i]
		q.Actions = append(q.Actions, &Action{
			Order: order + i, Name: o.Name, At: []time.Duration{o.At}, Optional: true, Event: o.action(), Typ: "event",
		})
	}
	return &q
}

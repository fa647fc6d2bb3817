package observe

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// DecidePlainly is [Observed.Decide] for a plain condition that held after the
// event before, as held says, or did not. It is not sure of one that is false now,
// or that held and waits: what tells of those needs the values.
func (o *Observed) DecidePlainly(c *plan.Invariant, held bool) (d Decision, sure bool) {
	if c.Plain == nil || o.Driven() {
		return Decision{}, false
	}
	t, elements := c.Plain.Decide((*plainRun)(o))
	o.decidedPlainly(elements, c.Name)
	switch {
	case t == plain.Yes:
		return Decision{Made: true, Holds: true}, true
	case t == plain.Early:
		return Decision{Early: true}, true
	}
	return Decision{}, t == plain.Open && !held
}

// ReadsPlainly reports whether a text that a plain condition reads is like something. It
// is not sure of other conditions, and of those that only the whole evaluation decides.
func (o *Observed) ReadsPlainly(c *plan.Invariant, like func(text string) bool) (is, sure bool) {
	if c.Plain == nil || o.Driven() {
		return false, false
	}
	return c.Plain.Reads((*plainRun)(o), like)
}

// plainRun is what plain conditions read of a run.
type plainRun Observed

func (o *plainRun) Settled(t hcl.Traversal) bool { return (*Observed)(o).settled(t) }
func (o *plainRun) Static() *hcl.EvalContext     { return o.static }

func (o *plainRun) Root(name string) plain.Value {
	switch name {
	case "run":
		return plain.ObjectOf(&o.Run)
	case "target":
		return plain.ObjectOf((*plainTargets)(o))
	case "breaker":
		return plain.ObjectOf((*plainBreakers)(o))
	}
	return plain.ObjectOf((*plainSteps)(o))
}

type plainSteps Observed

func (o *plainSteps) Get(name string) plain.Value {
	if s := o.Steps[name]; s != nil {
		return plain.ObjectOf(s)
	}
	return plain.Null
}

// Get is an attribute of a step for a plain condition, which reads none of a step
// inside another, of a sub or of an endpoint.
func (s *StepResult) Get(name string) plain.Value {
	switch {
	case len(s.Inner) > 0, s.Step.Sub != nil, s.Step.Endpoint != nil, s.Step.Valued:
		return plain.Unknown
	case s.Began || s.Ran != nil, s.uncalled() && countsCalls(name):
		return read.Direct(kinds()[s.Step.Kind].fields, s, name)
	case name == "status":
		return plain.Of(read.TextOrNull(s.Status))
	case name == "skipped_reason":
		return plain.Of(read.TextOrNull(s.SkippedReason))
	}
	return plain.Null
}

// Get is an attribute of the run for a plain condition.
func (r *RunResult) Get(name string) plain.Value {
	if r.Status == "" && !known[name] {
		return plain.Null
	}
	return read.Direct(RunFields, r, name)
}

type plainTargets Observed

func (o *plainTargets) Get(name string) plain.Value {
	if t := o.Targets[name]; t != nil {
		return plain.ObjectOf(t)
	}
	return plain.Null
}

// Get is an attribute of a target for a plain condition.
func (t *targetResult) Get(name string) plain.Value { return read.Direct(TargetFields, t, name) }

type plainBreakers Observed

func (o *plainBreakers) Get(name string) plain.Value {
	if t := o.Targets[name]; t != nil {
		return directBreaker(t)
	}
	return plain.Null
}

func directBreaker(t *targetResult) plain.Value {
	if !t.guarded {
		return plain.Null
	}
	return plain.ObjectOf((*plainBreaker)(t))
}

type plainBreaker targetResult

func (b *plainBreaker) Get(name string) plain.Value {
	return read.Direct(BreakerFields, (*targetResult)(b), name)
}

type attemptList []*attemptResult

func (l attemptList) Len() int             { return len(l) }
func (l attemptList) At(i int) plain.Value { return plain.ObjectOf(l[i]) }

// Get is an attribute of an attempt for a plain condition.
func (a *attemptResult) Get(name string) plain.Value { return read.Direct(AttemptFields, a, name) }

package given

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A given is what the file says of one attribute: the value that it has in every run, nil
// for the one that it has in this one, and why; "" where a run decides it.
type given struct {
	value cty.Value
	why   string
}

// free is what a run decides.
var free given

func when(is bool, value cty.Value, why string) given {
	if !is {
		return free
	}
	return given{value, why}
}

var null = cty.NullVal(cty.DynamicPseudoType)

// ofStep are the attributes of a step that a file may decide. Those that no row has are
// what a run comes to.
var ofStep = map[string]func(f *File, s *observe.StepResult) given{
	"status": func(f *File, s *observe.StepResult) given {
		return when(f.alwaysSucceeds(s.Step), cty.StringVal(read.StatusSuccess), ofFanout)
	},
	"error": func(f *File, s *observe.StepResult) given { return when(f.alwaysSucceeds(s.Step), null, ofFanout) },
	"replaced_by": func(f *File, s *observe.StepResult) given {
		return when(!f.replaces(), null, NoSubject("a fallback for the step"))
	},
	"rejections": func(f *File, s *observe.StepResult) given {
		return when(NeverRefused(s.Step) && f.p.Population == nil, cty.EmptyTupleVal, NoSubject("a policy that refuses calls of the step"))
	},
	"skipped_reason": func(f *File, s *observe.StepResult) given {
		return when(f.alwaysBegins(s.Step), null, NoSubject("a reason to skip the step"))
	},
	"retries": func(f *File, s *observe.StepResult) given {
		return when(f.tried(s.Step), cty.Zero, ofNoPolicy)
	},
	"delays_ms": func(f *File, s *observe.StepResult) given {
		return when(f.tried(s.Step), cty.EmptyTupleVal, ofNoPolicy)
	},
	"target": func(f *File, s *observe.StepResult) given {
		if !f.dials(s.Step) {
			return free
		}
		return given{cty.StringVal(oneTarget(s.Step).Name), ofOne}
	},
	"provider": func(f *File, s *observe.StepResult) given {
		if !f.dials(s.Step) {
			return free
		}
		return given{cty.StringVal(oneTarget(s.Step).Provider.Name), ofOne}
	},
	"turns": func(f *File, s *observe.StepResult) given {
		return when(f.dials(s.Step) && len(s.Step.Tools) == 0, cty.NumberIntVal(1), NoSubject("a tool for the step"))
	},
	"chunks": func(f *File, s *observe.StepResult) given {
		return when(f.dials(s.Step) && !s.Step.Stream, cty.EmptyTupleVal, NoSubject("a stream of the step"))
	},
	"started_ms": func(f *File, s *observe.StepResult) given { return when(f.begins(s.Step), cty.Zero, ofBegin) },
}

// ofSkipped are the attributes of a step that the file switches off.
func ofSkipped(name string) given {
	switch name {
	case "status":
		return given{cty.StringVal(read.StatusSkipped), ofWhen}
	case "skipped_reason":
		return given{cty.StringVal(read.SkippedByWhen), ofWhen}
	}
	return given{null, ofWhen}
}

// tried reports whether a step that dials is tried once, whatever becomes of it.
func (f *File) tried(s *plan.Step) bool {
	return s.Gateway != nil && NeverRetries(s) && f.p.Instances <= 1
}

// An attempt is one of those of a step, or of a target where there is no step.
type attempt struct {
	step     *plan.Step
	target   *plan.Target
	provider *plan.Provider
	// at is its place among those of the step or target, -1 where that is not known.
	at    int
	inner bool
}

// ofAttempt are the attributes of an attempt that a file may decide.
var ofAttempt = map[string]func(f *File, a *attempt) given{
	"n": func(f *File, a *attempt) given {
		return when(a.step != nil && a.at >= 0 && !a.inner && f.alone(), cty.NumberIntVal(int64(a.at)+1), ofNumber)
	},
	"round": func(f *File, a *attempt) given {
		s := a.step
		return when(s != nil && !a.inner && f.alone() && (NeverRetries(s) || a.at == 0 && NeverRefused(s)), cty.NumberIntVal(1), ofBegin)
	},
	"turn": func(f *File, a *attempt) given {
		silent := !f.talks() && f.alone()
		if a.step != nil {
			silent = len(a.step.Tools) == 0
		}
		return when(silent && !f.o.Driven(), cty.NilVal, NoSubject("a tool for the step"))
	},
	"iteration": func(f *File, a *attempt) given {
		return when(!f.loops() && !f.o.Driven(), null, NoSubject("a loop around the step"))
	},
	"target": func(f *File, a *attempt) given {
		if a.target == nil || f.o.Driven() {
			return free
		}
		return given{cty.StringVal(a.target.Name), ofOne}
	},
	"provider": func(f *File, a *attempt) given {
		if a.provider == nil || f.o.Driven() {
			return free
		}
		return given{cty.StringVal(a.provider.Name), ofOne}
	},
	"at_ms":         func(f *File, a *attempt) given { return when(f.isFirst(a), cty.Zero, ofBegin) },
	"started_at_ms": func(f *File, a *attempt) given { return when(f.isFirst(a), cty.Zero, ofBegin) },
	"gap_ms":        func(f *File, a *attempt) given { return when(f.isFirst(a), null, ofBegin) },
	"idempotency_key": func(f *File, a *attempt) given {
		if f.sentBy(a, sendsNoKey) {
			return given{null, ofNoKey}
		}
		return when(f.sends(a), cty.NilVal, ofDeclared)
	},
	"trace_id":       ofProgram,
	"retry_count":    ofProgram,
	"status_code":    ofDatabase,
	"retry_after_ms": ofDatabase,
}

// ofRequest are the attributes of a request and of its answer that the file may give, ofServices
// those of actors.
var (
	ofRequest  = []string{"method", "statement", "headers", "body", "json", "sqlstate"}
	ofServices = []string{"status", "order", "phase", "error", "log", "states"}
)

// sends reports whether a step sends the same request in every run: nothing of it is read from
// another step, and it has one target.
func (f *File) sends(a *attempt) bool {
	s := a.step
	return s != nil && a.target != nil && !a.inner && f.alone() && len(s.Tools) == 0 && !readsRun(s.Needs) && f.p.Workflow != nil && slices.Contains(f.p.Workflow.Steps, s)
}

// readsRun reports whether expressions read what a run comes to, and not just what the file
// says or gives the run.
func readsRun(n *read.Needs) bool {
	if n == nil || n.All || n.Elem != nil {
		return true
	}
	for i := range n.Kids {
		if !slices.Contains([]string{"input", "self", "var", "local"}, n.Kids[i].Name) {
			return true
		}
	}
	return false
}

// ofNumber says why the number of an attempt shows nothing.
const ofNumber = "it holds whatever the run does: attempts are counted from 1, so it shows nothing here.\nhint: say how many there have to be, such as length(step.NAME.attempts) == 2"

// isFirst reports whether an attempt is dialled as the run begins.
func (f *File) isFirst(a *attempt) bool { return a.at == 0 && a.step != nil && f.dials(a.step) }

// ofProgram is what only the requests of a program have.
func ofProgram(f *File, _ *attempt) given {
	return when(!f.o.Driven(), null, NoSubject("a program under test"))
}

// ofDatabase is what no answer of a database has.
func ofDatabase(f *File, a *attempt) given {
	return when(f.sentBy(a, func(s *plan.Step) bool { return s.Family == "sql" }), null, NoSubject("an answer over HTTP"))
}

// ofTarget are the attributes of a target that a file may decide, ofGateway those of a
// gateway and of a round that went through it, ofRun those of the run.
var (
	ofTarget = map[string]func(f *File, t *plan.Target) given{
		"rejections": func(f *File, t *plan.Target) given {
			return when(!f.o.Driven() && len(t.Policies) == 0 && len(t.Models) == 0 && f.all(func(s *plan.Step) bool { return s.Bulkhead == nil }), cty.EmptyTupleVal, NoSubject("a policy that refuses calls of the target"))
		},
	}
	ofGateway = map[string]func(f *File, g *plan.Gateway) given{
		"fallbacks": func(f *File, g *plan.Gateway) given {
			return when(!f.o.Driven() && len(g.Targets) == 1, cty.Zero, NoSubject("a gateway with a second target"))
		},
	}
	ofDecision = map[string]func(f *File, g *plan.Gateway) given{
		"strategy": func(f *File, g *plan.Gateway) given { return given{cty.NilVal, ofDeclared} },
		"iteration": func(f *File, g *plan.Gateway) given {
			return when(!f.loops() && !f.o.Driven(), null, NoSubject("a loop around the step"))
		},
		"turn": func(f *File, g *plan.Gateway) given {
			return when(!f.talks() && f.alone(), cty.NilVal, NoSubject("a tool for the step"))
		},
	}
	ofRun = map[string]func(f *File) given{
		"status": func(f *File) given {
			return when(f.onlyFanouts(), cty.StringVal(read.StatusSuccess), ofFanout)
		},
		"error":      func(f *File) given { return when(f.onlyFanouts(), null, ofFanout) },
		"started_ms": func(f *File) given { return when(f.alone(), cty.Zero, ofBegin) },
		"run_id":     func(f *File) given { return given{cty.NilVal, ofDeclared} },
	}
)

// ofSub are the attributes of a sub of a fanout that the file gives.
var ofSub = []string{"id", "target", "group", "priority"}

// ofPartial are the lists of steps that did not run.
var ofPartial = []string{"skipped_steps", "remaining_steps"}

// ofEndpoint are those of an element of the list of endpoints, all of which are there.
var ofEndpoint = []string{"name", "kind"}

// alike is what the file gives of an attribute of each of the steps, free where they
// differ: which of them an element of a list is, a run decides.
func (f *File) alike(attr string) given {
	if f.o.Driven() {
		return free
	}
	if attr == "retries" || attr == "delays_ms" { // null where a step dials nothing
		return when(f.p.Instances <= 1 && f.all(NeverRetries), cty.NilVal, ofNoPolicy)
	}
	var of given
	for i, s := range f.steps() {
		now := f.item(attr, s)
		if now.why == "" || now.value == cty.NilVal || i > 0 && !now.value.RawEquals(of.value) {
			return free
		}
		of = now
	}
	return of
}

// item is what the file gives of an attribute of an element of the list of steps.
func (f *File) item(attr string, s *observe.StepResult) given {
	switch attr {
	case "name":
		return given{cty.StringVal(s.Name), ofKind}
	case "kind":
		return given{cty.StringVal(string(s.Step.Kind)), ofKind}
	}
	return f.step(attr, s)
}

// step is what the file gives of an attribute of a step.
func (f *File) step(attr string, s *observe.StepResult) given {
	row := ofStep[attr]
	if row == nil || s == nil || !f.plays(s.Step) {
		return free
	}
	return row(f, s)
}

// gateway and target are those of a name, nil where no step has them.
func (f *File) gateway(name string) *plan.Gateway {
	for _, s := range f.steps() {
		if g := s.Step.Gateway; g != nil && g.Name == name {
			return g
		}
	}
	return nil
}

func (f *File) target(name string) *plan.Target {
	for _, s := range f.steps() {
		if g := s.Step.Gateway; g != nil {
			if i := slices.IndexFunc(g.Targets, func(t *plan.Target) bool { return t.Name == name }); i >= 0 {
				return g.Targets[i]
			}
		}
	}
	return nil
}

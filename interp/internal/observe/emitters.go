package observe

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// dialsItself are the kinds of steps that dial a target themselves, and callsOthers those that
// call an actor or a workflow. runsAgain may do the same work again.
var (
	dialsItself = []plan.Kind{plan.KindLLM, plan.KindHTTP, plan.KindMCP, plan.KindSQL, plan.KindClassify}
	callsOthers = []plan.Kind{plan.KindSub, plan.KindCall}
	runsAgain   = []plan.Kind{plan.KindWorkflow}
)

// emitters are, of the types of events that not every kind of step has, the kinds that do.
// A loop has no attempts: the steps inside it have them.
var emitters = map[trace.Type][]plan.Kind{
	trace.AttemptStart: dialsItself,
	trace.AttemptEnd:   dialsItself,
	trace.Rejection:    dialsItself,
	trace.Failure:      dialsItself,
	trace.Message:      {plan.KindMCP},
	trace.RetryWait:    slices.Concat(dialsItself, callsOthers, runsAgain),
	trace.Fault:        slices.Concat(dialsItself, callsOthers),
	trace.Route:        callsOthers,
}

// Emits reports whether steps of a kind have events of a type.
func Emits(t trace.Type, k plan.Kind) bool {
	kinds, limited := emitters[t]
	return !limited || slices.Contains(kinds, k)
}

// The domains of words that depend on what a scenario can emit.
const (
	domainAttempts   = "step with attempts"
	domainMessages   = "step with messages"
	domainCalls      = "step that calls"
	domainRounds     = "step with rounds"
	domainAttempting = "call or step with attempts"
	domainBreaker    = "target with a breaker"
	domainClassifier = "classifier of a step"
)

// The words of those.
var (
	attemptStep   = &schema.Words{Noun: domainAttempts, Plural: "steps with attempts", Domain: domainAttempts}
	messageStep   = &schema.Words{Noun: domainMessages, Plural: "steps with messages", Domain: domainMessages}
	callingStep   = &schema.Words{Noun: "step that calls an actor or a workflow", Plural: "steps that call an actor or a workflow", Domain: domainCalls}
	roundStep     = &schema.Words{Noun: domainAttempts, Plural: "steps with attempts", Domain: domainRounds}
	attempting    = &schema.Words{Noun: domainAttempting, Plural: "calls and steps with attempts", Domain: domainAttempting}
	breakerTarget = &schema.Words{Noun: domainBreaker, Plural: "targets with a breaker", Domain: domainBreaker}
	classifying   = &schema.Words{Noun: domainClassifier, Plural: "steps with a classifier", Domain: domainClassifier}
)

var emitterWords = []*schema.Words{attemptStep, messageStep, callingStep, roundStep, attempting, breakerTarget, classifying}

// emitterMembers are the words of those domains, from the steps that a scenario can run.
func emitterMembers(domain string, nodes map[string]*plan.Node) []string {
	list := []string{}
	add := func(names ...string) { list = append(list, names...) }
	for _, name := range read.SortedNames(nodes) {
		s := nodes[name].Step
		dials := slices.Contains(dialsItself, s.Kind) || s.Endpoint != nil
		switch calls := slices.Contains(callsOthers, s.Kind); domain {
		case domainAttempts:
			if dials {
				add(name)
			}
		case domainMessages:
			if s.Kind == plan.KindMCP {
				add(name)
			}
		case domainCalls:
			if calls {
				add(name)
			}
		case domainRounds, domainAttempting:
			if dials || calls || slices.Contains(runsAgain, s.Kind) {
				add(name)
			}
		case domainClassifier:
			if s.Classifier != nil {
				add(s.Classifier.Name)
			}
		case domainBreaker:
			for _, t := range targetsOf(s) {
				if t.Has(policy.BreakerKind) {
					add(t.Name)
				}
			}
		}
	}
	return list
}

func targetsOf(s *plan.Step) []*plan.Target {
	if s.Gateway == nil {
		return nil
	}
	return s.Gateway.Targets
}

// withEmitters lets an environment know the words of what its scenario can emit.
func withEmitters(env *dsl.Env, nodes func() map[string]*plan.Node) {
	base := env.Members
	if base == nil {
		return
	}
	found := map[string][]string{}
	env.Members = func(domain string) []string {
		if !slices.ContainsFunc(emitterWords, func(w *schema.Words) bool { return w.Domain == domain }) {
			return base(domain)
		}
		if list, known := found[domain]; known {
			return list
		}
		if base(read.DomainStep) == nil {
			return nil // names are missing
		}
		list := emitterMembers(domain, nodes())
		if domain == domainAttempting {
			list = append(list, base(read.DomainCall)...)
		}
		found[domain] = list
		return list
	}
}

// A subject is what a scenario must have for events of some types, and for metrics that
// count them.
type subject struct {
	name    string // with its article
	types   []trace.Type
	metrics []string // without the prefix
	has     func(o *Observed) bool
}

var subjects = []subject{
	{"a target with a breaker", []trace.Type{trace.Breaker}, []string{"breaker_rejections_total", "breaker_state"}, (*Observed).guarded},
	{"a policy that refuses calls", []trace.Type{trace.Rejection}, nil, (*Observed).refuses},
	{"a program under test", []trace.Type{trace.SutStart, trace.SutReady, trace.SutHost, trace.SutEnd}, nil, (*Observed).Driven},
	{"a bench", []trace.Type{trace.CaseStart, trace.CaseEnd}, nil, func(o *Observed) bool { return o.Plan.BenchRun != nil }},
	{"a gateway with a second target", nil, []string{"fallbacks_total"}, (*Observed).secondTarget},
	{"a fallback, or a gateway with a second target", []trace.Type{trace.Fallback}, nil, func(o *Observed) bool {
		return o.secondTarget() || o.anyStep(func(s *plan.Step) bool { return s.Fallback >= 0 })
	}},
	{"a retry policy", []trace.Type{trace.RetryWait}, []string{"retries_total"}, func(o *Observed) bool {
		return o.anyStep(func(s *plan.Step) bool { return s.Retry.MaxRetries > 0 || s.Retry.Name != "" }) || len(o.Plan.Actions) > 0 || o.Plan.Population != nil
	}},
	{"a classifier", nil, []string{"classifier_parse_failures_total", "classifier_fallbacks_total"}, func(o *Observed) bool {
		return o.anyStep(func(s *plan.Step) bool { return s.Kind == plan.KindClassify || s.Classifier != nil })
	}},
	{"an actor", []trace.Type{trace.LockWait, trace.Lock, trace.Unlock, trace.Pool, trace.SessionStart, trace.SessionEnd, trace.Registry}, nil, func(o *Observed) bool {
		return o.Plan.Population != nil
	}},
	{"an actor, or a step that calls another workflow", []trace.Type{trace.Route}, []string{"routes_total"}, func(o *Observed) bool {
		return o.Plan.Population != nil || len(o.Plan.Actions) > 0 || o.anyStep(func(s *plan.Step) bool { return slices.Contains(callsOthers, s.Kind) || s.Fanout != nil })
	}},
	{"a step that calls an MCP server", []trace.Type{trace.Message}, nil, func(o *Observed) bool {
		return o.anyStep(func(s *plan.Step) bool { return s.Kind == plan.KindMCP })
	}},
	{"a timeout", []trace.Type{trace.Timeout}, nil, (*Observed).timed},
	faultSubject,
}

// faultSubject is the one that runs of programs have as well.
var faultSubject = subject{"a fault", []trace.Type{trace.Fault}, []string{"mock_fault_total"}, (*Observed).struck}

// Without says what a scenario would need for a query to find something, "" where it has
// it: no run of it emits what the query asks for. What a program does by itself is not
// known, but for the faults, which it does not inject.
func (o *Observed) Without(query string, args []cty.Value) string {
	if len(args) == 0 || args[0].IsNull() || !args[0].IsWhollyKnown() {
		return ""
	}
	for _, s := range o.subjects() {
		if s.asked(query, args[0], o.Plan.Prefix) && !s.has(o) {
			return s.name
		}
	}
	return ""
}

// subjects are those of which it is known what has none of them.
func (o *Observed) subjects() []subject {
	if o.Driven() {
		return []subject{faultSubject}
	}
	return subjects
}

// Impossible are the types of events that no run of the scenario has, each with what it
// would need for them. What a program does by itself is not known, but for the faults.
func (o *Observed) Impossible() map[trace.Type]string {
	list := map[trace.Type]string{}
	for _, s := range o.subjects() {
		if len(s.types) == 0 || s.has(o) {
			continue
		}
		for _, t := range s.types {
			list[t] = s.name
		}
	}
	return list
}

// asked reports whether a query is for what only the subject emits.
func (s *subject) asked(query string, arg cty.Value, prefix string) bool {
	switch t := arg.Type(); {
	case (query == "metric" || query == "metrics") && t == cty.String:
		return slices.ContainsFunc(s.metrics, func(m string) bool { return strings.TrimSuffix(prefix, "_")+"_"+m == arg.AsString() })
	case query == "spans" && t.IsObjectType() && t.HasAttribute("attributes") && s.name == faultSubject.name:
		attrs := arg.GetAttr("attributes")
		return !attrs.IsNull() && attrs.Type().IsObjectType() && attrs.Type().HasAttribute("mock.fault_type")
	case query == "events" && t.IsObjectType() && t.HasAttribute("type"):
		typ := arg.GetAttr("type")
		return !typ.IsNull() && typ.Type() == cty.String && slices.Contains(s.types, trace.Type(typ.AsString()))
	}
	return false
}

func (o *Observed) anyStep(is func(*plan.Step) bool) bool {
	for _, s := range o.Steps {
		if is(s.Step) {
			return true
		}
	}
	return false
}

// refuses reports whether anything refuses calls without a dial.
func (o *Observed) refuses() bool {
	return o.Plan.Population != nil || len(o.Plan.Actions) > 0 || o.anyStep(func(s *plan.Step) bool {
		return s.Bulkhead != nil || slices.ContainsFunc(targetsOf(s), func(t *plan.Target) bool { return len(t.Policies) > 0 || len(t.Models) > 0 })
	})
}

func (o *Observed) secondTarget() bool {
	return o.anyStep(func(s *plan.Step) bool { return len(targetsOf(s)) > 1 })
}

// struck reports whether the scenario injects a fault, or may replay a failure.
func (o *Observed) struck() bool {
	p := o.Plan
	return len(p.Outages) > 0 || p.BenchRun != nil || p.Recording != nil || p.Responses != nil || slices.ContainsFunc(p.Scripts, func(s *plan.Script) bool {
		return slices.ContainsFunc(s.Entries, func(e *plan.Entry) bool { return e.Fault != nil })
	})
}

// Faults are the kinds of fault that may strike an attempt of a run, and whether that is
// known: a recording may hold others.
func (o *Observed) Faults() (kinds []cty.Value, known bool) {
	p := o.Plan
	if p.BenchRun != nil || p.Recording != nil || p.Responses != nil {
		return nil, false
	}
	add := func(e *plan.Entry) {
		if e.Fault != nil {
			kinds = append(kinds, cty.StringVal(e.Fault.Name))
		}
	}
	for _, s := range p.Scripts {
		for _, e := range s.Entries {
			add(e)
		}
	}
	for _, out := range p.Outages {
		add(out.Entry)
	}
	slices.SortStableFunc(kinds, func(a, b cty.Value) int { return strings.Compare(a.AsString(), b.AsString()) })
	return slices.CompactFunc(kinds, func(a, b cty.Value) bool { return a.RawEquals(b) }), true
}

// timed reports whether anything of the scenario has a timeout.
func (o *Observed) timed() bool {
	p := o.Plan
	return p.Population != nil || len(p.Actions) > 0 || p.BenchRun != nil || p.Workflow != nil && p.Workflow.Timeout > 0 || o.anyStep(func(s *plan.Step) bool {
		silent := s.Silence
		for _, t := range targetsOf(s) {
			silent = silent.Within(t.Provider.Silence)
			if t.Timeout > 0 || t.Provider.Timeout > 0 {
				return true
			}
		}
		return s.Timeout > 0 || s.AttemptTimeout > 0 || silent != plan.Silence{} || s.Inner != nil && s.Inner.Timeout > 0
	})
}

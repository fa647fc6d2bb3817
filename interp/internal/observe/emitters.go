package observe

import (
	"slices"

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
			if dials || calls {
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

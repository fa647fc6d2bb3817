package interp

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/cover"
	"github.com/scenario-lang/scenario/interp/internal/cover/first"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

type (
	// A CoveredCall is something of a workflow that calls a service.
	CoveredCall = cover.Call
	// A CoveredStrike is what struck one address of a run, as far as it is of one kind.
	CoveredStrike = cover.Strike
	// A CoveredPolicy is a declared policy, with what it did in a run.
	CoveredPolicy = cover.Policy
	// A CoveredPart is a step or a rule, and whether a run came to it.
	CoveredPart = cover.Part
	// A Setting is a limit that a file gives to a policy, a lock or a pool, and whether it had a part in a run.
	Setting = plan.Setting
	// A Reading is what one check of a scenario read of a run.
	Reading = judge.Reading
)

// A Coverage says what of its world one scenario met, and what its checks noticed.
type Coverage struct {
	plan *plan.Plan
	// Workflow is the name of what ran, "" where only actors are driven, and Declared
	// is where it is.
	Workflow string
	Declared hcl.Range
	// Calls are the places that can be struck.
	Calls []CoveredCall
	// Strikes are those of the run, in the order in which they came.
	Strikes  []*CoveredStrike
	Policies []CoveredPolicy
	Parts    []CoveredPart
}

// Covered is the coverage of a run of the plan, by its trace.
func Covered(p *Plan, events []trace.Event) *Coverage {
	in := plan.Inside(p)
	events = event.Shown(events)
	return &Coverage{
		plan: in, Workflow: in.Workflow.Name, Declared: dsl.Place(in.Workflow.Rng), Calls: cover.Calls(in), Strikes: cover.Strikes(in, events),
		Policies: cover.Policies(in, events), Parts: cover.Parts(in, events),
	}
}

// SettingsOf are the limits of a plan on how much there may be of something, with what became of each in a run
// of it, by its trace, and behind them what several things of a run have in common, whose Name is empty.
func SettingsOf(p *Plan, events []trace.Event) []Setting {
	in := plan.Inside(p)
	var plain []trace.Event
	if in.Sut != nil { // what a program asks for is named, and may have a secret
		plain = event.Shown(events)
	} else { // nothing is named but what the file says
		plain = slices.Clone(events)
		for i := range plain {
			plain[i].Payload = trace.Beneath(plain[i].Payload)
		}
	}
	list := first.Settings(in, plain)
	for i := range list {
		list[i].Of, list[i].Why = in.Secrets.Text(list[i].Of), in.Secrets.Text(list[i].Why)
	}
	return append(cover.Settings(in, plain), list...)
}

// KindsAt are the faults that mean something at a point.
func KindsAt(p *Point) []*faults.Kind { return cover.Kinds(p.Meets) }

// Without is the plan in a world in which a strike of the run does not come. Its runs
// are there to be compared, and what gates say of them means nothing. It is nil for
// a strike that the scenario does not write.
func (c *Coverage) Without(s *CoveredStrike) *Plan { return cover.Without(c.plan, s) }

// Readings are what the checks of the run's scenario read of it, in an order that is
// equal for all runs of a plan and of what [Coverage.Without] makes of it. It is empty
// where nothing ran.
func (o *Observation) Readings() []Reading {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return judge.Readings(o.obs)
}

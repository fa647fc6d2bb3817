package observe

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// decision is how one round of a call went through a gateway: who could
// serve it, who refused, who was dialled and who answered.
type decision struct {
	at         time.Duration
	step       string
	iteration  int
	turn       int
	round      int
	strategy   string
	candidates []string
	refused    []rejection
	tried      []string
	selected   string
	outcome    string
}

// What came of a decision.
const (
	decidedFirst    = "first"
	decidedFallback = "fallback"
	decidedRefused  = "refused"
	decidedFailed   = "failed"
	decidedCancel   = "cancelled"
)

var refusalFields = []read.Field[rejection]{
	{Name: "target", Shape: read.OneOf(read.Target), Doc: "The target that refused.", Value: func(r *rejection) cty.Value { return read.Text(r.target) }},
	{Name: "reason", Shape: read.OneOf(read.Refusal), Doc: "Why.", Value: func(r *rejection) cty.Value { return read.Text(r.reason) }},
}

// DecisionFields are what one round through a gateway says of itself.
var DecisionFields = []read.Field[decision]{
	{Name: "at_ms", Shape: read.NumberShape, Doc: "When it was made.", Value: func(d *decision) cty.Value { return read.Millis(d.at) }},
	{Name: "step", Shape: read.OneOf(read.Step), Doc: "The step whose call it was.", Value: func(d *decision) cty.Value { return read.Text(d.step) }},
	{Name: "iteration", Shape: read.Nullable(read.CountShape), Doc: "The iteration of a loop.", Value: func(d *decision) cty.Value { return read.NumberOrNull(d.iteration) }},
	{Name: "turn", Shape: read.Nullable(read.CountShape), Doc: "The turn of a tool loop.", Value: func(d *decision) cty.Value { return read.NumberOrNull(d.turn) }},
	{Name: "round", Shape: read.CountShape, Doc: "The round of the retry policy.", Value: func(d *decision) cty.Value { return read.Number(d.round) }},
	{Name: "strategy", Shape: read.OneOf(strategy), Doc: "What ordered the candidates.", Value: func(d *decision) cty.Value { return read.Text(d.strategy) }},
	{Name: "candidates", Shape: read.ListOf(read.Target), Doc: "Targets that could serve the call, in the order in which it was to try them.", Value: func(d *decision) cty.Value { return read.Texts(d.candidates) }},
	{Name: "refused", Shape: read.TupleOf(read.ShapeOf("refusal", refusalFields)), Doc: "Targets that were not dialled, and why.", Nested: func(d *decision, need *read.Needs) cty.Value {
		return read.Elements(d.refused, need, func(r rejection, part *read.Needs) cty.Value { return read.Object(refusalFields, &r, part) })
	}},
	{Name: "tried", Shape: read.ListOf(read.Target), Doc: "Targets that were dialled, in order.", Value: func(d *decision) cty.Value { return read.Texts(d.tried) }},
	{Name: "selected", Shape: read.Nullable(read.OneOf(read.Target)), Doc: "The target that answered.", Value: func(d *decision) cty.Value { return read.TextOrNull(d.selected) }},
	{Name: "outcome", Shape: read.Nullable(read.OneOf(decisionOutcome)), Doc: `"first" or "fallback" by who answered; "failed", "refused" where no target was dialled, "no_target" where none serves the model, or "cancelled"; null while the round goes on.`, Value: func(d *decision) cty.Value { return read.TextOrNull(d.outcome) }},
}

// decisions are those of a gateway, in the order in which they were made.
func (g *gatewayResult) decisions() []*decision {
	var list []*decision
	latest := map[string]*decision{} // a step makes one call at a time
	events := g.of.Log.Events()
	for i := range events {
		e := &events[i]
		if by := decisionOf(e); by != nil && by.Candidates != nil {
			latest[e.Step] = nil
			if by.Gateway == g.name {
				d := &decision{at: e.At, step: e.Step, iteration: e.Iteration, turn: e.Turn, round: e.Round, strategy: by.Strategy, candidates: by.Candidates}
				list, latest[e.Step] = append(list, d), d
			}
		}
		if d := latest[e.Step]; d != nil {
			d.follow(e)
		}
	}
	return list
}

// decisionOf is what an event says of the route of its round, nil for nothing.
func decisionOf(e *trace.Event) *event.Decision {
	switch p := e.Payload.(type) {
	case *event.AttemptStart:
		return p.Decision
	case *event.Rejection:
		return p.Decision
	case *event.Failure:
		return p.Decision
	}
	return nil
}

// follow notes what an event of the call says about its route.
func (d *decision) follow(e *trace.Event) {
	switch p := e.Payload.(type) {
	case *event.Rejection:
		d.refused = append(d.refused, rejection{target: e.Target, reason: p.Reason})
		if d.spent() {
			d.settle()
		}
	case *event.AttemptStart:
		d.tried = append(d.tried, e.Target)
	case *event.AttemptEnd:
		d.end(e, p)
	case *event.RetryWait, *event.StepEnd:
		d.settle()
	case *event.Failure:
		if len(d.candidates) == 0 {
			d.outcome = plan.NoCandidates
		}
	}
}

func (d *decision) end(e *trace.Event, p *event.AttemptEnd) {
	switch p.Outcome {
	case "success":
		d.selected, d.outcome = e.Target, decidedFallback
		if e.Target == d.candidates[0] {
			d.outcome = decidedFirst
		}
	case "cancelled":
		d.outcome = decidedCancel
	default:
		if d.spent() {
			d.settle()
		}
	}
}

// spent reports whether no candidate is left to try.
func (d *decision) spent() bool { return len(d.tried)+len(d.refused) == len(d.candidates) }

// settle gives a round that is over without an answer its outcome. While another
// target may still answer it has none.
func (d *decision) settle() {
	switch {
	case d.outcome != "":
	case len(d.tried) > 0:
		d.outcome = decidedFailed
	case len(d.refused) > 0:
		d.outcome = decidedRefused
	}
}

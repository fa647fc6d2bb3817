package interp

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/trace"
)

// decision is how one round of a call went through a gateway (CU11): who could
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

func decisionOutcomes() []string {
	return []string{decidedFirst, decidedFallback, decidedFailed, decidedRefused, noCandidates, decidedCancel}
}

var refusalFields = []field[rejection]{
	{"target", textShape, "The target that refused.", func(r *rejection) cty.Value { return text(r.target) }, nil},
	{"reason", reasonShape, "Why.", func(r *rejection) cty.Value { return text(r.reason) }, nil},
}

var decisionFields = []field[decision]{
	{"at_ms", numberShape, "When it was made.", func(d *decision) cty.Value { return millis(d.at) }, nil},
	{"step", textShape, "The step whose call it was.", func(d *decision) cty.Value { return text(d.step) }, nil},
	{"iteration", nullable(numberShape), "The iteration of a loop.", func(d *decision) cty.Value { return numberOrNull(d.iteration) }, nil},
	{"turn", nullable(numberShape), "The turn of a tool loop.", func(d *decision) cty.Value { return numberOrNull(d.turn) }, nil},
	{"round", numberShape, "The round of the retry policy.", func(d *decision) cty.Value { return number(d.round) }, nil},
	{"strategy", oneOf(byPriority, inTurn, leastBusy), "What ordered the candidates.", func(d *decision) cty.Value { return text(d.strategy) }, nil},
	{"candidates", tupleOf(textShape), "Targets that could serve the call, in the order in which it was to try them.", func(d *decision) cty.Value { return texts(d.candidates) }, nil},
	{"refused", tupleOf(shapeOf("refusal", refusalFields)), "Targets that were not dialled, and why.", nil, func(d *decision, read *needs) cty.Value {
		return tupleVal(d.refused, func(r rejection) cty.Value { return object(refusalFields, &r, read) })
	}},
	{"tried", tupleOf(textShape), "Targets that were dialled, in order.", func(d *decision) cty.Value { return texts(d.tried) }, nil},
	{"selected", nullable(textShape), "The target that answered.", func(d *decision) cty.Value { return textOrNull(d.selected) }, nil},
	{"outcome", nullable(oneOf(decisionOutcomes()...)), `"first" or "fallback" by who answered; "failed", "refused" where no target was dialled, "no_target" where none serves the model, or "cancelled".`, func(d *decision) cty.Value { return textOrNull(d.outcome) }, nil},
}

// decisions are those of a gateway, in the order in which they were made.
func (g *gatewayResult) decisions() []*decision {
	var list []*decision
	latest := map[string]*decision{} // a step makes one call at a time
	events := g.of.log.Events()
	for i := range events {
		e := &events[i]
		if names, decided := e.Attr("candidates").([]string); decided {
			latest[e.Step] = nil
			if e.Text("gateway") == g.name {
				d := &decision{at: e.At, step: e.Step, iteration: e.Iteration, turn: e.Turn, round: e.Round, strategy: e.Text("strategy"), candidates: names}
				list, latest[e.Step] = append(list, d), d
			}
		}
		if d := latest[e.Step]; d != nil {
			d.follow(e)
		}
	}
	return list
}

// follow notes what an event of the call says about its route.
func (d *decision) follow(e *trace.Event) {
	switch e.Type {
	case trace.Rejection:
		d.refused = append(d.refused, rejection{target: e.Target, reason: e.Text("reason")})
		if len(d.tried) == 0 {
			d.outcome = decidedRefused
		}
	case trace.AttemptStart:
		d.tried = append(d.tried, e.Target)
		d.outcome = ""
	case trace.AttemptEnd:
		d.end(e)
	case trace.Failure:
		if len(d.candidates) == 0 {
			d.outcome = noCandidates
		}
	}
}

func (d *decision) end(e *trace.Event) {
	switch e.Text("outcome") {
	case "success":
		d.selected, d.outcome = e.Target, decidedFallback
		if e.Target == d.candidates[0] {
			d.outcome = decidedFirst
		}
	case "cancelled":
		d.outcome = decidedCancel
	default:
		d.outcome = decidedFailed
	}
}

package interp

import (
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// What a step of a kind emits is what a filter of events may ask of it, and nothing is
// allowed that no run of any scenario has shown.
func TestEmitters(t *testing.T) {
	type pair struct {
		of   trace.Type
		kind plan.Kind
	}
	seen := map[pair]bool{}
	for _, p := range deterministic(t) {
		if p.Skip != "" || p.NotRun(Interpreted) != "" {
			continue
		}
		kinds := map[string]plan.Kind{}
		for _, e := range Run(p, RunOptions{}).Events {
			if e.Type == trace.StepStart {
				kinds[e.Step] = plan.Kind(e.Text("kind"))
			}
			k := kinds[e.Step]
			if e.Step == "" || k == "" {
				continue
			}
			seen[pair{e.Type, k}] = true
			if !observe.Emits(e.Type, k) {
				t.Errorf("%s: %q: the step %q of kind %s has an event of type %s, for which a filter is refused", p.File, p.Name, e.Step, k, e.Type)
			}
		}
	}
	unseen := map[pair]string{
		{trace.Rejection, plan.KindMCP}: "breakers refuse calls of any service", {trace.Rejection, plan.KindSQL}: "as above", {trace.Rejection, plan.KindClassify}: "as above",
	}
	for _, typ := range event.Types() {
		limited := false
		for _, k := range plan.StepKinds() {
			limited = limited || !observe.Emits(typ.Type, k)
		}
		for _, k := range plan.StepKinds() {
			if at := (pair{typ.Type, k}); limited && observe.Emits(typ.Type, k) && !seen[at] && unseen[at] == "" {
				t.Errorf("no scenario has an event of type %s of a step of kind %s, for which a filter is allowed", typ.Type, k)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d types and kinds were seen", len(seen))
	}
}

package served

import (
	"fmt"
	"maps"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// after are the other runs of one that ended as its workflow did: those in which the server asked an
// endpoint that it had not asked, after its last answer. A check that this endpoint is unused does not
// see what a server does in the background.
func (c *conversation) after() (list []otherwise.Run) {
	at := c.over()
	if at == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.o.Steps)) {
		e := c.o.Steps[name]
		if e.Step.Endpoint == nil || !e.Step.Endpoint.Declared || e.Began {
			continue
		}
		for _, more := range firstOf(e) {
			list = append(list, otherwise.Run{
				Why: fmt.Sprintf("it holds of what came before the last answer of the server: the run ended with that, and whether the server asks %s in the background after it was not seen.\nhint: give sut a settle, such as settle = \"500ms\": the run then goes on until the server has asked nothing for so long",
					name),
				Addresses: []string{name},
				Told: func() (events, apart [][]trace.Event) {
					return [][]trace.Event{c.with(more, at, soon), c.with(more, at, late)}, nil
				},
				Part: true,
				Hint: true,
			})
		}
	}
	return list
}

// over is the event with which the last step of the workflow ended, as the run did with it; 0 where it
// went on after the last answer, or its client left before that.
func (c *conversation) over() (at int) {
	sut := c.o.Plan.Sut
	if end := c.o.Sut.End(); c.o.Way != plan.Exec || sut.Settle > 0 || sut.Until != nil || end != nil && !end.Stopped {
		return 0
	}
	if s, _ := c.leaves(); s != nil {
		return 0
	}
	answered := 0
	for _, s := range c.steps {
		at = max(at, s.end)
		for _, a := range s.attempts {
			answered = max(answered, a.end)
			if a.ended == nil {
				return 0
			}
		}
	}
	for _, s := range c.steps {
		if r := c.o.Steps[s.name]; r != nil && r.Step.Kind == plan.KindWait && s.end > answered {
			return 0 // the workflow itself waits for what comes
		}
	}
	if answered == 0 {
		return 0
	}
	return at
}

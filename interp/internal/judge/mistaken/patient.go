package mistaken

import (
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// OfPatience begins to say that a deadline shows nothing.
const OfPatience = "it holds of a program that waits for ever, too: "

// beyond is longer than any deadline.
const beyond = 24 * time.Hour

// patient are the runs of a program that waits for each answer, however long that takes. A limit on how
// long the attempts of an endpoint take is not put to the test where the script ended every one of them.
func (r *run) patient(e *endpoint) []otherwise.Run {
	if _, known := e.all(); !r.reads("elapsed_ms") || !known {
		return nil
	}
	of := func(at *endpoint, longer time.Duration) time.Duration {
		if at != e {
			return 0
		}
		return longer
	}
	return []otherwise.Run{{
		Why: fmt.Sprintf("%severy answer of %s came within the limit, and none was cut by the program, so it shows nothing of a deadline here.\nhint: let an answer take longer than the limit, such as fault \"timeout\" {}, which never comes", OfPatience, r.path(e)),
		Told: func() (events, apart [][]trace.Event) {
			return [][]trace.Event{r.later(func(at *endpoint, _ *attempt) time.Duration { return of(at, beyond) })}, [][]trace.Event{r.later(func(at *endpoint, a *attempt) time.Duration { return of(at, -r.took(a)) })}
		},
		About: func(c hclsyntax.Expression) bool {
			return reads(c, "elapsed_ms") && readsOf(c, e.name) && ofAttempts(c)
		},
		Part: true,
	}}
}

// ofAttempts reports whether a condition reads nothing of endpoints but their attempts: an endpoint as a
// whole takes as long as the program waits between them.
func ofAttempts(c hclsyntax.Expression) bool {
	for t := range dsl.Variables(c) {
		if name, _ := read.AttrName(t, 2); read.IsObserved(t.RootName()) && name != "attempts" {
			return false
		}
	}
	return true
}

// took is how long an attempt took.
func (r *run) took(a *attempt) time.Duration { return r.events[a.end].At - r.events[a.start].At }

// ofTurns begins to say that a limit shows nothing of what a program asks at one time.
const ofTurns = "it holds of a program that asks one after the other, too: "

// delayed is the same for limits on what a program does as a whole, or a server under a step, where a
// delay was to put them to the test, or several answers that take a while: all answers, one after the
// other, take no longer.
func (r *run) delayed() []otherwise.Run {
	if !r.reads("elapsed_ms", "ended_ms") {
		return nil
	}
	all, delays, at, slow := time.Duration(0), time.Duration(0), "", 0
	for _, e := range r.endpoints {
		took, known := e.all()
		if !known {
			return nil
		}
		all += took
		for _, a := range e.attempts {
			if !a.succeeded() {
				return nil
			}
			took, _ := e.takes(a)
			if took > 0 {
				slow++
			}
			if a.ended.FaultType == "delay" && took > delays {
				delays, at = took, r.path(e)
			}
		}
	}
	why := fmt.Sprintf("%sthe delay of %s was %s, and all answers one after the other take %s, so it shows nothing of a deadline here.\nhint: let the answer take longer than the limit, such as fault \"timeout\" {}, which never comes", OfPatience, at, delays, all)
	switch {
	case delays == 0 && slow < 2:
		return nil
	case delays == 0:
		why = fmt.Sprintf("%[1]sall %[2]d answers that take a while take %[3]s together, so it shows nothing of a deadline here, or of what is asked at one time.\nhint: set the limit below %[3]s, or let the answers take longer", ofTurns, slow, all)
	}
	for _, s := range r.o.Order {
		if s.Status != read.StatusSuccess {
			return nil
		}
	}
	first, last := r.endpoints[0].attempts[0].start, 0
	for _, e := range r.endpoints {
		for _, a := range e.attempts {
			last = max(last, a.end)
		}
	}
	missing := max(0, all-(r.events[last].At-r.events[first].At))
	slower := func(longer time.Duration) []trace.Event {
		return r.later(func(_ *endpoint, a *attempt) time.Duration {
			if a.end != last {
				return 0
			}
			return longer
		})
	}
	return []otherwise.Run{{
		Why: why,
		Told: func() (events, apart [][]trace.Event) {
			return [][]trace.Event{slower(beyond)}, [][]trace.Event{slower(missing), r.later(func(_ *endpoint, a *attempt) time.Duration { return -r.took(a) })}
		},
		About: func(c hclsyntax.Expression) bool {
			return reads(c, "elapsed_ms", "ended_ms") && readsOnly(c, func(root, name string) bool {
				s := r.o.Steps[name]
				return root == "run" || root == "sut" || root == "steps" || root == "call" || root == "step" && (s == nil || s.Step.Endpoint == nil)
			})
		},
		Part: true,
		Hint: true,
	}}
}

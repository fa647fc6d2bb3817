package given

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// What an endpoint and its calls, and an attempt, have where nothing that a program asks fails:
// what it asks after a success is a new call, however often it asks the same.
var (
	ofUnretried = map[string]cty.Value{"retries": cty.Zero, "delays_ms": cty.EmptyTupleVal, "gaps_ms": cty.EmptyTupleVal, "error": null}
	ofUnfailed  = map[string]cty.Value{"outcome": cty.StringVal(read.StatusSuccess), "error": null, "fault": null, "gap_ms": null, "round": cty.NumberIntVal(1)}
)

// ofCalls are the attributes and lists of calls of a program that a file may give.
var ofCalls = []string{"outcome", "gaps_ms", "calls", "attempts", "round", "gap_ms", "fault"}

// unfailed says why no attempt of a program at an endpoint is a retry, whatever the program does;
// "" where one may be: each attempt succeeded, and the script has nothing else to answer with, and
// nothing that takes so long that a client may give up.
func (f *File) unfailed(s *observe.StepResult) string {
	if !s.AllSucceeded() || !f.answersAlike(s, func(e *plan.Entry) bool { return e.Fault == nil }) {
		return ""
	}
	return fmt.Sprintf("it holds whatever the program does: no attempt failed, as nothing in the script fails, and what a program asks after a success is a new call and no retry, so it shows nothing here.\nhint: count what it asks, such as length(endpoint.%s.attempts) == 1, or let an attempt fail with a fault", s.Name)
}

// oneFailed says why what a program asked an endpoint is one call, however often it asks; "" where
// it may be several: no attempt succeeded, and the script has nothing that does.
func (f *File) oneFailed(s *observe.StepResult) string {
	if !s.AllFailed() || !f.answersAlike(s, func(*plan.Entry) bool { return true }) {
		return ""
	}
	return fmt.Sprintf("it holds however often the program asks: no attempt succeeded, as all in the script fails, and what a program asks again after a failure belongs to the same call, so it shows nothing here.\nhint: count what it asks, such as length(endpoint.%s.attempts) == 1", s.Name)
}

// AnswersAtOnce reports whether the script of an endpoint answered whatever a program asked there,
// each entry in its turn and at once.
func (f *File) AnswersAtOnce(s *observe.StepResult) bool {
	return f.answersAlike(s, func(e *plan.Entry) bool { return !e.Selects() })
}

// answersAlike reports whether the script of an endpoint is all that answers a program there, and
// has such entries alone, each of which was used in this run and answers at once.
func (f *File) answersAlike(s *observe.StepResult, is func(*plan.Entry) bool) bool {
	p := f.p
	sc := p.ScriptFor(s.Name, "")
	if f.struck || sc == nil || p.Recording != nil || p.Responses != nil || p.Population != nil || len(p.Outages)+len(p.Actions) > 0 ||
		sc.Exhausted == "fail" && p.Allow[plan.GateOverConsumed] {
		return false
	}
	used := map[int]bool{}
	for _, a := range s.Asked() {
		if a.End == nil || a.End.By != "script" {
			return false
		}
		used[a.End.Entry] = true
	}
	return !slices.ContainsFunc(sc.Entries, func(e *plan.Entry) bool {
		return !used[e.N] || !is(e) || e.Replay != nil || e.HasAfter || e.Reply != nil && (e.Reply.Latency > 0 || e.Reply.ChunkDelay > 0)
	})
}

// programCalls are the calls of a program at an endpoint.
func (f *File) programCalls(s *observe.StepResult, never string, asked int) *part {
	one := f.oneFailed(s)
	return &part{f: f, whole: one != "", why: one, asked: asked, elem: func(int) *part {
		if never == "" {
			return &part{f: f}
		}
		return &part{f: f, attr: func(name string) given {
			if v, is := ofUnretried[name]; is {
				return given{v, never}
			}
			return when(name == "status", cty.StringVal(read.StatusSuccess), never)
		}, child: func(name string) *part {
			if name != "attempts" {
				return nil
			}
			return &part{f: f, whole: true, why: never, elem: func(int) *part {
				return &part{f: f, attr: func(name string) given {
					v, is := ofUnfailed[name]
					return when(is, v, never)
				}}
			}}
		}}
	}}
}

// endpointItem is an endpoint as an element of the list of all.
func (f *File) endpointItem(at int) *part {
	like := &part{f: f}
	if 0 <= at && at < len(f.p.Endpoints) {
		if p := f.endpointPart(f.p.Endpoints[at].Name); p != nil {
			like = p
		}
	}
	return &part{f: f, child: like.child, attr: func(name string) given {
		if slices.Contains(ofEndpoint, name) {
			return given{cty.NilVal, ofKind}
		}
		if like.attr == nil {
			return free
		}
		return like.attr(name)
	}}
}

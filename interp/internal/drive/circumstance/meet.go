package circumstance

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// The words of names by which a scenario is about requests that come at one time, about the order of what comes back,
// and about a program that is told to stop.
var (
	atOnce   = []string{"concurrent", "concurrently", "concurrency", "simultaneous", "simultaneously", "race", "races", "racing"}
	sameTime = []string{"at the same time", "at one time", "same moment", "same instant"}
	stopping = []string{"sigterm", "sigint", "shutdown", "drain", "drains", "terminate", "terminated", "graceful", "gracefully"}
	inOrder  = []string{"in order", "in the order", "in their order", "in its order", "order of the", "same order", "own order", "keep the order", "keeps the order", "keep their order", "order is kept"}
	toStop   = []string{"told to stop", "asked to stop", "is stopped", "shut down", "shuts down"}
)

// isAbout reports whether the name of a scenario, or of one of its checks, has one of some words or phrases.
func isAbout(p *plan.Plan, words, phrases []string) bool {
	names := []string{p.Name}
	for _, a := range p.Asserts {
		names = append(names, a.Name)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		all := read.WordsIn(name)
		return slices.ContainsFunc(all, func(w string) bool { return slices.Contains(words, w) }) || slices.ContainsFunc(phrases, func(s string) bool { return strings.Contains(strings.Join(all, " "), s) })
	})
}

// Met says of a scenario that is about requests which come to its server at one time whether two were under way at
// one time: Made if they were. Why is there where several came and each had ended when the next began.
func Met(p *plan.Plan, obs *observe.Observed) []Trial {
	serving := p.Sut.Serving()
	if serving == nil || !isAbout(p, atOnce, sameTime) {
		return nil
	}
	t := Trial{Of: "requests at one time"}
	under, all := 0, 0
	events := obs.Log.Events()
	open := map[place]bool{}
	for i := range events {
		e := &events[i]
		at := place{e.Step, e.Call, e.Iteration, e.Attempt}
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Request == nil || x.Provider != serving.Name || x.Asker != nil {
				continue
			}
			open[at] = true
			all++
			if under++; under > 1 {
				t.Made = true
			}
		case *event.AttemptEnd:
			if open[at] {
				delete(open, at)
				under--
			}
		}
	}
	if all < 2 {
		return nil
	}
	if !t.Made {
		t.Why = "each request had been answered when the next one came, so no two met in the server: one that locks nothing passes as well.\nhint: let them come at the same instant, and give the answer that the server waits for in between a latency, such as reply { latency = \"200ms\" }"
	}
	return []Trial{t}
}

// A place is an attempt of a run.
type place struct {
	step, call         string
	iteration, attempt int
}

// KeptInOrder says of a scenario that is about the order of what a program gathers from requests at one time whether
// a later entry of the script was over before an earlier one: Made if one was. Why is there where they were over in
// the order of the script, so that results have that order however they are gathered.
func KeptInOrder(p *plan.Plan, obs *observe.Observed) []Trial {
	if p.Sut.Serving() != nil || !isAbout(p, nil, inOrder) {
		return nil
	}
	t := Trial{Of: "the order of what comes back"}
	// over are the entries of those that were answered while others were under way, in the order in which they were
	// over, until none was.
	var over []int
	under, most, met := 0, 0, false
	events := obs.Log.Events()
	for i := range events {
		switch x := events[i].Payload.(type) {
		case *event.AttemptStart:
			if x.Asker == nil {
				continue
			}
			under++
			most = max(most, under)
		case *event.AttemptEnd:
			if under == 0 {
				continue
			}
			if x.By == "script" {
				over = append(over, x.Entry)
			}
			if under--; under > 0 {
				continue
			}
			if most > 1 && len(over) > 1 {
				met = true
				t.Made = t.Made || !slices.IsSorted(over)
			}
			over, most = over[:0], 0
		}
	}
	if !met {
		return nil
	}
	if !t.Made {
		t.Why = "answers to requests at one time were over in the order in which the script has them, so what a program gathers as it comes has that order as well.\nhint: give the first of them the longest latency"
	}
	return []Trial{t}
}

// StoppedAtWork says of a scenario that is about a program which is told to stop whether it was at work then. Why
// is there where the run waited until nothing was under way.
func StoppedAtWork(p *plan.Plan, obs *observe.Observed) []Trial {
	if p.Sut == nil || p.Sut.Serving() != nil || p.Sut.Until == nil || !obs.Sut.Stopped || !isAbout(p, stopping, toStop) {
		return nil
	}
	t := Trial{Of: "stopping at work", Made: p.Sut.Settle == 0}
	if !t.Made {
		t.Why = "the program was told to stop once it had asked for nothing for " + p.Sut.Settle.String() + ", so it had nothing under way: one that ends at once passes as well.\nhint: leave settle out and give an answer a latency, so that until holds while the program waits for it"
	}
	return []Trial{t}
}

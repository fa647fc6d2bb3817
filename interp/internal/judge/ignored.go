package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// ignored tells of what a run met and passed over: differences from a recording
// that its profile does not compare, and waits of a script that no client can
// read. Nothing fails for them.
func (r *finished) ignored(result *plan.Result) {
	if p := r.unstarted(); p != nil {
		result.Relaxed = append(result.Relaxed, *p)
	}
	recorded := r.Plan.Recording // of which no profile compares all
	for _, s := range r.asked() {
		var told []string
		for _, a := range s.Asked() {
			p := r.unreadWait(s, &a)
			if p == nil {
				p = r.ownWait(s, &a)
			}
			if p == nil && recorded != nil && recorded.Cassette != nil && a.End.By == "cassette" {
				p = r.difference(s, &a, recorded)
			}
			if p == nil && a.End.By == "script" {
				p = r.chosen(s, &a)
			}
			if p != nil && !slices.Contains(told, p.Name) {
				told = append(told, p.Name)
				result.Relaxed = append(result.Relaxed, *p)
			}
		}
	}
}

// asked are the steps in the order in which they began, then the endpoints that a
// program asked.
func (r *finished) asked() []*observe.StepResult {
	list := slices.Clone(r.Obs.Order)
	for _, n := range r.Plan.Endpoints {
		if s := r.Obs.Steps[n.Name]; s != nil && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// unstarted says that a run of a workflow is none of the program that the scenario
// names, nil where it names none or that took part.
func (r *finished) unstarted() *plan.Problem {
	sut := r.Plan.Sut
	if r.Obs.Driven() || sut == nil || sut.Command == nil || r.Plan.Workflow == nil {
		return nil
	}
	return &plan.Problem{
		Kind: plan.KindIgnored, Name: "the command of sut", Range: sut.Rng,
		Message: "the workflow was interpreted, and the program was not started, so nothing is said of it here.\nhint: scenario exec FILE starts it",
	}
}

// difference is what an attempt asked otherwise than its recording without being
// compared, nil where there is nothing.
func (r *finished) difference(s *observe.StepResult, a *observe.Asked, t *plan.Recording) *plan.Problem {
	i := slices.IndexFunc(t.Cassette.Interactions, func(it *cassette.Interaction) bool { return it.Index == a.End.Entry })
	if i < 0 {
		return nil
	}
	it, how := t.Cassette.Interactions[i], t.Comparison()
	was, now := r.requests(it, a)
	why, hint := fmt.Sprintf("what match = %q does not compare", how.Profile), "match = \"strict\" compares it"
	if how.IgnoresAll(was, match.AsItIs) {
		why, hint = "what ignore names, and nothing but its address is compared", "name only what changes from run to run"
	}
	diffs, fields := how.Ignored(was, now), how.IgnoredHeaders(was, now, redact.HasPlaceholder)
	if len(diffs) == 0 {
		hint = "match_headers compares the fields that it names"
	}
	return differs(s, t, append(diffs, fields...), fmt.Sprintf("attempt %d differs from interaction %d of %s in %s", a.N, it.Index, t.Path, why), hint)
}

// chosen is what an attempt asked otherwise than the interaction that the script
// chose by its number, nil where there is nothing.
func (r *finished) chosen(s *observe.StepResult, a *observe.Asked) *plan.Problem {
	t, sc := r.Plan.Recording, r.Plan.ScriptFor(s.Name, "")
	if t == nil || t.Cassette == nil || sc == nil || a.End.Entry < 1 || a.End.Entry > len(sc.Entries) {
		return nil
	}
	replay := sc.Entries[a.End.Entry-1].Replay
	if replay == nil || replay.Interaction == 0 {
		return nil
	}
	player, err := cassette.NewPlayer(t.Cassette, cassette.Options{Scenario: r.Plan.Name, Profile: t.Match, MatchHeaders: t.Headers, Ignore: t.Ignore})
	if err != nil {
		return nil // never: the run had one
	}
	it, err := player.Interaction(s.Name, replay.Interaction)
	if err != nil {
		return nil
	}
	was, now := r.requests(it, a)
	if s.Step.Kind == plan.KindMCP || s.Step.Kind == plan.KindSQL {
		now.Method = was.Method // the trace has the method of the protocol
	}
	how := t.Comparison()
	return differs(s, t, append(how.Diff(was, now), how.Ignored(was, now)...),
		fmt.Sprintf("attempt %d differs from interaction %d of %s, which the script chooses by its number, so that nothing is compared", a.N, it.Index, t.Path),
		"a replay without a number compares it")
}

// requests are the request of an interaction and that of an attempt, as they are
// compared.
func (r *finished) requests(it *cassette.Interaction, a *observe.Asked) (was, now match.Request) {
	return match.Request(r.Plan.Secrets.Request(redact.Request(it.Request()))),
		match.Request{Method: a.Request.Method, URL: a.Request.URL, Header: headerOf(a.Request.Headers), Body: []byte(a.Request.Body)}
}

// differs tells of differences that nobody compares, nil where there are none.
func differs(s *observe.StepResult, t *plan.Recording, diffs []match.FieldDiff, text, hint string) *plan.Problem {
	if len(diffs) == 0 {
		return nil
	}
	var names []string
	for _, d := range diffs {
		names = append(names, d.Path)
		text += fmt.Sprintf("\n  %s: recorded %s, actual %s", d.Path, d.Recorded, d.Actual)
	}
	return &plan.Problem{
		Kind: plan.KindIgnored, Name: shortList(names) + " of " + calledInFile(s), Range: t.Rng,
		Message: text + "\nhint: " + hint,
	}
}

// calledInFile is what a file calls a step or an endpoint.
func calledInFile(s *observe.StepResult) string {
	if e := s.Step.Endpoint; e != nil && e.Declared {
		return "endpoint " + strconv.Quote(s.Name)
	}
	return "step " + strconv.Quote(s.Name)
}

// shortList is the first few of some names.
func shortList(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func headerOf(fields event.Headers) http.Header {
	h := make(http.Header, len(fields))
	for name, value := range fields {
		h.Set(name, value)
	}
	return h
}

// ownWait is a Retry-After that nobody would see honoured, because the policy of its step
// waits as long by itself, nil where it is none. Where a service lengthened some other
// wait, the run shows what becomes of it, and where no check reads waits, nobody asks.
func (r *finished) ownWait(s *observe.StepResult, a *observe.Asked) *plan.Problem {
	retry := s.Step.Retry
	value := a.End.Headers["retry-after"]
	if r.Obs.Driven() || value == "" || a.N > len(s.Delays) || len(s.Asked()) != len(s.Delays)+1 || !retry.RespectRetryAfter {
		return nil
	}
	asked, readable := failure.RetryAfter(headerOf(a.End.Headers), time.Time{})
	if least, _ := retry.Backoff.Range(a.N); !readable || asked <= 0 || asked > least || strings.Contains(value, "GMT") {
		return nil
	}
	if !r.checksWaits() || slices.ContainsFunc(r.asked(), lengthened) {
		return nil
	}
	return &plan.Problem{
		Kind: plan.KindIgnored, Name: fmt.Sprintf("Retry-After %q of %s", value, calledInFile(s)), Range: r.entryOf(s, a),
		Message: fmt.Sprintf("retry.%s waits as long by itself, so the run shows nothing of whether the wait that the service asks for is kept.\nhint: let it ask for a longer one than the policy has", retry.Name),
	}
}

// checksWaits reports whether a check of the scenario reads when something was tried again.
func (r *finished) checksWaits() bool {
	c := r.checker()
	return slices.ContainsFunc(r.Plan.Asserts, func(a *plan.Assertion) bool {
		return c.mentions(a, []string{"delays_ms", "delay_ms", "retry_after", "at_ms"})
	}) || slices.ContainsFunc(r.Plan.Expects, func(x *plan.Expectation) bool {
		return slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return a.Name == "delays_ms" })
	})
}

// lengthened reports whether some wait of a step is longer than its policy has it.
func lengthened(s *observe.StepResult) bool {
	for n, w := range s.Delays {
		if _, most := s.Step.Retry.Backoff.Range(n + 1); w.For() > most {
			return true
		}
	}
	return false
}

// entryOf is where the entry stands that answered an attempt, or the step if none did.
func (r *finished) entryOf(s *observe.StepResult, a *observe.Asked) hcl.Range {
	if sc := r.Plan.ScriptFor(s.Name, ""); sc != nil && 0 < a.End.Entry && a.End.Entry <= len(sc.Entries) {
		return sc.Entries[a.End.Entry-1].Rng
	}
	return s.Step.Block.DefRange
}

// unreadWait is a wait that an answer of the script asks for in a way that no
// client reads, nil where it is none.
func (r *finished) unreadWait(s *observe.StepResult, a *observe.Asked) *plan.Problem {
	value := a.End.Headers["retry-after"]
	if value == "" || a.End.By != "script" {
		return nil
	}
	if _, readable := failure.RetryAfter(headerOf(a.End.Headers), time.Time{}); readable {
		return nil
	}
	return &plan.Problem{
		Kind: plan.KindIgnored, Name: fmt.Sprintf("Retry-After %q of %s", value, calledInFile(s)), Range: r.entryOf(s, a),
		Message: "no client can read that as a wait: the retry waits as long as its policy says.\nhint: a wait is a number of seconds that is not negative, or an HTTP date, such as \"Sat, 01 Jan 2000 00:00:30 GMT\"",
	}
}

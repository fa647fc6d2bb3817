package mistaken

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// A setting is what a service of a language model takes for a member that a request does not have.
type setting struct{ name, value, said string }

// settings are those of the interfaces that have them: https://platform.openai.com/docs/api-reference/chat,
// https://docs.anthropic.com/en/api/messages.
var settings = []setting{
	{"temperature", "1", "1"},
	{"top_p", "1", "1"},
	{"n", "1", "1"},
	{"max_tokens", "1000000000", "no limit"},
	{"max_completion_tokens", "1000000000", "no limit"},
	{"parallel_tool_calls", "true", "true"},
}

// unsent are the runs of a program that says itself what the service takes for a member which its
// requests do not have. A check that gives the member a default of its own, and does not hold there,
// compares that default, and not what the service makes of the request.
func (r *run) unsent(e *endpoint) (list []otherwise.Run) {
	if s := r.o.Steps[e.name]; s == nil || s.Step.Kind != plan.KindLLM {
		return nil
	}
	for _, s := range settings {
		if !r.reads(s.name) {
			continue
		}
		list = append(list, otherwise.Run{
			Why: fmt.Sprintf("it holds by its default: no request of %s has %s, and what the service takes then is %s, so it shows nothing here.\nhint: read the member without a default, such as %[1]s.attempts[0].request.json.%[2]s == 0", r.path(e), s.name, s.said),
			Told: func() (events, apart [][]trace.Event) {
				if slices.ContainsFunc(e.attempts, func(a *attempt) bool { return !lacks(a.asked.Request, s.name) }) {
					return nil, nil
				}
				return [][]trace.Event{r.sent(e, s)}, nil
			},
			About: func(c hclsyntax.Expression) bool { return readsOf(c, e.name) && defaults(c, s.name) },
			Part:  true,
		})
	}
	return list
}

// lacks reports whether the body of a request is an object without a member.
func lacks(q *event.Request, name string) bool {
	var members map[string]json.RawMessage
	if q == nil || json.Unmarshal([]byte(q.Body), &members) != nil || len(members) == 0 {
		return false
	}
	_, has := members[name]
	return !has
}

// sent are the events of a run in which each request to an endpoint has a member.
func (r *run) sent(e *endpoint, s setting) []trace.Event {
	list := slices.Clone(r.events)
	for _, a := range e.attempts {
		asked, request := *a.asked, *a.asked.Request
		body := strings.TrimSpace(request.Body)
		request.Body = fmt.Sprintf("{%q: %s, %s", s.name, s.value, strings.TrimPrefix(body, "{"))
		asked.Request = &request
		list[a.start].Payload = &asked
	}
	return list
}

// defaults reports whether a condition reads a member of some name with a default that the file gives
// and that is no null.
func defaults(e hclsyntax.Expression, name string) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		if !call || len(f.Args) < 2 || !slices.Contains([]string{"lookup", "try", "coalesce"}, f.Name) {
			return
		}
		v, written := dsl.Literal(dsl.Bare(f.Args[len(f.Args)-1]))
		found = found || written && !v.IsNull() && (reads(f, name) || says(f, name))
	})
	return found
}

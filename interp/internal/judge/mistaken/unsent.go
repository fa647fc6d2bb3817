package mistaken

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// A setting is what a service of a language model takes for a member that a request does not have, in
// requests whose path ends with what it says.
type setting struct{ name, value, said, path string }

// settings are those of the interfaces that have them: https://platform.openai.com/docs/api-reference/chat,
// https://platform.openai.com/docs/api-reference/responses/create, https://docs.anthropic.com/en/api/messages.
var settings = []setting{
	{name: "temperature", value: "1", said: "1"},
	{name: "top_p", value: "1", said: "1"},
	{name: "n", value: "1", said: "1"},
	{name: "max_tokens", value: "1000000000", said: "no limit"},
	{name: "max_completion_tokens", value: "1000000000", said: "no limit"},
	{name: "max_output_tokens", value: "1000000000", said: "no limit", path: "/responses"},
	{name: "parallel_tool_calls", value: "true", said: "true"},
	{name: "store", value: "true", said: "true", path: "/responses"}, // a chat is not stored
}

// of reports whether a setting is one of requests to a URL.
func (s setting) of(address string) bool {
	u, err := url.Parse(address)
	return s.path == "" || err == nil && strings.HasSuffix(u.Path, s.path)
}

// other is a value that a request may say instead.
func (s setting) other() string {
	if s.value == "true" {
		return "false"
	}
	return "0"
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
			Why: fmt.Sprintf("it holds by its default: no request of %s has %s, and what the service takes then is %s, so it shows nothing here.\nhint: read the member without a default, such as %[1]s.attempts[0].request.json.%[2]s == %[4]s", r.path(e), s.name, s.said, s.other()),
			Told: func() (events, apart [][]trace.Event) {
				if slices.ContainsFunc(e.attempts, func(a *attempt) bool { return !lacks(a.asked.Request, s) }) {
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

// lacks reports whether a setting is for a request, whose body is an object without it.
func lacks(q *event.Request, s setting) bool {
	var members map[string]json.RawMessage
	if q == nil || !s.of(q.URL) || json.Unmarshal([]byte(q.Body), &members) != nil || len(members) == 0 {
		return false
	}
	_, has := members[s.name]
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

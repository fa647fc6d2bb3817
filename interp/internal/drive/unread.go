package drive

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Unread says of a scenario in which all goes well that nothing in it depends on which request its
// program sent: each script answers any, and the checks count requests and say that they succeeded. ""
// where something does, or something goes wrong, which is then what the scenario is about. An endpoint
// of a model or of an MCP server is left out: its adapter refuses what is no request of its protocol.
func (r *Run) Unread() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.plan
	if p.Sut.Serving() != nil || p.Recording != nil || len(p.Outages) > 0 || len(p.SnapshotChecks) > 0 || len(p.Actions) > 0 || !p.Checks() || !r.endedWell() || readsMore(p) {
		return ""
	}
	var first *event.Request
	name := ""
	for _, e := range r.endpoints {
		script := p.ScriptFor(e.Name, "")
		if !e.Step.Endpoint.Declared || !e.Step.Endpoint.Match.Empty() || e.Step.Endpoint.Lane != nil || script == nil || !onlyReplies(script) {
			return ""
		}
		asked := r.Obs.Steps[e.Name].Asked()
		if len(asked) == 0 {
			return ""
		}
		if e.Step.Kind != plan.KindHTTP && e.Step.Kind != plan.KindSQL {
			continue
		}
		if len(script.Entries) > 1 { // the program is told to ask again
			return ""
		}
		if first == nil {
			first, name = asked[0].Request, e.Name
		}
	}
	if first == nil {
		return ""
	}
	what, check := said(first, name)
	return fmt.Sprintf("nothing in the scenario reads what the program asks of %s, and its script answers any request: %s here, and another one passes as well.\nhint: say what it has to ask, such as assert \"asked\" { condition = %s }, or with a match in the endpoint", name, what, check)
}

// endedWell reports whether the run succeeded, and so did the program, unless the run ended it.
func (r *Run) endedWell() bool {
	code := r.Obs.Sut.ExitCode
	return r.Obs.Run.Status == read.StatusSuccess && (code == nil || *code == 0)
}

// onlyReplies reports whether a script has replies alone that say at once, and to any request, that it
// succeeded.
func onlyReplies(s *plan.Script) bool {
	return !slices.ContainsFunc(s.Entries, func(e *plan.Entry) bool {
		return e.Reply == nil || e.Fault != nil || e.Selects() || e.Reply.IsError || e.Reply.Latency > 0 || e.Reply.StatusCode >= http.StatusMultipleChoices
	})
}

// outcomes are the attributes of results, and of their attempts, that say how many there were and that
// they succeeded, or what the script answered.
var outcomes = []string{"attempts", "calls", "retries", "status", "status_code", "outcome", "exit_code", "content", "json", "body", "rows", "affected"}

// readsMore reports whether a check of a scenario, or what ends it, may read more of it than that.
func readsMore(p *plan.Plan) bool {
	more := func(e hclsyntax.Expression) bool {
		for name := range read.Names(e) {
			if !slices.Contains(outcomes, name) && !slices.ContainsFunc(p.Endpoints, func(n *plan.Node) bool { return n.Name == name }) {
				return true
			}
		}
		return calls(e)
	}
	if p.Sut != nil && p.Sut.Until != nil && more(p.Sut.Until.Condition) {
		return true
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			if !slices.Contains(outcomes, a.Name) {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.Conditions(), more)
}

// calls reports whether an expression calls a function that may look at all of a value.
func calls(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		found = found || is && !slices.Contains([]string{"length", "alltrue", "anytrue"}, f.Name)
	})
	return found
}

// said is a request in a few words, and a condition that asks for it.
func said(q *event.Request, name string) (what, check string) {
	at := "endpoint." + name + ".attempts[0].request"
	if q.Statement != "" {
		return fmt.Sprintf("%q", q.Statement), fmt.Sprintf("strcontains(%s.statement, \"…\")", at)
	}
	path := q.URL
	if u, err := url.Parse(q.URL); err == nil {
		path = u.EscapedPath()
	}
	return q.Method + " " + path, fmt.Sprintf("%s.method == \"…\" && endswith(%[1]s.url, \"/…\")", at)
}

package compile

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/lastpass"
	"github.com/scenario-lang/scenario/interp/internal/compile/lastsession"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// readsLastSession warns of a condition over all attempts of a step of a handler that the
// scenario may call several times, or of what such a step never comes to: what its name
// reads is the last session alone. An invariant is no such condition, as it looks at each
// session while that goes on.
func (sc *scenarioCompiler) readsLastSession(e hclsyntax.Expression) {
	told := map[string]bool{}
	for t := range dsl.Variables(e) {
		path, whole := lastsession.Path(t)
		if !whole || told[path] {
			continue
		}
		at := strings.LastIndexByte(path, '.')
		address, attr := path[:at], path[at+1:]
		if !lastsession.TellsAll(attr) {
			address, attr = path, attributeIn(e)
		}
		told[path] = attr != "" && sc.lastSession(address, attr, t.SourceRange())
	}
	for _, r := range lastpass.Of(e) {
		path, _ := lastsession.Path(r.Path)
		for address := path; address != "" && !told[path]; address = address[:max(strings.LastIndexByte(address, '.'), 0)] {
			if n, handler := sc.calledOften(address); n != nil {
				told[path] = true
				sc.Warnf(r.Path.SourceRange(), "Result of the last session", "This is what the step came to in the last session of %s, and the scenario may call that more than once: it does not look at the sessions before. Say it of each, as in alltrue([for e in events({ type = \"step_end\", step = %q }) : …]).", handler, address)
			}
		}
	}
}

// lastSession warns of an attribute of a step of which only the last session is read, and
// reports whether it did.
func (sc *scenarioCompiler) lastSession(address, attr string, at hcl.Range) bool {
	n, handler := sc.calledOften(address)
	if n != nil {
		sc.Warnf(at, "Attempts of the last session", "This is what the step did in the last session of %s, and the scenario may call that more than once: it sees no attempt of the sessions before. All are in %s.", handler, lastsession.All(n, attr))
	}
	return n != nil
}

// calledOften is the step of a handler that the scenario may call several times, with the
// address of the handler; nil for any other address.
func (sc *scenarioCompiler) calledOften(address string) (step *plan.Node, handler string) {
	n := sc.nodes()[address]
	if n == nil || n.Outer == nil || n.Root().Step.Kind != plan.KindHandler {
		return nil, ""
	}
	c := lastsession.Count{Plan: sc.p, Services: sc.services, Handlers: sc.handlers, Repeats: func(s *plan.Step) bool {
		return passes(s) || s.Tool || s.Retry.MaxRetries > 0
	}}
	for t, w := range sc.handlers {
		if w.Node == n.Root() && c.Often(t) {
			return n, t.Address()
		}
	}
	return nil, ""
}

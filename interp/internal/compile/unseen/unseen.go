package unseen

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// What of a result is there in one way alone.
var (
	// inside are roots that are about the inside of a program.
	inside = []string{"breaker", "target", "gateway", "actor", "lock", "registry", "call", "fanout", "classify", "report"}
	// ofSteps are attributes of a step that do not show on the wire.
	ofSteps = []string{"output", "value", "rejections", "stop", "skipped_reason", "replaced_by", "turns"}
	// ofRuns are attributes of the run of a workflow.
	ofRuns = []string{"output", "lifecycle", "partial"}
	// ofWorkflows are attributes of an attempt that a request does not say: in which pass
	// of a loop it was made.
	ofWorkflows = []string{"iteration"}
	// ofPrograms are attributes of a step that only a program gives it, and
	// ofExchanges those of its attempts.
	ofPrograms  = []string{"calls", "lanes", "in_flight_max", "connections"}
	ofExchanges = []string{"lane", "call", "ended_by", "sent_bytes", "connection", "reused", "trace_id"}
	// ofConnections are attributes of an attempt that a transport does not give, which
	// has no connections.
	ofConnections = []string{"connection", "reused"}
	// events are types of events that no run of a program has, and metrics are those,
	// without their prefix, that count nothing in one: a program's own retries, breakers
	// and fallbacks show in its requests alone.
	events  = []trace.Type{trace.Rejection, trace.RetryWait, trace.Fallback, trace.Breaker, trace.Timeout, trace.LockWait, trace.Lock, trace.Unlock, trace.Pool, trace.SessionStart, trace.SessionEnd, trace.Route, trace.Registry}
	metrics = []string{"retries_total", "fallbacks_total", "breaker_rejections_total", "breaker_state", "classifier_parse_failures_total", "classifier_fallbacks_total", "routes_total"}
)

// A Finder finds what is not observed of the checks of one scenario.
type Finder struct {
	nodes  map[string]*plan.Node
	prefix string
	drives bool
}

// New is for the scenario whose steps and endpoints, by address, are nodes, and
// whose metrics begin with a prefix. Drives says that its steps ask the program
// under test: they are interpreted beside it, so that both are observed.
func New(nodes map[string]*plan.Node, prefix string, drives bool) *Finder {
	return &Finder{nodes, prefix, drives}
}

// In is what is not observed of an expression.
func (f *Finder) In(e hclsyntax.Expression) plan.Unseen {
	var all read.Needs
	all.Add(e)
	var u plan.Unseen
	for i := range all.Kids {
		f.root(&u, all.Kids[i].Name, all.Kids[i].Part)
	}
	for _, call := range all.Calls {
		if read.AsksProgram(call) {
			said(&u, call)
		}
	}
	if slices.ContainsFunc(all.Calls, func(name string) bool { return name == "events" || isMetric(name) }) {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && len(call.Args) > 0 {
				f.query(&u, call)
			}
		})
	}
	return u
}

func isMetric(query string) bool { return query == "metric" || query == "metrics" }

// query looks at what a query of the trace writes out that it asks for.
func (f *Finder) query(u *plan.Unseen, call *hclsyntax.FunctionCallExpr) {
	switch of, written := dsl.Literal(dsl.Bare(member(call.Args[0], "type"))); {
	case !written || of.IsNull() || of.Type() != cty.String:
	case call.Name == "events" && slices.Contains(events, trace.Type(of.AsString())):
		first(f.inside(u), "events({ type = "+strconv.Quote(of.AsString())+" })")
	case isMetric(call.Name):
		if name, own := strings.CutPrefix(of.AsString(), f.prefix); own && slices.Contains(metrics, name) {
			first(f.inside(u), call.Name+"("+strconv.Quote(of.AsString())+")")
		}
	}
}

// member is the member of an object that is written out, and any other expression
// itself.
func member(e hclsyntax.Expression, name string) hclsyntax.Expression {
	object, written := dsl.Bare(e).(*hclsyntax.ObjectConsExpr)
	if !written {
		return e
	}
	for _, item := range object.Items {
		if key, written := dsl.WrittenKey(item.KeyExpr); written && key == name {
			return item.ValueExpr
		}
	}
	return e
}

// said notes that a program has to say something of itself.
func said(u *plan.Unseen, part string) {
	first(&u.Interpreted, part)
	first(&u.Unstarted, part)
	first(&u.Said, part)
}

// Attribute is what is not observed of an attribute of the result at an
// address, which expect blocks name.
func (f *Finder) Attribute(address, name string) plan.Unseen {
	var u plan.Unseen
	n := f.nodes[address]
	switch {
	case address == "run":
		f.run(&u, name)
	case n == nil:
		first(f.inside(&u), address)
	case n.Step.Endpoint != nil && n.Step.Endpoint.Declared:
		u.Interpreted = "endpoint." + address
	default:
		f.attribute(&u, n, name, read.Everything)
	}
	if n != nil {
		whole := &read.Needs{}
		whole.Child(name)
		result := "endpoint." + address
		if n.Step.Endpoint == nil || !n.Step.Endpoint.Declared {
			result = "step." + address
		}
		connections(&u, n, result, whole)
	}
	return u
}

func (f *Finder) root(u *plan.Unseen, root string, part *read.Needs) {
	switch {
	case slices.Contains(inside, root):
		first(f.inside(u), named(root, part))
	case root == "steps":
		first(f.inside(u), root)
	case root == "endpoint" || root == "endpoints":
		first(&u.Interpreted, named(root, part))
		f.endpoints(u, part)
	case root == "sut":
		if part.Of("metrics") != nil {
			said(u, "sut.metrics")
		}
		first(&u.Interpreted, root)
		first(&u.Unstarted, root)
	case root == "run":
		for i := range part.Kids {
			f.run(u, part.Kids[i].Name)
		}
	case root == "step":
		for i := range part.Kids {
			if n := f.nodes[part.Kids[i].Name]; n != nil {
				f.step(u, n, part.Kids[i].Part)
			}
		}
	}
}

// named is a root with the first name that is read behind it.
func named(root string, part *read.Needs) string {
	if part.Whole() || len(part.Kids) == 0 {
		return root
	}
	return root + "." + part.Kids[0].Name
}

func (f *Finder) run(u *plan.Unseen, attr string) {
	if slices.Contains(ofRuns, attr) {
		first(f.inside(u), "run."+attr)
	}
}

// step looks at what is read of a step, or of those inside it.
func (f *Finder) step(u *plan.Unseen, n *plan.Node, part *read.Needs) {
	if n.Step.Gateway == nil && (part.Whole() || len(part.Kids) == 0) {
		first(f.inside(u), "step."+n.Name)
	}
	connections(u, n, "step."+n.Name, part)
	for i := range part.Kids {
		kid := part.Kids[i]
		if in := f.nodes[n.Name+"."+kid.Name]; in != nil && n.Step.Inner != nil {
			f.step(u, in, kid.Part)
			continue
		}
		f.attribute(u, n, kid.Name, kid.Part)
	}
}

// attribute looks at one attribute of a step's result.
func (f *Finder) attribute(u *plan.Unseen, n *plan.Node, name string, part *read.Needs) {
	switch {
	case n.Step.Gateway == nil:
		first(f.inside(u), "step."+n.Name)
	case slices.Contains(ofSteps, name):
		first(f.inside(u), "step."+n.Name+"."+name)
	case slices.Contains(ofPrograms, name):
		first(f.asked(u), "step."+n.Name+"."+name)
	case name == "attempts" && part.Elem != nil:
		for _, kid := range part.Elem.Kids {
			if slices.Contains(ofExchanges, kid.Name) {
				first(f.asked(u), "step."+n.Name+".attempts[…]."+kid.Name)
			}
			if slices.Contains(ofWorkflows, kid.Name) {
				first(f.inside(u), "step."+n.Name+".attempts[…]."+kid.Name)
			}
		}
	}
}

// endpoints looks at what is read of endpoints: of each by its name, and of all as
// elements of a list.
func (f *Finder) endpoints(u *plan.Unseen, part *read.Needs) {
	for i := range part.Kids {
		if n := f.nodes[part.Kids[i].Name]; n != nil {
			connections(u, n, "endpoint."+n.Name, part.Kids[i].Part)
		}
	}
	if part.Elem != nil {
		for _, name := range slices.Sorted(maps.Keys(f.nodes)) {
			connections(u, f.nodes[name], "endpoint."+name, part.Elem)
		}
	}
}

// connections looks at what is read of the connections that a step or an endpoint is
// asked over: a Go test has none where it asks over a transport.
func connections(u *plan.Unseen, n *plan.Node, result string, part *read.Needs) {
	if n.Step.Gateway == nil || n.Step.Connected() {
		return
	}
	if part.Find("connections") != nil {
		first(&u.Unconnected, result+".connections")
	}
	ofAttempts(u, result, part)
	for _, list := range []string{"calls", "lanes"} {
		if of := part.Find(list); of != nil && of.Elem != nil {
			ofAttempts(u, result+"."+list+"[…]", of.Elem)
		}
	}
}

func ofAttempts(u *plan.Unseen, result string, part *read.Needs) {
	list := part.Find("attempts")
	if list == nil || list.Elem == nil {
		return
	}
	for _, name := range ofConnections {
		if list.Elem.Find(name) != nil {
			first(&u.Unconnected, result+".attempts[…]."+name)
		}
	}
}

// inside is where a part is noted that the interpreter alone observes: nowhere
// where it takes part in every way.
func (f *Finder) inside(u *plan.Unseen) *string {
	if f.drives {
		return new(string)
	}
	return &u.Driven
}

// asked is where a part of a step is noted that requests of a program alone
// give it: those of a step that drives are none.
func (f *Finder) asked(u *plan.Unseen) *string {
	if f.drives {
		return &u.Driven
	}
	return &u.Interpreted
}

// first keeps the first of several parts.
func first(of *string, part string) {
	if *of == "" {
		*of = part
	}
}

// Package beside finds what stands beside that which a scenario expects: members of what a program makes, as an
// object is expected in part, so that whatever else is in it passes; and steps that failed, as the run goes on.
//
//	for _, p := range beside.Members(observed) {
//		fmt.Println(p) // expect "profile": json has password_hash, too
//	}
package beside

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// What bounds what is told: members of one expectation, and how deep they stand.
const (
	told    = 5
	deepest = 16
)

// made are the attributes of a result that a program makes.
var made = []string{"json", "structured", "output"}

// Members are those of the output of a run, of a step that asks nobody, and of what the server under test answers,
// which no check reads although others of the same object are expected.
func Members(o *observe.Observed) (list []observe.RequestPart) {
	p := o.Plan
	var needs *read.Needs // of all checks but expectations, made once it is asked for
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			if !slices.Contains(made, a.Name) || !makes(o, x.Address) {
				continue
			}
			got := otherwise.Result(o, x.Address)
			want, diags := dsl.Evaluate(a.Expr, o.ObservedContext(p.Needs, nil))
			if diags.HasErrors() || got == cty.NilVal || !got.Type().HasAttribute(a.Name) {
				continue
			}
			if needs == nil {
				needs = readBy(p)
			}
			var names []string
			extra(got.GetAttr(a.Name), read.Normalise(want), of(needs, x.Address).Of(a.Name), "", 0, &names)
			if len(names) == 0 {
				continue
			}
			if len(names) > told {
				names = append(names[:told:told], fmt.Sprintf("%d more", len(names)-told))
			}
			list = append(list, observe.RequestPart{Of: "expect " + strconv.Quote(x.Address), Name: fmt.Sprintf("%s has %s, too", a.Name, strings.Join(names, ", "))})
		}
	}
	return list
}

// outcome are the attributes of a result that tell whether it failed.
var outcome = []string{"status", "error", "outcome", "status_code", "response", "retryable"}

// readsOutcome reports whether a check reads whether a step, or an attempt of it, failed.
func readsOutcome(n *read.Needs) bool {
	if n == nil || n.All {
		return n != nil
	}
	return slices.ContainsFunc(outcome, func(name string) bool { return n.Of(name) != nil }) || readsOutcome(n.Find("attempts").Element())
}

// Failed are the steps of a workflow that failed though nothing was injected, whose failure the run survives, and of
// which no check reads whether they did: they may be meant to succeed, with an expect_status.
func Failed(o *observe.Observed) (list []observe.RequestPart) {
	if o.Driven() || o.Run.Status != read.StatusSuccess && o.Run.Status != read.StatusPartial {
		return nil
	}
	var needs *read.Needs
	for _, s := range o.Order {
		if s.Status != read.StatusFailed || s.Step.Endpoint != nil || s.StatusCode < 400 || len(s.Step.Name) == 0 || injected(o, s.Name) || strings.Contains(s.Name, ".") {
			continue
		}
		if needs == nil {
			needs = readBy(o.Plan)
			if len(needs.Calls) > 0 || needs.Of("steps") != nil || of(needs, "run").Of("partial") != nil {
				return nil
			}
		}
		if readsOutcome(of(needs, s.Name)) || slices.ContainsFunc(o.Plan.Expects, func(x *plan.Expectation) bool { return x.Address == s.Name }) || s.Step.Fallback >= 0 {
			continue
		}
		list = append(list, observe.RequestPart{Of: "step " + s.Name, Name: fmt.Sprintf("that it failed with %d, which nothing injected", s.StatusCode)})
	}
	return list
}

// injected reports whether a fault was injected into an attempt of a step.
func injected(o *observe.Observed, step string) bool {
	for _, e := range o.Log.Events() {
		if end, is := e.Payload.(*event.AttemptEnd); is && e.Step == step && end.FaultType != "" {
			return true
		}
	}
	return false
}

// makes reports whether what stands at an address comes of the program, and not of a script.
func makes(o *observe.Observed, address string) bool {
	if address == "run" {
		return true
	}
	s := o.Steps[address]
	if s == nil || s.Step.Endpoint != nil {
		return false
	}
	if s.Step.Gateway == nil {
		return true
	}
	serving := o.Plan.Sut.Serving()
	return serving != nil && slices.ContainsFunc(s.Step.Gateway.Targets, func(t *plan.Target) bool { return t.Provider == serving })
}

// readBy is what asserts, invariants and snapshots read.
func readBy(p *plan.Plan) *read.Needs {
	n := &read.Needs{}
	for _, a := range p.Asserts {
		n.Add(a.Condition)
	}
	for _, i := range p.Invariants {
		n.Add(i.Condition)
	}
	for _, s := range p.SnapshotChecks {
		n.Add(s.Value)
	}
	return n
}

// of is what is read of a result.
func of(n *read.Needs, address string) *read.Needs {
	if address == "run" {
		return n.Of("run")
	}
	for _, root := range append([]string{"step"}, plan.CallBlocks...) {
		at := n.Of(root)
		for name := range strings.SplitSeq(address, ".") {
			at = at.Of(name)
		}
		if at != nil {
			return at
		}
	}
	return nil
}

// extra are the paths to the members of a value that the one it is expected to be does not have, and that nothing
// else reads.
func extra(got, want cty.Value, n *read.Needs, path string, depth int, names *[]string) {
	if n != nil && n.All || depth > deepest || got == cty.NilVal || want == cty.NilVal || got.IsNull() || want.IsNull() || !got.IsWhollyKnown() || !want.IsWhollyKnown() {
		return
	}
	switch g, w := got.Type(), want.Type(); {
	case isObject(g) && isObject(w):
		has, wanted := got.AsValueMap(), want.AsValueMap()
		for _, name := range read.SortedNames(has) {
			at := strings.TrimPrefix(path+"."+name, ".")
			if is, expected := wanted[name]; expected {
				extra(has[name], is, n.Of(name), at, depth+1, names)
			} else if n.Of(name) == nil && !slices.Contains(*names, at) {
				*names = append(*names, at)
			}
		}
	case isList(g) && isList(w):
		has, wanted := got.AsValueSlice(), want.AsValueSlice()
		for i := range min(len(has), len(wanted)) {
			extra(has[i], wanted[i], n.Element(), path+"[]", depth+1, names)
		}
	}
}

func isObject(t cty.Type) bool { return t.IsObjectType() || t.IsMapType() }

func isList(t cty.Type) bool { return t.IsTupleType() || t.IsListType() }

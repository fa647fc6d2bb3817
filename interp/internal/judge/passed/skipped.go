package passed

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// failing is how a scenario or a check is named that is about a failure which stops what follows it.
var failing = pattern.New(`(?i)\b(?:fail\w*|errors?|outages?|down|time[sd]?[- ]?out|timeouts?|unavailable|unreachable|breaks?|broken?|crash\w*|stops?|stopped|aborts?|aborted|ends?|refus\w+|reject\w+|den(?:y|ies|ied)|forbidden|unauthori[sz]ed|missing|not found|unknown|declin\w+|expir\w+|invalid|insufficient|block\w*|exceed\w*|not (?:allowed|permitted|authori[sz]ed)|no longer|(?:already|does not|not) exists?|gone|conflict\w*|\d{3})\b`)

// Skipped are the steps of which a check says that they are skipped, and whose when was not asked in this run: a step
// that it reads was refused by its service, and the run ended there. It is the same with any other when, or none.
func Skipped(o *observe.Observed) (list []observe.RequestPart) {
	if o.Driven() || failing().MatchString(o.Plan.Name) || aboutFailure(o) {
		return nil
	}
	for _, s := range o.Order {
		if len(list) == toldMost {
			break
		}
		if s.Status != read.StatusSkipped || s.Step.When == nil || s.SkippedReason == read.SkippedByWhen {
			continue
		}
		f := refusedBefore(o, s)
		if f == nil || isNamedAfter(o.Plan.Name, f.Err.StatusCode) || !readsStep(s.Step.When, f.Step.Name) || !expectsSkipped(o.Plan, s.Name) {
			continue
		}
		list = append(list, observe.RequestPart{Of: "step " + s.Name, Name: fmt.Sprintf("it is skipped as %s failed with %d: its when was not asked in this scenario", f.Name, f.Err.StatusCode)})
	}
	return list
}

// refusedBefore is the step whose failure is why another one was skipped, where its service refused the request: what a
// policy tries again, or an outage, is no refusal.
func refusedBefore(o *observe.Observed, s *observe.StepResult) *observe.StepResult {
	for _, f := range o.Order {
		if f.Err == nil || s.SkippedReason != read.UpstreamFailed(f.Name) && s.SkippedReason != read.StoppedBy(f.Name) {
			continue
		}
		if code := f.Err.StatusCode; f.Err.Kind == failure.HTTPStatus && 400 <= code && code < 500 && code != 408 && code != 429 {
			return f
		}
	}
	return nil
}

// isNamedAfter reports whether a scenario is named after the standard reason of a status.
func isNamedAfter(name string, code int) bool {
	reason := http.StatusText(code)
	return reason != "" && strings.Contains(strings.ToLower(name), strings.ToLower(reason))
}

// readsStep reports whether an expression reads a step.
func readsStep(e hclsyntax.Expression, name string) bool {
	for t := range dsl.Variables(e) {
		if t.RootName() == "step" && len(t) > 1 {
			if of, is := read.AttrName(t, 1); is && of == name {
				return true
			}
		}
	}
	return false
}

// expectsSkipped reports whether a check says of a step that it is skipped, or never asked anything.
func expectsSkipped(p *plan.Plan, address string) bool {
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			v, is := dsl.Literal(a.Expr)
			if x.Address == address && is && a.Name == "status" && v.Type() == cty.String && v.AsString() == read.StatusSkipped {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.Asserts, func(a *plan.Assertion) bool { return readsStep(a.Condition, address) })
}

// aboutFailure reports whether a check reads more of a failure than that there was one and with which status.
func aboutFailure(o *observe.Observed) bool {
	about := []string{"failed_step", "failed_steps", "partial", "error", "retryable", "retries", "skipped_reason"}
	for _, x := range o.Plan.Expects {
		if slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return slices.Contains(about, a.Name) }) {
			return true
		}
	}
	return slices.ContainsFunc(o.Plan.Asserts, func(a *plan.Assertion) bool {
		if failing().MatchString(a.Name) {
			return true
		}
		for t := range dsl.Variables(a.Condition) {
			for i := range t {
				if name, is := read.AttrName(t, i); is && i > 0 && slices.Contains(about, name) {
					return true
				}
			}
		}
		return false
	})
}

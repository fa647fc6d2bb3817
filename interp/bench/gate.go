package bench

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/money"
)

// A GateResult is what a gate says of a report.
type GateResult struct {
	Name   string
	Passed bool
	// Reasons are why it did not pass, in the order of its conditions, or that
	// all conditions are met.
	Reasons []string
	// Error is why there is no verdict, "" where there is one.
	Error string
}

// IncompleteReport is the error of a gate that was shown an incomplete report.
const IncompleteReport = "incomplete_report"

const allMet = "all conditions met"

// judge holds a report to the gate. What is missing keeps nobody from passing
// by accident: an incomplete report has no verdict.
func (g Gate) judge(spec *Spec, r *Report) GateResult {
	out := GateResult{Name: g.Name}
	if !r.Complete {
		out.Error = IncompleteReport
		return out
	}
	unmet := func(format string, args ...any) { out.Reasons = append(out.Reasons, fmt.Sprintf(format, args...)) }
	if n := len(r.Cases); n < spec.Bound.MinCases {
		unmet("cases=%d < min_cases=%d", n, spec.Bound.MinCases)
	}
	idle := r.OverNothing()
	some := ""
	if len(idle) > 0 {
		some = fmt.Sprintf(" without the %d that passed and show nothing, such as %q: %s", len(idle), idle[0].ID, idle[0].Nothing)
	}
	if r.LowerBound < g.LowerBound {
		unmet("lower_bound_95=%.3f < threshold[%s]=%.3f", r.LowerBound, g.Name, g.LowerBound)
	} else if g.LowerBound > 0 && len(idle) > 0 && len(idle) < r.Passed {
		if shown := r.boundShown(spec.Bound); shown < g.LowerBound {
			unmet("lower_bound_95=%.3f < threshold[%s]=%.3f%s", shown, g.Name, g.LowerBound, some)
		}
	}
	switch shown := r.Passed - len(idle); {
	case r.Passed < g.MinPassed:
		unmet("passed=%d < min_passed[%s]=%d", r.Passed, g.Name, g.MinPassed)
	case shown < g.MinPassed && shown > 0:
		unmet("passed=%d < min_passed[%s]=%d%s", shown, g.Name, g.MinPassed, some)
	}
	switch shown := r.PassAll - float64(len(idle))/float64(max(1, len(r.Cases))); {
	case r.PassAll < g.PassAll:
		unmet("pass_all=%.3f < pass_all[%s]=%.3f", r.PassAll, g.Name, g.PassAll)
	case g.PassAll-shown > 1e-9 && len(idle) > 0 && len(idle) < r.Passed:
		unmet("pass_all=%.3f < pass_all[%s]=%.3f%s", shown, g.Name, g.PassAll, some)
	}
	if len(r.Blocking) > 0 {
		unmet("block_severity_failure_modes=[%s]", strings.Join(r.Blocking, ", "))
	}
	if len(idle) > 0 && len(idle) == r.Passed {
		unmet("every case that passed shows nothing, such as %q: %s", idle[0].ID, idle[0].Nothing)
	}
	if money.Of(r.CostUSD).Cmp(money.Of(spec.CostCap)) > 0 {
		unmet("cost_usd=%s > cost_cap=%s", plain(r.CostUSD), plain(spec.CostCap))
	}
	out.Passed = len(out.Reasons) == 0
	if out.Passed {
		out.Reasons = []string{allMet}
	}
	return out
}

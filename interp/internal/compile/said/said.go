package said

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Judging is an environment in which the program may be asked: that of what is
// evaluated when the run is judged, or when the program has said something. Env is
// that of other conditions.
func Judging(env *dsl.Env, p *plan.Plan, functions *plan.FunctionSet) *dsl.Env {
	if p.Barred[plan.Exec] != "" {
		return env
	}
	own := *env
	own.Roots, own.Funcs = maps.Clone(env.Roots), functions.OfProgram()
	own.Roots["sut"] = observe.SutShape
	observe.CheckSaid(&own, func(name string, call *hclsyntax.FunctionCallExpr) hcl.Diagnostics {
		return off(p.Sut, name, call.NameRange)
	})
	return &own
}

// off says of a query that the file keeps the program from telling its answer.
func off(s *plan.Sut, query string, at hcl.Range) hcl.Diagnostics {
	ofMetrics := strings.HasPrefix(query, "sut.metric")
	if s == nil || s.Telemetry || ofMetrics && s.Metrics != "" {
		return nil
	}
	detail := fmt.Sprintf("%s asks what the program exports, and telemetry = false keeps it from being told where to: remove that", query)
	if ofMetrics && s.Serves != nil {
		detail += ", or name its page of metrics with metrics = \"/metrics\""
	}
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Telemetry that is switched off", Detail: detail + ".", Subject: &at}}
}

// Page checks where the program has its page of metrics. It comes when the sut is
// read.
func Page(s *plan.Sut, r dsl.Reader) {
	switch {
	case !r.Has("metrics"):
	case r.Block.Attr("serves") == nil:
		r.Errorf("metrics", "Attribute without a server", "\"metrics\" is a page of a server, and the program serves nothing: give the sut serves = provider.NAME, or have the program export its metrics by OpenTelemetry.")
	case !strings.HasPrefix(s.Metrics, "/"):
		r.Errorf("metrics", "Wrong value", "A path begins with /, as in \"/metrics\"; this is %q.", s.Metrics)
	}
}

// Conditions checks what the conditions of a scenario, which are compiled, read of
// the program's words; b is its sut block, nil for none.
func Conditions(p *plan.Plan, b *dsl.Block) hcl.Diagnostics {
	s := p.Sut
	if s == nil {
		return nil
	}
	if p.ReadsSeries() {
		if diags := off(s, "sut.metrics", s.Rng); diags != nil {
			return diags
		}
	}
	if s.Until != nil && s.Until.AsksProgram("sut.metric") && !s.Telemetry {
		rng := s.Until.Condition.Range()
		return hcl.Diagnostics{{
			Severity: hcl.DiagError, Summary: "Condition about nothing that changes", Subject: &rng,
			Detail: "The page of metrics is read when the program is ready and before it is judged, and not in between, so the run would never end. Refer to endpoint, or let the program export its metrics: remove telemetry = false.",
		}}
	}
	if s.Metrics != "" && !p.AsksProgram("sut.metric") {
		rng := b.Attr("metrics").Range
		return hcl.Diagnostics{{
			Severity: hcl.DiagWarning, Summary: "Page that nothing reads", Subject: &rng,
			Detail: "No condition of the scenario reads the metrics of this page. Ask for one: sut.metric(\"NAME\") in an assert block.",
		}}
	}
	return nil
}

package observe

import (
	"math"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/schema"
)

func decimal(v float64) cty.Value { return cty.NumberFloatVal(v) }

// ModeFields count the trials that ended with one failure mode.
var ModeFields = []read.Field[bench.FailureMode]{
	{Name: "code", Shape: read.TextShape, Doc: "The code: of the taxonomy, or one of the bench's own six.", Value: func(m *bench.FailureMode) cty.Value { return read.Text(m.Code) }},
	{Name: "severity", Shape: read.OneOf(read.Severity), Doc: `"block", "warn", "info", or another severity of the taxonomy.`, Value: func(m *bench.FailureMode) cty.Value { return read.Text(m.Severity) }},
	{Name: "detail", Shape: read.TextShape, Doc: "Its detail, an empty string if there is none.", Value: func(m *bench.FailureMode) cty.Value { return read.Text(m.Detail) }},
}

// TrialFields are the attributes of one trial of a case.
var TrialFields = []read.Field[bench.Trial]{
	{Name: "passed", Shape: read.BoolShape, Doc: "Whether the rubric passed it.", Value: func(t *bench.Trial) cty.Value { return cty.BoolVal(t.Passed) }},
	{Name: "score", Shape: read.ShareShape, Doc: "The score, from 0 to 1.", Value: func(t *bench.Trial) cty.Value { return decimal(t.Score.Score) }},
	{Name: "breakdown", Shape: read.OpenShape, Doc: "The parts of the score by key.", Value: func(t *bench.Trial) cty.Value { return numbersVal(t.Breakdown) }},
	{Name: "failure_modes", Shape: read.TupleOf(read.ShapeOf("failure mode", ModeFields)), Doc: "What is wrong with it, in the order of the rubric.", Nested: func(t *bench.Trial, need *read.Needs) cty.Value {
		return read.Elements(t.FailureModes, need, func(m bench.FailureMode, part *read.Needs) cty.Value { return read.Object(ModeFields, &m, part) })
	}},
	{Name: "cost_usd", Shape: read.NumberShape, Doc: "What system and rubric cost.", Value: func(t *bench.Trial) cty.Value { return read.Dollars(money.Of(t.CostUSD)) }},
	{Name: "elapsed_ms", Shape: read.NumberShape, Doc: "How long it took.", Value: func(t *bench.Trial) cty.Value { return read.Millis(t.Elapsed) }},
}

// CaseFields are the attributes of report.case["id"].
var CaseFields = []read.Field[bench.CaseResult]{
	{Name: "id", Shape: read.OneOf(read.Case), Doc: "The case's id.", Value: func(c *bench.CaseResult) cty.Value { return read.Text(c.ID) }},
	{Name: "passed", Shape: read.BoolShape, Doc: "Whether every trial passed.", Value: func(c *bench.CaseResult) cty.Value { return cty.BoolVal(c.Passed) }},
	{Name: "score", Shape: read.ShareShape, Doc: "The mean score of its trials.", Value: func(c *bench.CaseResult) cty.Value { return decimal(c.Score.Score) }},
	{Name: "breakdown", Shape: read.OpenShape, Doc: "The means of the parts of the score by key.", Value: func(c *bench.CaseResult) cty.Value { return numbersVal(c.Breakdown) }},
	{Name: "failure_modes", Shape: read.TupleOf(read.ShapeOf("failure mode", ModeFields)), Doc: "What is wrong with it; what several trials have is there once.", Nested: func(c *bench.CaseResult, need *read.Needs) cty.Value {
		return read.Elements(c.FailureModes, need, func(m bench.FailureMode, part *read.Needs) cty.Value { return read.Object(ModeFields, &m, part) })
	}},
	{Name: "cost_usd", Shape: read.NumberShape, Doc: "What its trials cost.", Value: func(c *bench.CaseResult) cty.Value { return read.Dollars(money.Of(c.CostUSD)) }},
	{Name: "elapsed_ms", Shape: read.NumberShape, Doc: "How long its trials took, added up.", Value: func(c *bench.CaseResult) cty.Value { return read.Millis(c.Elapsed) }},
	{Name: "trials", Shape: read.TupleOf(read.ShapeOf("trial", TrialFields)), Doc: "What became of each of its trials; empty for the placeholder of a case that never ran.", Nested: func(c *bench.CaseResult, need *read.Needs) cty.Value {
		return read.Elements(c.Trials, need, func(t bench.Trial, part *read.Needs) cty.Value { return read.Object(TrialFields, &t, part) })
	}},
}

// GateResultFields say how one gate of a bench was decided.
var GateResultFields = []read.Field[bench.GateResult]{
	{Name: "passed", Shape: read.Nullable(read.BoolShape), Doc: "Whether it passed, null for an incomplete report.", Value: func(g *bench.GateResult) cty.Value {
		if g.Error != "" {
			return read.Null
		}
		return cty.BoolVal(g.Passed)
	}},
	{Name: "reasons", Shape: read.TupleOf(read.TextShape), Doc: "Why not, in a fixed order, or `all conditions met`.", Value: func(g *bench.GateResult) cty.Value { return read.Texts(g.Reasons) }},
	{Name: "error", Shape: read.Nullable(read.TextShape), Doc: "Why there is no verdict: `incomplete_report`.", Value: func(g *bench.GateResult) cty.Value { return read.TextOrNull(g.Error) }},
}

// PassKFields are pass@k and pass^k for one k.
var PassKFields = []read.Field[bench.PassK]{
	{Name: "k", Shape: read.Between(1, math.Inf(1)), Doc: "How many trials.", Value: func(p *bench.PassK) cty.Value { return read.Number(p.K) }},
	{Name: "at", Shape: read.ShareShape, Doc: "pass@k: the chance that at least one of k trials passes.", Value: func(p *bench.PassK) cty.Value { return decimal(p.At) }},
	{Name: "all", Shape: read.ShareShape, Doc: "pass^k: the chance that all of k trials pass.", Value: func(p *bench.PassK) cty.Value { return decimal(p.All) }},
}

// IntervalFields are the bounds of a confidence interval.
var IntervalFields = []read.Field[bench.Interval]{
	{Name: "value", Shape: read.ShareShape, Doc: "The share.", Value: func(i *bench.Interval) cty.Value { return decimal(i.Value) }},
	{Name: "low", Shape: read.ShareShape, Doc: "The lower end of Wilson's interval.", Value: func(i *bench.Interval) cty.Value { return decimal(i.Low) }},
	{Name: "high", Shape: read.ShareShape, Doc: "Its upper end.", Value: func(i *bench.Interval) cty.Value { return decimal(i.High) }},
}

// ReportFields are the attributes of report.
var ReportFields = []read.Field[bench.Report]{
	{Name: "cases", Shape: read.TupleOf(read.ShapeOf("case", CaseFields)), Doc: "All cases in the order of their ids.", Nested: func(r *bench.Report, need *read.Needs) cty.Value {
		return read.Elements(r.Cases, need, func(c bench.CaseResult, part *read.Needs) cty.Value { return read.Object(CaseFields, &c, part) })
	}},
	{Name: "case", Shape: read.OpenShape, Doc: "The cases by id."},
	{Name: "complete", Shape: read.BoolShape, Doc: "Whether every case ran.", Value: func(r *bench.Report) cty.Value { return cty.BoolVal(r.Complete) }},
	{Name: "partial_reason", Shape: read.Nullable(read.OneOf(partialReason)), Doc: "Why not: `cancelled` or `cost_cap`.", Value: func(r *bench.Report) cty.Value { return read.TextOrNull(r.PartialReason) }},
	{Name: "run_id", Shape: read.TextShape, Doc: "The run's id, of the bench, the seed and the ids of the cases. It begins with `partial:` after the cost cap.", Value: func(r *bench.Report) cty.Value { return read.Text(r.RunID) }},
	{Name: "passed", Shape: read.NumberShape, Doc: "How many cases passed.", Value: func(r *bench.Report) cty.Value { return read.Number(r.Passed) }},
	{Name: "mean_score", Shape: read.ShareShape, Doc: "The mean score.", Value: func(r *bench.Report) cty.Value { return decimal(r.MeanScore) }},
	{Name: "lower_bound_95", Shape: read.AnyNumberShape, Doc: "The lower bound, at the level that lower_bound says.", Value: func(r *bench.Report) cty.Value { return decimal(r.LowerBound) }},
	{Name: "pass_rate", Shape: read.ShapeOf("interval", IntervalFields), Doc: "The share of passed cases with Wilson's interval.", Nested: func(r *bench.Report, need *read.Needs) cty.Value {
		return read.Object(IntervalFields, &r.PassRate, need)
	}},
	{Name: "pass_at", Shape: read.ShareShape, Doc: "The share of cases with a passing trial.", Value: func(r *bench.Report) cty.Value { return decimal(r.PassAt) }},
	{Name: "pass_all", Shape: read.ShareShape, Doc: "The share of cases of which all trials passed.", Value: func(r *bench.Report) cty.Value { return decimal(r.PassAll) }},
	{Name: "pass_k", Shape: read.TupleOf(read.ShapeOf("estimate", PassKFields)), Doc: "pass@k and pass^k for every k up to the number of trials.", Nested: func(r *bench.Report, need *read.Needs) cty.Value {
		return read.Elements(r.ByK, need, func(p bench.PassK, part *read.Needs) cty.Value { return read.Object(PassKFields, &p, part) })
	}},
	{Name: "block_severity_failure_modes", Shape: read.TupleOf(read.TextShape), Doc: "The distinct codes of severity block, sorted.", Value: func(r *bench.Report) cty.Value { return read.Texts(r.Blocking) }},
	{Name: "cost_usd", Shape: read.NumberShape, Doc: "What all cases cost.", Value: func(r *bench.Report) cty.Value { return read.Dollars(money.Of(r.CostUSD)) }},
	{Name: "gate", Shape: read.OpenShape, Doc: "The gates by name."},
	{Name: "warnings", Shape: read.TupleOf(read.TextShape), Doc: "What is to be known of the numbers.", Value: func(r *bench.Report) cty.Value { return read.Texts(r.Warnings) }},
	{Name: "exit_code", Shape: read.Between(0, 7), Doc: "What `scenario bench` would end with: 7 for an incomplete report, 1 where a gate failed, else 0.", Value: func(r *bench.Report) cty.Value { return read.Number(r.ExitCode()) }},
}

// The shapes of a report and its parts.
var (
	reportShape     = read.ShapeOf("report", ReportFields)
	CaseResultShape = read.ShapeOf("case", CaseFields)
	gateResultShape = read.ShapeOf("gate", GateResultFields)
)

func numbersVal(m map[string]float64) cty.Value {
	vals := make(map[string]cty.Value, len(m))
	for name, v := range m {
		vals[name] = decimal(v)
	}
	return cty.ObjectVal(vals)
}

// BenchShape is what the report of a scenario's bench can be asked for.
func BenchShape(b *plan.BenchRun, within string) *schema.Shape {
	s := *reportShape
	s.Attrs = make(map[string]*schema.Shape, len(reportShape.Attrs))
	for name, part := range reportShape.Attrs {
		s.Attrs[name] = part
	}
	cases, gates := map[string]*schema.Shape{}, map[string]*schema.Shape{}
	for _, k := range b.Cases {
		cases[k.ID] = CaseResultShape
	}
	for _, g := range b.Spec.Gates {
		gates[g.Name] = gateResultShape
	}
	s.Attrs["case"], s.Attrs["gate"] = plan.Directory("case", within, cases), plan.Directory("gate", within, gates)
	return &s
}

// benchRoot adds the report to what conditions read; before the end of the run
// everything of it is null.
func (o *Observed) benchRoot(ctx *hcl.EvalContext, need *read.Needs) {
	if need == nil || o.Scored == nil {
		return
	}
	if o.Run.Status == "" {
		parts := map[string]cty.Value{}
		read.AddNulls(parts, ReportFields, need)
		ctx.Variables["report"] = cty.ObjectVal(parts)
		return
	}
	report := o.Report(nil)
	parts := map[string]cty.Value{}
	read.AddAttributes(parts, ReportFields[:], report, withoutParts(need, "case", "gate"))
	if cases := need.Of("case"); cases != nil {
		vals := map[string]cty.Value{}
		for _, id := range cases.Names(plan.CaseIDs(o.Plan.BenchRun.Cases)) {
			if c := report.Case(id); c != nil {
				vals[id] = read.Object(CaseFields, c, cases.Of(id))
			}
		}
		parts["case"] = cty.ObjectVal(vals)
	}
	if gates := need.Of("gate"); gates != nil {
		vals := map[string]cty.Value{}
		for i := range report.Gates {
			if g := &report.Gates[i]; gates.Of(g.Name) != nil {
				vals[g.Name] = read.Object(GateResultFields, g, gates.Of(g.Name))
			}
		}
		parts["gate"] = cty.ObjectVal(vals)
	}
	ctx.Variables["report"] = cty.ObjectVal(parts)
}

// withoutParts is the need of all parts but those of the names.
func withoutParts(n *read.Needs, names ...string) *read.Needs {
	if n.Whole() {
		n = &read.Needs{}
		for i := range ReportFields {
			n.Child(ReportFields[i].Name).All = true
		}
	}
	rest := &read.Needs{}
	for _, k := range n.Kids {
		if !read.Contains(names, k.Name) {
			rest.Kids = append(rest.Kids, k)
		}
	}
	return rest
}

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
	read.Attr("code", read.TextShape, "The code: of the taxonomy, or one of the bench's own six.", func(m *bench.FailureMode) cty.Value { return read.Text(m.Code) }),
	read.Attr("severity", read.OneOf(read.Severity), `"block", "warn", "info", or another severity of the taxonomy.`, func(m *bench.FailureMode) cty.Value { return read.Text(m.Severity) }),
	read.Attr("detail", read.TextShape, "Its detail, an empty string if there is none.", func(m *bench.FailureMode) cty.Value { return read.Text(m.Detail) }),
}

// TrialFields are the attributes of one trial of a case.
var TrialFields = []read.Field[bench.Trial]{
	read.Attr("passed", read.BoolShape, "Whether the rubric passed it.", func(t *bench.Trial) cty.Value { return cty.BoolVal(t.Passed) }),
	read.Attr("score", read.ShareShape, "The score, from 0 to 1.", func(t *bench.Trial) cty.Value { return decimal(t.Score.Score) }),
	read.Attr("breakdown", read.OpenShape, "The parts of the score by key.", func(t *bench.Trial) cty.Value { return numbersVal(t.Breakdown) }),
	read.Part("failure_modes", read.TupleOf(read.ShapeOf("failure mode", ModeFields)), "What is wrong with it, in the order of the rubric.", func(t *bench.Trial, need *read.Needs) cty.Value {
		return read.Elements(t.FailureModes, need, func(m bench.FailureMode, part *read.Needs) cty.Value { return read.Object(ModeFields, &m, part) })
	}),
	read.Attr("cost_usd", read.NumberShape, "What system and rubric cost.", func(t *bench.Trial) cty.Value { return read.Dollars(money.Of(t.CostUSD)) }),
	read.Attr("elapsed_ms", read.NumberShape, "How long it took.", func(t *bench.Trial) cty.Value { return read.Millis(t.Elapsed) }),
}

// CaseFields are the attributes of report.case["id"].
var CaseFields = []read.Field[bench.CaseResult]{
	read.Attr("id", read.OneOf(read.Case), "The case's id.", func(c *bench.CaseResult) cty.Value { return read.Text(c.ID) }),
	read.Attr("passed", read.BoolShape, "Whether every trial passed.", func(c *bench.CaseResult) cty.Value { return cty.BoolVal(c.Passed) }),
	read.Attr("score", read.ShareShape, "The mean score of its trials.", func(c *bench.CaseResult) cty.Value { return decimal(c.Score.Score) }),
	read.Attr("breakdown", read.OpenShape, "The means of the parts of the score by key.", func(c *bench.CaseResult) cty.Value { return numbersVal(c.Breakdown) }),
	read.Part("failure_modes", read.TupleOf(read.ShapeOf("failure mode", ModeFields)), "What is wrong with it; what several trials have is there once.", func(c *bench.CaseResult, need *read.Needs) cty.Value {
		return read.Elements(c.FailureModes, need, func(m bench.FailureMode, part *read.Needs) cty.Value { return read.Object(ModeFields, &m, part) })
	}),
	read.Attr("cost_usd", read.NumberShape, "What its trials cost.", func(c *bench.CaseResult) cty.Value { return read.Dollars(money.Of(c.CostUSD)) }),
	read.Attr("elapsed_ms", read.NumberShape, "How long its trials took, added up.", func(c *bench.CaseResult) cty.Value { return read.Millis(c.Elapsed) }),
	read.Part("trials", read.TupleOf(read.ShapeOf("trial", TrialFields)), "What became of each of its trials; empty for the placeholder of a case that never ran.", func(c *bench.CaseResult, need *read.Needs) cty.Value {
		return read.Elements(c.Trials, need, func(t bench.Trial, part *read.Needs) cty.Value { return read.Object(TrialFields, &t, part) })
	}),
}

// GateResultFields say how one gate of a bench was decided.
var GateResultFields = []read.Field[bench.GateResult]{
	read.Attr("passed", read.Nullable(read.BoolShape), "Whether it passed, null for an incomplete report.", func(g *bench.GateResult) cty.Value {
		if g.Error != "" {
			return read.Null
		}
		return cty.BoolVal(g.Passed)
	}),
	read.Attr("reasons", read.TupleOf(read.TextShape), "Why not, in a fixed order, or `all conditions met`.", func(g *bench.GateResult) cty.Value { return read.Texts(g.Reasons) }),
	read.Attr("error", read.Nullable(read.TextShape), "Why there is no verdict: `incomplete_report`.", func(g *bench.GateResult) cty.Value { return read.TextOrNull(g.Error) }),
}

// PassKFields are pass@k and pass^k for one k.
var PassKFields = []read.Field[bench.PassK]{
	read.Attr("k", read.Between(1, math.Inf(1)), "How many trials.", func(p *bench.PassK) cty.Value { return read.Number(p.K) }),
	read.Attr("at", read.ShareShape, "pass@k: the chance that at least one of k trials passes.", func(p *bench.PassK) cty.Value { return decimal(p.At) }),
	read.Attr("all", read.ShareShape, "pass^k: the chance that all of k trials pass.", func(p *bench.PassK) cty.Value { return decimal(p.All) }),
}

// IntervalFields are the bounds of a confidence interval.
var IntervalFields = []read.Field[bench.Interval]{
	read.Attr("value", read.ShareShape, "The share.", func(i *bench.Interval) cty.Value { return decimal(i.Value) }),
	read.Attr("low", read.ShareShape, "The lower end of Wilson's interval.", func(i *bench.Interval) cty.Value { return decimal(i.Low) }),
	read.Attr("high", read.ShareShape, "Its upper end.", func(i *bench.Interval) cty.Value { return decimal(i.High) }),
}

// ReportFields are the attributes of report.
var ReportFields = []read.Field[bench.Report]{
	read.Part("cases", read.TupleOf(read.ShapeOf("case", CaseFields)), "All cases in the order of their ids.", func(r *bench.Report, need *read.Needs) cty.Value {
		return read.Elements(r.Cases, need, func(c bench.CaseResult, part *read.Needs) cty.Value { return read.Object(CaseFields, &c, part) })
	}),
	read.Attr[bench.Report]("case", read.OpenShape, "The cases by id.", nil),
	read.Attr("complete", read.BoolShape, "Whether every case ran.", func(r *bench.Report) cty.Value { return cty.BoolVal(r.Complete) }),
	read.Attr("partial_reason", read.Nullable(read.OneOf(partialReason)), "Why not: `cancelled` or `cost_cap`.", func(r *bench.Report) cty.Value { return read.TextOrNull(r.PartialReason) }),
	read.Attr("run_id", read.TextShape, "The run's id, of the bench, the seed and the ids of the cases. It begins with `partial:` after the cost cap.", func(r *bench.Report) cty.Value { return read.Text(r.RunID) }),
	read.Attr("passed", read.NumberShape, "How many cases passed.", func(r *bench.Report) cty.Value { return read.Number(r.Passed) }),
	read.Attr("mean_score", read.ShareShape, "The mean score.", func(r *bench.Report) cty.Value { return decimal(r.MeanScore) }),
	read.Attr("lower_bound_95", read.AnyNumberShape, "The lower bound, at the level that lower_bound says.", func(r *bench.Report) cty.Value { return decimal(r.LowerBound) }),
	read.Part("pass_rate", read.ShapeOf("interval", IntervalFields), "The share of passed cases with Wilson's interval.", func(r *bench.Report, need *read.Needs) cty.Value {
		return read.Object(IntervalFields, &r.PassRate, need)
	}),
	read.Attr("pass_at", read.ShareShape, "The share of cases with a passing trial.", func(r *bench.Report) cty.Value { return decimal(r.PassAt) }),
	read.Attr("pass_all", read.ShareShape, "The share of cases of which all trials passed.", func(r *bench.Report) cty.Value { return decimal(r.PassAll) }),
	read.Part("pass_k", read.TupleOf(read.ShapeOf("estimate", PassKFields)), "pass@k and pass^k for every k up to the number of trials.", func(r *bench.Report, need *read.Needs) cty.Value {
		return read.Elements(r.ByK, need, func(p bench.PassK, part *read.Needs) cty.Value { return read.Object(PassKFields, &p, part) })
	}),
	read.Attr("block_severity_failure_modes", read.TupleOf(read.TextShape), "The distinct codes of severity block, sorted.", func(r *bench.Report) cty.Value { return read.Texts(r.Blocking) }),
	read.Attr("cost_usd", read.NumberShape, "What all cases cost.", func(r *bench.Report) cty.Value { return read.Dollars(money.Of(r.CostUSD)) }),
	read.Attr[bench.Report]("gate", read.OpenShape, "The gates by name.", nil),
	read.Attr("warnings", read.TupleOf(read.TextShape), "What is to be known of the numbers.", func(r *bench.Report) cty.Value { return read.Texts(r.Warnings) }),
	read.Attr("exit_code", read.Between(0, 7), "What `scenario bench` would end with: 7 for an incomplete report, 1 where a gate failed, else 0.", func(r *bench.Report) cty.Value { return read.Number(r.ExitCode()) }),
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

package interp

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/schema"
)

func decimal(v float64) cty.Value { return cty.NumberFloatVal(v) }

var modeFields = []field[bench.FailureMode]{
	{"code", textShape, "The code: of the taxonomy, or one of the bench's own six.", func(m *bench.FailureMode) cty.Value { return text(m.Code) }, nil},
	{"severity", textShape, `"block", "warn", "info", or another severity of the taxonomy.`, func(m *bench.FailureMode) cty.Value { return text(m.Severity) }, nil},
	{"detail", textShape, "What is told of it, an empty text where nothing is.", func(m *bench.FailureMode) cty.Value { return text(m.Detail) }, nil},
}

var trialFields = []field[bench.Trial]{
	{"passed", boolShape, "Whether the rubric passed it.", func(t *bench.Trial) cty.Value { return cty.BoolVal(t.Passed) }, nil},
	{"score", numberShape, "The score, from 0 to 1.", func(t *bench.Trial) cty.Value { return decimal(t.Score.Score) }, nil},
	{"breakdown", openShape, "The parts of the score by key.", func(t *bench.Trial) cty.Value { return numbersVal(t.Breakdown) }, nil},
	{"failure_modes", tupleOf(shapeOf("failure mode", modeFields)), "What is wrong with it, in the order of the rubric.", nil, func(t *bench.Trial, read *needs) cty.Value {
		return tupleVal(t.FailureModes, func(m bench.FailureMode) cty.Value { return object(modeFields, &m, read) })
	}},
	{"cost_usd", numberShape, "What system and rubric cost.", func(t *bench.Trial) cty.Value { return decimal(t.CostUSD) }, nil},
	{"elapsed_ms", numberShape, "How long it took.", func(t *bench.Trial) cty.Value { return millis(t.Elapsed) }, nil},
}

var caseFields = []field[bench.CaseResult]{
	{"id", textShape, "The case's id.", func(c *bench.CaseResult) cty.Value { return text(c.ID) }, nil},
	{"passed", boolShape, "Whether every trial passed.", func(c *bench.CaseResult) cty.Value { return cty.BoolVal(c.Passed) }, nil},
	{"score", numberShape, "The mean score of its trials.", func(c *bench.CaseResult) cty.Value { return decimal(c.Score.Score) }, nil},
	{"breakdown", openShape, "The means of the parts of the score by key.", func(c *bench.CaseResult) cty.Value { return numbersVal(c.Breakdown) }, nil},
	{"failure_modes", tupleOf(shapeOf("failure mode", modeFields)), "What is wrong with it; what several trials have is there once.", nil, func(c *bench.CaseResult, read *needs) cty.Value {
		return tupleVal(c.FailureModes, func(m bench.FailureMode) cty.Value { return object(modeFields, &m, read) })
	}},
	{"cost_usd", numberShape, "What its trials cost.", func(c *bench.CaseResult) cty.Value { return decimal(c.CostUSD) }, nil},
	{"elapsed_ms", numberShape, "How long its trials took, added up.", func(c *bench.CaseResult) cty.Value { return millis(c.Elapsed) }, nil},
	{"trials", tupleOf(shapeOf("trial", trialFields)), "What became of each of its trials; empty for the placeholder of a case that never ran.", nil, func(c *bench.CaseResult, read *needs) cty.Value {
		return tupleVal(c.Trials, func(t bench.Trial) cty.Value { return object(trialFields, &t, read) })
	}},
}

var gateResultFields = []field[bench.GateResult]{
	{"passed", nullable(boolShape), "Whether it passed, null for an incomplete report.", func(g *bench.GateResult) cty.Value {
		if g.Error != "" {
			return null
		}
		return cty.BoolVal(g.Passed)
	}, nil},
	{"reasons", tupleOf(textShape), "Why not, in a fixed order, or `all conditions met`.", func(g *bench.GateResult) cty.Value { return texts(g.Reasons) }, nil},
	{"error", nullable(textShape), "Why there is no verdict: `incomplete_report`.", func(g *bench.GateResult) cty.Value { return textOrNull(g.Error) }, nil},
}

var passKFields = []field[bench.PassK]{
	{"k", numberShape, "How many trials.", func(p *bench.PassK) cty.Value { return number(p.K) }, nil},
	{"at", numberShape, "pass@k: the chance that at least one of k trials passes.", func(p *bench.PassK) cty.Value { return decimal(p.At) }, nil},
	{"all", numberShape, "pass^k: the chance that all of k trials pass.", func(p *bench.PassK) cty.Value { return decimal(p.All) }, nil},
}

var intervalFields = []field[bench.Interval]{
	{"value", numberShape, "The share.", func(i *bench.Interval) cty.Value { return decimal(i.Value) }, nil},
	{"low", numberShape, "The lower end of Wilson's interval.", func(i *bench.Interval) cty.Value { return decimal(i.Low) }, nil},
	{"high", numberShape, "Its upper end.", func(i *bench.Interval) cty.Value { return decimal(i.High) }, nil},
}

var reportFields = []field[bench.Report]{
	{"cases", tupleOf(shapeOf("case", caseFields)), "All cases in the order of their ids.", nil, func(r *bench.Report, read *needs) cty.Value {
		return tupleVal(r.Cases, func(c bench.CaseResult) cty.Value { return object(caseFields, &c, read) })
	}},
	{"case", openShape, "The cases by id.", nil, nil},
	{"complete", boolShape, "Whether every case ran.", func(r *bench.Report) cty.Value { return cty.BoolVal(r.Complete) }, nil},
	{"partial_reason", nullable(textShape), "Why not: `cancelled` or `cost_cap`.", func(r *bench.Report) cty.Value { return textOrNull(r.PartialReason) }, nil},
	{"run_id", textShape, "The run's id, of the bench, the seed and the ids of the cases. It begins with `partial:` after the cost cap.", func(r *bench.Report) cty.Value { return text(r.RunID) }, nil},
	{"passed", numberShape, "How many cases passed.", func(r *bench.Report) cty.Value { return number(r.Passed) }, nil},
	{"mean_score", numberShape, "The mean score.", func(r *bench.Report) cty.Value { return decimal(r.MeanScore) }, nil},
	{"lower_bound_95", numberShape, "The lower bound, at the level that lower_bound says.", func(r *bench.Report) cty.Value { return decimal(r.LowerBound) }, nil},
	{"pass_rate", shapeOf("interval", intervalFields), "The share of passed cases with Wilson's interval.", nil, func(r *bench.Report, read *needs) cty.Value { return object(intervalFields, &r.PassRate, read) }},
	{"pass_at", numberShape, "The share of cases with a passing trial.", func(r *bench.Report) cty.Value { return decimal(r.PassAt) }, nil},
	{"pass_all", numberShape, "The share of cases of which all trials passed.", func(r *bench.Report) cty.Value { return decimal(r.PassAll) }, nil},
	{"pass_k", tupleOf(shapeOf("estimate", passKFields)), "pass@k and pass^k for every k up to the number of trials.", nil, func(r *bench.Report, read *needs) cty.Value {
		return tupleVal(r.ByK, func(p bench.PassK) cty.Value { return object(passKFields, &p, read) })
	}},
	{"block_severity_failure_modes", tupleOf(textShape), "The distinct codes of severity block, sorted.", func(r *bench.Report) cty.Value { return texts(r.Blocking) }, nil},
	{"cost_usd", numberShape, "What all cases cost.", func(r *bench.Report) cty.Value { return decimal(r.CostUSD) }, nil},
	{"gate", openShape, "The gates by name.", nil, nil},
	{"warnings", tupleOf(textShape), "What is to be known of the numbers.", func(r *bench.Report) cty.Value { return texts(r.Warnings) }, nil},
	{"exit_code", numberShape, "What `scenario bench` would end with: 7 for an incomplete report, 1 where a gate failed, else 0.", func(r *bench.Report) cty.Value { return number(r.ExitCode()) }, nil},
}

var (
	reportShape     = shapeOf("report", reportFields)
	caseResultShape = shapeOf("case", caseFields)
	gateResultShape = shapeOf("gate", gateResultFields)
)

func numbersVal(m map[string]float64) cty.Value {
	vals := make(map[string]cty.Value, len(m))
	for name, v := range m {
		vals[name] = decimal(v)
	}
	return cty.ObjectVal(vals)
}

// benchShape is what the report of a scenario's bench can be asked for.
func benchShape(b *benchRun, within string) *schema.Shape {
	s := *reportShape
	s.Attrs = make(map[string]*schema.Shape, len(reportShape.Attrs))
	for name, part := range reportShape.Attrs {
		s.Attrs[name] = part
	}
	cases, gates := map[string]*schema.Shape{}, map[string]*schema.Shape{}
	for _, k := range b.cases {
		cases[k.ID] = caseResultShape
	}
	for _, g := range b.spec.Gates {
		gates[g.Name] = gateResultShape
	}
	s.Attrs["case"], s.Attrs["gate"] = directory("case", within, cases), directory("gate", within, gates)
	return &s
}

// benchRoot adds the report to what conditions read; before the end of the run
// everything of it is null.
func (o *observed) benchRoot(ctx *hcl.EvalContext, read *needs) {
	if read == nil || o.scored == nil {
		return
	}
	if o.run.status == "" {
		parts := map[string]cty.Value{}
		addNulls(parts, reportFields, read)
		ctx.Variables["report"] = cty.ObjectVal(parts)
		return
	}
	report := o.report(nil)
	parts := map[string]cty.Value{}
	addAttributes(parts, reportFields[:], report, withoutParts(read, "case", "gate"))
	if cases := read.of("case"); cases != nil {
		vals := map[string]cty.Value{}
		for _, id := range cases.names(caseIDs(o.plan.bench.cases)) {
			if c := report.Case(id); c != nil {
				vals[id] = object(caseFields, c, cases.of(id))
			}
		}
		parts["case"] = cty.ObjectVal(vals)
	}
	if gates := read.of("gate"); gates != nil {
		vals := map[string]cty.Value{}
		for i := range report.Gates {
			if g := &report.Gates[i]; gates.of(g.Name) != nil {
				vals[g.Name] = object(gateResultFields, g, gates.of(g.Name))
			}
		}
		parts["gate"] = cty.ObjectVal(vals)
	}
	ctx.Variables["report"] = cty.ObjectVal(parts)
}

// withoutParts is the need of all parts but those of the names.
func withoutParts(n *needs, names ...string) *needs {
	if n.all {
		n = &needs{}
		for i := range reportFields {
			n.child(reportFields[i].name).all = true
		}
	}
	rest := &needs{}
	for _, k := range n.kids {
		if !contains(names, k.name) {
			rest.kids = append(rest.kids, k)
		}
	}
	return rest
}

package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/trace"
)

// ForCase is the plan of a workflow's run for one trial of a case. Its hash is
// made of that of all cases, which may hold the text of large files, and of
// what it has of its own.
func (p *Plan) ForCase(k *BenchCase, trial int) *Plan {
	q := *p
	q.Inputs = k.Inputs
	q.Seed += uint64(trial - 1)
	q.Core = sync.OnceValue(func() [sha256.Size]byte {
		all := p.Core()
		return sha256.Sum256(event.Value{Value: q.Inputs}.AppendJSON(fmt.Appendf(all[:], "%d ", q.Seed)))
	})
	q.HashOnce = sync.OnceValue(func() string {
		sum := q.Core()
		return "sha256:" + hex.EncodeToString(sum[:])
	})
	return &q
}

// bench encodes what a bench is.
func (w PlanWriter) bench(b *BenchRun) Document {
	s := b.Spec
	cases, gates := make([]any, len(b.Cases)), make([]any, len(s.Gates))
	for i, k := range b.Cases {
		cases[i] = w.benchCase(k)
	}
	for i, g := range s.Gates {
		gates[i] = Document{{"lower_bound", g.LowerBound}, {"min_passed", g.MinPassed}, {"name", g.Name}, {"pass_all", g.PassAll}}
	}
	doc := Document{
		{"cases", cases},
		{"concurrency", s.Concurrency},
		{"cost_cap_usd", s.CostCap},
		{"gates", gates},
		{"lower_bound", Document{{"level", s.Bound.Level}, {"method", s.Bound.Method}, {"min_cases", s.Bound.MinCases}, {"resamples", s.Bound.Resamples}}},
		{"name", s.Name},
		{"scoring", isSet(b.Scoring)},
		{"seed", s.Seed},
		{"trials", s.Trials},
	}
	if s.Rate > 0 {
		doc.Add("rate", s.Rate)
	}
	if s.Exclusive != "" {
		doc.Add("exclusive", s.Exclusive)
	}
	if !s.Idempotent {
		doc.Add("idempotent", false)
	}
	if s.Of > 0 {
		doc.Add("of", s.Of)
	}
	return append(doc, w.BenchMeaning(b)...)
}

// BenchMeaning encodes what the result of every case depends on.
func (w PlanWriter) BenchMeaning(b *BenchRun) Document {
	s := b.Spec
	doc := Document{
		{"breakdown_keys", s.BreakdownKeys},
		{"case_timeout_ns", duration(s.CaseTimeout)},
		{"rubric_timeout_ns", duration(s.RubricTimeout)},
		{"taxonomy", w.taxonomy(&Taxonomy{Known: s.Taxonomy})},
	}
	if b.Workflow != nil {
		sum := b.Workflow.Workflow.Digest()
		doc.Add("workflow", hex.EncodeToString(sum))
		doc.Add("answers", w.scenario(b.Workflow))
	}
	if sut := b.Decl.Sut; sut != nil {
		doc.Add("output", sut.Output)
	}
	if k := b.Decl.Rubric; k != nil && !k.Program {
		doc.Add("rubric", w.rubric(k))
		doc.Add("rubric_reads", w.constants(b))
	}
	return doc
}

// constants are the variables and locals that the conditions of a rubric read, with
// their values.
func (w PlanWriter) constants(b *BenchRun) map[string]any {
	values := map[string]any{}
	if len(b.Cases) == 0 {
		return values
	}
	k := b.Decl.Rubric
	all := []hclsyntax.Expression{k.Passed, k.Score, k.Breakdown, k.Cost}
	for _, m := range k.Modes {
		all = append(all, m.When, m.Detail)
	}
	for _, e := range all {
		if e == nil {
			continue
		}
		for t := range dsl.Variables(e) {
			if root := t.RootName(); root != "var" && root != "local" {
				continue
			}
			if v, diags := t.TraverseAbs(b.Cases[0].Ctx); !diags.HasErrors() && v.IsWhollyKnown() {
				values[dsl.TraversalText(t)] = w.hide(dsl.GoValue(v))
			}
		}
	}
	return values
}

// rubric encodes the conditions of one that is no program.
func (w PlanWriter) rubric(k *BenchRubric) Document {
	if k == nil || k.Program {
		return Document{}
	}
	modes := make([]any, len(k.Modes))
	for i, m := range k.Modes {
		modes[i] = Document{{"code", m.Code}, {"detail", w.expr(m.Detail)}, {"when", w.expr(m.When)}}
	}
	return Document{{"breakdown", w.expr(k.Breakdown)}, {"cost_usd", w.expr(k.Cost)}, {"modes", modes}, {"passed", w.expr(k.Passed)}, {"score", w.expr(k.Score)}}
}

func (w PlanWriter) benchCase(k *BenchCase) Document {
	doc := Document{{"file", k.File}, {"id", k.ID}, {"input", w.hide(string(k.Input))}, {"program", w.program(k.Program)}, {"rubric", w.program(k.Scored)}}
	if k.Inputs != cty.NilVal {
		doc.Add("inputs", w.hide(dsl.GoValue(k.Inputs)))
	}
	for n, s := range k.Sut {
		sim := Document{{"cost_usd", s.CostUSD}, {"takes_ns", duration(s.Takes)}, {"output", w.hide(s.Output)}}
		if s.Fault != nil {
			sim = append(sim, Document{{"fault", s.Fault.Name}, {"args", map[string]any(s.Args)}}...)
			if s.HasAfter {
				sim.Add("after_ns", s.After)
			}
		}
		doc.Add(ofTrial("sut_does", n), sim)
	}
	for n, s := range k.Rubric {
		says := Document{{"exit", s.Exit}, {"score", bench.Trial{Score: s.Score}}, {"stderr", s.Stderr}, {"takes_ns", duration(s.Takes)}}
		if s.HasStdout {
			says.Add("stdout", s.Stdout)
		}
		doc.Add(ofTrial("rubric_says", n), says)
	}
	return doc
}

// ofTrial is the name of what is said of a trial, counted from 0.
func ofTrial(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s_%d", name, n+1)
}

func (w PlanWriter) program(p *BenchProgram) any {
	if p == nil {
		return nil
	}
	env := make(map[string]any, len(p.Env))
	for name, v := range p.Env {
		env[name] = v
	}
	doc := Document{{"command", w.hide(anyTexts(p.Command))}, {"env", w.hide(env)}, {"pass_env", p.Pass}}
	if p.DependsOn != nil {
		doc.Add("depends_on", p.DependsOn)
	}
	if p.Stdin != nil {
		doc.Add("stdin", w.hide(string(p.Stdin)))
	}
	return doc
}

func anyTexts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// BenchSums identify what each case asks and what scores it, by the ids of the
// cases; sum identifies what a program that scores depends on outside of the plan.
func (p *Plan) BenchSums(sum func(*BenchProgram) string) map[string]bench.Sums {
	sums := make(map[string]bench.Sums, len(p.BenchRun.Cases))
	short := func(text []byte) string {
		h := sha256.Sum256(text)
		return hex.EncodeToString(h[:8])
	}
	var rubric []byte
	if k := p.BenchRun.Decl.Rubric; k != nil && !k.Program {
		rubric = trace.AppendValue(PlanWriter{}.rubric(k).AppendJSON(nil), PlanWriter{}.constants(p.BenchRun))
	}
	for _, k := range p.BenchRun.Cases {
		by := rubric
		if k.Scored != nil {
			by = append(trace.AppendValue(nil, PlanWriter{}.program(k.Scored)), sum(k.Scored)...)
		}
		sums[k.ID] = bench.Sums{Input: short(k.Input), Rubric: short(by)}
	}
	return sums
}

// CaseDigest identifies all that the result of a case depends on, as far as the
// file says it; concurrency, gates and the cost cap are no part of that.
func (p *Plan) CaseDigest(k *BenchCase) string {
	h := sha256.New()
	h.Write([]byte(planSchema))
	h.Write(p.BenchRun.Meaning())
	h.Write(trace.AppendValue(nil, PlanWriter{}.benchCase(k)))
	return hex.EncodeToString(h.Sum(nil))
}

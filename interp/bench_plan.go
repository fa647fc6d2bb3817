package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/trace"
)

// forCase is the plan of a workflow's run for one trial of a case. Its hash is
// made of that of all cases, which may hold the text of large files, and of
// what it has of its own.
func (p *Plan) forCase(k *benchCase, trial int) *Plan {
	q := *p
	q.inputs = k.inputs
	q.Seed += uint64(trial - 1)
	q.core = sync.OnceValue(func() [sha256.Size]byte {
		all := p.core()
		return sha256.Sum256(valueAttr{q.inputs}.AppendJSON(fmt.Appendf(all[:], "%d ", q.Seed)))
	})
	q.hash = sync.OnceValue(func() string {
		sum := q.core()
		return "sha256:" + hex.EncodeToString(sum[:])
	})
	return &q
}

// bench encodes what a bench is.
func (w planWriter) bench(b *benchRun) document {
	s := b.spec
	cases, gates := make([]any, len(b.cases)), make([]any, len(s.Gates))
	for i, k := range b.cases {
		cases[i] = w.benchCase(k)
	}
	for i, g := range s.Gates {
		gates[i] = document{{"lower_bound", g.LowerBound}, {"min_passed", g.MinPassed}, {"name", g.Name}}
	}
	doc := document{
		{"cases", cases},
		{"concurrency", s.Concurrency},
		{"cost_cap_usd", s.CostCap},
		{"gates", gates},
		{"lower_bound", document{{"level", s.Bound.Level}, {"method", s.Bound.Method}, {"min_cases", s.Bound.MinCases}, {"resamples", s.Bound.Resamples}}},
		{"name", s.Name},
		{"seed", s.Seed},
		{"trials", s.Trials},
	}
	return append(doc, w.benchMeaning(b)...)
}

// benchMeaning encodes what the result of every case depends on.
func (w planWriter) benchMeaning(b *benchRun) document {
	s := b.spec
	doc := document{
		{"breakdown_keys", s.BreakdownKeys},
		{"case_timeout_ns", duration(s.CaseTimeout)},
		{"rubric_timeout_ns", duration(s.RubricTimeout)},
		{"taxonomy", w.taxonomy(&taxonomy{known: s.Taxonomy})},
	}
	if b.workflow != nil {
		sum := b.workflow.workflow.digest()
		doc.add("workflow", hex.EncodeToString(sum))
		doc.add("answers", w.scenario(b.workflow))
	}
	if sut := b.decl.sut; sut != nil {
		doc.add("output", sut.output)
	}
	if k := b.decl.rubric; k != nil && !k.program {
		modes := make([]any, len(k.modes))
		for i, m := range k.modes {
			modes[i] = document{{"code", m.code}, {"detail", w.expr(m.detail)}, {"when", w.expr(m.when)}}
		}
		doc.add("rubric", document{{"breakdown", w.expr(k.breakdown)}, {"cost_usd", w.expr(k.cost)}, {"modes", modes}, {"passed", w.expr(k.passed)}, {"score", w.expr(k.score)}})
	}
	return doc
}

func (w planWriter) benchCase(k *benchCase) document {
	doc := document{{"file", k.File}, {"id", k.ID}, {"input", w.hide(string(k.Input))}, {"program", w.program(k.program)}, {"rubric", w.program(k.scored)}}
	if k.inputs != cty.NilVal {
		doc.add("inputs", w.hide(dsl.GoValue(k.inputs)))
	}
	if s := k.sut; s != nil {
		sim := document{{"cost_usd", s.costUSD}, {"takes_ns", duration(s.takes)}, {"output", w.hide(s.output)}}
		if s.fault != nil {
			sim = append(sim, document{{"fault", s.fault.Name}, {"args", map[string]any(s.args)}, {"after_ns", duration(s.after)}}...)
		}
		doc.add("sut_does", sim)
	}
	if s := k.rubric; s != nil {
		doc.add("rubric_says", document{
			{"exit", s.exit}, {"score", bench.Trial{Score: s.score}}, {"stderr", s.stderr}, {"stdout", s.stdout}, {"takes_ns", duration(s.takes)},
		})
	}
	return doc
}

func (w planWriter) program(p *benchProgram) any {
	if p == nil {
		return nil
	}
	env := make(map[string]any, len(p.env))
	for name, v := range p.env {
		env[name] = v
	}
	doc := document{{"command", w.hide(anyTexts(p.command))}, {"env", w.hide(env)}, {"pass_env", p.pass}}
	if p.stdin != nil {
		doc.add("stdin", w.hide(string(p.stdin)))
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

// caseDigest identifies all that the result of a case depends on, as far as the
// file says it; concurrency, gates and the cost cap are no part of that.
func (p *Plan) caseDigest(k *benchCase) string {
	h := sha256.New()
	h.Write([]byte(planSchema))
	h.Write(p.bench.meaning())
	h.Write(trace.AppendValue(nil, planWriter{}.benchCase(k)))
	return hex.EncodeToString(h.Sum(nil))
}

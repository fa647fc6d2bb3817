package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// Pages about benches say how many cases passed. Nothing in them is virtual,
// and how long programs took is no result.
func TestPagesAboutBenches(t *testing.T) {
	scored := &interp.Result{
		Plan: &interp.Plan{File: "b.scenario.hcl", Line: 3, Name: "gofmt"}, Verdict: interp.Fail, Virtual: 258_000_000,
		Problems: []interp.Problem{{Kind: "gate", Name: "silver", Message: "too few cases passed."}},
		Bench:    &bench.Report{Passed: 47, Cases: make([]bench.CaseResult, 50), MeanScore: 0.97, LowerBound: 0.912},
	}
	for i := range scored.Bench.Cases {
		scored.Bench.Cases[i].Ran = true
	}
	for name, page := range map[string]func(*bytes.Buffer) Reporter{
		"html":     func(b *bytes.Buffer) Reporter { return HTML(b, Options{Scores: true}) },
		"markdown": func(b *bytes.Buffer) Reporter { return Markdown(b, Options{Scores: true}) },
	} {
		var b bytes.Buffer
		r := page(&b)
		var s Summary
		for range 2 {
			s.Add(scored)
			if err := r.Add(Entry{Result: scored}); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Close(s); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"47 of 50", "0.970", "0.912"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
		for _, never := range []string{"258", "virtual time", "attempts</", "2 scenarios", "benchs"} {
			if strings.Contains(b.String(), never) {
				t.Errorf("%s says %q", name, never)
			}
		}
	}
}

// A bench without a gate is done whatever became of its cases, and that is said.
func TestBenchWithoutAGateSaysSo(t *testing.T) {
	for _, c := range []struct {
		gates []bench.GateResult
		want  bool
	}{{nil, true}, {[]bench.GateResult{{Name: "silver", Passed: true, Reasons: []string{"all conditions met"}}}, false}} {
		verdict := interp.Pass
		if c.want {
			verdict = interp.Done
		}
		scored := &interp.Result{
			Plan: &interp.Plan{File: "b.scenario.hcl", Name: "gofmt"}, Verdict: verdict,
			Bench: &bench.Report{Cases: make([]bench.CaseResult, 6), Gates: c.gates},
		}
		for name, page := range map[string]func(*bytes.Buffer) Reporter{
			"html": func(b *bytes.Buffer) Reporter { return HTML(b, Options{Scores: true}) },
			"text": func(b *bytes.Buffer) Reporter { return Text(b, Options{Scores: true}) },
		} {
			var b bytes.Buffer
			r := page(&b)
			var s Summary
			s.Add(scored)
			if err := r.Add(Entry{Result: scored}); err != nil {
				t.Fatal(err)
			}
			if err := r.Close(s); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), "which scores are good enough"); got != c.want {
				t.Errorf("%s, %d gates: said %v, want %v", name, len(c.gates), got, c.want)
			}
		}
	}
}

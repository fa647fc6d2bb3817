package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// scoredBench is a result of a bench whose case i is what is made of it.
func scoredBench(n int, made func(i int, c *bench.CaseResult)) *interp.Result {
	r := &bench.Report{Bench: "b", Complete: true, Cases: make([]bench.CaseResult, n)}
	for i := range r.Cases {
		c := &r.Cases[i]
		c.ID, c.Ran = fmt.Sprintf("c%05d", i), true
		made(i, c)
		if c.Passed {
			r.Passed++
		}
	}
	return &interp.Result{Plan: &interp.Plan{File: "b.scenario.hcl", Line: 1, Name: "b"}, Verdict: interp.Fail, Bench: r}
}

func failedBy(c *bench.CaseResult, output string, modes ...bench.FailureMode) {
	c.FailureModes = modes
	c.Trials = []bench.Trial{{Score: bench.Score{FailureModes: modes}, Kept: &bench.Kept{Output: bench.Excerpt{Text: output}}}}
}

func benchPage(t *testing.T, r *interp.Result, make func(*bytes.Buffer) Reporter) string {
	t.Helper()
	var b bytes.Buffer
	p := make(&b)
	var s Summary
	s.Add(r)
	if err := p.Add(Entry{Result: r}); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func htmlOfBench(b *bytes.Buffer) Reporter { return HTML(b, Options{Scores: true}) }

// Shows that the cases which did not pass come first, those of the commonest reason
// before all others, whatever differs between their messages in numbers and quotes.
func TestCasesByWhy(t *testing.T) {
	r := scoredBench(9, func(i int, c *bench.CaseResult) {
		switch {
		case i == 1:
			failedBy(c, "{}", bench.FailureMode{Code: "rare", Severity: "warn", Detail: "x"})
		case i%2 == 0:
			failedBy(c, "{}", bench.FailureMode{Code: bench.SUTException, Severity: "block", Detail: fmt.Sprintf(`KeyError: exit status %d: no key "k%d"`, i, i)})
		default:
			c.Passed = true
		}
	})
	groups := reasons(r.Bench)
	if len(groups) != 2 || len(groups[0].cases) != 5 || groups[1].cases[0].ID != "c00001" {
		t.Fatalf("%d groups", len(groups))
	}
	if want := "sut.exception (block): KeyError: exit status …: no key …"; groups[0].why != want {
		t.Errorf("%q, want %q", groups[0].why, want)
	}
	for name, page := range map[string]string{
		"html": benchPage(t, r, htmlOfBench),
		"text": benchPage(t, r, func(b *bytes.Buffer) Reporter { return Text(b, Options{Scores: true, Verbose: true}) }),
	} {
		last := -1
		for _, id := range []string{"c00000", "c00002", "c00008", "c00001", "c00003", "c00007"} {
			at := strings.Index(page, id)
			if at < last {
				t.Errorf("%s: %s is out of order", name, id)
			}
			last = at
		}
	}
}

// Shows that the page shows what was asked, expected and answered, trial by trial,
// with the calls, and escapes it.
func TestPageShowsWhatWasAnswered(t *testing.T) {
	r := scoredBench(1, func(_ int, c *bench.CaseResult) {
		c.Input = bench.Excerpt{Text: `{"question":"<b>?","expected":"forty-two"}`}
		c.Trials = []bench.Trial{
			{Score: bench.Score{Passed: true, Score: 1}, Kept: &bench.Kept{Output: bench.Excerpt{Text: `{"answer":"first & right"}`}}},
			{Kept: &bench.Kept{
				Output: bench.Excerpt{Text: `{"answer":"second`, Bytes: 777}, Broken: []string{"output.answer == 1"}, Operands: []bench.Operand{{Text: "output.answer", Value: "third"}},
				Calls: []bench.Call{{Step: "ask", Attempt: 2, Target: "llm", What: "gpt", Outcome: "success", Asked: bench.Excerpt{Text: "the prompt"}, Answered: bench.Excerpt{Text: "the reply"}}}, CallsLeft: 4,
			}},
		}
	})
	trials := &r.Bench.Cases[0].Trials
	*trials = append(*trials, (*trials)[1])
	page := benchPage(t, r, htmlOfBench)
	if n := strings.Count(page, "the prompt"); n != 1 {
		t.Errorf("what two trials have in common is there %d times", n)
	}
	for _, want := range []string{"&lt;b&gt;?", "<h6>expected</h6><pre>&#34;forty-two&#34;", "first &amp; right", "trial 1 passed", "trial 2 did not pass, score 0.000<", "trial 3 did not pass, score 0.000, the same answer", "the first 17 of 777 bytes", "<dt>output.answer<dd>third", "5 calls", "ask 2 @ llm gpt: success", "the prompt", "the reply"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Shows that the page of 10,000 cases with as much kept of each as a report has is
// at most 10 MB, whether each fails in its own way, all in one, or none.
func TestPageOfManyCasesIsBounded(t *testing.T) {
	const cases, most = 10_000, 10_000_000
	each := (bench.Spec{}).KeptPerTrial(cases)
	long := strings.Repeat("<&\">", each/4)
	for name, made := range map[string]func(i int, c *bench.CaseResult){
		"its own": func(i int, c *bench.CaseResult) {
			failedBy(c, long, bench.FailureMode{Code: fmt.Sprintf("mode_%c%c%c%c", 'a'+i%10, 'a'+i/10%10, 'a'+i/100%10, 'a'+i/1000%10), Severity: "warn", Detail: strings.Repeat("d", 200)})
		},
		"one":  func(_ int, c *bench.CaseResult) { failedBy(c, long, bench.FailureMode{Code: "m", Severity: "warn"}) },
		"none": func(_ int, c *bench.CaseResult) { failedBy(c, long); c.Passed = true },
	} {
		r := scoredBench(cases, func(i int, c *bench.CaseResult) {
			c.Input = bench.Excerpt{Text: long}
			made(i, c)
		})
		page := benchPage(t, r, htmlOfBench)
		t.Logf("%s: %d bytes", name, len(page))
		if len(page) > most {
			t.Errorf("%s: %d bytes", name, len(page))
		}
	}
}

// Shows that the cases which were better in the baseline come by why they are worse,
// with both answers, and those that were as bad are not among them.
func TestPageShowsBothRuns(t *testing.T) {
	r := scoredBench(4, func(i int, c *bench.CaseResult) {
		failedBy(c, fmt.Sprintf("now %d", i), bench.FailureMode{Code: []string{"rare", "known", "often", "often"}[i], Severity: "warn"})
	})
	r.Bench.Against = &bench.Comparison{Common: 4, Broken: []string{"c00000", "c00002", "c00003"}}
	for _, id := range r.Bench.Against.Broken {
		was := bench.CaseResult{ID: id, Ran: true, Trial: bench.Trial{Score: bench.Score{Passed: true, Score: 1}}}
		was.Trials = []bench.Trial{{Score: was.Score, Kept: &bench.Kept{Output: bench.Excerpt{Text: "then " + id}}}}
		r.Bench.Against.Before = append(r.Bench.Against.Before, was)
	}
	for name, page := range map[string]string{
		"html": benchPage(t, r, htmlOfBench),
		"text": benchPage(t, r, func(b *bytes.Buffer) Reporter { return Text(b, Options{Scores: true}) }),
	} {
		last := 0
		for _, want := range []string{"then c00002", "now 2", "then c00003", "now 3", "then c00000", "now 0"} {
			at := strings.Index(page[last:], want)
			if at < 0 {
				t.Fatalf("%s: %q is not there, or out of order:\n%s", name, want, page)
			}
			last += at
		}
		if strings.Contains(page, "then c00001") || !strings.Contains(page, "0.000, was 1.000") {
			t.Errorf("%s: what was as bad is among them", name)
		}
	}
}

// Two answers beside each other are laid out alike, however long one of them is:
// otherwise they cannot be compared line by line.
func TestBothRunsAreIndentedAlike(t *testing.T) {
	long, short := `{"text":"Open settings, choose the refund, and confirm it.","n":1}`, `{"text":"Open settings","n":1}`
	for _, sides := range [][2]string{{long, short}, {short, long}} {
		r := scoredBench(1, func(_ int, c *bench.CaseResult) {
			failedBy(c, sides[1], bench.FailureMode{Code: "cut", Severity: "warn"})
		})
		was := bench.CaseResult{ID: "c00000", Ran: true, Trial: bench.Trial{Score: bench.Score{Passed: true, Score: 1}}}
		was.Trials = []bench.Trial{{Score: was.Score, Kept: &bench.Kept{Output: bench.Excerpt{Text: sides[0]}}}}
		r.Bench.Against = &bench.Comparison{Common: 1, Broken: []string{was.ID}, Before: []bench.CaseResult{was}}
		page := benchPage(t, r, htmlOfBench)
		_, page, _ = strings.Cut(page, "Worse than in the baseline")
		page, _, _ = strings.Cut(page, "</section>")
		if n := strings.Count(page, "&#34;n&#34;: 1\n}") + strings.Count(page, "\"n\": 1\n}"); n != 2 {
			t.Errorf("%q: %d of 2 are laid out:\n%s", sides, n, page)
		}
	}
}

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
)

// stub is a bench of the given cases with limits that no test waits for.
func stub(ids ...string) (Spec, []Case) {
	spec := Defaults()
	spec.Name = "stub"
	spec.BreakdownKeys = []string{"correctness"}
	var cases []Case
	for _, id := range ids {
		cases = append(cases, Case{ID: id})
	}
	return spec, cases
}

// own is a taxonomy with the given severities beside those of std/cuga.
func own(t *testing.T, severities map[string]string) *failure.Taxonomy {
	t.Helper()
	var modes []failure.Mode
	for code, severity := range severities {
		modes = append(modes, failure.Mode{Code: code, Severity: severity})
	}
	known, err := failure.Cuga().With("own", modes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func passing(context.Context, Case, int) (Answer, error) {
	return Answer{Output: json.RawMessage(`{}`)}, nil
}

func raising(err error) SUT {
	return func(context.Context, Case, int) (Answer, error) { return Answer{}, err }
}

// sleeping never answers by itself.
func sleeping(ctx context.Context, _ Case, _ int) (Answer, error) {
	<-ctx.Done()
	return Answer{}, ctx.Err()
}

func full(context.Context, Case, int, Answer) (Score, error) {
	return Score{Passed: true, Score: 1}, nil
}

func emits(s Score) Rubric {
	return func(context.Context, Case, int, Answer) (Score, error) { return s, nil }
}

// measured runs a bench that must come to an end.
func measured(t *testing.T, spec Spec, cases []Case, sut SUT, rubric Rubric) *Report {
	t.Helper()
	r, err := measure(spec, cases, sut, rubric)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// isFailed holds a case to what a failed path gives.
func isFailed(t *testing.T, c *CaseResult, code, detail string) {
	t.Helper()
	want := Score{Breakdown: map[string]float64{}, FailureModes: []FailureMode{{Code: code, Severity: "block", Detail: detail}}, CostUSD: c.CostUSD}
	if !reflect.DeepEqual(c.Trial.Score, want) {
		t.Errorf("case %s: %+v\nwant %+v", c.ID, c.Trial.Score, want)
	}
}

type ownError struct{}

func (ownError) Error() string { return "nope, broken" }

// CG1: a system that raises gives its case sut.exception with type and message.
func TestSUTExceptionMapsToSUTExceptionFailureMode(t *testing.T) {
	spec, cases := stub("a")
	isFailed(t, measured(t, spec, cases, raising(&Exception{"RuntimeError", "nope, broken"}), full).Case("a"), SUTException, "RuntimeError: nope, broken")
	isFailed(t, measured(t, spec, cases, raising(ownError{}), full).Case("a"), SUTException, "bench.ownError: nope, broken")
	long := strings.Repeat("é", 300)
	isFailed(t, measured(t, spec, cases, raising(&Exception{"E", long}), full).Case("a"), SUTException, "E: "+strings.Repeat("é", 200))
	panics := func(context.Context, Case, int) (Answer, error) { panic("at the disco") }
	isFailed(t, measured(t, spec, cases, panics, full).Case("a"), SUTException, "panic: at the disco")
}

// CG7: an answer that is no object is a TypeError, and no rubric sees it.
func TestSUTThatReturnsNoObjectIsATypeError(t *testing.T) {
	spec, cases := stub("a")
	for _, output := range []string{"", "null", "[1]", `"text"`, "{", "{} {}"} {
		sut := func(context.Context, Case, int) (Answer, error) {
			return Answer{Output: json.RawMessage(output), CostUSD: 0.5}, nil
		}
		asked := func(context.Context, Case, int, Answer) (Score, error) {
			t.Errorf("the rubric was asked about %q", output)
			return Score{}, nil
		}
		c := measured(t, spec, cases, sut, asked).Case("a")
		if m := c.FailureModes[0]; m.Code != SUTException || !strings.HasPrefix(m.Detail, "TypeError: ") || c.CostUSD != 0.5 {
			t.Errorf("%q: %+v", output, c)
		}
	}
}

// CG1: a system that is too slow gives its case sut.timeout, also one that does
// not listen, and the run goes on.
func TestSUTTimeoutMapsToSUTTimeoutFailureMode(t *testing.T) {
	spec, cases := stub("a")
	spec.CaseTimeout = 20 * time.Millisecond
	isFailed(t, measured(t, spec, cases, sleeping, full).Case("a"), SUTTimeout, "")
	release := make(chan struct{})
	defer close(release)
	deaf := func(context.Context, Case, int) (Answer, error) { <-release; return Answer{}, nil }
	isFailed(t, measured(t, spec, cases, deaf, full).Case("a"), SUTTimeout, "")
}

// CG1: a rubric that is too slow, or fails, gives its case the rubric's failure.
func TestRubricFailures(t *testing.T) {
	spec, cases := stub("a")
	spec.RubricTimeout = 20 * time.Millisecond
	slow := func(ctx context.Context, _ Case, _ int, _ Answer) (Score, error) {
		<-ctx.Done()
		return Score{}, ctx.Err()
	}
	isFailed(t, measured(t, spec, cases, passing, slow).Case("a"), RubricTimeout, "")
	broken := func(context.Context, Case, int, Answer) (Score, error) {
		return Score{}, &Malformed{"Traceback: " + strings.Repeat("x", 300)}
	}
	isFailed(t, measured(t, spec, cases, passing, broken).Case("a"), RubricMalformed, "Traceback: "+strings.Repeat("x", 189))
	if m := measured(t, spec, cases, passing, emits(Score{Score: 1.5})).Case("a").FailureModes[0]; m.Code != RubricMalformed {
		t.Errorf("a score of 1.5: %+v", m)
	}
	for _, part := range []float64{math.NaN(), math.Inf(-1), math.MaxFloat64} { // the mean of two is no number
		s := Score{Score: 1, Breakdown: map[string]float64{"correctness": part}}
		if m := measured(t, spec, cases, passing, emits(s)).Case("a").FailureModes; len(m) != 1 || m[0].Code != RubricMalformed {
			t.Errorf("a part of %v: %+v", part, m)
		}
	}
}

// CG3: a cancellation from inside, in the manner of a keyboard interrupt or an
// exit of the process, ends the run and is no failure of the case.
func TestCancellationPropagates(t *testing.T) {
	exits := func(context.Context, Case, int) (Answer, error) { runtime.Goexit(); return Answer{}, nil }
	for name, sut := range map[string]SUT{"cancelled": raising(fmt.Errorf("user: %w", context.Canceled)), "exit": exits} {
		spec, cases := stub("a", "b")
		spec.Concurrency = 1
		report, err := measure(spec, cases, sut, full)
		if !errors.Is(err, ErrCancelled) {
			t.Fatalf("%s: %v", name, err)
		}
		if report.Complete || report.PartialReason != PartialCancelled || len(report.Cases) != 2 || len(report.Blocking) != 0 || report.ExitCode() != 7 {
			t.Errorf("%s: %+v", name, report)
		}
	}
	spec, cases := stub("a")
	if _, err := measure(spec, cases, passing, func(context.Context, Case, int, Answer) (Score, error) { return Score{}, context.Canceled }); !errors.Is(err, ErrCancelled) {
		t.Errorf("a cancelled rubric: %v", err)
	}
}

// CG6: a key that the bench does not have discards the score and keeps its cost;
// of several the smallest is named.
func TestUnknownBreakdownKeyMapsToBlockFailure(t *testing.T) {
	spec, cases := stub("a")
	c := measured(t, spec, cases, passing, emits(Score{Passed: true, Score: 1, CostUSD: 0.25, Breakdown: map[string]float64{"correctness": 1, "style": 1, "llm_confidence": 1}})).Case("a")
	isFailed(t, c, UnknownBreakdownKey, "llm_confidence")
	if c.CostUSD != 0.25 {
		t.Errorf("cost %v, want 0.25", c.CostUSD)
	}
	for key, want := range map[string]string{"llm_confidence": "confidence", "LLM": "llm", "self_reported": "self_reported", "x_model_says": "model_says", "correctness": ""} {
		if got := BannedKey(key); got != want {
			t.Errorf("%s is banned because of %q, want %q", key, got, want)
		}
	}
}

// V87, CG4: a known mode has the severity of the taxonomy, whatever the rubric
// said; an unknown one is replaced in its place, and the rest stays.
func TestV87FailureModesAreResolvedByTheTaxonomy(t *testing.T) {
	spec, cases := stub("a")
	spec.Taxonomy = own(t, map[string]string{"build_failed": "block", "unused_field": "warn"})
	c := measured(t, spec, cases, passing, emits(Score{Passed: true, Score: 0.5, FailureModes: []FailureMode{
		{"build_failed", "warn", "d1"}, {"typo", "block", "d2"}, {"unused_field", "block", ""},
	}})).Case("a")
	want := []FailureMode{{"build_failed", "block", "d1"}, {UnknownFailureMode, "block", "typo"}, {"unused_field", "warn", ""}}
	if !reflect.DeepEqual(c.FailureModes, want) || !c.Passed || c.Score.Score != 0.5 {
		t.Errorf("%+v", c)
	}
}

// CG5: the codes of the runner are its own; a rubric that names one is found out,
// even where the taxonomy lists it.
func TestReservedCodesAreTheRunnersOwn(t *testing.T) {
	for _, code := range []string{"sut.exception", "sut.timeout", "rubric.malformed_output", "rubric.timeout", "rubric.unknown_breakdown_key", "rubric.unknown_failure_mode"} {
		spec, cases := stub("a")
		spec.Taxonomy = own(t, map[string]string{code: "info"})
		c := measured(t, spec, cases, passing, emits(Score{Passed: true, Score: 1, FailureModes: []FailureMode{{code, "info", ""}}})).Case("a")
		if want := []FailureMode{{UnknownFailureMode, "block", "reserved_code:" + code}}; !reflect.DeepEqual(c.FailureModes, want) {
			t.Errorf("%s: %+v", code, c.FailureModes)
		}
	}
}

// V85, CG2: three cases that fail in three ways are three entries of a complete
// report, none of which passed.
func TestV85RunDoesNotAbortOnAnyFailurePath(t *testing.T) {
	spec, cases := stub("c", "a", "b")
	spec.CaseTimeout = 50 * time.Millisecond
	sut := func(ctx context.Context, c Case, n int) (Answer, error) {
		switch c.ID {
		case "a":
			return Answer{}, &Exception{"ValueError", "boom"}
		case "b":
			return sleeping(ctx, c, n)
		}
		return passing(ctx, c, n)
	}
	r := measured(t, spec, cases, sut, emits(Score{Passed: true, Score: 1, Breakdown: map[string]float64{"llm_confidence": 1}}))
	if len(r.Cases) != 3 || r.Cases[0].ID != "a" || r.Cases[2].ID != "c" || !r.Complete || r.Passed != 0 {
		t.Fatalf("%+v", r)
	}
	for i, code := range []string{SUTException, SUTTimeout, UnknownBreakdownKey} {
		if got := r.Cases[i].FailureModes[0].Code; got != code {
			t.Errorf("case %s: %s, want %s", r.Cases[i].ID, got, code)
		}
	}
	if want := []string{UnknownBreakdownKey, SUTException, SUTTimeout}; !reflect.DeepEqual(r.Blocking, want) {
		t.Errorf("blocking %v, want %v", r.Blocking, want)
	}
}

// CG5: what blocks is listed once, sorted, and is no matter of passed.
func TestBlockSeverityFailureModesIsDedupSortedBlockOnly(t *testing.T) {
	spec, cases := stub("a", "b", "c")
	spec.Taxonomy = own(t, map[string]string{"build_failed": "block", "another": "block", "unused_field": "warn"})
	rubric := func(_ context.Context, c Case, _ int, _ Answer) (Score, error) {
		modes := map[string][]FailureMode{"a": {{Code: "build_failed"}, {Code: "another"}}, "b": {{Code: "unused_field"}}, "c": {{Code: "build_failed"}}}
		return Score{Passed: true, Score: 1, FailureModes: modes[c.ID]}, nil
	}
	r := measured(t, spec, cases, passing, rubric)
	if want := []string{"another", "build_failed"}; !reflect.DeepEqual(r.Blocking, want) || r.Passed != 3 {
		t.Errorf("blocking %v with %d passed, want %v with 3", r.Blocking, r.Passed, want)
	}
}

// CG10: whatever a system and a rubric say that they cost, it is a number, is in
// the log for a later run to count, and no cap is passed by it.
func TestCostThatIsNoNumberKeepsTheCap(t *testing.T) {
	for said, want := range map[float64]int{math.MaxFloat64: 1, math.Inf(1): 1, math.NaN(): 2, -1: 2} {
		spec, cases := stub("a", "b")
		spec.Concurrency = 1
		sut := func(context.Context, Case, int) (Answer, error) {
			return Answer{Output: json.RawMessage(`{}`), CostUSD: said}, nil
		}
		r := measured(t, spec, cases, sut, emits(Score{Passed: true, Score: 1, CostUSD: math.MaxFloat64 * float64(2-want)}))
		if r.Ran() != want || !(r.CostUSD >= 0) || math.IsInf(r.CostUSD, 0) {
			t.Errorf("%v: %d ran, $%v", said, r.Ran(), r.CostUSD)
		}
		line := (&Record{Case: "a", Trial: 1, Result: r.Case("a").Trials[0]}).Line()
		if _, _, err := ReadLog(bytes.NewReader(line), func(back Record) {
			if back.Result.CostUSD != r.Case("a").CostUSD {
				t.Errorf("%v: the log has $%v, want $%v", said, back.Result.CostUSD, r.Case("a").CostUSD)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

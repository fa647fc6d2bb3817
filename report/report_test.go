package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

const source = `scenario "two" {
  assert "backs off" {
    condition = [
      for a in step.answer.attempts : a.at_ms
    ] == [0, 1000, 3000]
  }
}
`

func at(first, last int) hcl.Range {
	return hcl.Range{Filename: "a.scenario.hcl", Start: hcl.Pos{Line: first, Column: 5}, End: hcl.Pos{Line: last, Column: 9}}
}

// entries are two files: one in which everything can be said of a failure, one
// that passes.
func entries() []Entry {
	plan := func(file, name string, line int) *interp.Plan {
		return &interp.Plan{File: file, Name: name, Line: line}
	}
	return []Entry{
		{Result: &interp.Result{Plan: plan("a.scenario.hcl", "one", 9), Verdict: interp.Pass, Virtual: 3 * time.Second, Checks: 2}, Wall: 7 * time.Millisecond},
		{
			Result: &interp.Result{
				Plan: plan("a.scenario.hcl", "two", 1), Verdict: interp.Fail, Virtual: 61*time.Second + 1500*time.Microsecond, Checks: 1,
				Problems: []interp.Problem{
					{
						Kind: "assert", Name: "backs off", Message: "it waits too long", Diff: "[1]: 2000, want 1000",
						Operands: []interp.Operand{{Text: "[for a in step.answer.attempts : a.at_ms]", Value: "[0, 2000]"}}, Range: at(3, 5),
					},
					{Kind: "gate", Name: "no_assertion", Message: "nothing is <checked>\nhint: check something"},
				},
				Events: []trace.Event{
					{Type: trace.StepStart, Step: "answer"},
					{Type: trace.AttemptEnd, Step: "answer", Attempt: 1, Target: "primary", Payload: trace.Attrs{{Key: "fault_type", Value: "http_error"}, {Key: "kind", Value: "http_status"}, {Key: "outcome", Value: "failure"}, {Key: "status_code", Value: 500}}},
					{Type: trace.RetryWait, Payload: trace.Attrs{{Key: "delay_ns", Value: 2 * time.Second}}},
					{Type: trace.StepEnd, At: 2 * time.Second, Step: "answer", Payload: trace.Attrs{{Key: "status", Value: "success"}}},
				},
			},
			Source: []byte(source), Wall: 9 * time.Millisecond,
		},
		{Result: &interp.Result{Plan: plan("a.scenario.hcl", "three", 20), Verdict: interp.Skip}, Reason: "later"},
		{Result: &interp.Result{
			Plan: plan("b.scenario.hcl", "four", 1), Verdict: interp.Pass, Checks: 1,
			Relaxed: []interp.Problem{{Kind: "gate", Name: "unused_reply", Message: "one is left", Range: hcl.Range{Filename: "b.scenario.hcl", Start: hcl.Pos{Line: 4}}}},
		}},
	}
}

func write(t *testing.T, create func(w *bytes.Buffer) Reporter) string {
	t.Helper()
	var b bytes.Buffer
	r := create(&b)
	var s Summary
	for _, e := range entries() {
		s.Add(e.Result)
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func inText(opts Options) func(w *bytes.Buffer) Reporter {
	return func(w *bytes.Buffer) Reporter { return Text(w, opts) }
}

// Shows what people read: a line for each file, below it only what did not
// pass, each failure with its place, source, operands, difference and message,
// an allowed gate, and no wall time.
func TestText(t *testing.T) {
	want := `fail  a.scenario.hcl  3 scenarios, 1 failed, 1 skipped, virtual 1m4.001s
  fail  "two"  a.scenario.hcl:1, 1 check, virtual 1m1.001s
    assert "backs off"  a.scenario.hcl:3
      3 │     condition = [
      4 │       for a in step.answer.attempts : a.at_ms
      5 │     ] == [0, 1000, 3000]
      ├ [for a in step.answer.attempts : a.at_ms] = [0, 2000]
      [1]: 2000, want 1000
      it waits too long
    gate "no_assertion"  a.scenario.hcl:1
      nothing is <checked>
      hint: check something
    skipped: "three"  a.scenario.hcl:20, later
pass  b.scenario.hcl  1 scenario, virtual 0s, allowed: unused_reply
2 passed, 1 failed, 0 errored, 1 skipped (virtual 1m4.001s)
`
	if diff := cmp.Diff(want, write(t, inText(Options{}))); diff != "" {
		t.Error(diff)
	}
}

// Shows that verbose adds every scenario and the times of what happened, and
// that quiet leaves out what passed.
func TestTextVerboseAndQuiet(t *testing.T) {
	verbose := write(t, inText(Options{Verbose: true}))
	for _, want := range []string{
		"  pass  \"one\"  a.scenario.hcl:9, 2 checks, virtual 3s\n",
		"  skip  \"three\"  a.scenario.hcl:20, later\n",
		"             0s    attempt 1 at primary: failure http_status 500 (fault http_error)\n",
		"             0s    waits 2s\n",
		"             2s    answer success\n",
		"    allowed: unused_reply in \"four\"  b.scenario.hcl:4\n      one is left\n",
	} {
		if !strings.Contains(verbose, want) {
			t.Errorf("verbose lacks %q:\n%s", want, verbose)
		}
	}
	quiet := write(t, inText(Options{Quiet: true}))
	if strings.Contains(quiet, "b.scenario.hcl") || !strings.Contains(quiet, "assert") || !strings.Contains(quiet, "2 passed") {
		t.Errorf("quiet shows\n%s", quiet)
	}
}

// Shows that what a suite did not come to is one line, with the files that
// were not reached at all left out, and that verbose lists every scenario.
func TestTextDropped(t *testing.T) {
	told := func(opts Options) string {
		var b bytes.Buffer
		r := Text(&b, opts)
		r.Add(Entry{Result: &interp.Result{Plan: &interp.Plan{File: "f0", Name: "first"}, Verdict: interp.Pass}})
		for i := range 1999 {
			p := &interp.Plan{File: fmt.Sprintf("f%d", i/2), Name: "later", Line: 1}
			r.Add(Entry{Result: &interp.Result{Plan: p, Verdict: interp.Skip}, Reason: "not run, because of rain", Dropped: true})
		}
		r.Close(Summary{Passed: 1, Skipped: 1999})
		return b.String()
	}
	want := `pass  f0  3 scenarios, 2 skipped, virtual 0s
1,999 scenarios in 1,000 files were not run, because of rain
1 passed, 0 failed, 0 errored, 1999 skipped (virtual 0s)
`
	if diff := cmp.Diff(want, told(Options{})); diff != "" {
		t.Error(diff)
	}
	if verbose := told(Options{Verbose: true}); strings.Count(verbose, "not run, because of rain\n") != 1999 || strings.Contains(verbose, "1,999") {
		t.Errorf("verbose shows\n%.400s", verbose)
	}
}

// Shows that people are spared the message of a bare condition where operands
// or a difference say more, and only there.
func TestTextBareCondition(t *testing.T) {
	for _, c := range []struct {
		p     interp.Problem
		shown bool
	}{
		{interp.Problem{Bare: true, Message: "the condition does not hold."}, true},
		{interp.Problem{Bare: true, Message: "the condition does not hold.", Diff: "1, want 2"}, false},
		{interp.Problem{Bare: true, Message: "the condition does not hold.", Operands: []interp.Operand{{Text: "a", Value: "1"}}}, false},
		{interp.Problem{Message: "it waits too long", Diff: "1, want 2"}, true},
	} {
		var b bytes.Buffer
		Text(&b, Options{}).(*text).writeProblem(&b, &Entry{Result: &interp.Result{Plan: &interp.Plan{}}}, &c.p)
		if strings.Contains(b.String(), c.p.Message) != c.shown {
			t.Errorf("%+v: shown is\n%s", c.p, b.String())
		}
	}
}

// Shows that a gate broken for one reason in several places is told once, with
// a line for each further place, and that another reason stands by itself.
func TestTextAlike(t *testing.T) {
	gate := func(line int, message string) interp.Problem {
		return interp.Problem{Kind: "gate", Name: "unused_reply", Message: message, Range: hcl.Range{Filename: "a", Start: hcl.Pos{Line: line}}}
	}
	var b bytes.Buffer
	r := Text(&b, Options{}).(*text)
	r.scenario(&Entry{Result: &interp.Result{Plan: &interp.Plan{File: "a"}, Verdict: interp.Fail, Problems: []interp.Problem{
		gate(3, "entry 1\nhint: x"), gate(5, "entry 2\nhint: x"), gate(7, "entry 3\nhint: y"),
	}}})
	got := r.lines.String()
	if strings.Count(got, `gate "unused_reply"`) != 2 || strings.Count(got, "hint: x") != 1 || !strings.Contains(got, "and a:5: entry 2\n") {
		t.Error(got)
	}
}

// Shows that an attempt is told before the change of its breaker, wherever the
// trace has them in the other order, and that no other line moves or is lost.
func TestTimelineOrder(t *testing.T) {
	breaker := func(at time.Duration, target, from, to string) trace.Event {
		return trace.Event{Type: trace.Breaker, At: at, Target: target, Payload: trace.Attrs{{Key: "from", Value: from}, {Key: "to", Value: to}}}
	}
	ended := func(at time.Duration, target string, attrs ...trace.Attr) trace.Event {
		return trace.Event{Type: trace.AttemptEnd, At: at, Attempt: 1, Target: target, Payload: trace.Attrs(attrs)}
	}
	var b bytes.Buffer
	writeTimeline(&b, []trace.Event{
		breaker(0, "a", "closed", "open"),
		{Type: trace.Failure},
		ended(0, "a"),
		breaker(time.Second, "a", "open", "half_open"), breaker(time.Second, "a", "half_open", "closed"), ended(time.Second, "a"),
		breaker(2*time.Second, "b", "closed", "open"), ended(2*time.Second, "a"), ended(2*time.Second, "b"),
		ended(3*time.Second, "a", trace.Attr{Key: "outcome", Value: "cancelled"}, trace.Attr{Key: "kind", Value: "cancelled"}, trace.Attr{Key: "status_code", Value: 200}),
		breaker(4*time.Second, "a", "closed", "open"),
	})
	want := `             0s    attempt 1 at a: 
             0s  breaker a: closed -> open
             1s  breaker a: open -> half_open
             1s    attempt 1 at a: 
             1s  breaker a: half_open -> closed
             2s  breaker b: closed -> open
             2s    attempt 1 at a: 
             2s    attempt 1 at b: 
             3s    attempt 1 at a: cancelled 200
             4s  breaker a: closed -> open
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// Shows that why a step failed before it asked is told on the line of its end, the first line
// of it.
func TestTimelineSaysWhyOnOneLine(t *testing.T) {
	var b bytes.Buffer
	writeTimeline(&b, []trace.Event{{Type: trace.StepEnd, Step: "ask", Payload: trace.Attrs{{Key: "status", Value: "failed"}, {Key: "message", Value: "there is no address\nhint: set base_url"}}}})
	if got := b.String(); !strings.HasSuffix(got, "ask failed: there is no address\n") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q", got)
	}
}

// Shows that colour adds escape sequences and nothing else.
func TestTextColor(t *testing.T) {
	colored := write(t, inText(Options{Color: true}))
	plain := colored
	for _, sgr := range []string{"0", bold, dim, red, green, yellow} {
		plain = strings.ReplaceAll(plain, "\x1b["+sgr+"m", "")
	}
	if !strings.HasPrefix(colored, "\x1b[31mfail ") {
		t.Errorf("the first line is %q", strings.SplitN(colored, "\n", 2)[0])
	}
	if diff := cmp.Diff(write(t, inText(Options{})), plain); diff != "" {
		t.Error(diff)
	}
}

// Shows that control characters of an answer do not reach the terminal.
func TestTextIsSafeToPrint(t *testing.T) {
	var b bytes.Buffer
	r := Text(&b, Options{})
	problem := interp.Problem{Kind: "run", Message: "said \x1b[2J\u009b31m\a", Diff: "\x00"}
	r.Add(Entry{Result: &interp.Result{Plan: &interp.Plan{Name: "\x1b[1m"}, Verdict: interp.Fail, Problems: []interp.Problem{problem}}})
	r.Close(Summary{})
	if strings.ContainsAny(b.String(), "\x1b\a\x00\u009b") {
		t.Errorf("%q", b.String())
	}
}

// Shows that a long condition is cut, with what is left out.
func TestSnippetIsBounded(t *testing.T) {
	e := entries()[1]
	e.Source = []byte(strings.Repeat("x\n", 40))
	got := snippet(&e, &interp.Problem{Range: at(9, 30)})
	if len(got) != snippetLines+1 || got[0] != " 9 │ x" || got[7] != "16 │ x" || got[8] != "   │ … 14 more lines" {
		t.Errorf("%q", got)
	}
}

// Shows the specified events, with failures as a list even where there
// are none, and wall_ms as all that the wall clock gives.
func TestJSON(t *testing.T) {
	want := `{"schema":"scenario.test/1","type":"scenario","file":"a.scenario.hcl","name":"one","status":"pass","virtual_ms":3000,"wall_ms":7,"failures":[]}
{"schema":"scenario.test/1","type":"scenario","file":"a.scenario.hcl","name":"two","status":"fail","virtual_ms":61001,"wall_ms":9,"failures":[{"kind":"assert","name":"backs off","message":"it waits too long\n├ [for a in step.answer.attempts : a.at_ms] = [0, 2000]\n[1]: 2000, want 1000","file":"a.scenario.hcl","line":3},{"kind":"gate","name":"no_assertion","message":"nothing is <checked>\nhint: check something","file":"a.scenario.hcl","line":1}]}
{"schema":"scenario.test/1","type":"scenario","file":"a.scenario.hcl","name":"three","status":"skip","virtual_ms":0,"wall_ms":0,"failures":[],"reason":"later"}
{"schema":"scenario.test/1","type":"scenario","file":"b.scenario.hcl","name":"four","status":"pass","virtual_ms":0,"wall_ms":0,"failures":[],"relaxed":[{"kind":"gate","name":"unused_reply","message":"one is left","file":"b.scenario.hcl","line":4}]}
{"type":"summary","status":"fail","passed":2,"failed":1,"errored":0,"skipped":1}
`
	got := write(t, func(w *bytes.Buffer) Reporter { return JSON(w, Options{Verbose: true, Color: true, Wall: true}) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// Shows that the worst verdict is the suite's, and that an incomplete suite is
// an error.
func TestSummaryStatus(t *testing.T) {
	for _, c := range []struct {
		s    Summary
		want interp.Verdict
	}{
		{Summary{Passed: 1, Skipped: 1}, interp.Pass},
		{Summary{Passed: 1, Failed: 1, Skipped: 1}, interp.Fail},
		{Summary{Passed: 1, Failed: 1, Errored: 1}, interp.Error},
		{Summary{Skipped: 2}, interp.Skip},
		{Summary{Passed: 3, Incomplete: true}, interp.Error},
	} {
		if got := c.s.Status(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.s, got, c.want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Shows that a report which cannot be written says so: in every format some
// call returns the writer's error.
func TestWriteErrors(t *testing.T) {
	for _, f := range Formats() {
		r := f.New(fullDisk{}, Options{})
		var errs []error
		for _, e := range entries() {
			errs = append(errs, r.Add(e))
		}
		if err := errors.Join(append(errs, r.Close(Summary{}))...); err == nil {
			t.Errorf("%s: no error", f.Name)
		}
	}
}

// Shows that no report calls the time of programs virtual, and that each that has
// times says of which clock they are.
func TestRealTimeIsNotCalledVirtual(t *testing.T) {
	plan := &interp.Plan{File: "a.scenario.hcl", Name: "one", Line: 1}
	r := &interp.Result{Plan: plan, Verdict: interp.Fail, Virtual: 3 * time.Second, Way: interp.Exec, Problems: []interp.Problem{{Kind: "assert", Name: "x", Message: "wrong"}}}
	named := 0
	for _, f := range Formats() {
		for _, live := range []bool{false, true} {
			var b bytes.Buffer
			rep := f.New(&b, Options{Live: live, Verbose: true})
			var s Summary
			s.Add(r)
			if err := errors.Join(rep.Add(Entry{Result: r}), rep.Close(s)); err != nil {
				t.Fatal(err)
			}
			if text := b.String(); live && strings.Contains(text, "virtual") && f.Name != "merge" {
				t.Errorf("%s: %s", f.Name, text)
			} else if !live && strings.Contains(text, "virtual") {
				named++
			}
		}
	}
	if named < 5 {
		t.Errorf("only %d reports name the virtual clock", named)
	}
}

// Shows that the terminal says which files an earlier run came to, and that a text which
// must not differ from run to run does not.
func TestTextNamesWhatWasKept(t *testing.T) {
	text := func(o Options, cached bool) string {
		all := entries()[:1]
		all[0].Cached = cached
		return written(t, func(w io.Writer, _ Options) Reporter { return Text(w, o) }, all, nil)
	}
	line := func(o Options, cached bool) string {
		for line := range strings.Lines(text(o, cached)) {
			if strings.HasPrefix(line, "pass ") {
				return strings.TrimSpace(line)
			}
		}
		t.Fatal(text(o, cached))
		return ""
	}
	ran := line(Options{Wall: true}, false)
	if kept := line(Options{Wall: true}, true); kept != ran+" (cached)" {
		t.Errorf("%q, of what ran %q", kept, ran)
	}
	if text(Options{}, true) != text(Options{}, false) {
		t.Error("a text without the wall clock says what was kept")
	}
}

package report

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// hostile is text that ends, in one format or another, whatever it stands in.
const hostile = "a\x00\x1b[31m\u009b\u202e\u2066\ufffe<b> & \"q\" 'p' ]]> --> </script> `` ``` # | \\ %0A ::error::\r\n--- \n  ...\n\u2028{{.}} \xff é 日本"

// hostileEntries are a scenario, a skipped one and an errored one in which every
// text is hostile.
func hostileEntries() []Entry { return entriesOf(hostile) }

// entriesOf are entries in which every text is this one.
func entriesOf(hostile string) []Entry {
	plan := &interp.Plan{File: hostile + ".scenario.hcl", Name: hostile, Line: 3, Description: hostile, Tags: []string{hostile}}
	problem := interp.Problem{
		Kind: "assert", Name: hostile, Message: hostile, Diff: hostile,
		Operands: []interp.Operand{{Text: hostile, Value: hostile}}, Range: hcl.Range{Filename: plan.File, Start: hcl.Pos{Line: 1}, End: hcl.Pos{Line: 2}},
	}
	text := func(pairs ...string) (list trace.Attrs) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, trace.Attr{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	events := []trace.Event{
		{Type: trace.StepStart, Step: hostile},
		{Type: trace.AttemptStart, Step: hostile, Attempt: 1, Target: hostile, Payload: text("body", hostile, "lane", hostile, "method", hostile, "url", hostile)},
		{Type: trace.Breaker, Target: hostile, Payload: text("from", hostile, "to", hostile)},
		{Type: trace.AttemptEnd, At: time.Second, Step: hostile, Attempt: 1, Target: hostile, Payload: text("content", hostile, "fault_type", hostile, "kind", hostile, "message", hostile, "outcome", hostile)},
		{Type: trace.StepEnd, At: time.Second, Step: hostile, Payload: text("skipped_reason", hostile, "status", hostile)},
		{Type: trace.RunEnd, At: time.Second, Payload: text("status", hostile)},
	}
	failed := &interp.Result{Plan: plan, Verdict: interp.Fail, Virtual: time.Second, Problems: []interp.Problem{problem, problem}, Relaxed: []interp.Problem{problem}, Events: events}
	errored := &interp.Result{Plan: plan, Verdict: interp.Error, Problems: []interp.Problem{{Kind: "error", Message: hostile}}}
	errored.Program = &interp.Ending{Signal: hostile, Said: []string{hostile, hostile}, Stream: hostile}
	return []Entry{
		{Result: failed, Source: []byte(hostile + "\n" + hostile)},
		{Result: &interp.Result{Plan: plan, Verdict: interp.Skip}, Reason: hostile},
		{Result: errored},
	}
}

// suites are the suites that every format is tried on.
func suites() map[string][]Entry {
	return map[string][]Entry{"entries": entries(), "driven": {driven()}, "hostile": hostileEntries(), "nothing": nil}
}

// written is a report of some entries.
func written(t *testing.T, create func(io.Writer, Options) Reporter, all []Entry, change func(*Summary)) string {
	t.Helper()
	var b bytes.Buffer
	r := create(&b, Options{})
	var s Summary
	for _, e := range all {
		s.Add(e.Result)
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(&s)
	}
	if err := r.Close(s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// incompleteSuite makes a summary one of a suite that was interrupted.
func incompleteSuite(s *Summary) { s.Incomplete = true }

// Shows what holds for every format: a report begins as its format promises,
// equal results give equal bytes whatever the wall clock says, no control
// character that a terminal obeys gets through, and a suite that is incomplete
// never looks like one that passed.
func TestEveryFormat(t *testing.T) {
	for _, f := range Formats() {
		for name, all := range suites() {
			once := written(t, f.New, all, nil)
			if !strings.HasPrefix(once, f.Start) {
				t.Errorf("%s of %s begins %.40q, not %q", f.Name, name, once, f.Start)
			}
			later := append([]Entry{}, all...)
			for i := range later {
				later[i].Wall += time.Hour
			}
			if again := written(t, f.New, later, nil); again != once {
				t.Errorf("%s of %s depends on the wall clock", f.Name, name)
			}
			controls := "\x00\x1b\x7f\u009b\u202e\u2066"
			if f.Name == "merge" {
				controls = "\x00\x1b" // traces are in it byte for byte, for a program
			}
			if i := strings.IndexAny(once, controls); i >= 0 {
				t.Errorf("%s of %s lets a control character through: %q", f.Name, name, once[max(0, i-40):i+3])
			}
		}
		passed := entries()[:1]
		if f.Name != "text" && written(t, f.New, passed, incompleteSuite) == written(t, f.New, passed, nil) {
			t.Errorf("%s does not say that the suite is incomplete", f.Name)
		}
	}
}

type countingReporter struct {
	adds, closes, diagnostics int
	err                       error
}

func (c *countingReporter) Add(Entry) error          { c.adds++; return c.err }
func (c *countingReporter) Invalid(Diagnostic) error { c.diagnostics++; return c.err }
func (c *countingReporter) Close(Summary) error      { c.closes++; return c.err }

// Shows that one report that fails keeps no other from being written, and that
// the first error is told.
func TestEach(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	all := []*countingReporter{{}, {err: first}, {err: second}, {}}
	r := Each(all[0], all[1], all[2], all[3])
	if err := r.Add(Entry{}); err != first {
		t.Errorf("Add: %v", err)
	}
	if err := r.Close(Summary{}); err != first {
		t.Errorf("Close: %v", err)
	}
	if err := r.Invalid(Diagnostic{}); err != first {
		t.Errorf("Invalid: %v", err)
	}
	for i, c := range all {
		if c.diagnostics != 1 || c.adds != 1 || c.closes != 1 {
			t.Errorf("reporter %d: %d adds, %d closes", i, c.adds, c.closes)
		}
	}
}

package report

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// driven is a run of a program that failed: two lanes of one endpoint, each of which
// met a fault and then an answer, and another endpoint that nobody asked.
func driven() Entry {
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	var events []trace.Event
	add := func(ms int, e trace.Event) {
		e.At, e.Seq = at(ms), uint64(len(events)+1)
		events = append(events, e)
	}
	begin := func(ms, n int, lane string) {
		add(ms, trace.Event{Type: trace.AttemptStart, Step: "render", Attempt: n, Target: "images", Payload: attrs("lane", lane, "url", "/render")})
	}
	end := func(ms, n int, outcome, fault string) {
		add(ms, trace.Event{Type: trace.AttemptEnd, Step: "render", Attempt: n, Target: "images", Payload: attrs("fault_type", fault, "outcome", outcome)})
	}
	add(0, trace.Event{Type: trace.StepStart, Step: "render"})
	begin(0, 1, "10")
	begin(100, 2, "9")
	end(200, 2, "failure", "http_error")
	end(300, 1, "failure", "http_error")
	begin(500, 3, "10")
	end(600, 3, "success", "")
	begin(700, 4, "9")
	end(1000, 4, "success", "")
	add(1000, trace.Event{Type: trace.StepEnd, Step: "render", Payload: attrs("status", "success")})
	add(1000, trace.Event{Type: trace.RunEnd, Payload: attrs("status", "failed")})
	code := 3
	return Entry{Result: &interp.Result{
		Plan: &interp.Plan{File: "d.scenario.hcl", Name: "driven", Line: 3}, Verdict: interp.Fail, Way: interp.Exec, Virtual: at(1000), Checks: 1, Events: events,
		Problems: []interp.Problem{{Kind: "gate", Name: "unexpected_failure", Message: "it ended with status 3"}, {Kind: "gate", Name: "unused_reply", Message: "one is left"}},
		Program:  &interp.Ending{ExitCode: &code, Said: []string{"Traceback <most recent>", "KeyError: \x1b[31m'é'"}, Stream: "standard error"},
	}}
}

// Shows that a page, a picture and a terminal draw a row for each lane of an endpoint,
// in the order of their names, with the attempts that were in it: an attempt's end
// does not say its lane.
func TestLanesAreRows(t *testing.T) {
	e := driven()
	p := newPicture(e.Result.Events, e.Result.Virtual)
	page := string(drawSVG(p, "driven", "s1a"))
	for what, want := range map[string]string{
		"the first lane":          `<text y="34"><tspan class="nm">render</tspan><tspan class="m">[9]</tspan> <tspan class="m">@ images</tspan></text>`,
		"its first attempt":       `<a href="#s1a3"><rect class="ko" x="10%" y="42" width="10%"`,
		"its second attempt":      `<a href="#s1a8"><rect class="ok" x="70%" y="42" width="30%"`,
		"the second lane":         `<text y="66"><tspan class="m">render</tspan><tspan class="m">[10]</tspan>`,
		"its attempt, which ends": `<a href="#s1a2"><rect class="ko" x="0%" y="74" width="30%"`,
		"in words":                `<desc>render: success, 4 attempts; ends at 1s</desc>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %s in\n%s", what, want, strings.ReplaceAll(page, "><", ">\n<"))
		}
	}
	text := written(t, func(w io.Writer, _ Options) Reporter { return Text(w, Options{Verbose: true}) }, []Entry{e}, nil)
	if i, j := strings.Index(text, "render[9] @ images "), strings.Index(text, "render[10] @ images "); i < 0 || j < i {
		t.Errorf("the chart has no rows for the lanes in their order:\n%s", text)
	}
	whole := written(t, HTML, []Entry{e}, nil)
	for _, want := range []string{"render <b>1</b> @ images lane 10 ", "render <b>2</b> @ images lane 9 "} {
		if !strings.Contains(whole, want) {
			t.Errorf("no attempt %q", want)
		}
	}
}

// Shows that a program which has a lane for each of its requests does not make a
// drawing without end, and that what is left out is told.
func TestLanesAreBounded(t *testing.T) {
	var events []trace.Event
	for n := range 5000 {
		events = append(events, trace.Event{Type: trace.AttemptStart, Seq: uint64(n + 1), Step: "ask", Attempt: n + 1, Target: "ask", Payload: attrs("lane", fmt.Sprint(n))})
	}
	page := string(drawSVG(newPicture(events, time.Second), "many", ""))
	if !strings.Contains(page, "… 4,968 more lanes") || len(page) > 40_000 {
		t.Errorf("%d bytes: %.300s", len(page), page)
	}
	if strings.Contains(page, "@ ask") {
		t.Error("an endpoint that is named as its provider says so twice")
	}
}

// Shows that every report of a program that failed tells how it ended and what it
// wrote last, once for each scenario, and that one of a program that passed does not
// repeat its words.
func TestReportsTellOfTheProgram(t *testing.T) {
	for _, f := range Formats() {
		if f.Name == "svg" {
			continue // a picture of times
		}
		out := written(t, f.New, []Entry{driven()}, nil)
		if n := strings.Count(out, "KeyError"); n != 1 {
			t.Errorf("%s tells %d times what the program wrote last:\n%s", f.Name, n, out)
		}
		passed := driven()
		passed.Result.Verdict, passed.Result.Problems = interp.Pass, nil
		if out := written(t, f.New, []Entry{passed}, nil); strings.Contains(out, "KeyError") {
			t.Errorf("%s repeats what a program wrote that passed", f.Name)
		}
		silent := driven()
		silent.Result.Program.Said = nil
		if out := written(t, f.New, []Entry{silent}, nil); !strings.Contains(out, "ended with status 3 and wrote nothing") && !strings.Contains(out, `"exit_code":3`) && !strings.Contains(out, `"exit_code": 3`) {
			t.Errorf("%s does not tell how a silent program ended:\n%s", f.Name, out)
		}
	}
}

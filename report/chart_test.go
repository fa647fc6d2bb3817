package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

func chartOf(opts Options, e Entry) string {
	var b, out bytes.Buffer
	t := &text{w: &out, opts: opts}
	t.writeChart(&b, newPicture(e.Result.Events, e.Result.Virtual))
	_ = t.write(b.String())
	return out.String()
}

// Shows a run as a chart of 80 columns: each thing at its time in ten seconds,
// a line for each target, what is at one instant side by side.
func TestChart(t *testing.T) {
	want := `                         0s         2s         4s        6s         8s       10s
                         ┼──────────┼──────────┼─────────┼──────────┼──────────┼
      ask @ one          ━━━━━━━━━━━↯··········⊘╌╌╌╌╌
      ask @ two                                ━━━━━✓
      outer.inner @ two                                  ━━━━━━━━━━━━━━━━━━━━━○!
      last                                                                     -
      breaker one        ───────────▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍
      ━ attempt  ↯ failure by a fault  · wait  ⊘ refused  ╌ step under way
      ✓ success  ○ cancelled  ! timeout  - skipped  ─ breaker closed  ▄ open
      ╍ half open
`
	got := chartOf(Options{}, story())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// struckStory is a step of ten seconds in a loop. Its first target runs into the
// deadline of the attempt at 2 s, the second answers; in the second iteration,
// whose attempts are counted anew, the first target is refused at 5 s, the answer
// of the second breaks a contract, the step's own deadline ends it at 7 s, and in
// the third iteration an answer comes at 10 s.
func struckStory() Entry {
	at := func(s int) time.Duration { return time.Duration(s) * time.Second }
	events := []trace.Event{
		{Type: trace.StepStart, Step: "ask"},
		{Type: trace.AttemptStart, Step: "ask", Attempt: 1, Target: "one"},
		{Type: trace.Timeout, At: at(2), Step: "ask", Attempt: 1, Target: "one", Payload: attrs("after_ns", at(2), "layer", "attempt")},
		{Type: trace.Failure, At: at(2), Step: "ask", Attempt: 1, Target: "one", Payload: attrs("kind", "timeout", "message", "the deadline passed")},
		{Type: trace.AttemptEnd, At: at(2), Step: "ask", Attempt: 1, Target: "one", Payload: attrs("kind", "timeout", "outcome", "failure")},
		{Type: trace.AttemptStart, At: at(2), Step: "ask", Attempt: 2, Target: "two"},
		{Type: trace.AttemptEnd, At: at(2), Step: "ask", Attempt: 2, Target: "two", Payload: attrs("outcome", "success")},
		{Type: trace.Rejection, At: at(5), Step: "ask", Target: "one", Payload: attrs("reason", "circuit_open")},
		{Type: trace.AttemptStart, At: at(5), Step: "ask", Attempt: 1, Target: "two"},
		{Type: trace.AttemptEnd, At: at(5), Step: "ask", Attempt: 1, Target: "two", Payload: attrs("outcome", "success")},
		{Type: trace.Failure, At: at(5), Step: "ask", Attempt: 1, Payload: attrs("kind", "contract", "message", "no end")},
		{Type: trace.RetryWait, At: at(5), Step: "ask", Payload: attrs("delay_ns", at(5))},
		{Type: trace.Timeout, At: at(7), Step: "ask", Payload: attrs("after_ns", at(2), "layer", "step")},
		{Type: trace.AttemptStart, At: at(10), Step: "ask", Attempt: 2, Target: "two"},
		{Type: trace.AttemptEnd, At: at(10), Step: "ask", Attempt: 2, Target: "two", Payload: attrs("outcome", "success")},
		{Type: trace.StepEnd, At: at(10), Step: "ask", Payload: attrs("status", "success")},
	}
	for i := range events {
		events[i].Seq = uint64(i + 1)
	}
	return Entry{Result: &interp.Result{Plan: &interp.Plan{Name: "struck"}, Virtual: at(10), Events: events}}
}

// Shows that a deadline and a broken contract stand on the line of the attempt
// that they struck, after its sign and at their own time, and not beside what
// another target did last. The page has them at the same places, and the words
// below the chart say of an answer that it broke a contract.
func TestStruckAttempts(t *testing.T) {
	got := strings.SplitAfter(chartOf(Options{}, struckStory()), "\n")
	for line, want := range map[int]string{
		2: "      ask @ one  ━━━━━━━━━━━━✗!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⊘·······························\n",
		3: "      ask @ two              ✓                  ✓✗          !                  ✓\n",
	} {
		if diff := cmp.Diff(want, got[line]); diff != "" {
			t.Error(diff)
		}
	}
	e := struckStory()
	page := string(drawSVG(newPicture(e.Result.Events, e.Result.Virtual), "struck", ""))
	for what, want := range map[string]string{
		"the deadline beside its attempt": `<use href="#k5" x="20%" y="46" transform="translate(14)"><title>2s: attempt timeout after 2s</title></use>`,
		"the broken contract":             `<use href="#k1" x="50%" y="78" transform="translate(14)"><title>5s: failure contract: no end</title></use>`,
		"the deadline of the step":        `<use href="#k5" x="70%" y="78"><title>7s: step timeout after 2s</title></use>`,
		"the last answer by itself":       `<use href="#k0" x="100%" y="78"><title>10s: attempt 2 at two: success</title></use>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %s in %s", what, want, page)
		}
	}
	said := strings.Join(timeline(e.Result.Events), "\n")
	if !strings.Contains(said, "       5s    failure contract: no end\n       5s    waits 5s") || strings.Contains(said, "the deadline passed") {
		t.Errorf("the words are\n%s", said)
	}
}

// Shows that a step which failed before it asked anything says why, and that one whose
// attempt says it does not repeat it.
func TestFailedBeforeAsking(t *testing.T) {
	events := []trace.Event{
		{Type: trace.StepStart, Step: "a"},
		{Type: trace.StepEnd, Step: "a", Payload: attrs("message", "the request cannot be made: there is no address", "status", "failed")},
		{Type: trace.StepStart, Step: "b"},
		{Type: trace.AttemptEnd, Step: "b", Attempt: 1, Target: "one", Payload: attrs("kind", "timeout", "outcome", "failure")},
		{Type: trace.StepEnd, Step: "b", Payload: attrs("message", "the deadline passed", "status", "failed")},
	}
	want := []string{"0s  a", "0s    a failed: the request cannot be made: there is no address", "0s  b", "0s    attempt 1 at one: failure timeout", "0s    b failed"}
	got := timeline(events)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Shows that a chart keeps to the width of the terminal, wide characters
// included, and to ASCII where the terminal knows no more.
func TestChartWidth(t *testing.T) {
	wide := story()
	for i := range wide.Result.Events {
		wide.Result.Events[i].Step = strings.ReplaceAll(wide.Result.Events[i].Step, "outer.inner", "検索と要約の長い手順の名前です")
	}
	for _, width := range []int{40, 60, 80, 120, 240} {
		for _, e := range []Entry{story(), wide} {
			for l := range strings.Lines(chartOf(Options{Width: width}, e)) {
				if n := columns(strings.TrimSuffix(l, "\n")); n > max(width, 52) {
					t.Errorf("width %d: %d columns in %s", width, n, l)
				}
			}
		}
		plain := chartOf(Options{Width: width, Plain: true}, story())
		if i := strings.IndexFunc(plain, func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("width %d: %q", width, plain[i:])
		}
	}
	// Eleven characters of two columns each and the sign that the name goes on
	// leave one column of the 24 free.
	if got := chartOf(Options{}, wide); !strings.Contains(got, "\n      検索と要約の長い手順の…   ") {
		t.Errorf("a wide name is not cut to its columns:\n%s", got)
	}
	if colored := chartOf(Options{Color: true}, story()); !strings.Contains(colored, "\x1b[32m✓\x1b[0m") {
		t.Error("no colour")
	}
}

// Shows that a run of one instant is drawn in its order, and that a run of many
// steps and attempts stays readable.
func TestChartEdges(t *testing.T) {
	var events []trace.Event
	for range 3 {
		events = append(events,
			trace.Event{Type: trace.StepStart, Step: "ask"}, trace.Event{Type: trace.AttemptStart, Step: "ask", Attempt: 1, Target: "one"},
			trace.Event{Type: trace.AttemptEnd, Step: "ask", Attempt: 1, Target: "one", Payload: attrs("outcome", "failure")},
			trace.Event{Type: trace.StepEnd, Step: "ask", Payload: attrs("status", "failed")})
	}
	e := story()
	e.Result.Events, e.Result.Virtual = events, 0
	if got := chartOf(Options{}, e); !strings.Contains(got, "ask @ one  ✗✗✗\n") {
		t.Errorf("\n%s", got)
	}
	for n := range 500 {
		name := strings.Repeat("s", n%30) + string(rune('a'+n%26)) + string(rune('a'+n/26))
		at := time.Duration(n) * time.Millisecond
		for k := range 200 {
			events = append(events, trace.Event{Type: trace.AttemptStart, At: at, Step: name, Attempt: k, Target: "one"},
				trace.Event{Type: trace.AttemptEnd, At: at, Step: name, Attempt: k, Target: "one", Payload: attrs("outcome", "failure")})
		}
	}
	e.Result.Events, e.Result.Virtual = events, 500*time.Millisecond
	got := chartOf(Options{}, e)
	if n := strings.Count(got, "\n"); n > chartMax+10 || !strings.Contains(got, "more steps") {
		t.Errorf("%d lines", n)
	}
	if lines := timeline(events); len(lines) > timelineMax+1 || !strings.Contains(strings.Join(lines, "\n"), "more lines; --trace-out has all") {
		t.Errorf("%d lines of the timeline", len(lines))
	}
}

// Shows that a terminal of ASCII is shown nothing else by the results for
// people, whatever stands in them, and that our signs are told from the same
// characters in an answer.
func TestPlainText(t *testing.T) {
	for name, all := range suites() {
		for _, opts := range []Options{{Plain: true}, {Plain: true, Verbose: true}, {Plain: true, Quiet: true}} {
			out := withOptions(t, Formats()[0], opts, all)
			if i := strings.IndexFunc(out, func(r rune) bool { return r > 0x7e || r < ' ' && r != '\n' && r != '\t' }); i >= 0 {
				t.Errorf("%s, %+v: %q", name, opts, out[i:])
			}
		}
	}
	e := entries()[1]
	e.Result.Problems[0].Operands = []interp.Operand{{Text: "x", Value: `"✓ é…"`}}
	out := withOptions(t, Formats()[0], Options{Plain: true}, []Entry{e})
	if want := "\n      | x = \"\\u2713 \\u00e9...\"\n"; !strings.Contains(out, want) {
		t.Errorf("%s lacks %q", out, want)
	}
}

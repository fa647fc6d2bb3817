package explain

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// Explain writes why a scenario went as it did: for every step what stands
// around its attempts, from the outside in, then what answered each attempt,
// what named its failure, and what the retry policy made of it; then what the
// scenario did by itself, and what became of its actors. It reads the
// trace of the result, which holds no secrets.
func Explain(w io.Writer, r *plan.Result) error {
	p := plan.Inside(r.Plan)
	e := &explainer{plan: p}
	e.linef("scenario %q  %s:%d", r.Plan.Name, r.Plan.File, r.Plan.Line)
	if r.Plan.Skip != "" {
		e.linef("  skipped: %s", r.Plan.Skip)
	}
	plan.EachNode(p.Nodes(), func(n *plan.Node) { e.step(n, r.Events) })
	e.actions(r.Events)
	e.end(r.Events)
	if t := p.Recording; t != nil {
		e.linef("  hint: `scenario cassette show %s N` prints what is recorded", path.Join(path.Dir(r.Plan.File), t.Path))
	}
	_, err := io.WriteString(w, e.out.String())
	return err
}

type explainer struct {
	plan *plan.Plan
	out  strings.Builder
}

func (e *explainer) linef(format string, args ...any) {
	fmt.Fprintf(&e.out, format, args...)
	e.out.WriteByte('\n')
}

func (e *explainer) step(n *plan.Node, events []trace.Event) {
	s := n.Step
	place := fmt.Sprintf("line %d", s.Rng.Start.Line)
	if file := dsl.Place(s.Rng).Filename; file != e.plan.File {
		place = fmt.Sprintf("%s:%d", file, s.Rng.Start.Line)
	}
	kind := " (" + string(s.Kind) + ")"
	if e.noun(n) == string(s.Kind) {
		kind = ""
	}
	e.linef("  %s %q%s  %s", e.noun(n), n.Name, kind, place)
	if s.Gateway != nil {
		e.nesting(n)
	}
	iteration := 0
	for i := range events {
		ev := &events[i]
		if ev.Step != n.Name {
			continue
		}
		if ev.Iteration != iteration {
			iteration = ev.Iteration
			e.linef("    iteration %d", iteration)
		}
		e.event(ev)
	}
}

// noun is what a node stands for in the file.
func (e *explainer) noun(n *plan.Node) string {
	for _, d := range e.plan.Actions {
		if d.Node == n {
			return d.What()
		}
	}
	if n.Step.Kind == plan.KindHandler {
		return "handler"
	}
	return "step"
}

// nesting says what stands around an attempt of a step (language.md §3).
func (e *explainer) nesting(n *plan.Node) {
	s, w := n.Step, e.plan.Workflow
	list := []string{}
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if w.Timeout > 0 {
		add("workflow timeout %s", w.Timeout)
	}
	for _, o := range n.Around() {
		w = o.Step.Inner
		if o.Step.Timeout > 0 {
			add("timeout %s of step %q", o.Step.Timeout, o.Name)
		}
		switch {
		case o.Step.Fanout != nil:
			add("fanout %q", o.Name)
		case w.Body:
			add("loop %q", o.Name)
		case w.Timeout > 0:
			add("timeout %s of workflow %q", w.Timeout, w.Name)
		default:
			add("workflow %q", w.Name)
		}
	}
	if s.Fallback >= 0 {
		after := "a failure that may be retried"
		if s.FallbackAny {
			after = "any failure"
		}
		add("fallback step %q after %s", w.Steps[s.Fallback].Name, after)
	}
	if s.Timeout > 0 {
		add("step timeout %s", s.Timeout)
	}
	if len(s.Tools) > 0 {
		add("tool loop of at most %d turns", s.MaxTurns)
	}
	add("%s", retryText(s.Retry))
	for _, v := range s.Validates {
		add("contract %q", v.Name)
	}
	if s.Bulkhead != nil {
		add("bulkhead of the step: %d at once, %d waiting", s.Bulkhead.MaxConcurrent, s.Bulkhead.MaxQueue)
	}
	if s.Gateway.Name != "" {
		add("gateway %q", s.Gateway.Name)
	}
	e.linef("    around an attempt, from the outside in: %s", strings.Join(list, " › "))
	for _, t := range s.Gateway.Targets {
		e.linef("      target %q: %s", t.Name, strings.Join(targetTexts(s, t), " › "))
	}
}

func retryText(r policy.Retry) string {
	if r.MaxRetries == 0 {
		return "no retry"
	}
	b := r.Backoff
	shape := fmt.Sprintf("%s, then ×%g up to %s", b.Base, b.Multiplier, b.MaxDelay)
	if b.Linear {
		shape = fmt.Sprintf("%s, then %s more each time", b.Base, b.Increment)
	}
	text := fmt.Sprintf("retry %q: at most %d, after %s", r.Name, r.MaxRetries, shape)
	if len(r.On) > 0 {
		text += ", on " + strings.Join(r.On, ", ")
	}
	return text
}

func targetTexts(s *plan.Step, t *plan.Target) []string {
	var list []string
	if b := t.Breaker; b != nil {
		switch {
		case b.WindowCalls > 0:
			list = append(list, fmt.Sprintf("breaker: opens at %g of the last %d calls, for %s", b.FailureRate, b.WindowCalls, b.Reset))
		case b.WindowTime > 0:
			list = append(list, fmt.Sprintf("breaker: opens at %g of the calls of the last %s, for %s", b.FailureRate, b.WindowTime, b.Reset))
		default:
			list = append(list, fmt.Sprintf("breaker: opens after %d failures in a row, for %s", b.Threshold, b.Reset))
		}
	}
	if t.Bulkhead != nil {
		list = append(list, fmt.Sprintf("bulkhead: %d at once, %d waiting", t.Bulkhead.MaxConcurrent, t.Bulkhead.MaxQueue))
	}
	if t.Limit != nil {
		list = append(list, fmt.Sprintf("rate limit: %g requests a minute", t.Limit.RequestsPerMinute))
	}
	if d := plan.Shortest(s.AttemptTimeout, t.Timeout, t.Provider.Timeout); d > 0 {
		list = append(list, fmt.Sprintf("attempt timeout %s", d))
	} else {
		list = append(list, "no attempt timeout")
	}
	return append(list, fmt.Sprintf("provider %q (%s)", t.Provider.Name, t.Provider.Kind.Name))
}

func (e *explainer) event(ev *trace.Event) {
	switch ev.Type {
	case trace.AttemptEnd:
		e.attempt(ev)
	case trace.Failure:
		// That of an attempt is told with its end, the last one with the step's.
		if f := plan.FailureOf(ev); f != nil && ev.Target == "" && ev.Attempt > 0 {
			e.linef("    %s  the answer to attempt %d is no success", ev.At, ev.Attempt)
			e.linef("      %s", e.failure(f))
		}
	case trace.Rejection:
		e.linef("    %s  target %q was refused without a dial: %s (%s)", ev.At, ev.Target, plan.Get[string](ev, "reason"), plan.Get[string](ev, "message"))
	case trace.RetryWait:
		e.linef("    %s  waits %s, then round %d", ev.At, plan.Get[time.Duration](ev, "delay_ns"), ev.Round+1)
	case trace.Timeout:
		e.linef("    %s  the deadline of the %s passed after %s", ev.At, plan.Get[string](ev, "layer"), plan.Get[time.Duration](ev, "after_ns"))
	case trace.Fallback:
		if to := plan.Get[string](ev, "to"); plan.Get[string](ev, "gateway") == "" {
			e.linef("    %s  step %q runs in its place", ev.At, to)
		}
	case trace.RunEnd:
		e.linef("    %s  the workflow inside: %s", ev.At, plan.Get[string](ev, "status"))
	case trace.StepEnd:
		e.stepEnd(ev)
	}
}

func (e *explainer) attempt(ev *trace.Event) {
	by := "and nothing answered it"
	switch plan.Get[string](ev, "by") {
	case "script":
		by = fmt.Sprintf("by entry %d of the script", plan.Get[int](ev, "entry"))
		if kind := plan.Get[string](ev, "fault_type"); kind != "" {
			by += fmt.Sprintf(" (fault %s)", kind)
		}
	case "cassette":
		what := "interaction"
		if e.plan.Responses != nil {
			what = "answer"
		}
		by = fmt.Sprintf("by %s %d of %s", what, plan.Get[int](ev, "entry"), e.plan.Recording.Path)
	}
	e.linef("    %s  attempt %d on target %q: %s, %s", ev.At, ev.Attempt, ev.Target, plan.Get[string](ev, "outcome"), by)
	if f := plan.FailureOf(ev); f != nil {
		e.linef("      %s", e.failure(f))
	}
}

// hanging puts a margin before every line of a text but the first.
func hanging(text, margin string) string {
	return strings.ReplaceAll(text, "\n", "\n"+margin)
}

// failure names a failure and the rule that named it.
func (e *explainer) failure(f *failure.Failure) string {
	kind := string(f.Kind)
	if f.Cause != "" {
		kind += " (" + string(f.Cause) + ")"
	}
	text := fmt.Sprintf("%s: %s", kind, hanging(f.Message, "        ")) + beneath(f)
	if f.Mode == nil {
		return text
	}
	may := "may not be retried"
	switch {
	case f.Kind == failure.Contract && f.Retryable:
		may = "may be retried, as its contract says"
	case f.Mode.Terminal:
		may = "terminal"
	case f.Retryable:
		may = "may be retried"
	}
	return fmt.Sprintf("%s\n      mode %s by %s: %s", text, f.Mode.Code, e.rule(f.Rule), may)
}

// beneath tells what of a failure's context its message and its place do not.
func beneath(f *failure.Failure) string {
	var text strings.Builder
	for _, c := range f.Chain {
		if strings.Contains(f.Message, c.Message) {
			continue
		}
		said := c.Message
		if name := cmp.Or(c.Type, string(c.Kind)); name != "" {
			said = name + ": " + said
		}
		text.WriteString("\n        beneath it " + hanging(said, "          "))
	}
	if stage := failure.StageOf(f); stage != failure.Execute && f.Kind != failure.Cancelled {
		fmt.Fprintf(&text, "\n        in the stage %s", stage)
	}
	if f.Stack != "" {
		text.WriteString("\n        stack " + hanging(f.Stack, "          "))
	}
	return text.String()
}

// rule says where a rule of the file stands.
func (e *explainer) rule(name string) string {
	for _, d := range e.plan.Workflow.Taxonomy.Detects {
		if d.Name == name {
			return fmt.Sprintf("%s, %s:%d", name, dsl.Place(d.Rng).Filename, d.Rng.Start.Line)
		}
	}
	return fmt.Sprintf("the rule %q", name)
}

func (e *explainer) stepEnd(ev *trace.Event) {
	status := plan.Get[string](ev, "status")
	if reason := plan.Get[string](ev, "skipped_reason"); reason != "" {
		status += ": " + reason
	}
	if stop := plan.Get[string](ev, "stop"); stop != "" {
		status += fmt.Sprintf(" (no further round: %s)", stop)
	}
	e.linef("    %s  %s", ev.At, status)
	if f := plan.FailureOf(ev); f != nil && f.Attempt == 0 && f.Kind != failure.Cancelled {
		e.linef("      %s", e.failure(f))
	}
}

func (e *explainer) end(events []trace.Event) {
	for i := range events {
		switch ev := &events[i]; ev.Type {
		case trace.Gate:
			e.linef("  gate %s: %s", plan.Get[string](ev, "gate"), hanging(plan.Get[string](ev, "message"), "    "))
		case trace.RunEnd:
			if ev.Step != "" {
				continue
			}
			e.linef("  %s  run %s", ev.At, plan.Get[string](ev, "status"))
			if f := plan.FailureOf(ev); f != nil && f.Step == "" && f.Kind != failure.Cancelled {
				e.linef("    %s", strings.ReplaceAll(e.failure(f), "\n      ", "\n    "))
			}
		}
	}
}

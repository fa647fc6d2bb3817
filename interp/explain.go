package interp

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// Explain writes why a scenario went as it did: for every step what stands
// around its attempts, from the outside in, then what answered each attempt,
// what named its failure, and what the retry policy made of it; then what the
// scenario did by itself, and what became of its actors. It reads the
// trace of the result, which holds no secrets.
func Explain(w io.Writer, r *Result) error {
	e := &explainer{plan: r.Plan}
	e.linef("scenario %q  %s:%d", r.Plan.Name, r.Plan.File, r.Plan.Line)
	if r.Plan.Skip != "" {
		e.linef("  skipped: %s", r.Plan.Skip)
	}
	eachNode(r.Plan.nodes(), func(n *node) { e.step(n, r.Events) })
	e.drivers(r.Events)
	e.end(r.Events)
	if t := r.Plan.cassette; t != nil {
		e.linef("  hint: `scenario cassette show %s N` prints what is recorded", path.Join(path.Dir(r.Plan.File), t.path))
	}
	_, err := io.WriteString(w, e.out.String())
	return err
}

type explainer struct {
	plan *Plan
	out  strings.Builder
}

func (e *explainer) linef(format string, args ...any) {
	fmt.Fprintf(&e.out, format, args...)
	e.out.WriteByte('\n')
}

func (e *explainer) step(n *node, events []trace.Event) {
	s := n.step
	place := fmt.Sprintf("line %d", s.rng.Start.Line)
	if file := dsl.Place(s.rng).Filename; file != e.plan.File {
		place = fmt.Sprintf("%s:%d", file, s.rng.Start.Line)
	}
	kind := " (" + s.kind + ")"
	if e.noun(n) == s.kind {
		kind = ""
	}
	e.linef("  %s %q%s  %s", e.noun(n), n.name, kind, place)
	if s.gateway != nil {
		e.nesting(n)
	}
	iteration := 0
	for i := range events {
		ev := &events[i]
		if ev.Step != n.name {
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
func (e *explainer) noun(n *node) string {
	for _, d := range e.plan.drivers {
		if d.node == n {
			return d.what()
		}
	}
	if n.step.kind == kindHandler {
		return "handler"
	}
	return "step"
}

// nesting says what stands around an attempt of a step (language.md §3).
func (e *explainer) nesting(n *node) {
	s, w := n.step, e.plan.workflow
	list := []string{}
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if w.timeout > 0 {
		add("workflow timeout %s", w.timeout)
	}
	for _, o := range n.around() {
		w = o.step.inner
		if o.step.timeout > 0 {
			add("timeout %s of step %q", o.step.timeout, o.name)
		}
		switch {
		case o.step.kind == kindLoop:
			add("loop %q", o.name)
		case o.step.kind == kindFanout:
			add("fanout %q", o.name)
		case w.timeout > 0:
			add("timeout %s of workflow %q", w.timeout, w.name)
		default:
			add("workflow %q", w.name)
		}
	}
	if s.fallback >= 0 {
		after := "a failure that may be retried"
		if s.fallbackAny {
			after = "any failure"
		}
		add("fallback step %q after %s", w.steps[s.fallback].name, after)
	}
	if s.timeout > 0 {
		add("step timeout %s", s.timeout)
	}
	if len(s.tools) > 0 {
		add("tool loop of at most %d turns", s.maxTurns)
	}
	add("%s", retryText(s.retry))
	for _, v := range s.validates {
		add("contract %q", v.name)
	}
	if s.bulkhead != nil {
		add("bulkhead of the step: %d at once, %d waiting", s.bulkhead.MaxConcurrent, s.bulkhead.MaxQueue)
	}
	if s.gateway.name != "" {
		add("gateway %q", s.gateway.name)
	}
	e.linef("    around an attempt, from the outside in: %s", strings.Join(list, " › "))
	for _, t := range s.gateway.targets {
		e.linef("      target %q: %s", t.name, strings.Join(targetTexts(s, t), " › "))
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

func targetTexts(s *step, t *target) []string {
	var list []string
	if b := t.breaker; b != nil {
		switch {
		case b.WindowCalls > 0:
			list = append(list, fmt.Sprintf("breaker: opens at %g of the last %d calls, for %s", b.FailureRate, b.WindowCalls, b.Reset))
		case b.WindowTime > 0:
			list = append(list, fmt.Sprintf("breaker: opens at %g of the calls of the last %s, for %s", b.FailureRate, b.WindowTime, b.Reset))
		default:
			list = append(list, fmt.Sprintf("breaker: opens after %d failures in a row, for %s", b.Threshold, b.Reset))
		}
	}
	if t.bulkhead != nil {
		list = append(list, fmt.Sprintf("bulkhead: %d at once, %d waiting", t.bulkhead.MaxConcurrent, t.bulkhead.MaxQueue))
	}
	if t.limit != nil {
		list = append(list, fmt.Sprintf("rate limit: %g requests a minute", t.limit.RequestsPerMinute))
	}
	if d := shortest(s.attemptTimeout, t.timeout, t.provider.timeout); d > 0 {
		list = append(list, fmt.Sprintf("attempt timeout %s", d))
	} else {
		list = append(list, "no attempt timeout")
	}
	return append(list, fmt.Sprintf("provider %q (%s)", t.provider.name, t.provider.kind.Name))
}

// shortest is the smallest of the durations that are set, 0 for none.
func shortest(list ...time.Duration) time.Duration {
	d := time.Duration(0)
	for _, x := range list {
		if x > 0 && (d == 0 || x < d) {
			d = x
		}
	}
	return d
}

func (e *explainer) event(ev *trace.Event) {
	switch ev.Type {
	case trace.AttemptEnd:
		e.attempt(ev)
	case trace.Failure:
		// That of an attempt is told with its end, the last one with the step's.
		if f := failureOf(ev); f != nil && ev.Target == "" && ev.Attempt > 0 {
			e.linef("    %s  the answer to attempt %d is no success", ev.At, ev.Attempt)
			e.linef("      %s", e.failure(f))
		}
	case trace.Rejection:
		e.linef("    %s  target %q was refused without a dial: %s (%s)", ev.At, ev.Target, get[string](ev, "reason"), get[string](ev, "message"))
	case trace.RetryWait:
		e.linef("    %s  waits %s, then round %d", ev.At, get[time.Duration](ev, "delay_ns"), ev.Round+1)
	case trace.Timeout:
		e.linef("    %s  the deadline of the %s passed after %s", ev.At, get[string](ev, "layer"), get[time.Duration](ev, "after_ns"))
	case trace.Fallback:
		if to := get[string](ev, "to"); get[string](ev, "gateway") == "" {
			e.linef("    %s  step %q runs in its place", ev.At, to)
		}
	case trace.RunEnd:
		e.linef("    %s  the workflow inside: %s", ev.At, get[string](ev, "status"))
	case trace.StepEnd:
		e.stepEnd(ev)
	}
}

func (e *explainer) attempt(ev *trace.Event) {
	by := "and nothing answered it"
	switch get[string](ev, "by") {
	case "script":
		by = fmt.Sprintf("by entry %d of the script", get[int](ev, "entry"))
		if kind := get[string](ev, "fault_type"); kind != "" {
			by += fmt.Sprintf(" (fault %s)", kind)
		}
	case "cassette":
		what := "interaction"
		if e.plan.responses != nil {
			what = "answer"
		}
		by = fmt.Sprintf("by %s %d of %s", what, get[int](ev, "entry"), e.plan.cassette.path)
	}
	e.linef("    %s  attempt %d on target %q: %s, %s", ev.At, ev.Attempt, ev.Target, get[string](ev, "outcome"), by)
	if f := failureOf(ev); f != nil {
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
	for _, d := range e.plan.workflow.taxonomy.detects {
		if d.name == name {
			return fmt.Sprintf("%s, %s:%d", name, dsl.Place(d.rng).Filename, d.rng.Start.Line)
		}
	}
	return fmt.Sprintf("the rule %q", name)
}

func (e *explainer) stepEnd(ev *trace.Event) {
	status := get[string](ev, "status")
	if reason := get[string](ev, "skipped_reason"); reason != "" {
		status += ": " + reason
	}
	if stop := get[string](ev, "stop"); stop != "" {
		status += fmt.Sprintf(" (no further round: %s)", stop)
	}
	e.linef("    %s  %s", ev.At, status)
	if f := failureOf(ev); f != nil && f.Attempt == 0 && f.Kind != failure.Cancelled {
		e.linef("      %s", e.failure(f))
	}
}

func (e *explainer) end(events []trace.Event) {
	for i := range events {
		switch ev := &events[i]; ev.Type {
		case trace.Gate:
			e.linef("  gate %s: %s", get[string](ev, "gate"), hanging(get[string](ev, "message"), "    "))
		case trace.RunEnd:
			if ev.Step != "" {
				continue
			}
			e.linef("  %s  run %s", ev.At, get[string](ev, "status"))
			if f := failureOf(ev); f != nil && f.Step == "" && f.Kind != failure.Cancelled {
				e.linef("    %s", strings.ReplaceAll(e.failure(f), "\n      ", "\n    "))
			}
		}
	}
}

package explain

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
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
	e := newExplainer(p, event.Shown(r.Events))
	e.linef("scenario %q  %s:%d", r.Plan.Name, r.Plan.File, r.Plan.Line)
	if why := r.Plan.NotRun(plan.Interpreted); why != "" && !r.Ran() {
		e.linef("  skipped: %s", why)
	}
	plan.EachNode(p.Nodes(), e.step)
	e.actions()
	e.end()
	if t := p.Recording; t != nil {
		e.linef("  hint: `scenario cassette show %s N` prints what is recorded", path.Join(path.Dir(r.Plan.File), t.Path))
	}
	_, err := io.WriteString(w, e.out.String())
	return err
}

type explainer struct {
	plan   *plan.Plan
	events []trace.Event
	out    strings.Builder
	// The events of each step, call and actor, and the block that a node stands for:
	// a scenario may have ten thousand of each.
	steps, calls, actors map[string][]*trace.Event
	blocks               map[*plan.Node]*plan.Action
}

func newExplainer(p *plan.Plan, events []trace.Event) *explainer {
	e := &explainer{
		plan: p, events: events, blocks: map[*plan.Node]*plan.Action{},
		steps: map[string][]*trace.Event{}, calls: map[string][]*trace.Event{}, actors: map[string][]*trace.Event{},
	}
	for i := range events {
		ev := &events[i]
		e.steps[ev.Step] = append(e.steps[ev.Step], ev)
		e.calls[ev.Call] = append(e.calls[ev.Call], ev)
		e.actors[ev.Actor] = append(e.actors[ev.Actor], ev)
	}
	for _, d := range p.Actions {
		e.blocks[d.Node] = d
	}
	return e
}

func (e *explainer) linef(format string, args ...any) {
	fmt.Fprintf(&e.out, format, args...)
	e.out.WriteByte('\n')
}

func (e *explainer) step(n *plan.Node) {
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
	for _, ev := range e.steps[n.Name] {
		if ev.Iteration != iteration {
			iteration = ev.Iteration
			e.linef("    iteration %d", iteration)
		}
		e.event(ev)
	}
}

// noun is what a node stands for in the file.
func (e *explainer) noun(n *plan.Node) string {
	if d := e.blocks[n]; d != nil {
		return d.What()
	}
	if n.Step.Kind == plan.KindHandler {
		return "handler"
	}
	return "step"
}

// nesting says what stands around an attempt of a step.
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
		add("bulkhead of the step: %s", s.Bulkhead.Text())
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
	for _, c := range t.Policies {
		list = append(list, strings.ReplaceAll(c.Kind().Name, "_", " ")+": "+c.Text())
	}
	if d := plan.Shortest(s.AttemptTimeout, t.Timeout, t.Provider.Timeout); d > 0 {
		list = append(list, fmt.Sprintf("attempt timeout %s", d))
	} else {
		list = append(list, "no attempt timeout")
	}
	if silence := s.Silence.Within(t.Provider.Silence); silence.FirstByte > 0 {
		list = append(list, fmt.Sprintf("first byte timeout %s", silence.FirstByte))
	}
	if silence := s.Silence.Within(t.Provider.Silence); silence.Idle > 0 {
		list = append(list, fmt.Sprintf("idle timeout %s", silence.Idle))
	}
	return append(list, fmt.Sprintf("provider %q (%s)", t.Provider.Name, t.Provider.Kind.Name))
}

func (e *explainer) event(ev *trace.Event) {
	switch p := ev.Payload.(type) {
	case *event.AttemptEnd:
		e.attempt(ev, p)
	case *event.Failure:
		// That of an attempt is told with its end, the last one with the step's.
		if f := p.Failure(ev, p.StatusCode, event.Place{}); f != nil && ev.Target == "" && ev.Attempt > 0 {
			e.linef("    %s  the answer to attempt %d is no success", ev.At, ev.Attempt)
			e.linef("      %s", e.failure(f))
		}
	case *event.Rejection:
		e.linef("    %s  target %q was refused without a dial: %s (%s)", ev.At, ev.Target, p.Reason, p.Message)
	case *event.RetryWait:
		e.linef("    %s  waits %s, then round %d", ev.At, p.Delay, ev.Round+1)
	case *event.Timeout:
		e.linef("    %s  the deadline of the %s passed after %s", ev.At, p.Layer, p.After)
	case *event.Fallback:
		if p.Gateway == "" {
			e.linef("    %s  step %q runs in its place", ev.At, p.To)
		}
	case *event.RunEnd:
		e.linef("    %s  the workflow inside: %s", ev.At, p.Status)
	case *event.StepEnd:
		e.stepEnd(ev, p)
	}
}

func (e *explainer) attempt(ev *trace.Event, p *event.AttemptEnd) {
	by := "and nothing answered it"
	switch p.By {
	case "script":
		by = fmt.Sprintf("by entry %d of the script", p.Entry)
		if p.Entry == 0 {
			by = "by an outage"
		}
		if p.FaultType != "" {
			by += fmt.Sprintf(" (fault %s)", p.FaultType)
		}
	case "cassette":
		what := "interaction"
		if e.plan.Responses != nil {
			what = "answer"
		}
		by = fmt.Sprintf("by %s %d of %s", what, p.Entry, e.plan.Recording.Path)
	}
	e.linef("    %s  attempt %d on target %q: %s, %s", ev.At, ev.Attempt, ev.Target, p.Outcome, by)
	if f := p.Failure(ev, p.StatusCode, event.Place{}); f != nil {
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

func (e *explainer) stepEnd(ev *trace.Event, p *event.StepEnd) {
	status := p.Status
	if p.SkippedReason != "" {
		status += ": " + p.SkippedReason
	}
	if p.Stop != "" {
		status += fmt.Sprintf(" (no further round: %s)", p.Stop)
	}
	e.linef("    %s  %s", ev.At, status)
	if f := p.Failure(ev, p.StatusCode, p.Place); f != nil && f.Attempt == 0 && f.Kind != failure.Cancelled {
		e.linef("      %s", e.failure(f))
	}
}

func (e *explainer) end() {
	var broken []string
	for i := range e.events {
		ev := &e.events[i]
		switch p := ev.Payload.(type) {
		case *event.Gate:
			e.linef("  gate %s: %s", p.Gate, hanging(p.Message, "    "))
			if !slices.Contains(broken, p.Gate) {
				broken = append(broken, p.Gate)
			}
		case *event.Defect:
			e.linef("  cannot be played: %s", hanging(p.Message, "    "))
		case *event.RunEnd:
			if ev.Step != "" {
				continue
			}
			e.linef("  %s  run %s", ev.At, p.Status)
			at := event.Place{FailedStep: p.FailedStep, FailedAttempt: p.FailedAttempt, FailedTarget: p.FailedTarget}
			if f := p.Failure(ev, p.StatusCode, at); f != nil && f.Step == "" && f.Kind != failure.Cancelled {
				e.linef("    %s", strings.ReplaceAll(e.failure(f), "\n      ", "\n    "))
			}
		}
	}
	for _, gate := range broken {
		e.linef("  `scenario help gate %s` says what it means, with an example", gate)
	}
}

package telemetry

import (
	"time"

	"github.com/scenario-lang/scenario/trace"
)

func at(seconds float64, e trace.Event) trace.Event {
	e.At = time.Duration(seconds * float64(time.Second))
	return e
}

func attrs(kv ...any) trace.Attrs {
	var out trace.Attrs
	for i := 0; i < len(kv); i += 2 {
		out = append(out, trace.Attr{Key: kv[i].(string), Value: kv[i+1]})
	}
	return out
}

var header = trace.Header{File: "a.scenario.hcl", Scenario: "falls back", Seed: 1, Plan: "sha256:00", RunID: "run-1"}

// fallbackRun is V40: the primary times out at 2 s, the backup answers at 3 s;
// then a breaker trips, a later step is refused, retried and answered from a
// cassette, and another is skipped.
func fallbackRun() []trace.Event {
	var l trace.Log
	usage := map[string]any{"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}
	attempt := func(n int, target string) trace.Event {
		return trace.Event{Step: "ask", Attempt: n, Round: 1, Target: target}
	}
	add := func(seconds float64, typ trace.Type, e trace.Event, kv ...any) {
		e.Type, e.Payload = typ, attrs(kv...)
		l.Append(at(seconds, e))
	}
	first, second := attempt(1, "primary"), attempt(2, "backup")
	add(0, trace.RunStart, trace.Event{}, "workflow", "support", "run_id", "run-1")
	add(0, trace.StepStart, trace.Event{Step: "ask"}, "kind", "llm")
	add(0, trace.AttemptStart, first, "operation", "chat", "system", "openai", "model", "gpt-4o-mini", "method", "POST", "url", "https://h/v1/chat/completions?key=x")
	add(0, trace.Fault, first, "fault_type", "timeout", "entry", 1)
	add(2, trace.Failure, first, "kind", "timeout", "mode", "SYSTEM_TIMEOUT")
	add(2, trace.AttemptEnd, first, "outcome", "failure", "kind", "timeout", "message", "too late", "by", "script", "fault_type", "timeout")
	add(2, trace.Breaker, trace.Event{Target: "primary"}, "from", "closed", "to", "open", "failures", 1)
	add(2, trace.AttemptStart, second, "operation", "chat", "provider", "anthropic", "model", "claude", "url", "https://h")
	add(3, trace.AttemptEnd, second, "outcome", "success", "by", "script", "status_code", 200, "usage", usage, "finish_reason", "stop", "cost_usd", 0.25)
	add(3, trace.Fallback, trace.Event{Step: "ask"}, "gateway", "llm", "from", "primary", "to", "backup")
	add(3, trace.StepEnd, trace.Event{Step: "ask"}, "status", "success")

	page := trace.Event{Step: "page", Attempt: 1, Round: 2, Target: "site"}
	add(3, trace.StepStart, trace.Event{Step: "page"}, "kind", "http")
	add(3, trace.Rejection, trace.Event{Step: "page", Target: "primary", Round: 1}, "reason", "circuit_open")
	add(3, trace.RetryWait, trace.Event{Step: "page", Round: 1}, "delay_ns", time.Second, "retry", 1)
	add(4, trace.AttemptStart, page, "method", "GET", "url", "https://h/p?q=secret")
	add(4.5, trace.AttemptEnd, page, "outcome", "success", "by", "cassette", "status_code", 200)
	add(4.5, trace.StepEnd, trace.Event{Step: "page"}, "status", "success", "retries", 1)
	add(4.5, trace.StepStart, trace.Event{Step: "later"}, "kind", "value")
	add(4.5, trace.StepEnd, trace.Event{Step: "later"}, "status", "skipped", "skipped_reason", "when is false")
	add(5, trace.RunEnd, trace.Event{}, "status", "success", "run_id", "run-1")
	return l.Events()
}

package scenario

import (
	"math/big"
	"time"

	"github.com/zclconf/go-cty/cty"
)

// A Step is what a run did in one step: what conditions read of it. Times count
// from the start of the run.
type Step struct {
	Name string
	// Kind is "llm", "http", "value" and so on; set only by [Result.Steps].
	Kind string
	// Status is "success", "failed", "timeout", "skipped", "cancelled" or
	// "aborted"; "" where the run ended before the step did.
	Status string
	// Output is what steps that depend on it read, as [Result.Value] gives it.
	Output any
	// Content is the answer of a model, or the body of an HTTP answer.
	Content string
	// Failure is why the step did not succeed, nil where it did.
	Failure *Failure
	// Attempts are all dials, in order; Retries counts the rounds after the
	// first, and Stop says why no further one followed a failed one.
	Attempts []Attempt
	Retries  int
	Stop     string
	// Delays are the waits between rounds.
	Delays         []time.Duration
	Started, Ended time.Duration
	// Target is the target that answered, or was called last.
	Target string
}

// An Attempt is one dial of one target. Times count from the start of the step.
type Attempt struct {
	// N counts the attempts of the step, and Round the rounds of its retry
	// policy, both from 1.
	N, Round         int
	At, Elapsed      time.Duration
	Target, Provider string
	// StatusCode is the status of the answer, 0 where there was none.
	StatusCode int
	// Outcome is "success", "failure" or "cancelled".
	Outcome string
	// Fault is the kind of the fault that was injected, "" for none.
	Fault string
	// Failure is what was observed, nil for a success.
	Failure *Failure
	// Request and Response are what was sent and what came back, as
	// [Result.Value] gives them.
	Request, Response any
}

// A Failure is what was observed to have gone wrong.
type Failure struct {
	// Kind is from the wire: "http_status", "timeout", "connection" and so on.
	Kind string
	// Mode and Category are those of the taxonomy.
	Mode, Category string
	Message        string
	// StatusCode is that of an HTTP answer, 0 for none.
	StatusCode int
	// Retryable says whether the taxonomy considers the failure worth retrying.
	Retryable bool
}

func stepOf(name string, v cty.Value) *Step {
	if v.IsNull() || !v.Type().IsObjectType() {
		return nil
	}
	s := &Step{
		Name: name, Kind: text(v, "kind"), Status: text(v, "status"), Output: plain(attr(v, "output")), Content: text(v, "content"),
		Failure: failureOf(attr(v, "error")), Retries: int(number(v, "retries")), Stop: text(v, "stop"),
		Started: millis(attr(v, "started_ms")), Ended: millis(attr(v, "ended_ms")), Target: text(v, "target"),
	}
	if s.Content == "" {
		s.Content = text(v, "body")
	}
	for _, d := range items(attr(v, "delays_ms")) {
		s.Delays = append(s.Delays, millis(d))
	}
	for _, a := range items(attr(v, "attempts")) {
		s.Attempts = append(s.Attempts, Attempt{
			N: int(number(a, "n")), Round: int(number(a, "round")), At: millis(attr(a, "at_ms")), Elapsed: millis(attr(a, "elapsed_ms")),
			Target: text(a, "target"), Provider: text(a, "provider"), StatusCode: int(number(a, "status_code")), Outcome: text(a, "outcome"),
			Fault: text(a, "fault"), Failure: failureOf(attr(a, "error")), Request: plain(attr(a, "request")), Response: plain(attr(a, "response")),
		})
	}
	return s
}

func failureOf(v cty.Value) *Failure {
	if v.IsNull() || !v.Type().IsObjectType() {
		return nil
	}
	retryable := attr(v, "retryable")
	return &Failure{
		Kind: text(v, "kind"), Mode: text(v, "mode"), Category: text(v, "category"), Message: text(v, "message"), StatusCode: int(number(v, "status_code")),
		Retryable: !retryable.IsNull() && retryable.Type() == cty.Bool && retryable.True(),
	}
}

// attr is an attribute of an object, null where there is none.
func attr(v cty.Value, name string) cty.Value {
	if !v.Type().HasAttribute(name) {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v.GetAttr(name)
}

func text(v cty.Value, name string) string {
	if a := attr(v, name); !a.IsNull() && a.Type() == cty.String {
		return a.AsString()
	}
	return ""
}

func number(v cty.Value, name string) float64 {
	a := attr(v, name)
	if a.IsNull() || a.Type() != cty.Number {
		return 0
	}
	n, _ := a.AsBigFloat().Float64()
	return n
}

// millis is a number of milliseconds.
func millis(v cty.Value) time.Duration {
	if v.IsNull() || v.Type() != cty.Number {
		return 0
	}
	ns, _ := new(big.Float).Mul(v.AsBigFloat(), big.NewFloat(float64(time.Millisecond))).Int64()
	return time.Duration(ns)
}

func items(v cty.Value) []cty.Value {
	if v.IsNull() || !v.CanIterateElements() {
		return nil
	}
	return v.AsValueSlice()
}

// plain is a value of the language as a value of Go.
func plain(v cty.Value) any {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	switch t := v.Type(); {
	case t == cty.String:
		return v.AsString()
	case t == cty.Bool:
		return v.True()
	case t == cty.Number:
		n, _ := v.AsBigFloat().Float64()
		return n
	case t.IsObjectType(), t.IsMapType():
		m := make(map[string]any, v.LengthInt())
		for name, x := range v.AsValueMap() {
			m[name] = plain(x)
		}
		return m
	}
	list := make([]any, 0, v.LengthInt())
	for _, x := range v.AsValueSlice() {
		list = append(list, plain(x))
	}
	return list
}

package event

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/trace"
)

// A Failed says how an attempt, a step, a session or a run ended badly; nil for
// one that did not. The name of an exception is error_type, because type is the
// event's own.
type Failed struct {
	Kind      string `attr:"kind,always" doc:"typed kind of the failure"`
	Cause     string `attr:"cause" doc:"what tells failures of that kind apart: refused, reset, dns, tls, eof, signal"`
	ErrorType string `attr:"error_type,outside" doc:"name of the exception, where one was given"`
	Message   string `attr:"message,always,outside" doc:"what went wrong, for people"`
	*Mode
	Retryable    bool           `attr:"retryable,always" doc:"whether it may be retried"`
	Rule         string         `attr:"rule" doc:"rule of classification that decided"`
	RetryAfter   *time.Duration `attr:"retry_after_ns" doc:"wait that the server asked for"`
	SQLState     string         `attr:"sqlstate,outside" doc:"state of a database error"`
	Stage        string         `attr:"stage" doc:"stage of the run in which it was observed: initialize, plan, route, execute or aggregate"`
	Doing        string         `attr:"doing,outside" doc:"what was being done, as the span of the attempt is called"`
	AfterRetries int            `attr:"after_retries" doc:"rounds of the step that had followed its first"`
	Chain        Chain          `attr:"chain,outside" doc:"failures beneath it, the nearest first"`
	Stack        string         `attr:"stack,outside" doc:"stack trace that came with an exception"`
}

// Equal reports whether two events say the same of a failure.
func (o *Failed) Equal(p *Failed) bool {
	return o.Kind == p.Kind && o.Cause == p.Cause && o.ErrorType == p.ErrorType && o.Message == p.Message && alike(o.Mode, p.Mode) &&
		o.Retryable == p.Retryable && o.Rule == p.Rule && alike(o.RetryAfter, p.RetryAfter) && o.SQLState == p.SQLState && o.Stage == p.Stage &&
		o.Doing == p.Doing && o.AfterRetries == p.AfterRetries && slices.Equal(o.Chain, p.Chain) && o.Stack == p.Stack
}

// alike reports whether two pointers point to equal values, or both to none.
func alike[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// A Mode is the mode of a failure that has one.
type Mode struct {
	Code     string `attr:"mode" doc:"code of the taxonomy"`
	Category string `attr:"category" doc:"category of the mode"`
	Severity string `attr:"severity" doc:"severity of the mode"`
	Terminal bool   `attr:"terminal,always" doc:"whether it ends the run"`
	Partial  bool   `attr:"partial,always" doc:"whether partial results are possible"`
}

// A Place says where the failure of a step or a run was observed, where that is
// another place than the event's.
type Place struct {
	FailedStep    string `attr:"failed_step" doc:"step inside this one that the failure was observed in"`
	FailedAttempt int    `attr:"failed_attempt" doc:"attempt that the failure was observed in"`
	FailedTarget  string `attr:"failed_target" doc:"target that the failure was observed on"`
}

// A Chain is what lies beneath a failure.
type Chain []Beneath

// A Beneath is one failure of a chain.
type Beneath struct {
	Kind       string `json:"kind"`
	Cause      string `json:"cause"`
	Type       string `json:"type"`
	Step       string `json:"step"`
	Target     string `json:"target"`
	Mode       string `json:"mode"`
	StatusCode int    `json:"status_code"`
	Attempt    int    `json:"attempt"`
	Message    string `json:"message"`
}

// AppendJSON implements trace.Value.
func (c Chain) AppendJSON(dst []byte) []byte {
	list := make([]any, len(c))
	for i := range c {
		f := &c[i]
		object := map[string]any{"message": f.Message}
		add := func(key, value string) {
			if value != "" {
				object[key] = value
			}
		}
		add("kind", f.Kind)
		add("cause", f.Cause)
		add("type", f.Type)
		add("step", f.Step)
		add("target", f.Target)
		add("mode", f.Mode)
		if f.StatusCode != 0 {
			object["status_code"] = f.StatusCode
		}
		if f.Attempt != 0 {
			object["attempt"] = f.Attempt
		}
		list[i] = object
	}
	return trace.AppendValue(dst, list)
}

// FailedOf is what events say of a failure, nil for none.
func FailedOf(f *failure.Failure) *Failed {
	o := ActorFailed(f)
	if o == nil {
		return nil
	}
	o.Stage, o.Doing, o.AfterRetries, o.Stack = string(failure.StageOf(f)), f.Operation, f.Retries, f.Stack
	for i := range f.Chain {
		b := &f.Chain[i]
		beneath := Beneath{
			Kind: string(b.Kind), Cause: string(b.Cause), Type: b.Type, Step: b.Step, Target: b.Target, StatusCode: b.StatusCode, Attempt: b.Attempt, Message: b.Message,
		}
		if b.Mode != nil {
			beneath.Mode = b.Mode.Code
		}
		o.Chain = append(o.Chain, beneath)
	}
	return o
}

// ActorFailed is what events of an actor say of a failure, nil for none: it
// knows nothing of the run's stages.
func ActorFailed(f *failure.Failure) *Failed {
	if f == nil {
		return nil
	}
	o := &Failed{
		Kind: string(f.Kind), Cause: string(f.Cause), ErrorType: f.Type, Message: f.Message, Retryable: f.Retryable, Rule: f.Rule, SQLState: f.SQLState,
	}
	if m := f.Mode; m != nil {
		o.Mode = &Mode{m.Code, m.Category, m.Severity, m.Terminal, m.Partial}
	}
	if f.HasRetryAfter {
		after := f.RetryAfter
		o.RetryAfter = &after
	}
	return o
}

// StatusOf is the status of the answer that a failure is of, 0 for none.
func StatusOf(f *failure.Failure) int {
	if f == nil {
		return 0
	}
	return f.StatusCode
}

// PlaceOf is where a failure was observed.
func PlaceOf(f *failure.Failure) Place {
	if f == nil {
		return Place{}
	}
	return Place{f.Step, f.Attempt, f.Target}
}

// Failure is the failure that an event tells of, nil where it tells of none.
// The event says where it was observed, unless at does, and status is that of
// the answer.
func (o *Failed) Failure(e *trace.Event, status int, at Place) *failure.Failure {
	if o == nil {
		return nil
	}
	f := &failure.Failure{
		Kind: failure.Kind(o.Kind), Cause: failure.Cause(o.Cause), Type: o.ErrorType, Message: o.Message, Stage: failure.Stage(o.Stage),
		Operation: o.Doing, Stack: o.Stack, Retries: o.AfterRetries, Rule: o.Rule, SQLState: o.SQLState, Retryable: o.Retryable,
		Step: e.Step, Attempt: e.Attempt, Target: e.Target,
	}
	if e.Attempt == 0 {
		f.Attempt, f.Target = at.FailedAttempt, at.FailedTarget
	}
	if at.FailedStep != "" {
		f.Step = at.FailedStep
	}
	if m := o.Mode; m != nil && m.Code != "" {
		f.Mode = &failure.Mode{Code: m.Code, Category: m.Category, Severity: m.Severity, Retryable: o.Retryable, Terminal: m.Terminal, Partial: m.Partial}
	}
	if o.RetryAfter != nil {
		f.RetryAfter, f.HasRetryAfter = *o.RetryAfter, true
	}
	switch f.Kind {
	case failure.HTTPStatus, failure.RateLimit, failure.Overloaded:
		// Of any other kind the status is the answer's, which had nothing to
		// do with the failure.
		f.StatusCode = status
	}
	for _, b := range o.Chain {
		beneath := failure.Failure{
			Kind: failure.Kind(b.Kind), Cause: failure.Cause(b.Cause), Type: b.Type, Step: b.Step, Target: b.Target, StatusCode: b.StatusCode, Attempt: b.Attempt, Message: b.Message,
		}
		if b.Mode != "" {
			beneath.Mode = &failure.Mode{Code: b.Mode}
		}
		f.Chain = append(f.Chain, beneath)
	}
	return f
}

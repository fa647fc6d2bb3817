package event

import "github.com/scenario-lang/scenario/trace"

// StepStart is the payload of trace.StepStart.
type StepStart struct {
	Kind    string `attr:"kind" doc:"kind of the step"`
	Gateway string `attr:"gateway" doc:"gateway of the step"`
}

// EventType implements trace.Payload.
func (*StepStart) EventType() trace.Type { return trace.StepStart }

// StepEnd is the payload of trace.StepEnd.
type StepEnd struct {
	*Failed
	Place
	Answer
	StatusCode    int      `attr:"status_code" doc:"HTTP status"`
	Status        string   `attr:"status" doc:"success, failed, timeout, skipped, cancelled or aborted"`
	Output        Value    `attr:"output,outside" doc:"output of the step"`
	Stop          string   `attr:"stop" doc:"why no further round followed a failed one: cancelled, terminal, exhausted, not_retryable, not_idempotent, wait_too_long"`
	SkippedReason string   `attr:"skipped_reason" doc:"why it was skipped"`
	Retries       int      `attr:"retries" doc:"rounds after the first"`
	Classifier    string   `attr:"classifier" doc:"classifier, for a step or block that classifies"`
	Met           []string `attr:"met" doc:"events of the scenario that cancelled it, or that decided who was a candidate of its classifier"`
}

// EventType implements trace.Payload.
func (*StepEnd) EventType() trace.Type { return trace.StepEnd }

// An Answer is what the kinds of steps make of what they do, each its part: the
// engine gathers it, the end of the step tells it, and the result of the step
// holds it.
type Answer struct {
	HasContent   bool     `attr:"answered" doc:"whether anything of an answer was read"`
	Content      string   `attr:"content,outside" doc:"text of the answer"`
	Chunks       []string `attr:"chunks,outside" doc:"content deltas of the last stream, in order"`
	FinishReason string   `attr:"finish_reason,outside" doc:"why the model stopped"`
	ToolCalls    Calls    `attr:"tool_calls,outside" doc:"tools the model asked for, of all turns"`
	Model        string   `attr:"model,outside" doc:"model that answered"`
	Turns        int      `attr:"turns" doc:"turns of the tool loop"`
	Iterations   int      `attr:"iterations" doc:"iterations of a loop"`
	Headers      Headers  `attr:"headers,outside" doc:"response headers, redacted"`
	Body         string   `attr:"body,outside" doc:"body of the answer"`
	JSON         Value    `attr:"json,outside" doc:"body of the answer, parsed"`
	Rows         Value    `attr:"rows,outside" type:"list" doc:"rows that a statement returned"`
	Affected     *int     `attr:"affected" doc:"rows that a statement returned or changed, as the database says"`
	Outcome      string   `attr:"outcome" doc:"outcome of the classification"`
	Entries      Value    `attr:"entries,outside" type:"list" doc:"entries of a classification, those for the fallback included"`
	Aggregate    string   `attr:"aggregate,outside" doc:"text of a fanout"`
	Structured   Value    `attr:"structured,outside" doc:"structured content of the answer"`
	IsError      bool     `attr:"is_error" doc:"whether the answer calls itself an error"`
	Progress     Value    `attr:"progress,outside" type:"list" doc:"reports of progress, in order"`
}

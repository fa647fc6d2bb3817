package failure

import "time"

// A Kind is the typed name of a failure as it was seen on the wire or raised
// by a policy.
type Kind string

// The kinds of failure, as the reference lists them.
const (
	Timeout           Kind = "timeout"
	Connection        Kind = "connection"
	RateLimit         Kind = "rate_limit"
	Overloaded        Kind = "overloaded"
	HTTPStatus        Kind = "http_status"
	MalformedResponse Kind = "malformed_response"
	StreamInterrupted Kind = "stream_interrupted"
	StreamIncomplete  Kind = "stream_incomplete"
	CircuitOpen       Kind = "circuit_open"
	Cancelled         Kind = "cancelled"
	Contract          Kind = "contract"
	BudgetExceeded    Kind = "budget_exceeded"
	ToolError         Kind = "tool_error"
	ToolNotFound      Kind = "tool_not_found"
	ProtocolError     Kind = "protocol_error"
	SessionExpired    Kind = "session_expired"
	TargetUnavailable Kind = "target_unavailable"
	Quarantined       Kind = "quarantined"
	QueueFull         Kind = "queue_full"
	LockTimeout       Kind = "lock_timeout"
	PoolTimeout       Kind = "pool_timeout"
	DBError           Kind = "db_error"
	DBTimeout         Kind = "db_timeout"
	RoutingCycle      Kind = "routing_cycle"
	Validation        Kind = "validation"
	Permission        Kind = "permission"
	ExecFailed        Kind = "exec_failed"
	MaxToolIterations Kind = "max_tool_iterations"
	Exception         Kind = "exception"
)

// A Cause tells failures of one kind apart: those of [Connection], and of
// [ExecFailed] the ones that a signal ended.
type Cause string

// The causes of a connection failure.
const (
	Refused Cause = "refused"
	Reset   Cause = "reset"
	DNS     Cause = "dns"
	TLS     Cause = "tls"
	EOF     Cause = "eof"
)

// Signal is the cause of an exec failure whose process was killed by one.
const Signal Cause = "signal"

// A Failure is what was observed of a call that did not succeed. It is a
// value: policies that annotate one copy it first.
type Failure struct {
	Kind  Kind
	Cause Cause
	// Type is the name given by a real exception or by the fault "error".
	Type    string
	Message string
	// StatusCode is the HTTP status, 0 where there was none.
	StatusCode int
	// Stands is the status that the provider's word for its error stands for,
	// where StatusCode promised success; 0 where it stands for none. It decides
	// about the mode and about nothing else: a program that looks at statuses
	// sees StatusCode.
	Stands int
	// RetryAfter is the wait the server asked for; HasRetryAfter tells an
	// absent one from zero.
	RetryAfter    time.Duration
	HasRetryAfter bool
	// SQLState is the state of a database error, "" for others.
	SQLState string
	// Mode is the mode that classification gave, or an explicit one set before
	// it. Nil until classified, and always nil for Cancelled.
	Mode *Mode
	// Rule is the rule of classification that decided, for explain.
	Rule string
	// Retryable is Mode.Retryable unless a policy decided otherwise (a gateway
	// is retryable when any of its targets is).
	Retryable bool
	// Unsent says that the call certainly never reached its target: it was
	// refused on the way, or nobody was there.
	Unsent bool
	// Step, Attempt and Target say where it was observed.
	Step    string
	Attempt int
	Target  string
	// Stage is the stage of the run in which it was observed, "" until that is
	// known.
	Stage Stage
	// Operation is what was being done, such as "chat gpt-4o-mini", "" where
	// nothing was dialled.
	Operation string
	// Retries is how many rounds of the step had followed its first by then.
	Retries int
	// Chain holds what lies beneath: the failures of a gateway's targets, what
	// a deadline cut short, the causes of an exception; the nearest first. An
	// entry may have nothing but a message. It is shared and must not be
	// changed.
	Chain []Failure
	// Stack is the stack trace that came with an exception, "" without one.
	Stack string
}

// A Mode is one code of a taxonomy.
type Mode struct {
	Code      string
	Category  string
	Retryable bool
	Terminal  bool
	Partial   bool
	Severity  string
}

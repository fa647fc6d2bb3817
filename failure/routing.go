package failure

import (
	"slices"
	"sync"
)

// Routing returns std/routing, the five classes by which a fanout names what
// became of its subs. Words of a message decide only for exceptions; a
// breaker's refusal counts as an unavailable target.
func Routing() *Taxonomy { return routing() }

var routing = sync.OnceValue(func() *Taxonomy {
	return newTaxonomy("std/routing", routingModes, routingTyped(), routingDetection(), "internal_error")
})

var routingModes = []Mode{
	{Code: "timeout", Category: "routing", Retryable: true, Severity: "high"},
	{Code: "target_unavailable", Category: "routing", Retryable: true, Severity: "high"},
	{Code: "validation_error", Category: "routing", Severity: "low"},
	{Code: "overload_rejected", Category: "routing", Retryable: true, Severity: "medium"},
	{Code: "internal_error", Category: "routing", Severity: "medium"},
}

// routingTyped names every kind but Exception, so that words never decide for
// a typed failure.
func routingTyped() []typedRule {
	return slices.Concat(
		byKind("timeout", Timeout, LockTimeout, PoolTimeout, DBTimeout),
		byKind("target_unavailable", Connection, StreamInterrupted, StreamIncomplete, TargetUnavailable, CircuitOpen),
		byKind("validation_error", Validation, Contract, ToolNotFound, Quarantined, RoutingCycle),
		byKind("overload_rejected", Overloaded, RateLimit, QueueFull),
		byKind("internal_error", HTTPStatus, MalformedResponse, BudgetExceeded, ToolError, ProtocolError,
			SessionExpired, DBError, Permission, ExecFailed, MaxToolIterations),
	)
}

func routingDetection() []Rule {
	return slices.Concat(
		byType("timeout", timeoutTypes),
		byType("target_unavailable", connectionTypes),
		byType("validation_error", validationTypes),
		byPhrase("timeout", "timeout", "timed out"),
		byPhrase("validation_error", "unknown tool", "tool not found", "validation failed", "validation error",
			"unmet dependency", "quarantined", "stale", "cycle"),
		byPhrase("target_unavailable", "refused", "unreachable", "not found", "connection reset", "connection closed",
			"connection lost", "connection error"),
		byPhrase("overload_rejected", "rate limit", "rate limited", "too many requests", "overloaded", "overload", "queue is full"),
		[]Rule{byMessageStatus("overload_rejected", "429", isCode(429))},
	)
}

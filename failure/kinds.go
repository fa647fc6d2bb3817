package failure

import "slices"

// kinds lists every kind in the order of the reference.
var kinds = []Kind{
	Timeout, Connection, RateLimit, Overloaded, HTTPStatus, MalformedResponse,
	StreamInterrupted, StreamIncomplete, CircuitOpen, Cancelled, Contract,
	BudgetExceeded, ToolError, ToolNotFound, ProtocolError, SessionExpired,
	TargetUnavailable, Quarantined, QueueFull, LockTimeout, PoolTimeout,
	DBError, DBTimeout, RoutingCycle, Validation, Permission, ExecFailed,
	MaxToolIterations, Exception,
}

// causes lists the causes of a connection failure.
var causes = []Cause{Refused, Reset, DNS, TLS, EOF}

// Kinds returns every kind of failure in the order of the documentation. The
// slice is the caller's.
func Kinds() []Kind { return slices.Clone(kinds) }

// StatusKind names the failure that an HTTP status stands for: 429 is a rate
// limit, 529 is an overloaded server, and every other status is HTTPStatus.
// Whether a status is a failure at all is the caller's to decide.
func StatusKind(code int) Kind {
	switch code {
	case 429:
		return RateLimit
	case 529:
		return Overloaded
	}
	return HTTPStatus
}

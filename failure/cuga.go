package failure

import (
	"slices"
	"sync"
)

// Cuga returns std/cuga, the default taxonomy: 25 modes, those of the
// typed kinds and the standard detection.
func Cuga() *Taxonomy { return cuga() }

var cuga = sync.OnceValue(func() *Taxonomy {
	return newTaxonomy("std/cuga", cugaModes, cugaTyped(), standardDetection(), "AGENT_LOGIC")
})

// newTaxonomy trusts its tables: a test holds every code in them to the modes.
func newTaxonomy(name string, modes []Mode, typed []typedRule, detect []Rule, rest string) *Taxonomy {
	t := &Taxonomy{name: name, typed: typed, detect: detect}
	for i := range modes {
		t.modes = append(t.modes, &modes[i])
	}
	t.rest = t.Lookup(rest)
	return t
}

func cugaTyped() []typedRule {
	return slices.Concat(
		byKind("SYSTEM_TIMEOUT", Timeout, LockTimeout, PoolTimeout, DBTimeout),
		byKind("SYSTEM_NETWORK", Connection, StreamInterrupted, StreamIncomplete),
		byKind("POLICY_RATE_LIMIT", RateLimit),
		byKind("RESOURCE_CIRCUIT_OPEN", CircuitOpen),
		byKind("RESOURCE_API_UNAVAILABLE", MalformedResponse, Overloaded, QueueFull, TargetUnavailable),
		cugaStatuses(),
		byKind("RESOURCE_TOOL_UNAVAILABLE", ToolNotFound, ProtocolError, SessionExpired),
		byKind("AGENT_CONTRACT", Contract, RoutingCycle),
		byKind("POLICY_BUDGET", BudgetExceeded),
		byKind("AGENT_LOGIC", MaxToolIterations),
		byKind("AGENT_VALIDATION", Validation, Quarantined),
		byKind("USER_PERMISSION", Permission),
		cugaSQLStates(),
		cugaExec(),
	)
}

// cugaStatuses leaves statuses outside 4xx and 5xx to detection: those of an error
// inside a 200 whose word stands for no status.
func cugaStatuses() []typedRule {
	return []typedRule{
		byStatus("USER_PERMISSION", "401", isCode(401)),
		byStatus("USER_PERMISSION", "403", isCode(403)),
		byStatus("RESOURCE_QUOTA", "402", isCode(402)),
		byStatus("SYSTEM_TIMEOUT", "408", isCode(408)),
		byStatus("AGENT_LOGIC", "501", isCode(501)),
		byStatus("AGENT_LOGIC", "505", isCode(505)),
		byStatus("RESOURCE_API_UNAVAILABLE", "5xx", isClass(5)),
		byStatus("AGENT_VALIDATION", "4xx", isClass(4)),
	}
}

// cugaSQLStates calls lost connections, serialisation failures, deadlocks,
// exhausted resources and operator intervention an unavailable service; the
// other states are mistakes of the caller.
func cugaSQLStates() []typedRule {
	const unavailable = "RESOURCE_API_UNAVAILABLE"
	stateless := func(f *Failure) bool { return f.SQLState == "" }
	return []typedRule{
		{kind: DBError, name: "database error without SQLSTATE", match: stateless, mode: unavailable},
		bySQLState(unavailable, "08"),
		bySQLState(unavailable, "40001"),
		bySQLState(unavailable, "40P01"),
		bySQLState(unavailable, "53"),
		bySQLState(unavailable, "57P"),
		{kind: DBError, name: "any other SQLSTATE", mode: "AGENT_LOGIC"},
	}
}

func cugaExec() []typedRule {
	killed := func(f *Failure) bool { return f.Cause == Signal }
	return []typedRule{
		{kind: ExecFailed, name: "killed by a signal", match: killed, mode: "SYSTEM_CRASH"},
		{kind: ExecFailed, name: "kind exec_failed", mode: "AGENT_LOGIC"},
	}
}

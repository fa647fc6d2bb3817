package failure

import (
	"testing"
)

func code(f Failure) string {
	if f.Mode == nil {
		return "none"
	}
	return f.Mode.Code
}

// Typed kinds decide as the paragraph "Typed kinds first" of §11 says.
func TestTypedKinds(t *testing.T) {
	for _, tc := range []struct {
		f    Failure
		mode string
		rule string
	}{
		{Failure{Kind: Timeout}, "SYSTEM_TIMEOUT", "kind timeout"},
		{Failure{Kind: LockTimeout}, "SYSTEM_TIMEOUT", "kind lock_timeout"},
		{Failure{Kind: PoolTimeout}, "SYSTEM_TIMEOUT", "kind pool_timeout"},
		{Failure{Kind: DBTimeout}, "SYSTEM_TIMEOUT", "kind db_timeout"},
		{Failure{Kind: Connection, Cause: Reset}, "SYSTEM_NETWORK", "kind connection"},
		{Failure{Kind: StreamInterrupted}, "SYSTEM_NETWORK", "kind stream_interrupted"},
		{Failure{Kind: StreamIncomplete}, "SYSTEM_NETWORK", "kind stream_incomplete"},
		{Failure{Kind: RateLimit, StatusCode: 429}, "POLICY_RATE_LIMIT", "kind rate_limit"},
		{Failure{Kind: CircuitOpen}, "RESOURCE_CIRCUIT_OPEN", "kind circuit_open"},
		{Failure{Kind: MalformedResponse}, "RESOURCE_API_UNAVAILABLE", "kind malformed_response"},
		{Failure{Kind: Overloaded, StatusCode: 529}, "RESOURCE_API_UNAVAILABLE", "kind overloaded"},
		{Failure{Kind: QueueFull}, "RESOURCE_API_UNAVAILABLE", "kind queue_full"},
		{Failure{Kind: TargetUnavailable}, "RESOURCE_API_UNAVAILABLE", "kind target_unavailable"},
		{Failure{Kind: HTTPStatus, StatusCode: 401}, "USER_PERMISSION", "status 401"},
		{Failure{Kind: HTTPStatus, StatusCode: 403}, "USER_PERMISSION", "status 403"},
		{Failure{Kind: HTTPStatus, StatusCode: 402}, "RESOURCE_QUOTA", "status 402"},
		{Failure{Kind: HTTPStatus, StatusCode: 408}, "SYSTEM_TIMEOUT", "status 408"},
		{Failure{Kind: HTTPStatus, StatusCode: 501}, "AGENT_LOGIC", "status 501"},
		{Failure{Kind: HTTPStatus, StatusCode: 505}, "AGENT_LOGIC", "status 505"},
		{Failure{Kind: HTTPStatus, StatusCode: 500}, "RESOURCE_API_UNAVAILABLE", "status 5xx"},
		{Failure{Kind: HTTPStatus, StatusCode: 503}, "RESOURCE_API_UNAVAILABLE", "status 5xx"},
		{Failure{Kind: HTTPStatus, StatusCode: 400}, "AGENT_VALIDATION", "status 4xx"},
		{Failure{Kind: HTTPStatus, StatusCode: 404}, "AGENT_VALIDATION", "status 4xx"},
		{Failure{Kind: HTTPStatus, StatusCode: 200, Message: "quota exceeded"}, "RESOURCE_QUOTA", `phrase "quota exceeded"`},
		{Failure{Kind: HTTPStatus, StatusCode: 200}, "AGENT_LOGIC", "default"},
		{Failure{Kind: ToolNotFound}, "RESOURCE_TOOL_UNAVAILABLE", "kind tool_not_found"},
		{Failure{Kind: ProtocolError}, "RESOURCE_TOOL_UNAVAILABLE", "kind protocol_error"},
		{Failure{Kind: SessionExpired}, "RESOURCE_TOOL_UNAVAILABLE", "kind session_expired"},
		{Failure{Kind: Contract}, "AGENT_CONTRACT", "kind contract"},
		{Failure{Kind: RoutingCycle}, "AGENT_CONTRACT", "kind routing_cycle"},
		{Failure{Kind: BudgetExceeded}, "POLICY_BUDGET", "kind budget_exceeded"},
		{Failure{Kind: Validation}, "AGENT_VALIDATION", "kind validation"},
		{Failure{Kind: Quarantined}, "AGENT_VALIDATION", "kind quarantined"},
		{Failure{Kind: Permission}, "USER_PERMISSION", "kind permission"},
		{Failure{Kind: DBError}, "RESOURCE_API_UNAVAILABLE", "database error without SQLSTATE"},
		{Failure{Kind: DBError, SQLState: "08006"}, "RESOURCE_API_UNAVAILABLE", "SQLSTATE 08…"},
		{Failure{Kind: DBError, SQLState: "40001"}, "RESOURCE_API_UNAVAILABLE", "SQLSTATE 40001"},
		{Failure{Kind: DBError, SQLState: "40P01"}, "RESOURCE_API_UNAVAILABLE", "SQLSTATE 40P01"},
		{Failure{Kind: DBError, SQLState: "53300"}, "RESOURCE_API_UNAVAILABLE", "SQLSTATE 53…"},
		{Failure{Kind: DBError, SQLState: "57P01"}, "RESOURCE_API_UNAVAILABLE", "SQLSTATE 57P…"},
		{Failure{Kind: DBError, SQLState: "57014"}, "AGENT_LOGIC", "any other SQLSTATE"},
		{Failure{Kind: DBError, SQLState: "23505"}, "AGENT_LOGIC", "any other SQLSTATE"},
		{Failure{Kind: ExecFailed, Cause: Signal}, "SYSTEM_CRASH", "killed by a signal"},
		{Failure{Kind: ExecFailed}, "AGENT_LOGIC", "kind exec_failed"},
	} {
		got := Cuga().Classify(tc.f)
		if code(got) != tc.mode || got.Rule != tc.rule {
			t.Errorf("%+v: %s by %q, want %s by %q", tc.f, code(got), got.Rule, tc.mode, tc.rule)
		}
		if got.Retryable != Lookup(tc.mode).Retryable {
			t.Errorf("%+v: retryable %v, not as its mode", tc.f, got.Retryable)
		}
	}
}

// Every kind but the two that detection reads has a typed mode, and no words
// of the message can change it.
func TestTypedKindsIgnoreWords(t *testing.T) {
	for _, k := range Kinds() {
		if k == Exception || k == ToolError || k == Cancelled {
			continue
		}
		plain := Cuga().Classify(Failure{Kind: k, StatusCode: 500})
		worded := Cuga().Classify(Failure{Kind: k, StatusCode: 500, Message: "out of memory", Type: "MemoryError"})
		if plain.Rule == RuleDefault || plain.Mode != worded.Mode {
			t.Errorf("%s: %s by %q, with words %s", k, code(plain), plain.Rule, code(worded))
		}
	}
}

// A mode that the scenario gave wins over everything but a cancellation.
func TestExplicitModeWins(t *testing.T) {
	f := Cuga().Classify(Failure{Kind: Timeout, Mode: Lookup("POLICY_SECURITY")})
	if code(f) != "POLICY_SECURITY" || f.Rule != "explicit" || f.Retryable {
		t.Errorf("%s by %q, retryable %v", code(f), f.Rule, f.Retryable)
	}
	f = Cuga().Classify(Failure{Kind: Cancelled, Mode: Lookup("USER_CANCELLED"), Retryable: true})
	if f.Mode != nil || f.Retryable || f.Rule != "cancelled" {
		t.Errorf("a cancellation got %s by %q, retryable %v", code(f), f.Rule, f.Retryable)
	}
}

// Classifying twice keeps what a policy decided in between; another taxonomy
// decides anew.
func TestClassifyAgain(t *testing.T) {
	f := Cuga().Classify(Failure{Kind: HTTPStatus, StatusCode: 400})
	f.Retryable = true
	if again := Cuga().Classify(f); !again.Retryable || again.Rule != "status 4xx" {
		t.Errorf("again: %q, retryable %v", again.Rule, again.Retryable)
	}
	if routed := Routing().Classify(f); code(routed) != "internal_error" {
		t.Errorf("routed: %s", code(routed))
	}
}

// A workflow timeout is partial only when something was completed.
func TestRunTimeout(t *testing.T) {
	f := Failure{Kind: Timeout}
	if got := code(Cuga().ClassifyRunTimeout(f, 1)); got != "PARTIAL_TIMEOUT" {
		t.Errorf("one completed step: %s", got)
	}
	if got := code(Cuga().ClassifyRunTimeout(f, 0)); got != "SYSTEM_TIMEOUT" {
		t.Errorf("none completed: %s", got)
	}
}

// A connection failure, then out of memory: the first may be retried, the
// second ends the run.
func TestV11(t *testing.T) {
	first := Cuga().Classify(Failure{Kind: Connection, Cause: Refused})
	if !first.Retryable || first.Mode.Terminal {
		t.Errorf("connection: %+v", first.Mode)
	}
	second := Cuga().Classify(Failure{Kind: Exception, Type: "MemoryError", Message: "out of memory"})
	if code(second) != "SYSTEM_OOM" || !second.Mode.Terminal || second.Retryable {
		t.Errorf("out of memory: %+v", second.Mode)
	}
}

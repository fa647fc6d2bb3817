package failure

import "testing"

// Messages of exceptions get the classes of V71.
func TestV71Messages(t *testing.T) {
	for _, tc := range []struct{ message, class string }{
		{"timeout", "timeout"},
		{"refused", "target_unavailable"},
		{"not found", "target_unavailable"},
		{"unknown tool", "validation_error"},
		{"rate limit", "overload_rejected"},
		{"quota", "internal_error"},
	} {
		if got := Routing().Classify(Failure{Kind: Exception, Message: tc.message}); code(got) != tc.class {
			t.Errorf("%q: %s by %q, want %s", tc.message, code(got), got.Rule, tc.class)
		}
	}
}

// Typed kinds get the classes of BT15, whatever the message says.
func TestBT15Kinds(t *testing.T) {
	want := map[Kind]string{
		Timeout: "timeout", LockTimeout: "timeout", PoolTimeout: "timeout", DBTimeout: "timeout",
		Connection: "target_unavailable", TargetUnavailable: "target_unavailable",
		StreamInterrupted: "target_unavailable", StreamIncomplete: "target_unavailable", CircuitOpen: "target_unavailable",
		Validation: "validation_error", ToolNotFound: "validation_error", Quarantined: "validation_error",
		RoutingCycle: "validation_error", Contract: "validation_error",
		Overloaded: "overload_rejected", RateLimit: "overload_rejected", QueueFull: "overload_rejected",
		Exception: "timeout",
	}
	for _, k := range Kinds() {
		if k == Cancelled {
			continue
		}
		class := want[k]
		if class == "" {
			class = "internal_error"
		}
		if got := Routing().Classify(Failure{Kind: k, Message: "timeout"}); code(got) != class {
			t.Errorf("%s: %s, want %s", k, code(got), class)
		}
	}
}

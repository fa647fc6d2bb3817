package plan

// The gates: checks that a green is green for the right reason.
const (
	GateUnmatched         = "unmatched_call"
	GateOverConsumed      = "over_consumed"
	GateUnusedReply       = "unused_reply"
	GateUnfiredFault      = "unfired_fault"
	GateUnusedInteraction = "unused_interaction"
	GateAmbiguous         = "ambiguous"
	GateDrifted           = "drifted"
	GateUnexpected        = "unexpected_failure"
	GateNoAssertion       = "no_assertion"
	GateDeadlock          = "deadlock"
	// GateBroken is a gate of this engine's own: a mistake in the file must
	// not satisfy a scenario that expects its run to fail.
	GateBroken = "broken_expression"
	// The gates of runs that a program drives.
	GateUnlistedHost = "unlisted_host"
	GateNotDone      = "not_done"
	GateOpenBody     = "open_body"
	GateLeftRunning  = "left_running"
)

// Gates lists the names of all gates.
func Gates() []string {
	return []string{
		GateUnmatched, GateOverConsumed, GateUnusedReply, GateUnfiredFault, GateUnusedInteraction,
		GateAmbiguous, GateDrifted, GateUnexpected, GateNoAssertion, GateDeadlock, GateBroken,
		GateUnlistedHost, GateNotDone, GateOpenBody, GateLeftRunning,
	}
}

package plan

import "slices"

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

// A Gate is what is told of one of them.
type Gate struct {
	Name string
	// Means says when it is broken, as the rest of a sentence. Do says what to do
	// about it.
	Means, Do string
	// Driven says that only runs of programs can break it.
	Driven bool
}

var gates = []Gate{
	{Name: GateUnmatched, Means: "nothing answers a call: no script has an entry for it, and no recording has the request.", Do: "Write an entry for it (`on \"STEP\" { reply { … } }`), record it, or find out why the call is made at all. A program's request that fits no endpoint is shown with the nearest one, and with an `endpoint` block to paste."},
	{Name: GateOverConsumed, Means: "a call comes after all entries of its script, or all its recorded answers, were played.", Do: "If the call is right, add an entry, or say with `exhausted` what a call past the end gets (`repeat_last`, `cycle`, `replay`). If it is one retry too many, you have found a bug."},
	{Name: GateUnusedReply, Means: "a `reply` or `replay` of a script never answered a call, or fewer calls than its `times` says.", Do: "Find out why the run did not get that far: a retry is missing, or a timeout came first. If the entry is not needed, remove it or set `optional = true` in it."},
	{Name: GateUnfiredFault, Means: "something that the scenario injects had no effect: a fault that never fired or changed nothing, an event that affected nothing, a hold that nobody waited for, a `consumer` that stopped no stream.", Do: "Move it to where it makes a difference, or lengthen what it should interrupt. Set `optional = true` if it may have no effect."},
	{Name: GateUnusedInteraction, Means: "a recorded interaction answered nothing.", Do: "Remove it (`scenario cassette gc`), record again, or find out which call is no longer made."},
	{Name: GateAmbiguous, Means: "it is left to chance who gets which answer: overlapping steps or requests ask for the same thing and would get different answers, or a request fits two endpoints equally well.", Do: "Tell them apart: `depends_on` between the steps, `replay { interaction = N }` for each, `match` or `lane` for a program's requests; `concurrent = \"arrival\"` if the order may be left to chance."},
	{Name: GateDrifted, Means: "a step sends a different request from the one that was recorded for it.", Do: "The message shows the first field that differs. Change the request back, or record the step again: `scenario record --drifted FILE`, or `scenario exec --drifted FILE` for a program."},
	{Name: GateUnexpected, Means: "the run failed, and the scenario does not expect it to.", Do: "If that is what must happen, add `expect \"run\" { status = \"failed\" }`. Otherwise the message names the step and its failure."},
	{Name: GateNoAssertion, Means: "the scenario checks nothing: it has no `expect`, `assert`, `snapshot` or `invariant` of its own, or only checks that hold whatever happens.", Do: "Say what must hold."},
	{Name: GateDeadlock, Means: "something waits and nothing can ever end its wait: silence without a timeout, locks that are held in a circle.", Do: "The message says who waits for what. Give the step an `attempt_timeout` or a `timeout`, the fault an `after`, a lock or pool an `acquire_timeout`. Often this is a bug in the program, too."},
	{Name: GateBroken, Means: "an expression of a workflow could not be evaluated in the run, so that a mistake in the file looks like a failure of the program.", Do: "Fix the expression: use `try(…, null)` if a value may be missing. If your program would fail there as well, allow it."},
	{Name: GateUnlistedHost, Means: "the program called a host that belongs to no provider.", Do: "Declare a provider for it, let it through with `allow_hosts` in `sut`, or find out why the program calls it.", Driven: true},
	{Name: GateNotDone, Means: "the program, or the session of a service, did not end in time.", Do: "Its output may show what it waits for. Raise the `timeout` of `sut` if it only needs longer.", Driven: true},
	{Name: GateOpenBody, Means: "Go code neither read an answer to its end nor closed it, which leaks the connection.", Do: "`defer resp.Body.Close()` right after the call.", Driven: true},
	{Name: GateLeftRunning, Means: "goroutines or connections of a Go test were still there when it ended.", Do: "End them before the test does: cancel their context, close what they wait for.", Driven: true},
}

// GateTable lists what is told of each gate.
func GateTable() []Gate { return slices.Clone(gates) }

// Gates lists the names of all gates.
func Gates() []string {
	var names []string
	for _, g := range gates {
		names = append(names, g.Name)
	}
	return names
}

// FailsCalls reports whether what breaks a gate makes a call fail.
func FailsCalls(gate string) bool {
	switch gate {
	case GateUnmatched, GateOverConsumed, GateDrifted, GateAmbiguous, GateNotDone, GateUnlistedHost, GateDeadlock, GateBroken:
		return true
	}
	return false
}

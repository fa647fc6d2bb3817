// Package exchange is one exchange of a run with a provider: what is asked, who
// answers, and how the answer is read. It needs little of the run around it: a
// clock, the plan, and a [Host] that takes events and broken gates. So a run
// without a scheduler can have the same sources.
//
// [Sources] decides what a request meets: the scenario's script in its written
// order; then the recording, unless a live run dials the step anyway; then the
// network in a live run. [Client] asks, in a session where the provider wants
// one, and [Exchange] is one such attempt.
package exchange

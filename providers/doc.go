// Package providers turns values into a provider's wire bytes and back. An
// [Adapter] has no network, no clock of its own and no goroutine: the same
// code serves an inline reply, a recorded one, an injected fault and a live
// call.
package providers

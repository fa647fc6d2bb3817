// Package policy is the behaviour around calls: retry, budget, and the policies
// of targets: circuit breaker, bulkhead, rate limit. A policy sees failures,
// never faults: it cannot know that something was injected. None of it reads a
// clock or a random source of its own.
//
// A policy of targets is one value, a [Kind] in the list of kinds.go. Its file
// says how a block is read ([Config]), and what stands before the target in a
// run ([Guard]):
//
//	for i, g := range guards {
//		pass, why, err := g.Admit(ctx, call)
//		if err != nil || pass == nil {
//			return refused(kinds[i], why, err)
//		}
//		defer pass.Leave()
//	}
package policy

// Package policy is the behaviour around calls: retry, circuit breaker, rate
// limit, bulkhead, budget. A policy sees failures, never faults: it cannot
// know that something was injected. None of it reads a clock or a random
// source of its own.
package policy

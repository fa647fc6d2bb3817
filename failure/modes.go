package failure

import "slices"

// cugaModes is the one table of std/cuga: the engine, the documentation
// and the library file are made from it. USER_CANCELLED is critical, as all
// terminal modes are, although its source says low in one place.
var cugaModes = []Mode{
	{Code: "AGENT_VALIDATION", Category: "agent", Severity: "low"},
	{Code: "AGENT_TIMEOUT", Category: "agent", Retryable: true, Partial: true, Severity: "medium"},
	{Code: "AGENT_LOGIC", Category: "agent", Severity: "low"},
	{Code: "AGENT_CONTRACT", Category: "agent", Terminal: true, Severity: "critical"},
	{Code: "AGENT_STATE", Category: "agent", Severity: "medium"},
	{Code: "SYSTEM_NETWORK", Category: "system", Retryable: true, Severity: "high"},
	{Code: "SYSTEM_TIMEOUT", Category: "system", Retryable: true, Partial: true, Severity: "high"},
	{Code: "SYSTEM_CRASH", Category: "system", Terminal: true, Severity: "critical"},
	{Code: "SYSTEM_OOM", Category: "system", Terminal: true, Severity: "critical"},
	{Code: "SYSTEM_DISK", Category: "system", Severity: "high"},
	{Code: "RESOURCE_TOOL_UNAVAILABLE", Category: "resource", Retryable: true, Severity: "medium"},
	{Code: "RESOURCE_API_UNAVAILABLE", Category: "resource", Retryable: true, Severity: "medium"},
	{Code: "RESOURCE_MEMORY_FULL", Category: "resource", Partial: true, Severity: "medium"},
	{Code: "RESOURCE_QUOTA", Category: "resource", Partial: true, Severity: "medium"},
	{Code: "RESOURCE_CIRCUIT_OPEN", Category: "resource", Retryable: true, Severity: "medium"},
	{Code: "POLICY_SECURITY", Category: "policy", Terminal: true, Severity: "critical"},
	{Code: "POLICY_BUDGET", Category: "policy", Terminal: true, Severity: "critical"},
	{Code: "POLICY_ALLOWLIST", Category: "policy", Terminal: true, Severity: "critical"},
	{Code: "POLICY_RATE_LIMIT", Category: "policy", Retryable: true, Severity: "medium"},
	{Code: "USER_INVALID_INPUT", Category: "user", Severity: "low"},
	{Code: "USER_CANCELLED", Category: "user", Terminal: true, Severity: "critical"},
	{Code: "USER_PERMISSION", Category: "user", Severity: "medium"},
	{Code: "PARTIAL_TOOL_FAILURES", Category: "agent", Partial: true, Severity: "medium"},
	{Code: "PARTIAL_STEP_FAILURES", Category: "agent", Partial: true, Severity: "medium"},
	{Code: "PARTIAL_TIMEOUT", Category: "agent", Retryable: true, Partial: true, Severity: "medium"},
}

// The severities of modes that a bench's gate reads: what blocks a promotion,
// what only warns, and what is said for information.
const (
	SeverityInfo  = "info"
	SeverityWarn  = "warn"
	SeverityBlock = "block"
)

// Severities lists the severities a mode may have: those that say how bad a
// failure is, from the mildest to the worst, then those of [BenchSeverities].
func Severities() []string {
	return append([]string{"low", "medium", "high", "critical"}, BenchSeverities()...)
}

// BenchSeverities lists the severities that say what a failure means to a
// bench, from the mildest to the worst.
func BenchSeverities() []string { return []string{SeverityInfo, SeverityWarn, SeverityBlock} }

// Modes returns the modes of std/cuga in the order of its table. The slice is
// the caller's.
func Modes() []Mode { return slices.Clone(cugaModes) }

// Lookup returns the mode of std/cuga with that code, or nil. It is shared and
// must not be changed.
func Lookup(code string) *Mode { return Cuga().Lookup(code) }

package actor

import "slices"

// Statuses are what an actor may be.
func Statuses() []string {
	return []string{starting, running, draining, unreachable, dead, failed}
}

// EntryStates are what a registry may say of an actor.
func EntryStates() []string { return []string{active, stale, quarantined} }

// ModuleStates are what a module may be once it has started.
func ModuleStates() []string { return []string{moduleActive, moduleFailed, moduleCascade} }

// ModulePhases are those in which a module may fail.
func ModulePhases() []string { return append(slices.Clone(phases), phaseDependency) }

// Reasons are why an actor, or its entry in a registry, changes its state, beside
// the kind of a failure and [CrashedIn].
func Reasons() []string {
	return []string{
		reasonFirst, reasonRegistered, reasonHeartbeat, reasonRestored, reasonStale, reasonQuarantine, reasonSkew, reasonFailures, reasonOperator,
		reasonKilled, reasonRestarted,
	}
}

const (
	reasonKilled    = "killed"
	reasonRestarted = "restarted"
)

// CrashedIn is why an actor is dead that crashed in a call.
func CrashedIn(call string) string { return "crashed in a call of " + call }

// PoolActions are what may happen at a pool.
func PoolActions() []string { return []string{poolWait, poolAcquire, poolRelease, poolTimeout} }

const (
	poolWait    = "wait"
	poolAcquire = "acquire"
	poolRelease = "release"
	poolTimeout = "timeout"
)

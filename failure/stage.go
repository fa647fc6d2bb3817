package failure

// A Stage is a part of the lifecycle of a run: INITIALIZE, PLAN, then
// ROUTE and EXECUTE for every piece of work, AGGREGATE, and one of COMPLETE and
// FAILED at the end, whatever happened before.
type Stage string

// The stages in the order in which a run goes through them.
const (
	Initialize Stage = "initialize"
	Plan       Stage = "plan"
	Route      Stage = "route"
	Execute    Stage = "execute"
	Aggregate  Stage = "aggregate"
	Complete   Stage = "complete"
	Failed     Stage = "failed"
)

// Stages lists the stages in their order. The slice is the caller's.
func Stages() []Stage {
	return []Stage{Initialize, Plan, Route, Execute, Aggregate, Complete, Failed}
}

// StageOf is the stage in which a failure was observed that does not say so
// itself. What was dialled was being executed. Without a dial, a refusal is a
// decision about the route, and what cannot be evaluated or sent was wrong when
// the work was planned.
func StageOf(f *Failure) Stage {
	switch {
	case f.Stage != "":
		return f.Stage
	case f.Attempt > 0:
		return Execute
	}
	switch f.Kind {
	case CircuitOpen, RateLimit, Overloaded, TargetUnavailable, Quarantined, QueueFull, BudgetExceeded, RoutingCycle:
		return Route
	case Validation:
		return Plan
	}
	return Execute
}

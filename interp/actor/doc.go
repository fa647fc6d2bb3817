// Package actor simulates long-lived services with state: actors with handlers
// and tools, the locks and pools they queue at, the modules they are made of,
// and the registry that knows which of them can be called.
//
// A [World] holds them for one run. Everything in it waits on the scheduler's
// clock, and all it does is in the trace: it answers a call and emits events,
// and keeps nothing that a result is read from.
//
//	w := actor.New(clock, spec, env)
//	w.Start(ctx)
//	value, failed := w.Call(ctx, actor.Call{Target: actor.Target{Actor: "health", Name: "trigger"}})
//
// [World.Call] is the one door to an actor, whoever calls: the scenario, a step,
// another actor, a fanout.
package actor

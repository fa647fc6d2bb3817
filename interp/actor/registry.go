package actor

import (
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/sched"
)

// The states of an entry, and why it changes.
const (
	active      = "active"
	stale       = "stale"
	quarantined = "quarantined"

	reasonStale      = "liveness_ttl_expired"
	reasonQuarantine = "liveness_ttl_2x_expired"
	reasonSkew       = "clock_skew"
	reasonHeartbeat  = "heartbeat_recovery"
	reasonRestored   = "health_restored"
	reasonRegistered = "re_registered"
	reasonFirst      = "registered"
	reasonFailures   = "routing_failures"
	reasonOperator   = "operator"
)

// firstBeat is how long after it registered an actor sends its first
// heartbeat, unless it sends them more often.
const firstBeat = 5 * time.Second

// registry knows which actors can be called.
type registry struct {
	w       *World
	spec    *RegistrySpec
	order   int
	entries map[string]*entry
	known   []*entry // in the order of registering
	halt    func()   // withdraws the next sweep
	// sweeps is what its sweeps are called.
	sweeps string
}

// entry is what a registry knows of an actor that has registered once.
type entry struct {
	actor    *actorState
	state    string
	lastSeen time.Duration // by the actor's own clock
	failures int           // of routing, in a row
	// why is what of the scenario brought it into its state.
	why change
}

func (w *World) newRegistry(spec *RegistrySpec, order int) *registry {
	return &registry{w: w, spec: spec, order: order, entries: map[string]*entry{}}
}

// judge is the state of an entry that was last seen at a time, and why. It is
// the one evaluator of sweeps and reads.
func (r *RegistrySpec) judge(state string, lastSeen, now time.Duration) (to, reason string) {
	silent := now - lastSeen
	switch {
	case state == quarantined:
		return state, ""
	case silent > r.QuarantineAfter:
		return quarantined, reasonQuarantine
	case silent > r.TTL:
		return stale, reasonStale
	case silent < -r.SkewTolerance:
		return stale, reasonSkew
	}
	return state, ""
}

// evaluate brings an entry up to date.
func (r *registry) evaluate(e *entry) {
	to, reason := r.spec.judge(e.state, e.lastSeen, r.w.clock.Elapsed())
	r.become(e, to, reason, e.actor.lost())
}

// lost is what of the scenario keeps an actor from being heard of, or called.
func (a *actorState) lost() change {
	if a.status == running {
		return change{}
	}
	return change{by: a.why.by}
}

// found is what of the scenario made an actor that was lost be heard of.
func (a *actorState) found() change {
	if !a.why.back {
		return change{}
	}
	return a.why
}

// become sets the state of an entry; why says what of the scenario is the reason.
func (r *registry) become(e *entry, to, reason string, why change) {
	if to == e.state {
		return
	}
	from := e.state
	e.state, e.why = to, why
	if to == active {
		e.failures = 0
	}
	r.w.env.Emit(Origin{}.event(e.actor.spec.Name, &event.Registry{Registry: r.spec.Name, From: from, To: to, Reason: reason, Cause: why.by}))
}

// see notes that an actor was heard of.
func (r *registry) see(e *entry) {
	e.lastSeen = r.w.clock.Elapsed() + e.actor.spec.ClockSkew
}

// fresh reports whether what was last seen of an actor would pass a sweep.
func (r *registry) fresh(e *entry) bool {
	to, _ := r.spec.judge(active, e.lastSeen, r.w.clock.Elapsed())
	return to == active
}

// register is called by an actor that is up.
func (r *registry) register(a *actorState) {
	e := r.entries[a.spec.Name]
	if e == nil {
		e = &entry{actor: a}
		r.entries[a.spec.Name] = e
		r.known = append(r.known, e)
		r.see(e)
		r.become(e, active, reasonFirst, a.found())
		return
	}
	r.see(e)
	if r.spec.RecoverRegister && r.fresh(e) {
		r.become(e, active, reasonRegistered, a.found())
	}
}

// beat is a heartbeat of an actor.
func (r *registry) beat(a *actorState) {
	e := r.entries[a.spec.Name]
	r.see(e)
	if !r.spec.RecoverHeartbeat || !r.fresh(e) {
		return
	}
	switch e.state {
	case quarantined:
		r.become(e, active, reasonHeartbeat, a.found())
	case stale:
		r.become(e, active, reasonRestored, a.found())
	}
}

// refuses is why a target may not be called, nil where it may, and what of the
// scenario is the reason for either.
func (r *registry) refuses(a *actorState) (*failure.Failure, change) {
	e := r.entries[a.spec.Name]
	if e == nil {
		return unavailable("%q is not registered", a.spec.Name), a.lost()
	}
	r.evaluate(e)
	switch e.state {
	case stale:
		return &failure.Failure{Kind: failure.Quarantined, Message: fmt.Sprintf("%q is stale and cannot be routed", a.spec.Name)}, e.why
	case quarantined:
		return &failure.Failure{Kind: failure.Quarantined, Message: fmt.Sprintf("%q is quarantined and cannot be routed", a.spec.Name)}, e.why
	}
	return nil, e.why
}

// routed is told of every call that was dialled.
func (r *registry) routed(v *visit, f *failure.Failure) {
	e := r.entries[v.actor.spec.Name]
	if e == nil || !v.dialled {
		return
	}
	switch {
	case f == nil:
		r.see(e)
		e.failures = 0
		if e.state == stale && r.fresh(e) {
			r.become(e, active, reasonRestored, change{})
		}
	case unrouted(f.Kind):
		e.failures++
		if n := r.spec.QuarantineOnFailures; n > 0 && e.failures >= n {
			r.become(e, quarantined, reasonFailures, v.actor.lost())
		}
	}
}

// unrouted reports whether a failure says that the target did not answer, and
// not what it answered.
func unrouted(k failure.Kind) bool {
	switch k {
	case failure.TargetUnavailable, failure.Connection, failure.Timeout, failure.MalformedResponse:
		return true
	}
	return false
}

// sweep evaluates every entry.
func (r *registry) sweep() {
	for _, e := range r.known {
		r.evaluate(e)
	}
	r.sweepLater()
}

// sweepLater schedules the next sweep, at the next multiple of its period.
func (r *registry) sweepLater() {
	every := r.spec.SweepEvery
	if r.sweeps == "" {
		r.sweeps = fmt.Sprintf("the sweep of registry %q every %s (sweep_every)", r.spec.Name, every)
	}
	r.halt = r.w.inBackground(r.sweeps, r.order, every-r.w.clock.Elapsed()%every, r.sweep)
}

func (r *registry) stop() {
	if r.halt != nil {
		r.halt()
	}
}

// beatLater schedules the next heartbeat.
func (a *actorState) beatLater(d time.Duration) {
	r := a.w.registryOf(a)
	if a.beats == "" {
		a.beats = fmt.Sprintf("the heartbeat of actor %q every %s (heartbeat_every of registry %q)", a.spec.Name, r.spec.HeartbeatEvery, r.spec.Name)
	}
	a.hush = a.w.inBackground(a.beats, orderHeartbeats+a.order, d, func() {
		r.beat(a)
		a.beatLater(r.spec.HeartbeatEvery)
	})
}

// background counts what goes on by itself, so that it never keeps a run alive
// that waits for something else.
type background struct {
	pending int
	busy    time.Duration // when something else was last due
}

// inBackground runs f, which has a name for people, once, d from now. Where nothing else has been due for so
// long that no registry can change any more, f never runs: what waits then
// waits without end, and the scheduler says so.
func (w *World) inBackground(name string, order int, d time.Duration, f func()) (stop func()) {
	b := &w.background
	b.pending++
	over := false
	once := func() bool {
		if over {
			return false
		}
		over = true
		b.pending--
		return true
	}
	withdraw := w.clock.AtNamed(name, sched.Start, order, d, func() {
		if !once() {
			return
		}
		if w.clock.Pending() > b.pending {
			b.busy = w.clock.Elapsed()
		}
		if w.clock.Elapsed()-b.busy <= w.horizon() {
			f()
		}
	})
	return func() {
		if once() {
			withdraw()
		}
	}
}

// horizon is after how long without anything else no registry changes.
func (w *World) horizon() time.Duration {
	longest := time.Duration(0)
	for _, r := range w.known {
		longest = max(longest, r.spec.QuarantineAfter+2*r.spec.SweepEvery+2*r.spec.HeartbeatEvery)
	}
	return longest
}

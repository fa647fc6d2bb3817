package actor

import (
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/policy"
)

// Spec is everything that a world is made of. It is immutable once a world has
// it, and any number of worlds may share one.
type Spec struct {
	// Actors, Locks and Registries are in the order of declaration. Locks are
	// those outside of actors.
	Actors     []*ActorSpec
	Locks      []*LockSpec
	Registries []*RegistrySpec
	// Late are the actors that do not start with the world, with the name of the
	// block that starts them.
	Late map[string]string
}

// ActorSpec declares one actor.
type ActorSpec struct {
	Name string
	// Registry names the registry it registers at, "" for none.
	Registry string
	Locks    []*LockSpec
	Pools    []*PoolSpec
	Startup  StartupSpec
	// Modules are in the order in which they start.
	Modules  []*ModuleSpec
	Handlers []*HandlerSpec
	Tools    []*ToolSpec
	// Deep lets calls come back to an actor that is on their way; either way
	// no call passes more than MaxHops actors.
	// ClockSkew is how far its clock is ahead.
	ClockSkew time.Duration
	Deep      bool
	MaxHops   int
}

// LockSpec declares a lock.
type LockSpec struct {
	Name     string
	Capacity int
	// MaxQueue bounds the waiters; negative for any number.
	MaxQueue int
	// AcquireTimeout bounds a wait; 0 for none.
	AcquireTimeout time.Duration
}

// PoolSpec declares a pool of connections.
type PoolSpec struct {
	Name             string
	Size             int
	AcquireTimeout   time.Duration // 0 for none
	StatementTimeout time.Duration // 0 for none
}

// StartupSpec says how an actor or a module comes up.
type StartupSpec struct {
	Takes   time.Duration
	Timeout time.Duration // 0 for none
	Retry   policy.Retry
}

// ModuleSpec declares a part of an actor that may fail by itself.
type ModuleSpec struct {
	Name      string
	DependsOn []string
	Startup   StartupSpec
}

// HandlerSpec declares what an actor does in a session.
type HandlerSpec struct {
	Name    string
	Takes   time.Duration
	Timeout time.Duration // of a session, from when its locks are held; 0 for none
	Locks   []LockRef     // in the order in which they are taken
	Uses    []string      // pools
	// Needs are modules without which there is no such handler.
	Needs []string
	// ForwardTo is called when the handler's own work is done, nil for nothing.
	ForwardTo *Target
	// Works says that a session has more to do than to wait: what that is, the
	// world asks its surroundings for. One session does it at a time.
	Works bool
	// Return computes the answer, nil for that of what it forwarded to.
	Return Return
	// Source is how Return is written, for the digest of a plan.
	Source string
}

// ToolSpec declares what an actor answers without a session.
type ToolSpec struct {
	Name    string
	Takes   time.Duration
	Timeout time.Duration // 0 for none
	Uses    []string      // pools
	Needs   []string      // modules without which there is no such tool
	Return  Return
	// Source is how Return is written, for the digest of a plan.
	Source string
}

// Return computes an answer from the arguments of a call and from what was
// answered to the handler, null where it asked nobody, in the context that within
// makes of that of its file. The error reads as the end of a sentence that begins with
// the return.
type Return func(within Within, arguments, result cty.Value) (cty.Value, error)

// Within makes of the context of a file the one in which a run evaluates.
type Within func(static *hcl.EvalContext) *hcl.EvalContext

// LockRef names a lock: one of the actor's own, or a shared one.
type LockRef struct {
	Name string
	Own  bool
}

// RegistrySpec declares a registry.
type RegistrySpec struct {
	Name                 string
	TTL                  time.Duration
	QuarantineAfter      time.Duration
	SweepEvery           time.Duration
	HeartbeatEvery       time.Duration
	SkewTolerance        time.Duration
	QuarantineOnFailures int // 0 for never
	// RecoverHeartbeat and RecoverRegister say what brings an entry back.
	RecoverHeartbeat, RecoverRegister bool
}

// Target is what a call is for: a handler or a tool of an actor. The names of
// both are one namespace within the actor.
type Target struct{ Actor, Name string }

// Address is how a script and the trace call it.
func (t Target) Address() string { return "actor." + t.Actor + "." + t.Name }

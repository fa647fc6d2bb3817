package actor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
)

// The states of a module, and the phases in which one may fail.
const (
	moduleActive  = "active"
	moduleFailed  = "failed"
	moduleCascade = "cascade_failed"

	phaseStartup    = "startup"
	phaseDependency = "dependency"
)

// phases are those that a fault may name as its type.
var phases = []string{"config", "migration", "credentials", phaseStartup, "tools"}

// startModule starts a module, or says why it does not.
func (a *actorState) startModule(ctx context.Context, m *ModuleSpec) {
	for _, name := range m.DependsOn {
		if a.modules[name] != moduleActive {
			a.settleModule(m, moduleCascade, phaseDependency, fmt.Sprintf("dependency %q failed", name))
			return
		}
	}
	f := a.tryModule(ctx, m)
	switch {
	case ctx.Err() != nil:
	case f == nil:
		a.settleModule(m, moduleActive, "", "")
	case slices.Contains(phases, f.Type):
		a.settleModule(m, moduleFailed, f.Type, f.Message)
	default:
		a.settleModule(m, moduleFailed, phaseStartup, f.Message)
	}
}

// tryModule does the work of a module's startup, within its own timeout.
func (a *actorState) tryModule(ctx context.Context, m *ModuleSpec) *failure.Failure {
	own, cancel := ctx, context.CancelFunc(func() {})
	if m.Startup.Timeout > 0 {
		own, cancel = a.w.clock.WithTimeoutCause(ctx, m.Startup.Timeout, fmt.Errorf("the startup's timeout of %s passed", m.Startup.Timeout))
	}
	defer cancel()
	err := a.w.clock.Sleep(own, m.Startup.Takes)
	var f *failure.Failure
	if err == nil {
		f = a.w.strikePart(own, "actor."+a.spec.Name+".module."+m.Name, Origin{})
	}
	if ctx.Err() == nil && errors.Is(own.Err(), context.DeadlineExceeded) {
		return &failure.Failure{Kind: failure.Timeout, Message: fmt.Sprintf("module %q was not up within its startup's timeout of %s", m.Name, m.Startup.Timeout)}
	}
	return f
}

func (a *actorState) settleModule(m *ModuleSpec, state, phase, message string) {
	from := a.modules[m.Name]
	a.modules[m.Name] = state
	a.w.env.Emit(Origin{}.event(a.spec.Name, &event.Registry{Module: m.Name, From: from, To: state, Phase: phase, Message: message, Cause: a.why.by}))
}

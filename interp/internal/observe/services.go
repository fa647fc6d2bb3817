package observe

import (
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// CallsOver reports whether every call of a block has ended.
func (o *Observed) CallsOver(name string) bool {
	for _, s := range o.Calls[name] {
		if s.Status == "" {
			return false
		}
	}
	return true
}

// actorResult is what an actor did.
type actorResult struct {
	spec     *actor.ActorSpec
	status   string
	sessions []*sessionResult
	order    []string // of modules, as they started
	modules  map[string]*moduleResult
	locks    map[string]*lockResult
	pools    map[string]*poolResult
	// handlers are the results of those that run a workflow.
	handlers map[string]func() *StepResult
}

type sessionResult struct {
	n             int
	call, handler string
	// by is the result of the call or step that call names, nil where a file does not
	// name it.
	by                   *StepResult
	queued, start, ended time.Duration
	over                 bool
	status               string
	err                  *failure.Failure
}

type moduleResult struct{ status, phase, message string }

// lockResult is what happened at a lock.
type lockResult struct {
	// taken says that somebody ever held it.
	taken    bool
	holders  []string
	heldMax  int // how many held it at one time
	waits    []*waitResult
	maxQueue int
}

// poolResult is what happened at a pool.
type poolResult struct {
	size            int
	inUse, inUseMax int
	waits           []*waitResult
	maxQueue        int
	timeouts        int
	came            int // how often somebody took one, or waited for one
}

// waitResult is a wait for a lock or a connection.
type waitResult struct {
	who    waiter
	call   string
	since  time.Duration
	waited time.Duration
	over   bool
}

// waiter tells waits of one call apart from those of another.
type waiter struct {
	step, call, actor string
	iteration         int
}

type registryResult struct {
	log    []registryChange
	states map[string]string
}

type registryChange struct {
	at                      time.Duration
	actor, from, to, reason string
}

// populate begins with the actors, locks and registries of a plan, of which
// nothing has happened yet.
func (o *Observed) populate(p *plan.Plan) {
	o.works = map[string]*actorResult{}
	o.actors, o.locks, o.registries, o.Calls = map[string]*actorResult{}, map[string]*lockResult{}, map[string]*registryResult{}, map[string][]*StepResult{}
	for _, d := range p.Actions {
		if d.Call != nil && d.Step == nil {
			o.Calls[d.Name] = make([]*StepResult, 0, len(d.At))
			for range d.At {
				o.Calls[d.Name] = append(o.Calls[d.Name], &StepResult{Node: d.Call.Node, of: o, Output: read.Null})
			}
		}
	}
	if p.BenchRun != nil {
		o.Scored = newScored(p.BenchRun)
	}
	if p.Population == nil {
		return
	}
	for _, a := range p.Population.Actors {
		res := &actorResult{spec: a, status: "dead", modules: map[string]*moduleResult{}, locks: map[string]*lockResult{}, pools: map[string]*poolResult{}}
		for _, m := range a.Modules {
			res.modules[m.Name] = &moduleResult{}
		}
		for _, l := range a.Locks {
			res.locks[l.Name] = &lockResult{}
		}
		for _, l := range a.Pools {
			res.pools[l.Name] = &poolResult{size: l.Size}
		}
		res.handlers = map[string]func() *StepResult{}
		for _, h := range a.Handlers {
			if w := p.Handlers[actor.Target{Actor: a.Name, Name: h.Name}]; w != nil {
				res.handlers[h.Name] = func() *StepResult { return o.Steps[w.Node.Name] }
				o.works[w.Node.Name] = res
			}
		}
		o.actors[a.Name] = res
	}
	for _, l := range p.Population.Locks {
		o.locks[l.Name] = &lockResult{}
	}
	for _, r := range p.Population.Registries {
		o.registries[r.Name] = &registryResult{states: map[string]string{}}
	}
}

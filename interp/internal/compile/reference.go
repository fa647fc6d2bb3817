package compile

import (
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// A Readable describes one root of conditions, or a value behind one, for the
// reference.
type Readable struct {
	Name, Doc string
	Attrs     []ReadableAttr
}

// A ReadableAttr is one attribute of a [Readable].
type ReadableAttr struct {
	Name, Doc string
	Shape     *schema.Shape
}

// Results lists everything that a condition can read of a run, in the order of
// the reference.
func Results() []Readable {
	return []Readable{
		readable("step.NAME", "What a step did. `steps` is the list of all in the order in which they ran, each with its `name` and `kind`.", observe.StepFields),
		readable("step.NAME of an llm step", "Beside the common attributes.", observe.LlmFields),
		readable("step.NAME of an http step", "Beside the common attributes.", observe.HttpFields),
		readable("step.NAME of an mcp step", "Beside the common attributes.", observe.McpFields),
		readable("step.NAME of an sql step", "Beside the common attributes.", observe.SqlFields),
		readable("step.NAME of a loop", "Beside the common attributes. `step.LOOP.NAME` is a step inside it, as its last iteration left it.", observe.LoopFields),
		readable("step.NAME of a workflow step", "Beside the common attributes. `step.OUTER.NAME` is a step of the workflow that it ran.", observe.WorkflowFields),
		readable("step.NAME of a fanout", "Beside the common attributes. `fanout.NAME` reads the same, and `step.NAME.ID` is one sub.", observe.FanoutFields),
		readable("step.NAME that classifies", "Beside the common attributes. `classify.NAME` reads the same.", observe.ClassifyFields),
		readable("A sub", "An element of `fanout.NAME.subs`: the common attributes and these. `target` is the name of what it calls.", observe.SubFields),
		readable("call.NAME", "What a call of the scenario came to, beside the common attributes of a step; a list of them where `at` is one. A call step has the same.", observe.CallFields),
		readable("An attempt", "An element of `step.NAME.attempts` and `target.NAME.attempts`: one dial of one target.", observe.AttemptFields),
		readable("A rejection", "An element of `step.NAME.rejections`: a target that was refused without a dial.", observe.RejectionFields),
		readable("An error", "The failure of a run, a step or an attempt.", read.FailureFields),
		readable("A failure beneath", "An element of `error.chain`.", read.ChainFields),
		readable("run", "The run as a whole.", observe.RunFields),
		readable("run.partial", "What is there of a run that stopped half way.", observe.PartialFields),
		readable("A stage", "An element of `run.lifecycle`.", observe.StageFields),
		readable("target.NAME", "What happened to one target of a gateway.", observe.TargetFields),
		readable("breaker.NAME", "Short for `target.NAME.breaker`.", observe.BreakerFields),
		readable("gateway.NAME", "Who answered the calls to a gateway.", observe.GatewayFields),
		readable("A decision", "An element of `gateway.NAME.decisions`: one round of a call.", observe.DecisionFields),
		readable("actor.NAME", "What an actor did.", observe.ActorFields),
		readable("A session", "An element of `actor.NAME.sessions`: one run of a handler.", observe.SessionFields),
		readable("actor.NAME.handlers.NAME", "What the workflow of a handler came to in its last session, beside its steps by name.", observe.HandlerFields),
		readable("actor.NAME.modules.NAME", "How a module came up.", observe.ModuleFields),
		readable("actor.NAME.pools.NAME", "What happened at a pool.", observe.PoolFields),
		readable("lock.NAME", "What happened at a lock; `actor.NAME.locks.NAME` is an actor's own.", observe.LockFields),
		readable("report", "What a bench came to, in a scenario that runs one.", observe.ReportFields),
		readable("report.case.ID", "One case; `report.cases` is the list of all, in the order of their ids. An `expect` block of a case's id has the same.", observe.CaseFields),
		readable("A trial", "An element of a case's `trials`.", observe.TrialFields),
		readable("A failure mode", "An element of `failure_modes`.", observe.ModeFields),
		readable("report.gate.NAME", "What a gate says of the report.", observe.GateResultFields),
		readable("report.pass_rate", "A share with its interval.", observe.IntervalFields),
		readable("An estimate", "An element of `report.pass_k`.", observe.PassKFields),
		readable("registry.NAME", "What a registry knows.", observe.RegistryFields),
		readable("A change", "An element of `registry.NAME.log`.", observe.ChangeFields),
	}
}

func readable[T any](name, doc string, fields []read.Field[T]) Readable {
	r := Readable{Name: name, Doc: doc}
	for _, f := range fields {
		r.Attrs = append(r.Attrs, ReadableAttr{Name: f.Name, Doc: f.Doc, Shape: f.Shape})
	}
	return r
}

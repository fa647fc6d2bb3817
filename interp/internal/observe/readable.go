package observe

import (
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
	list := []Readable{
		readable("step.NAME", "What a step did. `steps` is the list of all in the order in which they ran, each with its `name` and `kind`.", StepFields),
	}
	for _, k := range sections() {
		list = append(list, readable(k.name, k.doc, k.fields))
	}
	return append(list,
		readable("An attempt", "An element of `step.NAME.attempts` and `target.NAME.attempts`: one dial of one target.", AttemptFields),
		readable("endpoint.NAME", "What a program asked an endpoint for. `endpoints` is the list of all in the order of the file, each with its `name` and `kind`. What its provider answers is there as with a step of that kind. A step of a workflow that describes the program has these attributes, too.", askedFields),
		readable("A call of a program", "An element of `endpoint.NAME.calls`.", programCallFields),
		readable("A lane", "An element of `endpoint.NAME.lanes`.", laneFields),
		readable("A rejection", "An element of `step.NAME.rejections`: a target that was refused without a dial.", RejectionFields),
		readable("An error", "The failure of a run, a step or an attempt.", read.FailureFields),
		readable("A failure beneath", "An element of `error.chain`.", read.ChainFields),
		readable("sut", "What became of the program under test, where one was started.", SutFields),
		readable("A series of the program", "An element of `sut.metrics` and of what `sut.metrics(name)` finds.", SaidSeriesFields),
		readable("A span of the program", "An element of what `sut.spans(filter)` finds. Times are by the program's clock, from the start of the run.", SaidSpanFields),
		readable("A log record of the program", "An element of what `sut.logs(filter)` finds.", SaidLogFields),
		readable("A refused host", "An element of `sut.refused_hosts`.", RefusedHostFields),
		readable("run", "The run as a whole.", RunFields),
		readable("run.partial", "What is there of a run that stopped half way.", PartialFields),
		readable("A stage", "An element of `run.lifecycle`.", StageFields),
		readable("target.NAME", "What happened to one target of a gateway.", TargetFields),
		readable("breaker.NAME", "Short for `target.NAME.breaker`.", BreakerFields),
		readable("gateway.NAME", "Who answered the calls to a gateway.", GatewayFields),
		readable("A decision", "An element of `gateway.NAME.decisions`: one round of a call.", DecisionFields),
		readable("actor.NAME", "What an actor did.", ActorFields),
		readable("A session", "An element of `actor.NAME.sessions`: one run of a handler.", SessionFields),
		readable("actor.NAME.handlers.NAME", "What the workflow of a handler came to in its last session, beside its steps by name.", HandlerFields),
		readable("actor.NAME.modules.NAME", "How a module came up.", ModuleFields),
		readable("actor.NAME.pools.NAME", "What happened at a pool.", PoolFields),
		readable("lock.NAME", "What happened at a lock; `actor.NAME.locks.NAME` is an actor's own.", LockFields),
		readable("report", "What a bench came to, in a scenario that runs one.", ReportFields),
		readable("report.case.ID", "One case; `report.cases` is the list of all, in the order of their ids. An `expect` block of a case's id has the same.", CaseFields),
		readable("A trial", "An element of a case's `trials`.", TrialFields),
		readable("A failure mode", "An element of `failure_modes`.", ModeFields),
		readable("report.gate.NAME", "What a gate says of the report.", GateResultFields),
		readable("report.pass_rate", "A share with its interval.", IntervalFields),
		readable("An estimate", "An element of `report.pass_k`.", PassKFields),
		readable("registry.NAME", "What a registry knows.", RegistryFields),
		readable("A change", "An element of `registry.NAME.log`.", ChangeFields),
	)
}

func readable[T any](name, doc string, fields []read.Field[T]) Readable {
	r := Readable{Name: name, Doc: doc}
	for _, f := range fields {
		r.Attrs = append(r.Attrs, ReadableAttr{Name: f.Name, Doc: f.Doc, Shape: f.Shape})
	}
	return r
}

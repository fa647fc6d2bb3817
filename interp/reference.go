package interp

import "github.com/scenario-lang/scenario/schema"

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
		readable("step.NAME", "What a step did. `steps` is the tuple of all in the order in which they ran, each with its `name` and `kind`.", stepFields),
		readable("step.NAME of an llm step", "Beside the common attributes.", llmFields),
		readable("step.NAME of an http step", "Beside the common attributes.", httpFields),
		readable("step.NAME of an mcp step", "Beside the common attributes.", mcpFields),
		readable("step.NAME of a loop", "Beside the common attributes. `step.LOOP.NAME` is a step inside it, as its last iteration left it.", loopFields),
		readable("step.NAME of a workflow step", "Beside the common attributes. `step.OUTER.NAME` is a step of the workflow that it ran.", workflowFields),
		readable("step.NAME of a fanout", "Beside the common attributes. `fanout.NAME` reads the same, and `step.NAME.ID` is one sub.", fanoutFields),
		readable("step.NAME that classifies", "Beside the common attributes. `classify.NAME` reads the same.", classifyFields),
		readable("A sub", "An element of `fanout.NAME.subs`: the common attributes and these. `target` is the name of what it calls.", subFields),
		readable("call.NAME", "What a call of the scenario came to, beside the common attributes of a step; a tuple of them where `at` is one. A call step has the same.", callFields),
		readable("An attempt", "An element of `step.NAME.attempts` and `target.NAME.attempts`: one dial of one target.", attemptFields),
		readable("A rejection", "An element of `step.NAME.rejections`: a target that was refused without a dial.", rejectionFields),
		readable("An error", "The failure of a run, a step or an attempt.", failureFields),
		readable("A failure beneath", "An element of `error.chain`.", chainFields),
		readable("run", "The run as a whole.", runFields),
		readable("run.partial", "What is there of a run that stopped half way.", partialFields),
		readable("A stage", "An element of `run.lifecycle`.", stageFields),
		readable("target.NAME", "What happened to one target of a gateway.", targetFields),
		readable("breaker.NAME", "Short for `target.NAME.breaker`.", breakerFields),
		readable("gateway.NAME", "Who answered the calls to a gateway.", gatewayFields),
		readable("A decision", "An element of `gateway.NAME.decisions`: one round of a call.", decisionFields),
		readable("actor.NAME", "What an actor did.", actorFields),
		readable("A session", "An element of `actor.NAME.sessions`: one run of a handler.", sessionFields),
		readable("actor.NAME.handlers.NAME", "What the workflow of a handler came to in its last session, beside its steps by name.", handlerFields),
		readable("actor.NAME.modules.NAME", "How a module came up.", moduleFields),
		readable("actor.NAME.pools.NAME", "What happened at a pool.", poolFields),
		readable("lock.NAME", "What happened at a lock; `actor.NAME.locks.NAME` is an actor's own.", lockFields),
		readable("report", "What a bench came to, in a scenario that runs one.", reportFields),
		readable("report.case.ID", "One case; `report.cases` is the tuple of all, in the order of their ids. An `expect` block of a case's id has the same.", caseFields),
		readable("A trial", "An element of a case's `trials`.", trialFields),
		readable("A failure mode", "An element of `failure_modes`.", modeFields),
		readable("report.gate.NAME", "What a gate says of the report.", gateResultFields),
		readable("report.pass_rate", "A share with its interval.", intervalFields),
		readable("An estimate", "An element of `report.pass_k`.", passKFields),
		readable("registry.NAME", "What a registry knows.", registryFields),
		readable("A change", "An element of `registry.NAME.log`.", changeFields),
	}
}

func readable[T any](name, doc string, fields []field[T]) Readable {
	r := Readable{Name: name, Doc: doc}
	for _, f := range fields {
		r.Attrs = append(r.Attrs, ReadableAttr{Name: f.name, Doc: f.doc, Shape: f.shape})
	}
	return r
}

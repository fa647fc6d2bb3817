package language

import "github.com/scenario-lang/scenario/schema"

func lockBlock(doc string) *schema.Block {
	return &schema.Block{
		Type: "lock", Labels: []string{"name"}, Doc: doc,
		Attrs: []schema.Attr{
			atLeast(1, schema.Attr{Name: "capacity", Type: schema.Int, Default: "1", Doc: "Holders at one time."}),
			atLeast(0, schema.Attr{Name: "max_queue", Type: schema.Int, Doc: "Waiters at one time, who are served in the order in which they came. One more is refused with queue_full; any number may wait where it is not given."}),
			{Name: "acquire_timeout", Type: schema.String, Default: `"none"`, Doc: `How long one waits before the call fails with lock_timeout, or "none".`},
		},
	}
}

func registryBlock() *schema.Block {
	return &schema.Block{
		Type: "registry", Labels: []string{"name"}, Doc: "Where actors register, and which of them can be called.",
		Attrs: []schema.Attr{
			positive(schema.Attr{Name: "ttl", Type: schema.Duration, Default: `"300s"`, Doc: "An actor that is silent for longer is stale."}),
			positive(schema.Attr{Name: "quarantine_after", Type: schema.Duration, Doc: "An actor that is silent for longer is quarantined; twice the ttl by default."}),
			positive(schema.Attr{Name: "sweep_every", Type: schema.Duration, Default: `"300s"`, Doc: "The registry looks at every entry at each multiple of it."}),
			positive(schema.Attr{Name: "heartbeat_every", Type: schema.Duration, Default: `"120s"`, Doc: "How often an actor says that it lives. The first time is 5 seconds after it registered, or after this, if that is shorter."}),
			positive(schema.Attr{Name: "skew_tolerance", Type: schema.Duration, Default: `"300s"`, Doc: "An actor last seen further in the future is stale."}),
			atLeast(0, schema.Attr{Name: "quarantine_on_failures", Type: schema.Int, Default: "0", Doc: "Calls in a row that did not reach the actor after which it is quarantined at once; 0 for never."}),
			{Name: "recover", Type: schema.Strings, Default: `["heartbeat", "register"]`, Doc: `What brings an entry back: "heartbeat", "register", both or neither. An operator's activate always does.`},
		},
	}
}

func startupBlock(doc string) *schema.Block {
	return &schema.Block{
		Type: "startup", Max: 1, Doc: doc,
		Attrs: []schema.Attr{
			positive(schema.Attr{Name: "takes", Type: schema.Duration, Default: `"0s"`, Doc: "How long it takes."}),
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "How long it may take."}),
		},
	}
}

func actorBlock() *schema.Block {
	up := startupBlock("How the actor comes up. Its modules start within this.")
	up.Attrs[1].Default = `"300s"`
	up.Attrs = append(up.Attrs, schema.Attr{Name: "retry", Type: schema.Ref, Refs: []string{"retry"}, Doc: "When a failed startup is tried again; never without one."})
	module := &schema.Block{
		Type: "module", Labels: []string{"name"}, Doc: "A part of the actor that may fail by itself: the actor runs without it.",
		Attrs: []schema.Attr{
			{Name: "depends_on", Type: schema.Strings, Doc: "Modules without which it does not start."},
		},
		Blocks: []*schema.Block{startupBlock("How the module comes up."), actorToolBlock()},
	}
	return &schema.Block{
		Type: "actor", Labels: []string{"name"}, Doc: "A long-lived service with state: handlers that run in sessions, tools, locks, pools and modules.",
		Attrs: []schema.Attr{
			{Name: "registry", Type: schema.Ref, Refs: []string{"registry"}, Doc: "Where it registers when it is up. Calls to it ask there first."},
			{Name: "clock_skew", Type: schema.Duration, Default: `"0s"`, Doc: "How far the clock is ahead by which its heartbeats are dated; negative for behind."},
			{Name: "cycles", Type: schema.String, Default: `"reject"`, OneOf: []string{"reject", "depth"}, Doc: "What a call meets that comes back to an actor on its way: rejected, or allowed up to max_hops."},
			within(1, 1000, schema.Attr{Name: "max_hops", Type: schema.Int, Default: "8", Doc: "Actors that a call may pass, this one included."}),
		},
		Blocks: []*schema.Block{
			lockBlock("A lock of the actor's own."), poolBlock(), up, module, handlerBlock(), actorToolBlock(),
		},
	}
}

func poolBlock() *schema.Block {
	return &schema.Block{
		Type: "pool", Labels: []string{"name"}, Doc: "Connections that tools and handlers use, one at a time each.",
		Attrs: []schema.Attr{
			atLeast(1, schema.Attr{Name: "size", Type: schema.Int, Required: true, Doc: "Connections."}),
			{Name: "acquire_timeout", Type: schema.String, Default: `"none"`, Doc: `How long one waits for a connection before the call fails with pool_timeout, or "none".`},
			{Name: "statement_timeout", Type: schema.String, Default: `"none"`, Doc: `How long a statement may take before the call fails with db_timeout, or "none".`},
		},
	}
}

func handlerBlock() *schema.Block {
	return &schema.Block{
		Type: "handler", Labels: []string{"name"}, Doc: "What the actor does in a session of its own.",
		Attrs: []schema.Attr{
			positive(schema.Attr{Name: "takes", Type: schema.Duration, Default: `"0s"`, Doc: "How long its own work takes."}),
			{Name: "lock", Type: schema.Expr, Doc: "Locks that a session holds, taken in this order: names, of which the actor's own come before shared ones, or references such as lock.global."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of a session, from when its locks are held."}),
			{Name: "uses", Type: schema.Expr, Doc: "Pools of which it holds a connection while it works, and modules without which it is not there."},
			{Name: "forward_to", Type: schema.Expr, Doc: "A handler or tool of another actor, such as actor.b.handler, that is called when its own work is done."},
			{Name: "workflow", Type: schema.Ref, Refs: []string{"workflow"}, Doc: "A workflow that a session runs when its own work is done: its failure is the session's, its output the answer. Its steps are addressed as actor.NAME.HANDLER.STEP."},
			{Name: "inputs", Type: schema.Expr, Doc: "The inputs of the workflow, an expression over arguments; the arguments themselves where it is not given."},
			{Name: "return", Type: schema.Expr, Doc: "What it answers, an expression over arguments and over result, the answer of what it forwarded to or the output of its workflow. Without it that answer, or null."},
		},
	}
}

func actorToolBlock() *schema.Block {
	return &schema.Block{
		Type: "tool", Labels: []string{"name"}, Doc: "What the actor answers without a session. Inside a module it is there only where the module is.",
		Attrs: []schema.Attr{
			positive(schema.Attr{Name: "takes", Type: schema.Duration, Default: `"0s"`, Doc: "How long its own work takes."}),
			{Name: "uses", Type: schema.Expr, Doc: "Pools of which it holds a connection while it works, and modules without which it is not there."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of one call."}),
			{Name: "return", Type: schema.Expr, Doc: "What it answers, an expression over arguments."},
		},
	}
}

func callBlock() *schema.Block {
	return &schema.Block{
		Type: "call", Labels: []string{"name"}, Doc: "Makes a call: of a handler or a tool of an actor, of a workflow, a fanout or a classifier, or of a service by its gateway. What it came to is call.NAME.",
		Attrs: append(askedOf(), []schema.Attr{
			{Name: "target", Type: schema.Expr, Required: true, Doc: "The handler or tool, such as actor.health.trigger; or workflow.NAME, fanout.NAME, classifier.NAME, gateway.NAME or provider.NAME."},
			{Name: "at", Type: schema.Any, Doc: `When, from the start of the scenario: a duration, or for an actor a list of them for several calls; "0s" by default.`},
			{Name: "after", Type: schema.Ref, Refs: []string{"step", "call", "fanout", "classify"}, Doc: "Not before this has ended, in place of at."},
			{Name: "arguments", Type: schema.Map, Doc: "What it is called with: the inputs of a workflow; for a gateway or provider the attributes of a step that calls it, such as prompt or path."},
			{Name: "text", Type: schema.String, Doc: "What a classifier is asked about."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "How long the caller waits."}),
		}...),
	}
}

func eventBlock() *schema.Block {
	b := &schema.Block{
		Type: "event", Labels: []string{"name"}, Doc: "Something that happens to the world.",
		Attrs: []schema.Attr{
			positive(schema.Attr{Name: "at", Type: schema.Duration, Doc: `When, from the start of the scenario; "0s" where neither after nor when is given.`}),
			{Name: "after", Type: schema.Ref, Refs: []string{"step", "call", "fanout", "classify"}, Doc: "When this has ended."},
			{Name: "when", Type: schema.Expr, Doc: "When this condition holds for the first time; it is looked at after every event of the run."},
		},
	}
	for _, a := range []struct{ name, doc string }{
		{"start", "The actor comes up now, and not at 0."},
		{"kill", "The actor's process dies: what it does fails, its heartbeats stop, all it held is free. What it asked other actors for is cancelled there."},
		{"restart", "The actor comes up anew, with empty state."},
		{"unreachable", "The actor's port is gone: new calls are refused, those under way go on and are answered. Its process and its heartbeats live."},
		{"reachable", "The port is there again."},
		{"drain", "The actor takes nothing new and may end what is under way."},
		{"activate", "An operator sets the actor's entry in its registry to active."},
		{"quarantine", "An operator quarantines the actor."},
	} {
		b.Attrs = append(b.Attrs, schema.Attr{Name: a.name, Type: schema.Ref, Refs: []string{"actor"}, Doc: a.doc})
	}
	b.Attrs = append(b.Attrs,
		positive(schema.Attr{Name: "timeout", Type: schema.Duration, Default: `"30s"`, Doc: "How long a drain lets calls end before it cancels them."}),
		schema.Attr{Name: "cancel", Type: schema.Expr, Doc: `Cancels step.NAME, call.NAME or "run". Where that has not begun, or has ended, nothing is cancelled.`},
		schema.Attr{Name: "partition", Type: schema.Expr, Doc: "Sets of actors that cannot call each other, a list of lists such as [[actor.a], [actor.b]]. A call across is refused when it is made; one that is under way goes on and is answered."},
		schema.Attr{Name: "heal", Type: schema.Bool, Doc: "Ends the partition."},
		unmet("Nobody need meet it. Without it the gate unfired_fault is broken where the run shows no effect: no call is refused, cut, delayed or answered because of it, and no condition reads a state that it changed."),
	)
	return b
}

// unmet excuses a block whose effect nobody meets.
func unmet(doc string) schema.Attr {
	return schema.Attr{Name: "optional", Type: schema.Bool, Default: "false", Doc: doc}
}

func holdBlock() *schema.Block {
	return &schema.Block{
		Type: "hold", Labels: []string{"name"}, Doc: "Takes units of a lock or pool from outside for a time.",
		Attrs: []schema.Attr{
			{Name: "pool", Type: schema.Expr, Doc: "The pool, such as actor.health.pool.db."},
			{Name: "lock", Type: schema.Expr, Doc: "The lock, such as lock.global or actor.health.lock.session."},
			atLeast(1, schema.Attr{Name: "n", Type: schema.Int, Default: "1", Doc: "How many units."}),
			positive(schema.Attr{Name: "from", Type: schema.Duration, Default: `"0s"`, Doc: "From when, from the start of the scenario."}),
			positive(schema.Attr{Name: "to", Type: schema.Duration, Required: true, Doc: "Until when."}),
			unmet("Nobody need wait for it. Without it the gate unfired_fault is broken where no call waits for it or is turned away."),
		},
	}
}

// callStep are the arguments of a step that calls an actor.
func callStep() []schema.Attr {
	return []schema.Attr{
		{Name: "target", Type: schema.Expr, Required: true, Doc: "The handler or tool, such as actor.health.trigger."},
		{Name: "arguments", Type: schema.Expr, Takes: objects, Doc: "What it is called with, an object."},
	}
}

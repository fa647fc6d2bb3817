package language

import (
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/schema"
)

// File is the schema of a whole file: every block and attribute that this
// version of the language has. It is built once and must not be changed.
func File() *schema.Block { return file() }

var file = sync.OnceValue(func() *schema.Block { return fileOf(nil) })

// fileOf is the schema of a file in an extended language.
func fileOf(e *Extensions) *schema.Block {
	return &schema.Block{
		Attrs: []schema.Attr{importsAttr()},
		Blocks: []*schema.Block{
			variableBlock(), localsBlock(), telemetryBlock(), providerBlock(e),
			retryBlock(), breakerBlock(), rateLimitBlock(), gatewayBlock(),
			taxonomyBlock(), fanoutBlock(), classifierBlock(), lockBlock("A lock that actors share."), registryBlock(), actorBlock(), workflowBlock(), endpointBlock(), invariantBlock(), scenarioBlock(e), benchBlock(onBlock(e), cassetteBlock()),
		},
	}
}

// Each calls visit with every block that a file may have, the file itself first, and each of
// them once: before its blocks, and these before its kinds.
func Each(visit func(b *schema.Block)) {
	seen := map[*schema.Block]bool{}
	var each func(b *schema.Block)
	each = func(b *schema.Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		visit(b)
		for _, n := range b.Blocks {
			each(n)
		}
		for _, k := range b.Kinds {
			each(k)
		}
	}
	each(File())
}

// LaterKinds are the kinds of a type of block ("step exec") that this version
// knows and does not run.
var LaterKinds = words("step exec")

// importsAttr is the attribute of a file.
func importsAttr() schema.Attr {
	return schema.Attr{
		Name: "import", Type: schema.Expr,
		Doc: `Files whose declarations and variables are used here, such as ["std/cuga", "./common.scenario.hcl"]; paths are relative to this file.`,
	}
}

func words(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

func positive(a schema.Attr) schema.Attr {
	a.Min, a.HasMin = 0, true
	return a
}

// limit is a duration in which something has to end. One of 0 s is refused: it
// reads like no limit to one and like an instant one to another.
func limit(a schema.Attr) schema.Attr {
	a.Min, a.HasMin, a.AboveMin = 0, true, true
	return a
}

func atLeast(minimum float64, a schema.Attr) schema.Attr {
	a.Min, a.HasMin = minimum, true
	return a
}

func within(low, high float64, a schema.Attr) schema.Attr {
	a.Min, a.HasMin, a.Max, a.HasMax = low, true, high, true
	return a
}

func variableBlock() *schema.Block {
	return &schema.Block{
		Type: "variable", Labels: []string{"name"}, Doc: "A value given from outside: SCENARIO_VAR_name, --var-file, --var, in that order, the last wins.",
		Attrs: []schema.Attr{
			{Name: "type", Type: schema.String, OneOf: []string{"string", "number", "bool", "any"}, BareWords: true, Default: `"any"`, Doc: "The type a given value must have, with or without quotes. A list or an object is any."},
			{Name: "default", Type: schema.Any, Doc: "The value where none is given; without it one must be given."},
			{Name: "description", Type: schema.String, Doc: "What the variable is for."},
			{Name: "sensitive", Type: schema.Bool, Default: "false", Doc: "Keep the value out of every report."},
		},
	}
}

func localsBlock() *schema.Block {
	return &schema.Block{Type: "locals", Open: true, Doc: "Named expressions, read as local.name."}
}

func telemetryBlock() *schema.Block {
	return &schema.Block{
		Type: "telemetry", Max: 1, Doc: "How metrics are named.",
		Attrs: []schema.Attr{{Name: "prefix", Type: schema.String, Default: `"scenario"`, Doc: "Replaces the prefix scenario_ of metric names."}},
	}
}

func providerBlock(e *Extensions) *schema.Block {
	b := &schema.Block{Type: "provider", Labels: []string{"kind", "name"}, Doc: "A remote service.", Kinds: []*schema.Block{}}
	for _, k := range e.providerKinds() {
		if k.Family == "sql" {
			b.Kinds = append(b.Kinds, &schema.Block{Type: "provider", Kind: k.Name, Labels: b.Labels, Attrs: append(databaseAttrs(), k.Attrs...), Doc: k.Summary})
			continue
		}
		attrs := append([]schema.Attr{
			{Name: "base_url", Type: schema.String, Doc: "Where the service is; the vendor's own address by default."},
			{Name: "base_url_env", Type: schema.String, Doc: "Name of the environment variable in which a program under test finds the address of the service, beside the one that clients of the vendor know."},
			{Name: "api_key_env", Type: schema.String, Doc: "Name of the environment variable that holds the key. It is read only when the network is used, and sent as the vendor wants it: as `x-api-key` to Anthropic, as `x-goog-api-key` to Gemini, else as `Authorization: Bearer …`, to http and mcp services, too."},
			{Name: "headers", Type: schema.StringMap, Doc: "Header fields added to every request. A key that is sent otherwise than api_key_env sends it is `headers = { \"X-Key\" = env(\"NAME\") }`: what dials nothing has a placeholder for it, so offline tests need no key."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of one attempt."}),
			firstByteTimeout(), idleTimeout(),
		}, k.Attrs...)
		if k.Family == "llm" {
			attrs = append([]schema.Attr{{Name: "model", Type: schema.String, Doc: "The model of steps that name none."}}, attrs...)
		}
		b.Kinds = append(b.Kinds, &schema.Block{Type: "provider", Kind: k.Name, Labels: b.Labels, Attrs: attrs, Doc: k.Summary})
	}
	return b
}

// databaseAttrs are the attributes of a provider that is no service of HTTP.
func databaseAttrs() []schema.Attr {
	return []schema.Attr{
		{Name: "base_url", Type: schema.String, Doc: "Where the database is: `postgres://user@host:5432/database`. Recordings are matched by it; a password in it is dropped."},
		{Name: "dsn_env", Type: schema.String, Doc: "Name of the environment variable that holds the connection string, with its password, of the database that is dialled in the place of base_url. It is read only when the network is used."},
		limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of one attempt."}),
	}
}

func retryBlock() *schema.Block {
	common := []schema.Attr{
		{Name: "retry_on", Type: schema.Strings, Default: "[]", Doc: `What is retried: statuses ("429", "5xx"), kinds ("timeout", "connection", or one cause of it: "connection.refused", reset, dns, tls, eof) or modes. The list says all: what is not in it is not retried. Empty, the default: what the taxonomy calls retryable, which in std/cuga is timeouts, lost connections and streams, 408, 429, 5xx but 501 and 505, unreadable and overloaded answers, an open breaker and a tool that is not there.`},
		{Name: "respect_retry_after", Type: schema.Bool, Default: "true", Doc: "Take the wait that the server asks for as a lower bound."},
		positive(schema.Attr{Name: "max_retry_after", Type: schema.Duration, Default: `"2m"`, Doc: "Give up at once when the server asks for a longer wait."}),
		limit(schema.Attr{Name: "retry_after_cap", Type: schema.Duration, Doc: "Wait so long at most, whatever the server asks for, and do not give up: what programs do that shorten its Retry-After."}),
		within(0, 1, schema.Attr{Name: "retry_after_jitter", Type: schema.Number, Default: "0", Doc: "Share of the server's wait, 0 to 1, of which a part drawn from the scenario's seed is added to it: nobody comes back before the instant, and not all at it."}),
	}
	maxRetries := within(0, 1000, schema.Attr{Name: "max_retries", Type: schema.Int, Default: "3", Doc: "How many rounds may follow the first."})
	kind := func(name, doc string, attrs ...schema.Attr) *schema.Block {
		return &schema.Block{Type: "retry", Kind: name, Labels: []string{"kind", "name"}, Doc: doc, Attrs: attrs}
	}
	return &schema.Block{
		Type: "retry", Labels: []string{"kind", "name"}, Doc: "When and how often a failed round is tried again.",
		Kinds: []*schema.Block{
			kind("exponential", "Wait before retry n: min(base * multiplier^(n-1), max_delay), then jitter.", append([]schema.Attr{
				positive(schema.Attr{Name: "base", Type: schema.Duration, Default: `"1s"`, Doc: "The first wait."}),
				atLeast(1, schema.Attr{Name: "multiplier", Type: schema.Number, Default: "2", Doc: "Factor from one wait to the next."}),
				positive(schema.Attr{Name: "max_delay", Type: schema.Duration, Default: `"60s"`, Doc: "The longest wait before jitter."}),
				{Name: "jitter", Type: schema.Any, Default: "0", Doc: `Share of the wait that is drawn from the scenario's seed, 0 to 1; or "full".`},
				maxRetries,
			}, common...)...),
			kind("linear", "Wait before retry n: delay + (n-1) * increment.", append([]schema.Attr{
				positive(schema.Attr{Name: "delay", Type: schema.Duration, Default: `"2s"`, Doc: "The first wait."}),
				positive(schema.Attr{Name: "increment", Type: schema.Duration, Default: `"0s"`, Doc: "What every further wait adds."}),
				maxRetries,
			}, common...)...),
			kind("none", "One round, never a retry."),
		},
	}
}

func breakerBlock() *schema.Block {
	return &schema.Block{
		Type: "breaker", Labels: []string{"name"}, Doc: "A template of circuit breakers; each target that names it has a breaker of its own.",
		Attrs: []schema.Attr{
			atLeast(1, schema.Attr{Name: "threshold", Type: schema.Int, Default: "5", Doc: "Consecutive failures that open it."}),
			{Name: "window", Type: schema.Any, Doc: `Count failures in a window instead: a number of calls, or a duration ("60s").`},
			within(0, 1, schema.Attr{Name: "failure_rate", Type: schema.Number, Default: "0.5", Doc: "Share of failures in the window that opens it."}),
			atLeast(1, schema.Attr{Name: "min_calls", Type: schema.Int, Default: "10", Doc: "Calls that must be in the window before it can open."}),
			positive(schema.Attr{Name: "reset", Type: schema.Duration, Default: `"60s"`, Doc: "How long it stays open; the first call at or after that is a probe."}),
			atLeast(1, schema.Attr{Name: "half_open_max", Type: schema.Int, Default: "1", Doc: "Probes at one time while half open."}),
			atLeast(1, schema.Attr{Name: "success_threshold", Type: schema.Int, Default: "1", Doc: "Successful probes that close it."}),
			{Name: "ignore", Type: schema.Strings, Default: `["rate_limit", "cancelled"]`, Doc: "Failure kinds that count neither as failure nor as success. Where cancelled is not among them, a call that an outer deadline or a cancellation ends counts as a failure; a reader that stops early never does."},
		},
	}
}

func rateLimitBlock() *schema.Block {
	return &schema.Block{
		Type: "rate_limit", Labels: []string{"name"}, Doc: "Token buckets in front of a target; callers wait their turn, first come, first served.",
		Attrs: []schema.Attr{
			{Name: "requests_per_minute", Type: schema.Number, Default: "60", Doc: "Requests that become available per minute."},
			{Name: "tokens_per_minute", Type: schema.Number, Default: "100000", Doc: "Model tokens that become available per minute."},
			{Name: "burst", Type: schema.Number, Doc: "Capacity of the request bucket; requests_per_minute by default."},
		},
	}
}

func bulkheadBlock() *schema.Block {
	return &schema.Block{
		Type: "bulkhead", Max: 1, Doc: "How many calls may be under way at once, and how many may wait. That of a step is shared by all runs of its workflow in a scenario.",
		Attrs: []schema.Attr{
			atLeast(1, schema.Attr{Name: "max_concurrent", Type: schema.Int, Required: true, Doc: "Calls at one time."}),
			positive(schema.Attr{Name: "max_queue", Type: schema.Int, Default: "0", Doc: "Callers that may wait; the next one fails with overloaded."}),
		},
	}
}

func gatewayBlock() *schema.Block {
	return &schema.Block{
		Type: "gateway", Labels: []string{"name"}, Doc: "The targets that can serve a call, tried in order.",
		Attrs: []schema.Attr{
			{Name: "strategy", Type: schema.String, Default: `"priority"`, OneOf: []string{"priority", "round_robin", "least_busy"}, Doc: "Which target is tried first: the first in order, the next one each time, or the one with the fewest attempts under way."},
		},
		Blocks: []*schema.Block{{
			Type: "target", Labels: []string{"name"}, Min: 1, Doc: "One entry of the path to a service.",
			Attrs: []schema.Attr{
				{Name: "provider", Type: schema.Ref, Refs: []string{"provider"}, Required: true, Doc: "The provider that is dialled."},
				{Name: "priority", Type: schema.Int, Default: "0", Doc: "Lower ones are tried first."},
				{Name: "fallback", Type: schema.Bool, Default: "false", Doc: "Tried after all others."},
				{Name: "breaker", Type: schema.Ref, Refs: []string{"breaker"}, Doc: "Template of its circuit breaker."},
				{Name: "rate_limit", Type: schema.Ref, Refs: []string{"rate_limit"}, Doc: "Its rate limit."},
				limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of one attempt."}),
				{Name: "models", Type: schema.Strings, Doc: "Models it serves; all where not given."},
			},
			Blocks: []*schema.Block{bulkheadBlock()},
		}},
	}
}

func workflowBlock() *schema.Block {
	return &schema.Block{
		Type: "workflow", Labels: []string{"name"}, Doc: "A graph of steps.",
		Attrs: []schema.Attr{
			{Name: "gateway", Type: schema.Ref, Refs: []string{"gateway"}, Doc: "Default of its steps."},
			{Name: "provider", Type: schema.Ref, Refs: []string{"provider"}, Doc: "Default of its steps: one target without a breaker."},
			{Name: "inputs", Type: schema.Map, Doc: "Input names with their defaults; null means that the scenario must give a value."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of the whole run."}),
			within(1, 10000, schema.Attr{Name: "max_concurrent", Type: schema.Int, Default: "10", Doc: "Steps that run at one time."}),
			{Name: "on_failure", Type: schema.String, Default: `"fail_fast"`, OneOf: []string{"fail_fast", "continue", "retry", "fallback"}, Doc: "What a failed step means for the others."},
			{Name: "taxonomy", Type: schema.Ref, Refs: []string{"taxonomy"}, Doc: "What gives its failures their modes: taxonomy.cuga by default, taxonomy.routing, or one of the file's own."},
			{Name: "output", Type: schema.Expr, Doc: "The run's output, an expression over its steps."},
		},
		Blocks: []*schema.Block{
			{
				Type: "budget", Max: 1, Doc: "What a run may spend.",
				Attrs: []schema.Attr{
					positive(schema.Attr{Name: "usd", Type: schema.Number, Doc: "US dollars."}),
					positive(schema.Attr{Name: "tokens", Type: schema.Number, Doc: "Model tokens."}),
				},
			},
			toleratesBlock(),
			StepBlock(),
		},
	}
}

// StepBlock is a step of a workflow, with all its kinds.
func StepBlock() *schema.Block {
	labels := []string{"kind", "name"}
	kind := func(name, doc string, blocks []*schema.Block, attrs ...schema.Attr) *schema.Block {
		if serviceless[name] == nil {
			blocks = append(blocks, bulkheadBlock())
		}
		return &schema.Block{
			Type: "step", Kind: name, Labels: labels, Doc: doc,
			Attrs:  append(attrs, StepAttrs()...),
			Blocks: append(blocks, validateBlock()),
		}
	}
	step := &schema.Block{Type: "step", Labels: labels, Min: 1, Doc: "A named unit of work."}
	step.Kinds = []*schema.Block{
		kind("llm", "Asks a language model.", []*schema.Block{toolBlock(), consumerBlock()},
			schema.Attr{Name: "prompt", Type: schema.Expr, Takes: texts, Doc: "One user message."},
			schema.Attr{Name: "messages", Type: schema.Expr, Takes: lists, Doc: "The conversation, a list of { role, content }."},
			schema.Attr{Name: "system", Type: schema.Expr, Takes: texts, Doc: "A system message before the others."},
			schema.Attr{Name: "model", Type: schema.String, Runtime: true, Doc: "The model; the provider's by default."},
			schema.Attr{Name: "temperature", Type: schema.Number, Runtime: true, Doc: "Sampling temperature."},
			positive(schema.Attr{Name: "max_tokens", Type: schema.Int, Runtime: true, Doc: "Limit of the answer in tokens."}),
			schema.Attr{Name: "stream", Type: schema.Bool, Default: "false", Doc: "Ask for a stream."},
			schema.Attr{Name: "response_format", Type: schema.Expr, Doc: "Passed to the provider as it is."},
			schema.Attr{Name: "tools", Type: schema.Expr, Takes: lists, Doc: "Tools offered beside the tool blocks, a list of { name, description, parameters }."},
			within(1, 1000, schema.Attr{Name: "max_tool_iterations", Type: schema.Int, Default: "5", Doc: "Turns of the tool loop. Where the model still asks for tools in the last of them, the step fails with max_tool_iterations."}),
		),
		kind("http", "Sends an HTTP request.", []*schema.Block{consumerBlock()},
			schema.Attr{Name: "method", Type: schema.String, Runtime: true, Default: `"GET"`, Doc: "The method."},
			schema.Attr{Name: "path", Type: schema.String, Runtime: true, Doc: "Joined to the provider's base_url."},
			schema.Attr{Name: "url", Type: schema.String, Runtime: true, Doc: "The whole URL, in place of path."},
			schema.Attr{Name: "query", Type: schema.StringMap, Runtime: true, Doc: "Query parameters."},
			schema.Attr{Name: "headers", Type: schema.StringMap, Runtime: true, Doc: "Header fields."},
			schema.Attr{Name: "body", Type: schema.String, Runtime: true, Doc: "The body as text."},
			schema.Attr{Name: "json", Type: schema.Expr, Doc: "The body as a value."},
			schema.Attr{Name: "stream", Type: schema.Bool, Default: "false", Doc: "Read the answer as a stream."},
			schema.Attr{Name: "expect_status", Type: schema.Any, Doc: `The statuses that are a success: a number, a class ("2xx") or a list of them; 200 to 399 by default.`},
		),
		kind("mcp", "Calls a tool of an MCP server, reads a resource, fetches a prompt or lists the tools.", []*schema.Block{consumerBlock()}, mcpStepAttrs()...),
		kind("sql", "Sends one statement to a database.", nil,
			schema.Attr{Name: "query", Type: schema.String, Required: true, Runtime: true, Doc: "The statement, with $1, $2, … in the places of its arguments."},
			schema.Attr{Name: "args", Type: schema.Expr, Doc: "The arguments, a list. They are sent as text, and the server knows their types; objects and lists are sent as JSON."},
		),
		kind("wait", "Lets virtual time pass.", nil,
			schema.Attr{Name: "for", Type: schema.Duration, Required: true, Runtime: true, Doc: "How long; it may be computed from the results of steps."},
		),
		kind("value", "Computes a value.", nil,
			schema.Attr{Name: "value", Type: schema.Expr, Required: true, Doc: "The expression; its value is the output."},
		),
		kind("loop", "Runs the steps inside it again and again.", []*schema.Block{step},
			schema.Attr{Name: "while", Type: schema.Expr, Doc: "The condition for one more iteration, read before each. It may read loop.index, which counts from 0, and the steps inside, which are null before the first."},
			within(1, 10000, schema.Attr{Name: "max_iterations", Type: schema.Int, Doc: "The last iteration, also where while still holds. A loop without it fails after 1000."}),
		),
		kind("call", "Calls a handler or a tool of an actor.", nil, callStep()...),
		kind("workflow", "Runs another workflow.", nil,
			schema.Attr{Name: "run", Type: schema.Ref, Refs: []string{"workflow"}, Required: true, Doc: "The workflow."},
			schema.Attr{Name: "inputs", Type: schema.Expr, Doc: "Values of its inputs, an object."},
		),
		kind("classify", "Asks a language model where a text goes, and sends it to a fallback whatever is wrong with the answer.", nil, classifyAttrs()...),
		kind("fanout", "Makes several calls together.", []*schema.Block{subBlock()}, fanoutStepAttrs()...),
	}
	for _, k := range step.Kinds {
		if dials(k.Kind) {
			k.Attrs = append(k.Attrs, laneAttr())
			k.Blocks = append(k.Blocks, matchBlock("What a request of a program must have to be this step's, where the workflow describes a program. By default that follows from the step's own attributes."))
		}
		for i := range k.Attrs {
			k.Attrs[i].Refused = slices.Contains(slices.Concat(serviceless[k.Kind], wholly[k.Kind]), k.Attrs[i].Name)
		}
	}
	return step
}

// dials reports whether steps of a kind call a service themselves.
func dials(kind string) bool {
	return slices.Contains([]string{"llm", "http", "mcp", "sql", "classify"}, kind)
}

// serviceless names, for the kinds of steps that call no service themselves,
// the common attributes that mean nothing there: those about such calls. A call
// step repeats its call of an actor by a policy of its own.
var serviceless = map[string][]string{
	"wait":     aboutCalls,
	"value":    append([]string{"timeout"}, aboutCalls...), // it takes no time
	"loop":     aboutCalls,
	"workflow": {"gateway", "provider", "attempt_timeout", "first_byte_timeout", "idle_timeout"}, // it may be run again
	"fanout":   aboutCalls,
	"call":     {"gateway", "provider", "attempt_timeout", "first_byte_timeout", "idle_timeout"},
}

// wholly names, for the kinds of steps whose service answers as a whole, the
// common attributes about an answer that comes in parts.
var wholly = map[string][]string{"sql": {"first_byte_timeout", "idle_timeout"}}

var aboutCalls = []string{"gateway", "provider", "attempt_timeout", "first_byte_timeout", "idle_timeout", "retry", "idempotent"}

func firstByteTimeout() schema.Attr {
	return limit(schema.Attr{Name: "first_byte_timeout", Type: schema.Duration, Doc: "How long an attempt waits for the head of an answer, from when it asks."})
}

func idleTimeout() schema.Attr {
	return limit(schema.Attr{Name: "idle_timeout", Type: schema.Duration, Doc: "How long an attempt waits for more of an answer that has begun."})
}

// What attributes of type Expr take.
var (
	texts      = []schema.ShapeKind{schema.ShapeString, schema.ShapeNumber, schema.ShapeBool}
	lists      = []schema.ShapeKind{schema.ShapeTuple}
	objects    = []schema.ShapeKind{schema.ShapeObject}
	conditions = []schema.ShapeKind{schema.ShapeBool}
)

// StepAttrs are the attributes that steps of every kind know, though some kinds
// refuse some of them.
func StepAttrs() []schema.Attr {
	return []schema.Attr{
		{Name: "gateway", Type: schema.Ref, Refs: []string{"gateway"}, Doc: "The gateway it calls; the workflow's by default."},
		{Name: "provider", Type: schema.Ref, Refs: []string{"provider"}, Doc: "The provider it calls, as one target without a breaker."},
		{Name: "depends_on", Type: schema.Refs, Refs: []string{"step"}, Doc: "Steps that must have ended well before, beside those it refers to."},
		{Name: "when", Type: schema.Expr, Takes: conditions, Doc: "The step is skipped where this is false."},
		limit(schema.Attr{Name: "timeout", Type: schema.Duration, Doc: "Limit of the whole step: turns, rounds and waits."}),
		limit(schema.Attr{Name: "attempt_timeout", Type: schema.Duration, Doc: "Limit of one attempt."}),
		firstByteTimeout(), idleTimeout(),
		{Name: "retry", Type: schema.Ref, Refs: []string{"retry"}, Doc: "Its retry policy; one round without one."},
		{Name: "idempotent", Type: schema.Bool, Doc: "Whether it may be sent twice. By default true for llm, for GET, HEAD, PUT, DELETE, OPTIONS and with an Idempotency-Key."},
		{Name: "on_failure", Type: schema.String, OneOf: []string{"fail_fast", "continue", "retry", "fallback"}, Doc: "Overrides the workflow's."},
		{Name: "required", Type: schema.Bool, Default: "true", Doc: "Whether its failure is the run's."},
		{Name: "fallback", Type: schema.Ref, Refs: []string{"step"}, Doc: "The step that runs in its place when it fails."},
		{Name: "fallback_on", Type: schema.String, Default: `"retryable"`, OneOf: []string{"retryable", "any"}, Doc: "Which failures the fallback is for."},
		{Name: "output", Type: schema.Expr, Doc: "The step's output, an expression over self."},
	}
}

func validateBlock() *schema.Block {
	return &schema.Block{
		Type: "validate", Labels: []string{"name"}, Doc: "A contract on what the step comes to: on every answer of the service or actor that it calls, else on its result. A broken one is the failure contract.",
		Attrs: []schema.Attr{
			{Name: "condition", Type: schema.Expr, Required: true, Doc: "What must hold, an expression over self."},
			{Name: "retry", Type: schema.Bool, Default: "false", Doc: "Whether a broken contract may be tried again: by the step's retry policy, or by its fallback."},
			{Name: "mode", Type: schema.String, Doc: "The mode of the taxonomy that a broken contract has, in place of the one for its kind."},
		},
	}
}

func toolBlock() *schema.Block {
	return &schema.Block{
		Type: "tool", Labels: []string{"name"}, Doc: "A tool offered to the model.",
		Attrs: []schema.Attr{
			{Name: "output", Type: schema.Expr, Doc: "What the tool answers, an expression that may read arguments."},
			{Name: "step", Type: schema.Ref, Refs: []string{"step"}, Doc: "A step that runs when the tool is called; its output is the answer."},
			{Name: "description", Type: schema.String, Doc: "Told to the model."},
			{Name: "parameters", Type: schema.Any, Doc: "JSON Schema of the arguments, told to the model."},
		},
	}
}

func consumerBlock() *schema.Block {
	return &schema.Block{
		Type: "consumer", Max: 1, Doc: "A reader that stops before the end of a stream.",
		Attrs: []schema.Attr{
			atLeast(1, schema.Attr{Name: "abort_after_chunks", Type: schema.Int, Doc: "Stop after so many chunks."}),
			positive(schema.Attr{Name: "abort_after", Type: schema.Duration, Doc: "Stop so long after the start of the attempt."}),
			{Name: "optional", Type: schema.Bool, Default: "false", Doc: "A stream may end before it stops; otherwise a step that never stopped early breaks the gate unfired_fault."},
		},
	}
}

func scenarioBlock(e *Extensions) *schema.Block {
	return &schema.Block{
		Type: "scenario", Labels: []string{"name"}, Doc: "What happens to the world, and what must hold.",
		Attrs: []schema.Attr{
			{Name: "run", Type: schema.Ref, Refs: []string{"workflow", "bench"}, Doc: "The workflow or bench that runs; none where only actors are driven, or where a program makes the calls."},
			{Name: "start", Type: schema.Refs, Refs: []string{"actor"}, Doc: "Actors that start although nothing else refers to them."},
			{Name: "inputs", Type: schema.Map, Doc: "Values of the workflow's inputs."},
			{Name: "description", Type: schema.String, Doc: "For people."},
			{Name: "tags", Type: schema.Strings, Doc: "For --tag."},
			positive(schema.Attr{Name: "seed", Type: schema.Int, Default: "1", Doc: "Where every random draw comes from."}),
			{Name: "allow", Type: schema.Strings, Doc: "Gates that may be broken here."},
			{Name: "skip", Type: schema.String, Doc: "Why the scenario is not run."},
			forEachAttr(),
		},
		Blocks: []*schema.Block{
			onBlock(e),
			outageBlock(e),
			sutBlock(),
			callBlock(), fanoutCallBlock(), classifyCallBlock(), eventBlock(), holdBlock(),
			caseBlock(e),
			matrixBlock(),
			overrideBlock(),
			cassetteBlock(),
			{
				Type: "assert", Labels: []string{"name"}, Doc: "A condition that must hold after the run.",
				Attrs: []schema.Attr{
					{Name: "condition", Type: schema.Expr, Required: true, Doc: "The condition."},
					{Name: "error_message", Type: schema.Expr, Doc: "Said beside the operands when it does not hold."},
				},
			},
			invariantBlock(),
			toleratesBlock(),
			{Type: "expect", Labels: []string{"address"}, Open: true, Doc: "Attributes that a result must have."},
			snapshotBlock(),
		},
	}
}

func cassetteBlock() *schema.Block {
	return &schema.Block{
		Type: "cassette", Max: 1, Doc: "Recorded traffic that answers what the scripts leave.",
		Attrs: []schema.Attr{
			{Name: "path", Type: schema.String, Required: true, Doc: "The file, relative to the scenario file."},
			{Name: "match", Type: schema.String, OneOf: []string{"strict", "semantic", "loose"}, Doc: "What of a request must be equal; strict for files of scenario, semantic for others."},
			{Name: "latency", Type: schema.String, Default: `"recorded"`, Doc: `"recorded", "none", or one duration for every answer.`},
			{Name: "match_headers", Type: schema.Strings, Doc: "Header fields that must be equal too."},
			{Name: "ignore", Type: schema.Strings, Doc: "Places in requests that need not be equal, as a miss names them: `host`, `query.ts`, `body.metadata.trace_id`, `body.messages[*].name`."},
			{Name: "exhausted", Type: schema.String, Default: `"fail"`, OneOf: []string{"fail", "repeat_last"}, Doc: "What a call meets after all its recorded answers were played. A loop that polls may ask more often than it did when it was recorded: `repeat_last` plays the last answer again."},
			positive(schema.Attr{Name: "max_age", Type: schema.Duration, Doc: "How old the recording may be. An older one is warned of and played, and with `--strict-cassettes` it is an error."}),
		},
		Blocks: []*schema.Block{{
			Type: "redact", Max: 1,
			Doc: "What the scenario hides beside what is always hidden, in its trace, its reports and its messages. What is hidden counts in no comparison with the recording.",
			Attrs: []schema.Attr{
				{Name: "headers", Type: schema.Strings, Doc: "Names of header fields."},
				{Name: "query", Type: schema.Strings, Doc: "Names of query parameters, and of the fields of a form."},
				{Name: "json", Type: schema.Strings, Doc: "Names of members of JSON objects, at any depth: their strings and numbers, and lists of those."},
				{Name: "patterns", Type: schema.Strings, Doc: "Regular expressions (RE2); what one matches is hidden."},
			},
		}},
	}
}

func invariantBlock() *schema.Block {
	return &schema.Block{
		Type: "invariant", Labels: []string{"name"}, Doc: "A condition that must hold after every event of the run that decides it: while an operand is null, the other side of `||` or `&&` may. `X == null || …` waits for X. At the top level it holds in every scenario that has all it refers to.",
		Attrs: []schema.Attr{
			{Name: "condition", Type: schema.Expr, Required: true, Doc: "The condition."},
			{Name: "error_message", Type: schema.Expr, Doc: "Said beside the operands when it does not hold."},
		},
	}
}

func onBlock(e *Extensions) *schema.Block {
	entry := []schema.Attr{
		{Name: "times", Type: schema.Any, Doc: `How many calls the entry answers; "*" for any number.`},
		{Name: "target", Type: schema.String, Refs: []string{"target"}, Doc: "Only calls to this target."},
		atLeast(1, schema.Attr{Name: "turn", Type: schema.Int, Doc: "Only this turn of a tool loop."}),
		atLeast(1, schema.Attr{Name: "iteration", Type: schema.Int, Doc: "Only this iteration of a loop."}),
		{Name: "optional", Type: schema.Bool, Default: "false", Doc: "Not reaching the entry is fine."},
	}
	asked := matchBlock("What a request must have, of an entry for an endpoint. One that has it not passes the entry over.")
	disturbed := []*schema.Block{
		{Type: "reply", Max: 1, Attrs: replyAttrs(e), Doc: "The answer that the fault disturbs."},
		{Type: "replay", Max: 1, Attrs: replayAttrs(), Doc: "The recorded answer that the fault disturbs."},
	}
	fault := &schema.Block{Type: "fault", Labels: []string{"kind"}, Doc: "What goes wrong.", Kinds: []*schema.Block{}}
	for _, k := range e.faultKinds() {
		attrs := append([]schema.Attr{}, k.Attrs...)
		attrs = append(attrs, afterAttr())
		fault.Kinds = append(fault.Kinds, &schema.Block{
			Type: "fault", Kind: k.Name, Labels: fault.Labels, Doc: k.Summary,
			Attrs: append(attrs, entry...), Blocks: append([]*schema.Block{asked}, disturbed...),
		})
	}
	return &schema.Block{
		Type: "on", Labels: []string{"address"}, Doc: "What the outside does to a step or an endpoint.",
		Attrs: []schema.Attr{
			{Name: "target", Type: schema.String, Refs: []string{"target"}, Doc: "Only calls to this target."},
			{Name: "exhausted", Type: schema.String, Default: `"fail"`, OneOf: []string{"fail", "repeat_last", "cycle", "replay"}, Doc: "What a call past the end meets."},
		},
		Blocks: []*schema.Block{
			{Type: "reply", Attrs: append(replyAttrs(e), entry...), Blocks: []*schema.Block{asked}, Doc: "An answer in the provider's terms."},
			{Type: "replay", Attrs: append(replayAttrs(), entry...), Blocks: []*schema.Block{asked}, Doc: "A recorded answer."},
			fault,
		},
	}
}

// replyAttrs are the attributes of a reply for any kind of provider; that one
// fits the step's is checked when the scenario is compiled.
func replyAttrs(e *Extensions) []schema.Attr {
	var attrs []schema.Attr
	seen := map[string]bool{}
	for _, k := range e.providerKinds() {
		for _, a := range k.Reply {
			if !seen[a.Name] {
				seen[a.Name] = true
				attrs = append(attrs, a)
			}
		}
	}
	return attrs
}

func replayAttrs() []schema.Attr {
	return []schema.Attr{
		atLeast(1, schema.Attr{Name: "interaction", Type: schema.Int, Doc: "A certain interaction, counted from 1."}),
		positive(schema.Attr{Name: "latency", Type: schema.Duration, Doc: "In place of the recorded one."}),
	}
}

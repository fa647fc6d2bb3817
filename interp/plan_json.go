package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// planSchema names the format of a plan's JSON, and with it the meaning that
// this engine gives to a plan: it changes when the same plan may run
// differently.
const planSchema = "scenario.plan/1"

// Hash identifies what the plan means: "sha256:" and 64 hex digits. Places in
// the file and comments do not count; resolved variables, the cassette's
// content, the seed and the format's version do.
func (p *Plan) Hash() string { return p.hash() }

// JSON is the plan as canonical JSON, with expressions as formatted source and
// their place in the file. It holds no secret: values of sensitive variables
// are not in it.
func (p *Plan) JSON() []byte {
	w := planWriter{places: true}
	doc := w.scenario(p)
	doc.add("workflow", w.workflow(p.workflow))
	doc.add("hash", p.hash())
	doc.add("file", p.File)
	doc.add("line", p.Line)
	return trace.AppendValue(nil, doc)
}

// digest computes the hash.
func (p *Plan) digest() string {
	h := sha256.New()
	h.Write(p.workflow.digest())
	h.Write(trace.AppendValue(nil, planWriter{}.scenario(p)))
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// sum is the workflow's part of a plan's hash, encoded once for all scenarios
// that run it.
func (f *workflow) sum() []byte {
	sum := sha256.Sum256(trace.AppendValue(nil, planWriter{}.workflow(f)))
	return sum[:]
}

// planWriter turns parts of a plan into plain values. Absent parts are nil and
// left out by the encoder.
type planWriter struct{ places bool }

func (w planWriter) expr(e hclsyntax.Expression) any {
	if e == nil {
		return nil
	}
	source := string(dsl.AppendSource(nil, e))
	if !w.places {
		return source
	}
	return document{{"source", source}, {"at", w.place(e.Range())}}
}

func (w planWriter) place(rng hcl.Range) any {
	if !w.places {
		return nil
	}
	return []any{rng.Start.Line, rng.Start.Column}
}

func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return d
}

func (w planWriter) attrs(list []*dsl.Attr) any {
	if len(list) == 0 {
		return nil
	}
	doc := make(document, len(list))
	for i, a := range list {
		doc[i] = member{a.Name, w.expr(a.Expr)}
	}
	return doc
}

func (w planWriter) workflow(f *workflow) document {
	inputs := make(map[string]any, len(f.inputs))
	for name, v := range f.inputs {
		inputs[name] = dsl.GoValue(v)
	}
	doc := document{
		{"name", f.name}, {"inputs", inputs}, {"timeout_ns", duration(f.timeout)}, {"max_concurrent", f.maxConcurrent}, {"on_failure", f.onFailure},
		{"output", w.expr(f.output)}, {"at", w.place(f.rng)},
	}
	if f.budget.USD != nil {
		doc.add("budget_usd", *f.budget.USD)
	}
	if f.budget.Tokens != nil {
		doc.add("budget_tokens", *f.budget.Tokens)
	}
	steps := make([]any, len(f.steps))
	for i, s := range f.steps {
		steps[i] = w.step(f, s)
	}
	doc.add("steps", steps)
	return doc
}

func (w planWriter) step(f *workflow, s *step) document {
	args := make([]*dsl.Attr, 0, len(s.args))
	for _, a := range s.block.Attrs {
		if s.args[a.Name] == a {
			args = append(args, a)
		}
	}
	after := make([]string, len(s.after))
	for i, n := range s.after {
		after[i] = f.steps[n].name
	}
	doc := document{
		{"kind", s.kind}, {"name", s.name}, {"args", w.attrs(args)}, {"when", w.expr(s.when)}, {"output", w.expr(s.output)}, {"after", after},
		{"timeout_ns", duration(s.timeout)}, {"attempt_timeout_ns", duration(s.attemptTimeout)}, {"required", s.required}, {"stream", s.stream},
		{"on_failure", s.onward}, {"fallback_any", s.fallbackAny}, {"bulkhead", bulkheadDoc(s.bulkhead)}, {"at", w.place(s.rng)},
	}
	if s.gateway != nil {
		doc.add("gateway", gatewayDoc(s.gateway))
		doc.add("retry", retryDoc(s.retry))
	}
	if s.fallback >= 0 {
		doc.add("fallback", f.steps[s.fallback].name)
	}
	if s.idempotent != nil {
		doc.add("idempotent", *s.idempotent)
	}
	if s.kind == "llm" {
		doc.add("max_tool_iterations", s.maxTurns)
	}
	if a := s.block.Attr("expect_status"); a != nil {
		doc.add("expect_status", w.expr(a.Expr))
	}
	if s.consumer != nil {
		doc.add("consumer", document{{"abort_after_chunks", s.consumer.chunks}, {"abort_after_ns", s.consumer.after}})
	}
	var validates, tools []any
	for _, v := range s.validates {
		validates = append(validates, document{{"name", v.name}, {"condition", w.expr(v.condition)}, {"retry", v.retry}})
	}
	for _, t := range s.tools {
		td := document{{"name", t.name}, {"description", t.description}, {"parameters", t.parameters}, {"output", w.expr(t.output)}}
		if t.step >= 0 {
			td.add("step", f.steps[t.step].name)
		}
		tools = append(tools, td)
	}
	if validates != nil {
		doc.add("validate", validates)
	}
	if tools != nil {
		doc.add("tools", tools)
	}
	return doc
}

func retryDoc(r policy.Retry) any {
	b := r.Backoff
	return document{
		{"name", r.Name}, {"max_retries", r.MaxRetries}, {"on", r.On}, {"respect_retry_after", r.RespectRetryAfter}, {"max_retry_after_ns", r.MaxRetryAfter},
		{"linear", b.Linear}, {"base_ns", b.Base}, {"multiplier", b.Multiplier}, {"max_delay_ns", b.MaxDelay}, {"increment_ns", b.Increment},
		{"jitter", b.Jitter}, {"full_jitter", b.FullJitter},
	}
}

func bulkheadDoc(b *policy.BulkheadConfig) any {
	if b == nil {
		return nil
	}
	return document{{"max_concurrent", b.MaxConcurrent}, {"max_queue", b.MaxQueue}}
}

func gatewayDoc(g *gateway) document {
	targets := make([]any, len(g.targets))
	for i, t := range g.targets {
		p := t.provider
		headers := make(map[string]string, len(p.headers))
		for k, v := range p.headers {
			headers[strings.ToLower(k)] = v
		}
		td := document{
			{"name", t.name}, {"priority", t.priority}, {"fallback", t.fallback}, {"timeout_ns", duration(t.timeout)}, {"models", t.models}, {"bulkhead", bulkheadDoc(t.bulkhead)},
			{"provider", document{{"kind", p.kind.Name}, {"api", p.api}, {"name", p.name}, {"model", p.model}, {"base_url", p.baseURL}, {"api_key_env", p.apiKeyEnv}, {"headers", redactHeaders(headers)}, {"timeout_ns", duration(p.timeout)}}},
		}
		if b := t.breaker; b != nil {
			td.add("breaker", document{
				{"threshold", b.Threshold}, {"window_calls", b.WindowCalls}, {"window_ns", duration(b.WindowTime)}, {"failure_rate", b.FailureRate}, {"min_calls", b.MinCalls},
				{"reset_ns", b.Reset}, {"half_open_max", b.HalfOpenMax}, {"success_threshold", b.SuccessThreshold}, {"ignore", b.Ignore},
			})
		}
		if l := t.limit; l != nil {
			td.add("rate_limit", document{{"requests_per_minute", l.RequestsPerMinute}, {"tokens_per_minute", l.TokensPerMinute}, {"burst", l.Burst}})
		}
		targets[i] = td
	}
	return document{{"name", g.name}, {"round_robin", g.roundRobin}, {"targets", targets}}
}

// scenario encodes everything but the workflow.
func (w planWriter) scenario(p *Plan) document {
	doc := document{
		{"schema", planSchema}, {"name", p.Name}, {"seed", p.Seed}, {"inputs", dsl.GoValue(p.inputs)}, {"prefix", p.Prefix}, {"skip", p.Skip},
		{"variables", dsl.GoValue(p.static.Variables["var"])}, {"locals", dsl.GoValue(p.static.Variables["local"])},
	}
	if allowed := sortedNames(p.allow); len(allowed) > 0 {
		doc.add("allow", allowed)
	}
	scripts := make([]any, len(p.scripts))
	for i, s := range p.scripts {
		entries := make([]any, len(s.entries))
		for j, e := range s.entries {
			entries[j] = w.entry(e)
		}
		scripts[i] = document{{"address", s.address}, {"target", s.target}, {"exhausted", s.exhausted}, {"entries", entries}, {"at", w.place(s.rng)}}
	}
	doc.add("scripts", scripts)
	if t := p.cassette; t != nil {
		doc.add("cassette", document{{"path", t.path}, {"digest", t.cassette.Digest}, {"match", t.match}, {"latency", t.latency}, {"match_headers", t.headers}})
	}
	var asserts, expects []any
	for _, a := range p.asserts {
		asserts = append(asserts, document{{"name", a.name}, {"condition", w.expr(a.condition)}, {"error_message", w.expr(a.message)}})
	}
	for _, x := range p.expects {
		expects = append(expects, document{{"address", x.address}, {"attributes", w.attrs(x.attrs)}})
	}
	doc.add("assert", asserts)
	doc.add("expect", expects)
	return doc
}

func (w planWriter) entry(e *entry) document {
	doc := document{
		{"what", e.what()}, {"times", e.times}, {"target", e.target}, {"turn", e.turn}, {"iteration", e.iteration}, {"optional", e.optional}, {"at", w.place(e.rng)},
	}
	if e.fault != nil {
		doc.add("args", argsDoc(e.args))
		if e.hasAfter {
			doc.add("after_ns", e.after)
		}
	}
	if o := e.reply; o != nil {
		calls := make([]any, len(o.ToolCalls))
		for i, c := range o.ToolCalls {
			calls[i] = document{{"id", c.ID}, {"name", c.Name}, {"arguments", c.Arguments}}
		}
		doc.add("reply", document{
			{"content", o.Content}, {"chunks", o.Chunks}, {"finish_reason", o.FinishReason}, {"tool_calls", calls}, {"usage", usageAttr{o.Usage}},
			{"model", o.Model}, {"status_code", o.StatusCode}, {"headers", headerMap(o.Headers)}, {"body", string(o.Body)},
			{"cost_usd", o.CostUSD}, {"latency_ns", duration(o.Latency)}, {"chunk_delay_ns", duration(o.ChunkDelay)},
		})
	}
	if rp := e.replay; rp != nil {
		rd := document{{"interaction", rp.interaction}}
		if rp.latency != nil {
			rd.add("latency_ns", *rp.latency)
		}
		doc.add("replay", rd)
	}
	return doc
}

// argsDoc makes plain values of a fault's arguments.
func argsDoc(args map[string]any) any {
	m := make(map[string]any, len(args))
	for name, v := range args {
		m[name] = v
	}
	return m
}

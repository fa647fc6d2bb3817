package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// planSchema names the format of a plan's JSON, and with it the meaning that
// this engine gives to a plan: it changes when the same plan may run
// differently.
const planSchema = "scenario.plan/1"

// Hash identifies what the plan means: "sha256:" and 64 hex digits. Places in
// the file and comments do not count; resolved variables, the cassette's
// content, the records of snapshots, the seed and the format's version do.
func (p *Plan) Hash() string {
	if p.hash == nil { // a stub's
		return ""
	}
	return p.hash()
}

// JSON is the plan as canonical JSON, with expressions as formatted source and
// their place in the file. It holds no secret: values of sensitive variables
// are not in it.
func (p *Plan) JSON() []byte {
	w := planWriter{places: true, file: p.File, secrets: p.secrets}
	doc := w.scenario(p)
	doc.add("workflow", w.workflow(p.workflow))
	doc.add("hash", p.hash())
	doc.add("file", p.File)
	doc.add("line", p.Line)
	return trace.AppendValue(nil, doc)
}

// documentSize is room for the larger half of a common plan.
const documentSize = 8 << 10

// digest computes the hash. A result depends on the records of snapshots as
// well as on the run, so the hash covers both.
func (p *Plan) digest() string {
	sum := p.core()
	if len(p.snapshots) > 0 {
		h := sha256.New()
		h.Write(sum[:])
		for _, s := range p.snapshots {
			golden := sha256.Sum256(s.golden)
			fmt.Fprintf(h, "%t %x\n", s.golden != nil, golden)
		}
		sum = [sha256.Size]byte(h.Sum(nil))
	}
	return "sha256:" + hex.EncodeToString(sum[:])
}

// sum computes the part of the hash that says what runs.
func (p *Plan) sum() [sha256.Size]byte {
	h := sha256.New()
	h.Write(p.workflow.digest())
	h.Write(planWriter{}.scenario(p).AppendJSON(make([]byte, 0, documentSize)))
	return [sha256.Size]byte(h.Sum(nil))
}

// sum is the workflow's part of a plan's hash, encoded once for all scenarios
// that run it.
func (f *workflow) sum() []byte {
	sum := sha256.Sum256(planWriter{}.workflow(f).AppendJSON(make([]byte, 0, documentSize)))
	return sum[:]
}

// planWriter turns parts of a plan into plain values. Absent parts are nil and
// left out by the encoder. With places it is for people: then secrets are
// hidden in what is given as a value, and expressions stand as they are written
// in the file.
type planWriter struct {
	places  bool
	file    string // places in another one name it
	secrets secrets
	// gateways are those that steps of the workflow have named so far.
	gateways map[*gateway]encoded
}

// hide is a value as the writer shows it.
func (w planWriter) hide(v any) any {
	if !w.places {
		return v
	}
	return w.secrets.tree(v)
}

func (w planWriter) expr(e hclsyntax.Expression) any {
	if e == nil {
		return nil
	}
	source := string(dsl.AppendSource(nil, e))
	if !w.places {
		return source
	}
	return document{{"at", w.place(e.Range())}, {"source", w.hide(source)}}
}

func (w planWriter) place(rng hcl.Range) any {
	if !w.places {
		return nil
	}
	if rng = dsl.Place(rng); rng.Filename != w.file {
		return []any{rng.Start.Line, rng.Start.Column, rng.Filename}
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
	if w.gateways == nil {
		w.gateways = map[*gateway]encoded{}
	}
	steps := make([]any, len(f.steps))
	for i, s := range f.steps {
		steps[i] = w.step(f, s)
	}
	doc := document{
		{"at", w.place(f.rng)},
		{"inputs", w.hide(inputs)},
		{"max_concurrent", f.maxConcurrent},
		{"name", f.name},
		{"on_failure", f.onFailure},
		{"output", w.expr(f.output)},
		{"steps", steps},
		{"timeout_ns", duration(f.timeout)},
	}
	if f.budget.USD != nil {
		doc.add("budget_usd", *f.budget.USD)
	}
	if f.budget.Tokens != nil {
		doc.add("budget_tokens", *f.budget.Tokens)
	}
	if !f.taxonomy.standard {
		doc.add("taxonomy", w.taxonomy(f.taxonomy))
	}
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
	var through, retry, turns any
	if s.gateway != nil {
		through = w.gateway(s.gateway)
	}
	if s.gateway != nil || s.kind == kindCall && s.retry.MaxRetries > 0 {
		retry = retryDoc(s.retry)
	}
	if s.kind == "llm" {
		turns = s.maxTurns
	}
	doc := document{
		{"after", after},
		{"args", w.attrs(args)},
		{"at", w.place(s.rng)},
		{"attempt_timeout_ns", duration(s.attemptTimeout)},
		{"bulkhead", bulkheadDoc(s.bulkhead)},
		{"fallback_any", s.fallbackAny},
		{"gateway", through},
		{"kind", s.kind},
		{"max_tool_iterations", turns},
		{"name", s.name},
		{"on_failure", s.onward},
		{"output", w.expr(s.output)},
		{"required", s.required},
		{"retry", retry},
		{"stream", s.stream},
		{"timeout_ns", duration(s.timeout)},
		{"when", w.expr(s.when)},
	}
	if s.sub != nil {
		w.sub(&doc, s)
	}
	if s.classifier != nil {
		doc.add("classifier", w.classifier(s.classifier))
	}
	if s.fallback >= 0 {
		doc.add("fallback", f.steps[s.fallback].name)
	}
	if s.kind == kindCall {
		doc.add("target", s.target.Address())
	}
	if s.idempotent != nil {
		doc.add("idempotent", *s.idempotent)
	}
	if a := s.block.Attr("expect_status"); a != nil {
		doc.add("expect_status", w.expr(a.Expr))
	}
	if s.inner != nil {
		w.contained(&doc, s)
	}
	if s.consumer != nil {
		doc.add("consumer", document{{"abort_after_chunks", s.consumer.chunks}, {"abort_after_ns", s.consumer.after}})
	}
	var validates, tools []any
	for _, v := range s.validates {
		vd := document{{"condition", w.expr(v.condition)}, {"name", v.name}, {"retry", v.retry}}
		if v.mode != nil {
			vd.add("mode", v.mode.Code)
		}
		validates = append(validates, vd)
	}
	for _, t := range s.tools {
		td := document{{"description", w.hide(t.description)}, {"name", t.name}, {"output", w.expr(t.output)}, {"parameters", w.hide(t.parameters)}}
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

// taxonomy names all modes, and the rules of files. The engine's own rules are
// part of what the format's version stands for.
func (w planWriter) taxonomy(t *taxonomy) document {
	modes, detects := []any{}, []any{}
	for _, m := range t.known.Modes() {
		modes = append(modes, document{{"category", m.Category}, {"code", m.Code}, {"partial", m.Partial}, {"retryable", m.Retryable}, {"severity", m.Severity}, {"terminal", m.Terminal}})
	}
	for _, d := range t.detects {
		detects = append(detects, document{{"at", w.place(d.rng)}, {"first", d.first}, {"mode", d.mode}, {"name", d.name}, {"when", w.expr(d.when)}})
	}
	return document{{"detect", detects}, {"modes", modes}, {"name", t.known.Name()}}
}

// contained encodes what a step runs. A workflow counts in a hash with its own.
func (w planWriter) contained(doc *document, s *step) {
	switch {
	case s.kind == kindLoop:
		steps := make([]any, len(s.inner.steps))
		for i, n := range s.inner.steps {
			steps[i] = w.step(s.inner, n)
		}
		doc.add("max_iterations", s.iterations)
		doc.add("steps", steps)
		doc.add("while", w.expr(s.while))
	case s.kind == kindFanout:
		doc.add("fanout", w.fanout(s.fanout))
	case w.places:
		doc.add("workflow", w.workflow(s.inner))
	default:
		doc.add("workflow", hex.EncodeToString(s.inner.digest()))
	}
}

func retryDoc(r policy.Retry) any {
	b := r.Backoff
	return document{
		{"base_ns", b.Base},
		{"full_jitter", b.FullJitter},
		{"increment_ns", b.Increment},
		{"jitter", b.Jitter},
		{"linear", b.Linear},
		{"max_delay_ns", b.MaxDelay},
		{"max_retries", r.MaxRetries},
		{"max_retry_after_ns", r.MaxRetryAfter},
		{"multiplier", b.Multiplier},
		{"name", r.Name},
		{"on", r.On},
		{"respect_retry_after", r.RespectRetryAfter},
		{"retry_after_cap_ns", r.RetryAfterCap},
	}
}

func bulkheadDoc(b *policy.BulkheadConfig) any {
	if b == nil {
		return nil
	}
	return document{{"max_concurrent", b.MaxConcurrent}, {"max_queue", b.MaxQueue}}
}

// gateway is the path that steps share, and is encoded for the first of them.
func (w planWriter) gateway(g *gateway) encoded {
	doc, known := w.gateways[g]
	if !known {
		doc = w.gatewayDoc(g).AppendJSON(nil)
	}
	if w.gateways != nil { // else it is that of a step outside of any workflow
		w.gateways[g] = doc
	}
	return doc
}

func (w planWriter) gatewayDoc(g *gateway) document {
	targets := make([]any, len(g.targets))
	for i, t := range g.targets {
		p := t.provider
		headers := make(map[string]string, len(p.headers))
		for k, v := range p.headers {
			headers[strings.ToLower(k)] = byName.Header(k, v)
		}
		pd := document{{"api", p.api}, {"api_key_env", p.apiKeyEnv}, {"base_url", w.hide(p.baseURL)}, {"headers", w.hide(headers)}, {"kind", p.kind.Name}, {"model", w.hide(p.model)}, {"name", p.name}, {"timeout_ns", duration(p.timeout)}}
		if p.protocol != "" {
			pd.add("command", w.hide(p.command))
			pd.add("protocol_version", p.protocol)
		}
		td := document{
			{"bulkhead", bulkheadDoc(t.bulkhead)},
			{"fallback", t.fallback},
			{"models", t.models},
			{"name", t.name},
			{"priority", t.priority},
			{"provider", pd},
			{"timeout_ns", duration(t.timeout)},
		}
		if b := t.breaker; b != nil {
			td.add("breaker", document{
				{"failure_rate", b.FailureRate},
				{"half_open_max", b.HalfOpenMax},
				{"ignore", b.Ignore},
				{"min_calls", b.MinCalls},
				{"reset_ns", b.Reset},
				{"success_threshold", b.SuccessThreshold},
				{"threshold", b.Threshold},
				{"window_calls", b.WindowCalls},
				{"window_ns", duration(b.WindowTime)},
			})
		}
		if l := t.limit; l != nil {
			td.add("rate_limit", document{{"burst", l.Burst}, {"requests_per_minute", l.RequestsPerMinute}, {"tokens_per_minute", l.TokensPerMinute}})
		}
		targets[i] = td
	}
	d := document{{"name", g.name}, {"round_robin", g.strategy == inTurn}, {"targets", targets}}
	if g.strategy == leastBusy {
		d.add("least_busy", true)
	}
	return d
}

// variables are the values of all variables; one that is sensitive is hidden
// whatever it is.
func (w planWriter) variables(p *Plan) any {
	values, _ := w.hide(dsl.GoValue(p.static.Variables["var"])).(map[string]any)
	if w.places {
		for name := range w.secrets.variables {
			values[name] = hiddenWhole(p.static.Variables["var"].GetAttr(name))
		}
	}
	return values
}

// scenario encodes everything but the workflow.
func (w planWriter) scenario(p *Plan) document {
	var asserts, expects []any
	for _, a := range p.asserts {
		asserts = append(asserts, document{{"condition", w.expr(a.condition)}, {"error_message", w.expr(a.message)}, {"name", a.name}})
	}
	for _, x := range p.expects {
		expects = append(expects, document{{"address", x.address}, {"attributes", w.attrs(x.attrs)}})
	}
	doc := document{
		{"assert", asserts},
		{"expect", expects},
		{"files", p.reads.sums()},
		{"inputs", w.hide(dsl.GoValue(p.inputs))},
		{"locals", w.hide(dsl.GoValue(p.static.Variables["local"]))},
		{"name", p.Name},
		{"prefix", p.Prefix},
		{"schema", planSchema},
		{"scripts", w.scripts(p)},
		{"seed", p.Seed},
		{"skip", p.Skip},
		{"variables", w.variables(p)},
	}
	if p.bench != nil {
		doc.add("bench", w.bench(p.bench))
	}
	if allowed := sortedNames(p.allow); len(allowed) > 0 {
		doc.add("allow", allowed)
	}
	if t := p.cassette; t != nil {
		recorded := document{{"digest", t.cassette.Digest}, {"latency", t.latency}, {"match", t.match}, {"match_headers", t.headers}, {"path", w.hide(t.path)}}
		if l := t.rules; !l.Empty() {
			var patterns []string
			for _, p := range l.Patterns {
				patterns = append(patterns, p.String())
			}
			recorded.add("redact", document{{"headers", l.Headers}, {"json", l.JSON}, {"patterns", patterns}, {"query", l.Query}})
		}
		doc.add("cassette", recorded)
	}
	if len(p.snapshots) > 0 {
		list := make([]any, len(p.snapshots))
		for i, s := range p.snapshots {
			list[i] = document{{"at", w.place(s.rng)}, {"name", s.name}, {"value", w.expr(s.value)}}
		}
		doc.add("snapshot", list)
	}
	if len(p.invariants) > 0 {
		var list []any
		for _, i := range p.invariants {
			list = append(list, document{{"condition", w.expr(i.condition)}, {"error_message", w.expr(i.message)}, {"name", i.name}})
		}
		doc.add("invariant", list)
	}
	if p.population != nil {
		doc.add("population", w.population(p.population))
		doc.add("handlers", w.handlers(p))
	}
	if len(p.drivers) > 0 {
		doc.add("drivers", w.drivers(p.drivers))
	}
	return doc
}

func (w planWriter) scripts(p *Plan) []any {
	scripts := make([]any, len(p.scripts))
	for i, s := range p.scripts {
		entries := make([]any, len(s.entries))
		for j, e := range s.entries {
			entries[j] = w.entry(e)
		}
		scripts[i] = document{{"address", s.address}, {"at", w.place(s.rng)}, {"entries", entries}, {"exhausted", s.exhausted}, {"target", s.target}}
	}
	return scripts
}

func (w planWriter) entry(e *entry) document {
	var args, reply any
	if e.fault != nil {
		args = w.hide(argsDoc(e.args))
	}
	if e.reply != nil {
		reply = w.reply(e.reply)
	}
	doc := document{
		{"args", args},
		{"at", w.place(e.rng)},
		{"iteration", e.iteration},
		{"optional", e.optional},
		{"reply", reply},
		{"target", e.target},
		{"times", e.times},
		{"turn", e.turn},
		{"what", e.what()},
	}
	if e.fault != nil && e.hasAfter {
		doc.add("after_ns", e.after)
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

func (w planWriter) reply(o *providers.Output) document {
	calls := make([]any, len(o.ToolCalls))
	for i, c := range o.ToolCalls {
		calls[i] = document{{"arguments", w.hide(c.Arguments)}, {"id", w.hide(c.ID)}, {"name", c.Name}}
	}
	return document{
		{"body", w.hide(string(o.Body))},
		{"chunk_delay_ns", duration(o.ChunkDelay)},
		{"chunks", w.hide(o.Chunks)},
		{"content", w.hide(o.Content)},
		{"cost_usd", o.CostUSD},
		{"finish_reason", o.FinishReason},
		{"headers", w.hide(headerMap(o.Headers))},
		{"latency_ns", duration(o.Latency)},
		{"model", w.hide(o.Model)},
		{"status_code", o.StatusCode},
		{"tool_calls", calls},
		{"usage", usageAttr{o.Usage}},
	}
}

// argsDoc makes plain values of a fault's arguments.
func argsDoc(args map[string]any) any {
	m := make(map[string]any, len(args))
	for name, v := range args {
		m[name] = v
	}
	return m
}

package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
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
	if p.HashOnce == nil { // a stub's
		return ""
	}
	return p.HashOnce()
}

// JSON is the plan as canonical JSON, with expressions as formatted source and
// their place in the file. It holds no secret: values of sensitive variables
// are not in it.
func (p *Plan) JSON() []byte {
	w := PlanWriter{places: true, file: p.File, secrets: p.Secrets}
	doc := w.scenario(p)
	doc.Add("workflow", w.workflow(p.Workflow))
	if t := cmp.Or(p.Tolerates, p.Workflow.Tolerates); t != nil {
		doc.Add("tolerates", Document{{"at", w.place(t.Rng)}, {"faults", t.Faults}, {"kinds", t.Kinds}})
	}
	doc.Add("hash", p.HashOnce())
	doc.Add("file", p.File)
	doc.Add("line", p.Line)
	return trace.AppendValue(nil, doc)
}

// documentSize is room for the larger half of a common plan.
const documentSize = 8 << 10

// Digest computes the hash. A result depends on the records of snapshots as
// well as on the run, so the hash covers both.
func (p *Plan) Digest() string {
	sum := p.Core()
	if len(p.SnapshotChecks) > 0 {
		h := sha256.New()
		h.Write(sum[:])
		for _, s := range p.SnapshotChecks {
			golden := sha256.Sum256(s.Golden)
			fmt.Fprintf(h, "%t %x\n", s.Golden != nil, golden)
		}
		sum = [sha256.Size]byte(h.Sum(nil))
	}
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Sum computes the part of the hash that says what runs.
func (p *Plan) Sum() [sha256.Size]byte {
	h := sha256.New()
	h.Write(p.Workflow.Digest())
	h.Write(PlanWriter{}.scenario(p).AppendJSON(make([]byte, 0, documentSize)))
	return [sha256.Size]byte(h.Sum(nil))
}

// Sum is the workflow's part of a plan's hash, encoded once for all scenarios
// that run it.
func (f *Workflow) Sum() []byte {
	sum := sha256.Sum256(PlanWriter{}.workflow(f).AppendJSON(make([]byte, 0, documentSize)))
	return sum[:]
}

// PlanWriter turns parts of a plan into plain values. Absent parts are nil and
// left out by the encoder. With places it is for people: then secrets are
// hidden in what is given as a value, and expressions stand as they are written
// in the file.
type PlanWriter struct {
	places  bool
	file    string // places in another one name it
	secrets Secrets
	// gateways are those that steps of the workflow have named so far.
	gateways map[*Gateway]encoded
}

// hide is a value as the writer shows it.
func (w PlanWriter) hide(v any) any {
	if !w.places {
		return v
	}
	return w.secrets.tree(v)
}

func (w PlanWriter) expr(e hclsyntax.Expression) any {
	if e == nil {
		return nil
	}
	source := string(dsl.AppendSource(nil, e))
	if !w.places {
		return source
	}
	return Document{{"at", w.place(e.Range())}, {"source", w.hide(source)}}
}

func (w PlanWriter) place(rng hcl.Range) any {
	if !w.places {
		return nil
	}
	if rng = dsl.Place(rng); rng.Filename != w.file {
		return []any{rng.Start.Line, rng.Start.Column, rng.Filename}
	}
	return []any{rng.Start.Line, rng.Start.Column}
}

// isSet is a flag that is left out where it is not set.
func isSet(flag bool) any {
	if !flag {
		return nil
	}
	return true
}

func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return d
}

func (w PlanWriter) attrs(list []*dsl.Attr) any {
	if len(list) == 0 {
		return nil
	}
	doc := make(Document, len(list))
	for i, a := range list {
		doc[i] = member{a.Name, w.expr(a.Expr)}
	}
	return doc
}

func (w PlanWriter) workflow(f *Workflow) Document {
	inputs := make(map[string]any, len(f.Inputs))
	for name, v := range f.Inputs {
		inputs[name] = dsl.GoValue(v)
	}
	if w.gateways == nil {
		w.gateways = map[*Gateway]encoded{}
	}
	steps := make([]any, len(f.Steps))
	for i, s := range f.Steps {
		steps[i] = w.step(f, s)
	}
	doc := Document{
		{"at", w.place(f.Rng)},
		{"inputs", w.hide(inputs)},
		{"max_concurrent", f.MaxConcurrent},
		{"name", f.Name},
		{"on_failure", f.OnFailure},
		{"output", w.expr(f.Output)},
		{"steps", steps},
		{"timeout_ns", duration(f.Timeout)},
	}
	if f.Budget.USD != nil {
		doc.Add("budget_usd", f.Budget.USD.Float64())
	}
	if f.Budget.Tokens != nil {
		doc.Add("budget_tokens", *f.Budget.Tokens)
	}
	if !f.Taxonomy.Standard {
		doc.Add("taxonomy", w.taxonomy(f.Taxonomy))
	}
	return doc
}

func (w PlanWriter) step(f *Workflow, s *Step) Document {
	args := make([]*dsl.Attr, 0, len(s.Args))
	for _, a := range s.Block.Attrs {
		if s.Args[a.Name] == a {
			args = append(args, a)
		}
	}
	after := make([]string, len(s.After))
	for i, n := range s.After {
		after[i] = f.Steps[n].Name
	}
	var through, bulkhead, retry, turns any
	if s.Bulkhead != nil {
		bulkhead = policyDoc(s.Bulkhead)
	}
	if s.Gateway != nil {
		through = w.gateway(s.Gateway)
	}
	if s.Gateway != nil || (s.Kind == KindCall || s.Kind == KindWorkflow) && s.Retry.MaxRetries > 0 {
		retry = retryDoc(s.Retry)
	}
	if s.Kind == KindLLM {
		turns = s.MaxTurns
	}
	doc := Document{
		{"after", after},
		{"args", w.attrs(args)},
		{"at", w.place(s.Rng)},
		{"attempt_timeout_ns", duration(s.AttemptTimeout)},
		{"bulkhead", bulkhead},
		{"fallback_any", s.FallbackAny},
		{"gateway", through},
		{"kind", string(s.Kind)},
		{"max_tool_iterations", turns},
		{"name", s.Name},
		{"on_failure", s.AfterFailure},
		{"output", w.expr(s.Output)},
		{"required", s.Required},
		{"retry", retry},
		{"stream", s.Stream},
		{"timeout_ns", duration(s.Timeout)},
		{"when", w.expr(s.When)},
	}
	if s.Sub != nil {
		w.sub(&doc, s)
	}
	if s.Classifier != nil {
		doc.Add("classifier", w.classifier(s.Classifier))
	}
	if s.Fallback >= 0 {
		doc.Add("fallback", f.Steps[s.Fallback].Name)
	}
	if s.SwitchedOff {
		doc.Add("switched_off", true)
	}
	s.Silence.write(&doc)
	if s.Kind == KindCall {
		doc.Add("target", s.Target.Address())
	}
	if e := s.Endpoint; e != nil {
		doc.Add("lane", w.expr(e.Lane))
		doc.Add("match", w.match(&e.Match))
	}
	if s.Idempotent != nil {
		doc.Add("idempotent", *s.Idempotent)
	}
	if s.ReadsErrors {
		doc.Add("reads_errors", true)
	}
	if a := s.Block.Attr("expect_status"); a != nil {
		doc.Add("expect_status", w.expr(a.Expr))
	}
	if s.Inner != nil {
		w.contained(&doc, s)
	}
	if s.Consumer != nil {
		consumer := Document{{"abort_after_chunks", s.Consumer.Chunks}, {"abort_after_ns", s.Consumer.After}}
		if s.Consumer.Optional {
			consumer.Add("optional", true)
		}
		doc.Add("consumer", consumer)
	}
	var validates, tools []any
	for _, v := range s.Validates {
		vd := Document{{"condition", w.expr(v.Condition)}, {"name", v.Name}, {"retry", v.Retry}}
		if v.Mode != nil {
			vd.Add("mode", v.Mode.Code)
		}
		validates = append(validates, vd)
	}
	for _, t := range s.Tools {
		td := Document{{"description", w.hide(t.Description)}, {"name", t.Name}, {"output", w.expr(t.Output)}, {"parameters", w.hide(t.Parameters)}}
		if t.Step >= 0 {
			td.Add("step", f.Steps[t.Step].Name)
		}
		tools = append(tools, td)
	}
	if validates != nil {
		doc.Add("validate", validates)
	}
	if tools != nil {
		doc.Add("tools", tools)
	}
	return doc
}

// taxonomy names all modes, and the rules of files. The engine's own rules are
// part of what the format's version stands for.
func (w PlanWriter) taxonomy(t *Taxonomy) Document {
	modes, detects := []any{}, []any{}
	for _, m := range t.Known.Modes() {
		modes = append(modes, Document{{"category", m.Category}, {"code", m.Code}, {"partial", m.Partial}, {"retryable", m.Retryable}, {"severity", m.Severity}, {"terminal", m.Terminal}})
	}
	for _, d := range t.Detects {
		detects = append(detects, Document{{"at", w.place(d.Rng)}, {"first", d.First}, {"mode", d.Mode}, {"name", d.Name}, {"when", w.expr(d.When)}})
	}
	return Document{{"detect", detects}, {"modes", modes}, {"name", t.Known.Name()}}
}

// contained encodes what a step runs. A workflow counts in a hash with its own.
func (w PlanWriter) contained(doc *Document, s *Step) {
	switch {
	case s.Fanout != nil:
		doc.Add("fanout", w.fanout(s.Fanout))
	case s.Inner.Body:
		steps := make([]any, len(s.Inner.Steps))
		for i, n := range s.Inner.Steps {
			steps[i] = w.step(s.Inner, n)
		}
		doc.Add("max_iterations", s.Iterations)
		doc.Add("steps", steps)
		doc.Add("while", w.expr(s.While))
	case w.places:
		doc.Add("workflow", w.workflow(s.Inner))
	default:
		doc.Add("workflow", hex.EncodeToString(s.Inner.Digest()))
	}
}

func retryDoc(r policy.Retry) any {
	b := r.Backoff
	doc := Document{
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
	if r.RetryAfterJitter > 0 {
		doc.Add("retry_after_jitter", r.RetryAfterJitter)
	}
	return doc
}

func policyDoc(c policy.Config) Document {
	members := c.JSON()
	doc := make(Document, len(members))
	for i, m := range members {
		doc[i] = member(m)
	}
	return doc
}

// gateway is the path that steps share, and is encoded for the first of them.
func (w PlanWriter) gateway(g *Gateway) encoded {
	doc, known := w.gateways[g]
	if !known {
		doc = w.gatewayDoc(g).AppendJSON(nil)
	}
	if w.gateways != nil { // else it is that of a step outside of any workflow
		w.gateways[g] = doc
	}
	return doc
}

func (w PlanWriter) gatewayDoc(g *Gateway) Document {
	targets := make([]any, len(g.Targets))
	for i, t := range g.Targets {
		td := Document{
			{"fallback", t.Fallback},
			{"models", t.Models},
			{"name", t.Name},
			{"priority", t.Priority},
			{"provider", w.provider(t.Provider)},
			{"timeout_ns", duration(t.Timeout)},
		}
		for _, c := range t.Policies {
			td.Add(c.Kind().Name, policyDoc(c))
		}
		targets[i] = td
	}
	d := Document{{"name", g.Name}, {"round_robin", g.Strategy == InTurn}, {"targets", targets}}
	if g.Strategy == LeastBusy {
		d.Add("least_busy", true)
	}
	return d
}

func (s Silence) write(d *Document) {
	if s.FirstByte > 0 {
		d.Add("first_byte_timeout_ns", duration(s.FirstByte))
	}
	if s.Idle > 0 {
		d.Add("idle_timeout_ns", duration(s.Idle))
	}
}

func (w PlanWriter) provider(p *Provider) Document {
	headers := make(map[string]string, len(p.Headers))
	for k, v := range p.Headers {
		headers[strings.ToLower(k)] = ByName.Header(k, v)
	}
	pd := Document{{"api", p.Api}, {"api_key_env", p.ApiKeyEnv}, {"base_url", w.hide(p.BaseURL)}, {"headers", w.hide(headers)}, {"kind", p.Kind.Name}, {"model", w.hide(p.Model)}, {"name", p.Name}, {"timeout_ns", duration(p.Timeout)}}
	if p.AddressEnv != "" {
		pd.Add("base_url_env", p.AddressEnv)
	}
	p.Silence.write(&pd)
	if p.Protocol != "" {
		pd.Add("command", w.hide(p.Command))
		pd.Add("protocol_version", p.Protocol)
	}
	return pd
}

// variables are the values of all variables; one that is sensitive is hidden
// whatever it is.
func (w PlanWriter) variables(p *Plan) any {
	values, _ := w.hide(dsl.GoValue(p.Static.Variables["var"])).(map[string]any)
	if w.places {
		for name := range w.secrets.Variables {
			values[name] = hiddenWhole(p.Static.Variables["var"].GetAttr(name))
		}
	}
	return values
}

// scenario encodes everything but the workflow.
func (w PlanWriter) scenario(p *Plan) Document {
	var asserts, expects []any
	for _, a := range p.Asserts {
		asserts = append(asserts, Document{{"condition", w.expr(a.Condition)}, {"error_message", w.expr(a.Message)}, {"name", a.Name}})
	}
	for _, x := range p.Expects {
		expects = append(expects, Document{{"address", x.Address}, {"attributes", w.attrs(x.Attrs)}})
	}
	doc := Document{
		{"assert", asserts},
		{"expect", expects},
		{"files", p.Reads.sums()},
		{"inputs", w.hide(dsl.GoValue(p.Inputs))},
		{"locals", w.hide(dsl.GoValue(p.Static.Variables["local"]))},
		{"name", p.Name},
		{"prefix", p.Prefix},
		{"schema", planSchema},
		{"scripts", w.scripts(p)},
		{"seed", p.Seed},
		{"skip", p.Skip},
		{"variables", w.variables(p)},
	}
	if p.BenchRun != nil {
		doc.Add("bench", w.bench(p.BenchRun))
	}
	if len(p.Placeholders) > 0 {
		doc.Add("placeholders", read.SortedNames(p.Placeholders))
	}
	if len(p.Extensions) > 0 {
		doc.Add("extensions", p.Extensions)
	}
	if allowed := read.SortedNames(p.Allow); len(allowed) > 0 {
		doc.Add("allow", allowed)
	}
	if t := p.Recording; t != nil {
		recorded := Document{{"digest", t.Cassette.Digest}, {"latency", t.Latency}, {"match", t.Match}, {"match_headers", t.Headers}, {"path", w.hide(t.Path)}}
		if len(t.Ignore) > 0 {
			recorded.Add("ignore", t.Ignore)
		}
		if t.Repeats {
			recorded.Add("repeats", true)
		}
		if len(t.Orphans) > 0 {
			recorded.Add("orphans", t.Orphans)
		}
		if l := t.Rules; !l.Empty() {
			var patterns []string
			for _, p := range l.Patterns {
				patterns = append(patterns, p.String())
			}
			recorded.Add("redact", Document{{"headers", l.Headers}, {"json", l.JSON}, {"patterns", patterns}, {"query", l.Query}})
		}
		doc.Add("cassette", recorded)
	}
	if len(p.Outages) > 0 {
		doc.Add("outages", w.outages(p.Outages))
	}
	if len(p.SnapshotChecks) > 0 {
		list := make([]any, len(p.SnapshotChecks))
		for i, s := range p.SnapshotChecks {
			list[i] = Document{{"at", w.place(s.Rng)}, {"name", s.Name}, {"value", w.expr(s.Value)}}
		}
		doc.Add("snapshot", list)
	}
	if len(p.Invariants) > 0 {
		var list []any
		for _, i := range p.Invariants {
			list = append(list, Document{{"condition", w.expr(i.Condition)}, {"error_message", w.expr(i.Message)}, {"name", i.Name}, {"own", isSet(i.Own)}})
		}
		doc.Add("invariant", list)
	}
	if p.Population != nil {
		doc.Add("population", w.population(p.Population))
		doc.Add("handlers", w.handlers(p))
	}
	if len(p.Actions) > 0 {
		doc.Add("drivers", w.actions(p.Actions))
	}
	if p.Sut != nil {
		doc.Add("sut", w.sut(p.Sut))
	}
	if list := w.endpoints(p); list != nil {
		doc.Add("endpoints", list)
	}
	if len(p.Secrets.Variables) > 0 { // what they hide does not show in a trace
		doc.Add("sensitive", read.SortedNames(p.Secrets.Variables))
	}
	return doc
}

func (w PlanWriter) scripts(p *Plan) []any {
	scripts := make([]any, len(p.Scripts))
	for i, s := range p.Scripts {
		entries := make([]any, len(s.Entries))
		for j, e := range s.Entries {
			entries[j] = w.entry(e)
		}
		scripts[i] = Document{{"address", s.Address}, {"at", w.place(s.Rng)}, {"entries", entries}, {"exhausted", s.Exhausted}, {"target", s.Target}}
	}
	return scripts
}

func (w PlanWriter) outages(outages []*Outage) []any {
	list := make([]any, len(outages))
	for i, o := range outages {
		list[i] = Document{
			{"address", o.Address},
			{"at", w.place(o.Rng)},
			{"fault", w.entry(o.Entry)},
			{"from_ns", o.From},
			{"name", o.Entry.Outage},
			{"optional", isSet(o.Optional)},
			{"provider", o.Provider},
			{"target", o.Target},
			{"to_ns", o.To},
		}
	}
	return list
}

func (w PlanWriter) entry(e *Entry) Document {
	var args, reply any
	if e.Fault != nil {
		args = w.hide(argsDoc(e.Args))
	}
	if e.Reply != nil {
		reply = w.reply(e.Reply)
	}
	doc := Document{
		{"args", args},
		{"at", w.place(e.Rng)},
		{"iteration", e.Iteration},
		{"optional", e.Optional},
		{"reply", reply},
		{"target", e.Target},
		{"times", e.Times},
		{"turn", e.Turn},
		{"what", e.What()},
	}
	doc.Add("match", w.match(&e.Match))
	if e.Fault != nil && e.HasAfter {
		doc.Add("after_ns", e.After)
	}
	if rp := e.Replay; rp != nil {
		rd := Document{{"interaction", rp.Interaction}}
		if rp.Latency != nil {
			rd.Add("latency_ns", *rp.Latency)
		}
		doc.Add("replay", rd)
	}
	return doc
}

func (w PlanWriter) reply(o *providers.Output) Document {
	calls := make([]any, len(o.ToolCalls))
	for i, c := range o.ToolCalls {
		calls[i] = Document{{"arguments", w.hide(c.Arguments)}, {"id", w.hide(c.ID)}, {"name", c.Name}}
	}
	doc := Document{
		{"body", w.hide(string(o.Body))},
		{"chunk_delay_ns", duration(o.ChunkDelay)},
		{"chunks", w.hide(o.Chunks)},
		{"content", w.hide(o.Content)},
		{"cost_usd", o.CostUSD},
		{"finish_reason", o.FinishReason},
		{"headers", w.hide(HeaderMap(o.Headers))},
		{"latency_ns", duration(o.Latency)},
		{"model", w.hide(o.Model)},
		{"status_code", o.StatusCode},
		{"tool_calls", calls},
		{"usage", event.Usage{Usage: o.Usage}},
	}
	w.serverReply(&doc, o)
	w.databaseReply(&doc, o)
	return doc
}

// serverReply adds what a reply of an MCP server has.
func (w PlanWriter) serverReply(doc *Document, o *providers.Output) {
	if o.Result != nil {
		doc.Add("result", w.hide(string(o.Result)))
	}
	if o.Structured != nil {
		doc.Add("structured", w.hide(string(o.Structured)))
	}
	if o.IsError {
		doc.Add("is_error", true)
	}
	var progress []any
	for _, p := range o.Progress {
		progress = append(progress, Document{{"message", w.hide(p.Message)}, {"progress", p.Progress}, {"total", p.Total}})
	}
	if progress != nil {
		doc.Add("progress", progress)
	}
}

// databaseReply adds what a reply of a database has.
func (w PlanWriter) databaseReply(doc *Document, o *providers.Output) {
	if o.Affected != nil {
		doc.Add("affected", *o.Affected)
	}
	if o.Rows == nil {
		return
	}
	columns, rows := make([]any, len(o.Columns)), make([]any, len(o.Rows))
	for i, c := range o.Columns {
		columns[i] = Document{{"name", c.Name}, {"type", c.Type}}
	}
	for i, row := range o.Rows {
		rows[i] = w.hide(row)
	}
	doc.Add("columns", columns)
	doc.Add("rows", rows)
}

// argsDoc makes plain values of a fault's arguments.
func argsDoc(args map[string]any) any {
	m := make(map[string]any, len(args))
	for name, v := range args {
		m[name] = v
	}
	return m
}

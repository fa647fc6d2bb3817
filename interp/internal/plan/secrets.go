package plan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/internal/taint"
	"github.com/scenario-lang/scenario/trace"
)

// Hiding is the plan with further values that its results must not show, as they
// are those of a live run: what services answer may hold any token, so that those
// are hidden as in a recording.
func (p *Plan) Hiding(values []string) *Plan {
	q := *p
	q.Secrets.Hidden = slices.Concat(p.Secrets.All(), values)
	q.Secrets.Redactor = redact.New(q.Secrets.Hidden).Recording()
	if p.Recording != nil {
		q.Secrets.Redactor = q.Secrets.With(p.Recording.Rules)
	}
	q.Secrets.Redactor = q.Secrets.Receiving(p.Secrets.Received)
	return &q
}

// Receiving is the plan whose results also hide what becomes known while a run goes on:
// what a program is given and what it sends.
func (p *Plan) Receiving() *Plan {
	q := *p
	q.Secrets.Received = redact.NewReceived()
	q.Secrets.Redactor = q.Secrets.Receiving(q.Secrets.Received)
	return &q
}

// Tracking is the plan for one run: what its expressions make of secrets is hidden in
// this run, and in no other.
func (p *Plan) Tracking() *Plan {
	if !p.Secrets.Knows() {
		return p
	}
	q := *p
	q.Secrets.Redactor = p.Secrets.Learning()
	q.Secrets.Tracker = p.Secrets.Tracker.With(q.Secrets.Redactor)
	q.Static = dsl.Followed(p.Static, q.Secrets.Tracker)
	if q.BenchRun != nil {
		q.BenchRun = q.BenchRun.following(&q)
	}
	return &q
}

// following is a bench that tells the tracker of a plan what is made of secrets for its
// cases, in rubrics and by what it runs.
func (b *BenchRun) following(p *Plan) *BenchRun {
	own := *b
	own.Cases = slices.Clone(b.Cases)
	for i, c := range own.Cases {
		if c.Ctx != nil {
			k := *c
			k.Ctx = dsl.Followed(c.Ctx, p.Secrets.Tracker)
			own.Cases[i] = &k
		}
	}
	if b.Workflow != nil {
		w := *b.Workflow
		w.Secrets, w.Static = p.Secrets, dsl.Followed(w.Static, p.Secrets.Tracker)
		own.Workflow = &w
	}
	return &own
}

// KeptHeaders are the header fields that a scenario compares or reads.
func (p *Plan) KeptHeaders() []string {
	if p.Recording == nil {
		return p.HeaderReads.names
	}
	return slices.Concat(p.Recording.Headers, p.HeaderReads.names)
}

// Secrets are what a file must not show: the values of its sensitive variables,
// what expressions make of those, and what stands under a name that carries
// credentials. Conditions and
// dependants read the plain values, of an attempt's exchange those that are not
// hidden by name; results, plans and diagnostics are hidden before they leave
// the package.
//
// Values are hidden as texts and not by marks of the expression language: a
// mark would spread to every comparison with a sensitive variable and to
// whatever a step answers, and be lost as soon as a value goes over the wire.
type Secrets struct {
	*redact.Redactor
	// Hidden are the values that the Redactor was made of.
	Hidden    []string
	Variables map[string]bool
	// Tracker makes the Redactor learn what expressions make of the values; nil where
	// there are none.
	Tracker *taint.Tracker
	// Received is what became known while the run went on; nil where nobody listens.
	Received *redact.Received
}

// Keep makes values secrets, and what the expressions of a meter make of them.
func (s *Secrets) Keep(values []string, m *dsl.Meter) {
	s.Hidden, s.Redactor = values, redact.New(values).Learning()
	if s.Knows() {
		s.Tracker = taint.New(s.Redactor)
		m.Follow(s.Tracker)
	}
}

// All are the values that are hidden, and what was made of them before any run.
func (s Secrets) All() []string { return slices.Concat(s.Hidden, s.Learned()) }

// ByName hides by name alone.
var ByName *redact.Redactor

// Result hides everything that a finished run says of itself, what came from
// outside in its events when they are read.
func (s Secrets) Result(r *Result) {
	for i := range r.Events {
		r.Events[i].Hide(&s)
	}
	for _, list := range [][]Problem{r.Problems, r.Relaxed} {
		for i := range list {
			s.Problem(&list[i])
		}
	}
	for _, p := range r.Row.problems() {
		s.Problem(p)
	}
	if r.Bench != nil {
		r.Bench.Hide(s.said)
	}
	if l := r.Injected.Reply; l != nil && !reflect.DeepEqual(s.tree(map[string]any(l.Values)), map[string]any(l.Values)) {
		r.Injected.Reply = &InjectedReply{}
	}
}

// Problem hides the values that a problem quotes.
func (s Secrets) Problem(p *Problem) {
	p.Name, p.Message, p.Diff = s.Text(p.Name), s.CameTo(p.Message), s.CameTo(p.Diff)
	for i := range p.Operands {
		p.Operands[i].Value = s.CameTo(p.Operands[i].Value)
	}
}

// CameTo is a text that tells what expressions came to, as a report may show it: without what
// these cut out of secrets that became known while the run went on, too.
func (s Secrets) CameTo(text string) string { return s.Pieces(s.Text(text)) }

// Diagnostics hides the values that complaints about them quote.
func (s Secrets) Diagnostics(diags hcl.Diagnostics) hcl.Diagnostics {
	if s.Redactor != nil {
		for _, d := range diags {
			d.Detail = s.Values(d.Detail)
		}
	}
	return diags
}

// Show implements trace.Hider.
func (s *Secrets) Show(key string, v any) any {
	switch v := v.(type) {
	case string:
		return s.text(key, v)
	case []string:
		return s.Chunks(v)
	case event.Headers:
		return event.Headers(s.headerMap(v))
	case event.Calls:
		return s.calls(v)
	case event.Chain:
		return s.chain(v)
	case trace.Value:
		return hiddenAttr{v, *s}
	}
	return v
}

func (s Secrets) text(key, v string) string {
	if key == "url" {
		return s.URL(v)
	}
	return s.said(v)
}

// Shown is a text that comes from outside as it may be shown.
func (s Secrets) Shown(text string) string { return s.said(text) }

// said is a text as it may be shown. Each of several lines may have a piece of a
// secret: a trace does not know the content type that a body came with, and lines
// are hidden alike whichever it was.
func (s Secrets) said(v string) string {
	if strings.Contains(v, "\n") {
		return s.Lines(v)
	}
	return s.Text(v)
}

// headerMap is a copy of header fields, as they may be shown.
func (s Secrets) headerMap(h map[string]string) map[string]string {
	out := make(map[string]string, len(h))
	for name, value := range h {
		out[s.HeaderName(name)] = s.Header(name, value)
	}
	return out
}

// calls is a copy of tool calls, as they may be shown.
func (s Secrets) calls(calls event.Calls) event.Calls {
	out := slices.Clone(calls)
	for i := range out {
		c := &out[i]
		c.ID, c.Name, c.Arguments = s.Values(c.ID), s.Values(c.Name), s.Text(c.Arguments)
	}
	return out
}

// chain is a copy of what lies beneath a failure, as it may be shown.
func (s Secrets) chain(list event.Chain) event.Chain {
	out := slices.Clone(list)
	for i := range out {
		f := &out[i]
		f.Message, f.Type = s.Text(f.Message), s.Text(f.Type)
	}
	return out
}

// hiddenAttr is a value of an event without what must not be shown. It is
// looked through only when it is encoded.
type hiddenAttr struct {
	plain   trace.Value
	secrets Secrets
}

// AppendJSON implements trace.Value.
func (h hiddenAttr) AppendJSON(dst []byte) []byte {
	start := len(dst)
	dst = h.plain.AppendJSON(dst)
	if text := string(dst[start:]); h.secrets.Redactor == nil && !strings.Contains(text, `\n`) {
		if shown := ByName.Text(text); shown != text {
			dst = append(dst[:start], shown...)
		}
		return dst
	}
	d := json.NewDecoder(bytes.NewReader(dst[start:]))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return append(dst[:start], "null"...)
	}
	return trace.AppendValue(dst[:start], h.secrets.tree(v))
}

// tree is a plain value without secrets: texts in which one stands, numbers
// that are one, and whatever has the name of one.
func (s Secrets) tree(v any) any { return s.treeBelow(v, redact.Below{}) }

// treeBelow is a value that stands below names.
func (s Secrets) treeBelow(v any, below redact.Below) any {
	switch v := v.(type) {
	case string:
		if below.Hides(v) {
			return redact.Placeholder(v)
		}
		return s.said(v)
	case float64:
		return s.number(v, string(trace.AppendFloat(nil, v)))
	case int:
		return s.number(v, strconv.Itoa(v))
	case int64:
		return s.number(v, strconv.FormatInt(v, 10))
	case json.Number:
		if below.HidesNumber(v.String()) {
			return redact.Placeholder(v.String())
		}
		return s.number(plainNumber(v), v.String())
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = s.treeBelow(e, below)
		}
		if n := len(v); n == 2 {
			user, _ := v[0].(string)
			if password, ok := v[1].(string); ok && below.HidesSecond(user, password) {
				out[1] = redact.Placeholder(password)
			}
		}
		return out
	case []string:
		return s.Chunks(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		member := func(name string) string { text, _ := v[name].(string); return text }
		paired := redact.Paired(member)
		for k, e := range v {
			if s.IsName(k) || paired == k && k != "" {
				e = named(e)
			} else if text, ok := e.(string); ok {
				e = s.Member(k, text)
			} else if list, ok := e.([]any); ok {
				e = s.membersOf(k, list, redact.ArgumentsOf(k, member))
			}
			out[s.Key(k)] = s.treeBelow(e, below.Under(k))
		}
		return out
	case map[string]string:
		return s.headerMap(v)
	}
	return v
}

// number is a number, or what stands for the secret that it is.
func (s Secrets) number(n any, text string) any {
	if p, ok := s.Exact(text); ok {
		return p
	}
	return n
}

// plainNumber is a decoded number as events carry it, with all of its digits.
func plainNumber(n json.Number) any {
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	f, _ := n.Float64()
	return f
}

// named hides a value that stands under a secret's name: a text, a number, or
// a list of them.
func named(v any) any {
	switch v := v.(type) {
	case string:
		return ByName.Header("authorization", v)
	case float64:
		return redact.Placeholder(string(trace.AppendFloat(nil, v)))
	case int64:
		return redact.Placeholder(strconv.FormatInt(v, 10))
	case json.Number:
		return redact.Placeholder(v.String())
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = named(e)
		}
		return out
	}
	return v
}

// Value is a value of the language as a report may show it. It must be hidden
// before it is rendered, as a text that was cut does not give away what it
// began with.
func (s Secrets) Value(v cty.Value) cty.Value { return s.valueBelow(v, redact.Below{}) }

// valueBelow is a value that stands below names.
func (s Secrets) valueBelow(v cty.Value, below redact.Below) cty.Value {
	if v == cty.NilVal || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return v
	}
	switch t := v.Type(); {
	case t == cty.String:
		if below.Hides(v.AsString()) {
			return namedValue(v)
		}
		return cty.StringVal(s.Text(v.AsString()))
	case t == cty.Number:
		if below.HidesNumber(render.Value(v, 0)) {
			return namedValue(v)
		}
		if p, ok := s.Exact(render.Value(v, 0)); ok {
			return cty.StringVal(p)
		}
	case t.IsObjectType(), t.IsMapType():
		attrs, members := map[string]cty.Value{}, v.AsValueMap()
		member := func(name string) string { return textOf(members[name]) }
		paired := redact.Paired(member)
		for name, e := range members {
			if s.IsName(name) || paired == name && name != "" {
				e = namedValue(e)
			} else if isOf(cty.String, e) {
				e = cty.StringVal(s.Member(name, e.AsString()))
			} else if isList(e) {
				secret, n := redact.ArgumentsOf(name, member), -1
				e = read.TupleVal(e.AsValueSlice(), func(v cty.Value) cty.Value {
					if n++; secret[n] {
						return namedValue(v)
					}
					if text := textOf(v); text != "" {
						return cty.StringVal(s.Member(name, text))
					}
					return v
				})
			}
			attrs[s.Key(name)] = s.valueBelow(e, below.Under(name))
		}
		return cty.ObjectVal(attrs)
	case v.CanIterateElements():
		list, n := v.AsValueSlice(), -1
		return read.TupleVal(list, func(e cty.Value) cty.Value {
			if n++; n == 1 && len(list) == 2 && below.HidesSecond(textOf(list[0]), textOf(e)) {
				return namedValue(e)
			}
			return s.valueBelow(e, below)
		})
	}
	return v
}

// membersOf is a list whose strings stand under a name, and which has secrets at some places.
func (s Secrets) membersOf(name string, list []any, secret map[int]bool) []any {
	out := slices.Clone(list)
	for i, e := range out {
		if secret[i] {
			out[i] = named(e)
		} else if text, ok := e.(string); ok {
			out[i] = s.Member(name, text)
		}
	}
	return out
}

// isList reports whether a value is a list that may be shown.
func isList(v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && (v.Type().IsTupleType() || v.Type().IsListType())
}

// textOf is a value that is a string and may be shown; "" for any other.
func textOf(v cty.Value) string {
	if !isOf(cty.String, v) {
		return ""
	}
	return v.AsString()
}

func isOf(t cty.Type, v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.Type() == t
}

// namedValue is [named] for a value of the language.
func namedValue(v cty.Value) cty.Value {
	if v == cty.NilVal || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return v
	}
	switch t := v.Type(); {
	case t == cty.String:
		return cty.StringVal(ByName.Header("authorization", v.AsString()))
	case t == cty.Number:
		return cty.StringVal(redact.Placeholder(render.Value(v, 0)))
	case t.IsTupleType(), t.IsListType(), t.IsSetType():
		return read.TupleVal(v.AsValueSlice(), namedValue)
	}
	return v
}

// Operand is the value that an expression of this source had, as a report may
// show it.
func (s Secrets) Operand(source string, v cty.Value) cty.Value { return s.Value(s.Named(source, v)) }

// Rendered is such a value on one line, as far as a report shows it.
func (s Secrets) Rendered(source string, v cty.Value) string {
	return render.Shown(s.Named(source, v), 200, s.Value)
}

// Named is such a value as far as the name that the expression ends with hides it.
func (s Secrets) Named(source string, v cty.Value) cty.Value {
	last := source[strings.LastIndexByte(source, '.')+1:]
	if s.IsName(strings.Trim(last[strings.LastIndexByte(last, '[')+1:], `"[]`)) {
		return namedValue(v)
	}
	return v
}

// hiddenWhole stands for all of a value.
func hiddenWhole(v cty.Value) string {
	if v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
		return redact.Placeholder(v.AsString())
	}
	return redact.Placeholder(string(event.Value{Value: v}.AppendJSON(nil)))
}

// Empty reports whether there is nothing to hide.
func Empty(v cty.Value) bool {
	switch {
	case v.Type() == cty.String:
		return v.AsString() == ""
	case v.CanIterateElements():
		return v.LengthInt() == 0
	}
	return false
}

// Leaves adds the texts and numbers of a value.
func Leaves(list []string, v cty.Value) []string {
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		list = append(list, v.AsString())
	case v.Type() == cty.Number:
		list = append(list, taint.Spellings(v)...)
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			list = Leaves(list, e)
		}
	}
	return list
}

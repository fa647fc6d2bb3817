package interp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// uncheckedAttributes are those that no scenario checks, each with the test that
// does.
var uncheckedAttributes = map[attribute]string{
	{"sut", "signal"}: "TestScripts/exec of cmd/scenario",
}

func init() {
	for _, section := range observe.Results() {
		if section.Name == "A span of the program" || section.Name == "A log record of the program" {
			for _, a := range section.Attrs {
				uncheckedAttributes[attribute{section.Name, a.Name}] = "TestEveryWordOfAProgramIsRead"
			}
		}
	}
	for _, name := range []string{"name", "at_ms", "attributes"} {
		uncheckedAttributes[attribute{"an event of a span", name}] = "TestEveryWordOfAProgramIsRead"
	}
}

// Every attribute that expressions can read is checked by a scenario: an expect
// block gives it a value, or an assertion that holds does not hold when the
// attribute, and nothing else, has another value. Reading it and getting null
// for it is not enough. What only a program's requests have is checked by the
// scenario below.
func TestEveryAttributeIsChecked(t *testing.T) {
	c := newChecks()
	for _, path := range suiteFiles(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plans, names := watched(t, path, string(source))
		for _, p := range plans {
			if r, o := RunObserved(p, RunOptions{}); r.Verdict == Pass && o != nil {
				c.look(t, plan.Inside(p), o, names)
			}
		}
	}
	p, names := watched(t, "asked.scenario.hcl", askedByAProgram)
	c.look(t, plan.Inside(p[0]), askTwice(t, p[0]), names)

	for a := range c.all() {
		switch where := uncheckedAttributes[a]; {
		case c.found[a] == "" && where == "":
			t.Errorf("no scenario of ./scenarios checks %q of %q: add one in which an expect block or an assertion fails when it has another value, or name in uncheckedAttributes the test that checks it", a.name, a.section)
		case c.found[a] != "" && where != "":
			t.Errorf("%s checks %q of %q: take it out of the list of those that no scenario checks", c.found[a], a.name, a.section)
		}
	}
	if len(c.found) < 250 {
		t.Errorf("only %d attributes are checked: the walk is broken", len(c.found))
	}
}

// askedByAProgram is a scenario about the requests of [askTwice].
const askedByAProgram = `
provider "http" "tickets" { base_url = "https://tickets.example" }
endpoint "create" {
  provider = provider.tickets
  lane     = request.headers["x-tenant"]
}
scenario "s" {
  on "create" {
    fault "http_error" {
      status_code = 503
      after       = "1s"
    }
    reply {
      status_code = 201
      latency     = "3s"
    }
  }
  expect "create" {
    status        = "failed"
    retries       = 2
    in_flight_max = 2
    connections   = 2
    lanes = [
      { name = "east", status = "success", calls = [{ n = 1, retries = 1 }], attempts = [{ n = 1 }, { n = 3 }] },
      { name = "west", status = "failed", calls = [{ n = 2, retries = 1 }], attempts = [{ n = 2 }, { n = 4 }] },
    ]
  }
  assert "a call for each tenant" {
    condition = [for c in endpoint.create.calls : [c.n, c.lane, c.status, length(c.attempts), c.gaps_ms, c.retries, c.elapsed_ms, c.idempotency_key]] == [
      [1, "east", "success", 2, [1000], 1, 5000, "of-east"], [2, "west", "failed", 2, [1000], 1, 4000, "of-west"],
    ]
  }
  assert "its attempts" {
    condition = [for a in endpoint.create.attempts : [a.n, a.call, a.lane, a.round, a.retry_count, a.connection, a.reused, a.ended_by, a.trace_id]] == [
      [1, 1, "east", 1, 0, 1, false, "server", "3f2c9a7e51b84d06a1e7c05d9b64f218"], [2, 2, "west", 1, 0, 2, false, "server", null],
      [3, 1, "east", 2, 1, 1, true, "server", "3f2c9a7e51b84d06a1e7c05d9b64f218"], [4, 2, "west", 2, 1, 2, true, "client", null],
    ]
  }
  assert "the program" {
    condition = [sut.exit_code, sut.stdout, sut.stderr, sut.ready_ms, sut.elapsed_ms, sut.port] == [3, "said", "wrong", 250, 60000, 8080]
  }
  assert "what it said" {
    condition = [for s in sut.metrics : [s.name, s.kind, s.unit, s.labels.queue, s.value, s.count, s.sum, s.resource["service.name"], s.scope]] == [
      ["orders.wait", "histogram", "s", "fast", 3, 3, 10, "shop", "shop.stock"], ["breaker.state", "gauge", "1", "slow", 1, null, null, "shop", "shop.stock"],
    ]
  }
  assert "whom it called besides" {
    condition = [for h in sut.refused_hosts : [h.host, h.count]] == [["metrics.example", 2], ["other.example", 1]]
  }
  allow = ["unlisted_host"]
  assert "a client that leaves before the answer has got nothing" {
    condition = endpoint.create.attempts[0].sent_bytes > 0 && endpoint.create.attempts[3].sent_bytes == 0
  }
}
`

// askTwice is a program with two tenants, of which the second begins half a
// second later. Each asks, waits for a second after the failure and asks again;
// the one in the west gives up after two seconds.
func askTwice(t *testing.T, p *Plan) (seen *Observation) {
	synctest.Test(t, func(t *testing.T) {
		o := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec, Said: spoken{}})
		ask := func(ctx context.Context, tenant string, connection, n int) {
			req, err := http.NewRequest(http.MethodPost, "https://tickets.example/tickets", nil)
			if err != nil {
				t.Error(err)
				return
			}
			req.Header = http.Header{"X-Tenant": {tenant}, "Idempotency-Key": {"of-" + tenant}, "X-Stainless-Retry-Count": {strconv.Itoa(n)}}
			if tenant == "east" {
				req.Header.Set("Traceparent", "00-3f2c9a7e51b84d06a1e7c05d9b64f218-a40d6e13b9572c8f-01")
			}
			x, err := o.Answer(ctx, Asked{Request: req, Connection: connection, Reused: n > 0})
			if err != nil {
				t.Error(err)
				return
			}
			resp, err := x.Script().RoundTripWatched(wire.System(), req.WithContext(ctx), x)
			if errors.Is(err, context.DeadlineExceeded) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		o.Started(8080)
		time.Sleep(time.Second / 4)
		o.Ready()
		for _, host := range []string{"metrics.example", "other.example", "metrics.example"} {
			stranger, err := http.NewRequest(http.MethodGet, "https://"+host+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := o.Answer(t.Context(), Asked{Request: stranger}); err != nil {
				t.Error(err)
			}
		}
		for i, tenant := range []string{"east", "west"} {
			go func() {
				ask(t.Context(), tenant, i+1, 0)
				time.Sleep(time.Second)
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if tenant == "west" {
					ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
				}
				defer cancel()
				ask(ctx, tenant, i+1, 1)
			}()
			time.Sleep(time.Second / 2)
		}
		time.Sleep(time.Minute)
		code := 3
		o.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Minute, Stdout: "said", Stderr: "wrong"})
		r, obs := o.Finish("")
		if r.Verdict != Pass {
			t.Errorf("%s: %v", r.Verdict, r.Problems)
		}
		seen = obs
	})
	return seen
}

// An attribute is a row of the tables of what expressions can read: a section
// of the reference, or the name of a value that has none, and a name.
type attribute struct{ section, name string }

func (a attribute) String() string { return a.section + ": " + a.name }

// readables finds the sections of the reference that the attributes of a shape
// are listed in.
type readables struct {
	sections []observe.Readable
	known    map[*schema.Shape][]observe.Readable
}

// of are the sections all of whose attributes a shape has.
func (r *readables) of(s *schema.Shape) []observe.Readable {
	if list, ok := r.known[s]; ok {
		return list
	}
	var list []observe.Readable
	for _, section := range r.sections {
		if !slices.ContainsFunc(section.Attrs, func(a observe.ReadableAttr) bool { return s.Attrs[a.Name] == nil || s.Attrs[a.Name].Doc != a.Doc }) {
			list = append(list, section)
		}
	}
	r.known[s] = list
	return list
}

// row is where an attribute of a shape comes from; ok is false for a name that
// the file gave.
func (r *readables) row(s *schema.Shape, name string) (row attribute, ok bool) {
	sections := r.of(s)
	for _, section := range slices.Backward(sections) {
		if slices.ContainsFunc(section.Attrs, func(a observe.ReadableAttr) bool { return a.Name == name }) {
			return attribute{section.Name, name}, true
		}
	}
	return attribute{s.Name, name}, len(sections) == 0 && s.Name != "" && s.Within == "" && s.Observed && s.Attrs[name] != nil
}

// all are the rows of the reference, and those of the values inside.
func (r *readables) all() map[attribute]bool {
	rows, seen := map[attribute]bool{}, map[*schema.Shape]bool{}
	var inside func(s *schema.Shape)
	inside = func(s *schema.Shape) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		for name, a := range s.Attrs {
			if row, ok := r.row(s, name); ok {
				rows[row] = true
			}
			inside(a)
		}
		inside(s.Elem)
	}
	for _, section := range r.sections {
		for _, a := range section.Attrs {
			rows[attribute{section.Name, a.Name}] = true
			inside(a.Shape)
		}
	}
	return rows
}

// attributeChecks says of attributes which scenario checks them.
type attributeChecks struct {
	readables
	found map[attribute]string
}

func newChecks() *attributeChecks {
	return &attributeChecks{readables{observe.Results(), map[*schema.Shape][]observe.Readable{}}, map[attribute]string{}}
}

// look notes what the checks of a run that passed depend on.
func (c *attributeChecks) look(t *testing.T, p *plan.Plan, o *Observation, names []dsl.Name) {
	where := fmt.Sprintf("%s, scenario %q,", p.File, p.Name)
	for _, a := range p.Asserts {
		if roots := rootsAt(names, a.Condition.Range()); roots != nil && !c.assertion(a, o.obs, roots, where) {
			t.Errorf("%s assert %q held in the run, and does not hold after it", where, a.Name)
		}
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			i := slices.IndexFunc(names, func(n dsl.Name) bool { return n.Env == nil && n.Range == a.NameRange })
			needs := &read.Needs{}
			needs.Add(a.Expr)
			if v, diags := a.Expr.Value(o.obs.ObservedContext(needs, nil)); i >= 0 && !diags.HasErrors() {
				c.expected(names[i].Of, a.Name, v, where)
			}
		}
	}
}

// rootsAt are the roots of what the condition at a place can read.
func rootsAt(names []dsl.Name, rng hcl.Range) map[string]*schema.Shape {
	for _, n := range names {
		if n.Env != nil && n.Range.Filename == rng.Filename && n.Range.Start.Byte >= rng.Start.Byte && n.Range.End.Byte <= rng.End.Byte {
			return n.Env.Roots
		}
	}
	return nil
}

// expected notes an attribute that must have a value, and those inside it.
func (c *attributeChecks) expected(of *schema.Shape, name string, v cty.Value, where string) {
	if of == nil || v.IsNull() {
		return
	}
	if row, ok := c.row(of, name); ok {
		c.found[row] = where
	}
	s := of.Attrs[name]
	if s == nil {
		return
	}
	parts := []cty.Value{v}
	if t := v.Type(); t.IsTupleType() {
		s, parts = s.Elem, v.AsValueSlice()
	}
	for _, part := range parts {
		if !part.IsNull() && part.Type().IsObjectType() {
			for name, v := range part.AsValueMap() {
				c.expected(s, name, v, where)
			}
		}
	}
}

// assertion notes the attributes without whose values an assertion does not
// hold, and reports whether it holds with them.
func (c *attributeChecks) assertion(a *plan.Assertion, obs *observe.Observed, roots map[string]*schema.Shape, where string) bool {
	needs := &read.Needs{}
	needs.Add(a.Condition)
	ctx := obs.ObservedContext(needs, nil)
	rows := map[attribute]bool{}
	for name, v := range ctx.Variables {
		c.present(rows, roots[name], v)
	}
	for row := range rows {
		if c.found[row] != "" {
			continue
		}
		for _, by := range []int64{1, -1} {
			other := *ctx
			other.Variables = maps.Clone(ctx.Variables)
			for name, v := range ctx.Variables {
				other.Variables[name] = c.changed(row, roots[name], v, by)
			}
			if !holds(a, &other) {
				c.found[row] = where
			}
		}
	}
	return holds(a, ctx)
}

func holds(a *plan.Assertion, ctx *hcl.EvalContext) bool {
	v, diags := a.Condition.Value(ctx)
	return !diags.HasErrors() && v.IsKnown() && !v.IsNull() && v.Type() == cty.Bool && v.True()
}

// present notes the rows of all that is there of a value, and not null.
func (c *attributeChecks) present(rows map[attribute]bool, s *schema.Shape, v cty.Value) {
	if s == nil || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t.IsObjectType():
		for name, part := range v.AsValueMap() {
			if row, ok := c.row(s, name); ok && !part.IsNull() {
				rows[row] = true
			}
			c.present(rows, partOf(s, name), part)
		}
	case t.IsTupleType():
		for _, e := range v.AsValueSlice() {
			c.present(rows, s.Elem, e)
		}
	}
}

// changed is a value in which an attribute has another value wherever it has
// one.
func (c *attributeChecks) changed(row attribute, s *schema.Shape, v cty.Value, by int64) cty.Value {
	if s == nil || v.IsNull() {
		return v
	}
	switch t := v.Type(); {
	case t.IsObjectType():
		attrs := v.AsValueMap()
		for name, part := range attrs {
			if is, ok := c.row(s, name); ok && is == row && !part.IsNull() {
				attrs[name] = another(part, by)
			} else {
				attrs[name] = c.changed(row, partOf(s, name), part, by)
			}
		}
		return cty.ObjectVal(attrs)
	case t.IsTupleType():
		list := v.AsValueSlice()
		for i, e := range list {
			list[i] = c.changed(row, s.Elem, e, by)
		}
		return cty.TupleVal(list)
	}
	return v
}

// partOf is the shape of an attribute of an object.
func partOf(s *schema.Shape, name string) *schema.Shape {
	if a := s.Attrs[name]; a != nil {
		return a
	}
	return s.Elem
}

// another is a value like this one: a number is off by one, a list has lost its
// first element, and an object is not there.
func another(v cty.Value, by int64) cty.Value {
	switch t := v.Type(); {
	case t == cty.Bool:
		return v.Not()
	case t == cty.Number:
		return v.Add(cty.NumberIntVal(by))
	case t == cty.String:
		return cty.StringVal(v.AsString() + "~")
	case t.IsTupleType() && v.LengthInt() == 0:
		return cty.TupleVal([]cty.Value{cty.StringVal("~")})
	case t.IsTupleType():
		return cty.TupleVal(v.AsValueSlice()[1:])
	}
	return read.Null
}

// watched compiles source as if it were the file at path, with all names of its
// expressions.
func watched(t *testing.T, path, source string) (plans []*Plan, names []dsl.Name) {
	t.Helper()
	plans, diags := tryCompileWith(path, source, func(n dsl.Name) { names = append(names, n) })
	mustBeValid(t, diags)
	return plans, names
}

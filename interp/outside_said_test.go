package interp

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/internal/otlp"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// spoken is a program that has said one thing of everything.
type spoken struct{}

var (
	spokenSeries = []any{
		map[string]any{"name": "orders.wait", "kind": "histogram", "unit": "s", "labels": map[string]any{"queue": "fast"}, "value": 3.0, "count": int64(3), "sum": 10.0, "resource": map[string]any{"service.name": "shop"}, "scope": "shop.stock"},
		map[string]any{"name": "breaker.state", "kind": "gauge", "unit": "1", "labels": map[string]any{"queue": "slow"}, "value": 1.0, "count": nil, "sum": nil, "resource": map[string]any{"service.name": "shop"}, "scope": "shop.stock"},
	}
	spokenSpan = map[string]any{
		"name": "fallback", "trace_id": "3f2c9a7e51b84d06a1e7c05d9b64f218", "span_id": "a40d6e13b9572c8f", "parent_id": "b", "kind": "client", "start_ms": 1.5, "end_ms": 2.5,
		"status": "error", "message": "no", "attributes": map[string]any{"to": "secondary"}, "resource": map[string]any{"service.name": "shop"}, "scope": "shop.stock",
		"events": []any{map[string]any{"name": "trip", "at_ms": 2.0, "attributes": map[string]any{"n": int64(3)}}},
	}
	spokenLog = map[string]any{
		"severity": "warn", "severity_text": "WARNING", "body": "retrying", "at_ms": nil, "attributes": map[string]any{"n": int64(1)},
		"resource": map[string]any{"service.name": "shop"}, "scope": "shop.stock", "trace_id": "t", "span_id": "s",
	}
)

func (spoken) Metric(name string, labels map[string]any) (float64, error) {
	if name != "breaker.state" {
		return 0, fmt.Errorf("the program has sent no metric %q", name)
	}
	return float64(len(labels)), nil
}

func (spoken) Metrics(name string) ([]any, error) {
	if name == "" {
		return spokenSeries, nil
	}
	return slices.DeleteFunc(slices.Clone(spokenSeries), func(s any) bool { return s.(map[string]any)["name"] != name }), nil
}

func (spoken) Spans(filter map[string]any) ([]any, error) {
	return kept(spokenSpan, filter), nil
}

func (spoken) Logs(filter map[string]any) ([]any, error) { return kept(spokenLog, filter), nil }

// kept is one value, or none where a filter names other texts.
func kept(o, filter map[string]any) []any {
	for key, want := range filter {
		if text, ok := want.(string); ok && o[key] != text {
			return []any{}
		}
	}
	return []any{o}
}

// saidOf is what became of a scenario with these checks, whose program says what
// said does, and never asks anything.
func saidOf(t *testing.T, sut, checks string, s Said) *Result {
	t.Helper()
	p := compileAt(t, "said.scenario.hcl", "provider \"openai\" \"llm\" {}\nscenario \"s\" {\n  sut {\n"+sut+"\n  }\n"+checks+"\n}\n")[0]
	var r *Result
	synctest.Test(t, func(*testing.T) {
		o := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec, Said: s})
		o.Started(0)
		o.Ready()
		time.Sleep(time.Second)
		code := 0
		o.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second})
		r, _ = o.Finish("")
	})
	return r
}

// Shows that every attribute of spans and records has the program's value, and
// that the queries give what the program said on: each of these fails when any
// value is another.
func TestEveryWordOfAProgramIsRead(t *testing.T) {
	r := saidOf(t, "", `
  assert "metric" { condition = sut.metric("breaker.state", { a = 1, b = true }) == 2 }
  assert "metrics" { condition = [for s in sut.metrics("orders.wait") : [s.kind, s.sum]] == [["histogram", 10]] }
  assert "span" {
    condition = [for s in sut.spans({ name = "fallback", status = "error", trace_id = "3f2c9a7e51b84d06a1e7c05d9b64f218", attributes = { to = "secondary" } }) : [
      s.name, s.trace_id, s.span_id, s.parent_id, s.kind, s.start_ms, s.end_ms, s.status, s.message, s.attributes.to, s.resource["service.name"], s.scope,
      [for e in s.events : [e.name, e.at_ms, e.attributes.n]],
    ]] == [["fallback", "3f2c9a7e51b84d06a1e7c05d9b64f218", "a40d6e13b9572c8f", "b", "client", 1.5, 2.5, "error", "no", "secondary", "shop", "shop.stock", [["trip", 2, 3]]]]
  }
  assert "log" {
    condition = [for l in sut.logs({ severity = "warn", body = "retrying" }) : [
      l.severity, l.severity_text, l.body, l.at_ms, l.attributes.n, l.resource["service.name"], l.scope, l.trace_id, l.span_id,
    ]] == [["warn", "WARNING", "retrying", null, 1, "shop", "shop.stock", "t", "s"]]
  }
  assert "others" { condition = sut.spans({ name = "other" }) == [] && sut.logs({ body = "other" }) == [] }
  assert "a text" { condition = "${sut.metric("breaker.state")}, sut.metric(" == "0, sut.metric(" }
`, spoken{})
	if r.Verdict != Pass || r.Checks != 6 {
		t.Errorf("%s, %d checks:\n%s", r.Verdict, r.Checks, problems(r))
	}
	asked := map[string]bool{}
	for _, s := range observe.Results() {
		for _, a := range s.Attrs {
			asked[s.Name+"."+a.Name] = true
		}
	}
	for name, o := range map[string]map[string]any{"A span of the program": spokenSpan, "A log record of the program": spokenLog, "A series of the program": spokenSeries[0].(map[string]any)} {
		for key := range o {
			if !asked[name+"."+key] {
				t.Errorf("%s has no %s", name, key)
			}
		}
	}
}

// Shows that of what a program exports each text that may lack is null where it does, and never
// "", and that the table of attributes says so: of "", != null would hold. A name is always one.
func TestWhatAProgramDoesNotSayIsNull(t *testing.T) {
	none := func(time.Time) any { return nil }
	for name, o := range map[string]map[string]any{
		"A span of the program": (&otlp.Span{}).Object(none), "A log record of the program": (&otlp.Log{}).Object(none), "A series of the program": (&otlp.Series{}).Object(),
	} {
		always := map[string]bool{"name": true, "kind": name == "A series of the program", "status": true}
		i := slices.IndexFunc(observe.Results(), func(r observe.Readable) bool { return r.Name == name })
		attrs := observe.Results()[i].Attrs
		if len(attrs) != len(o) {
			t.Errorf("%s: %d attributes, and %d of an empty one", name, len(attrs), len(o))
		}
		for _, a := range attrs {
			text := a.Shape.Kind == schema.ShapeString && !always[a.Name]
			if text && (o[a.Name] != nil || !a.Shape.Nullable || !a.Shape.Filled) {
				t.Errorf("%s: %s is %q where there is none: it has to be null, and the shape nullable and filled (wordOrNull)", name, a.Name, o[a.Name])
			}
			if o[a.Name] == nil && !a.Shape.Nullable && a.Shape.Kind != schema.ShapeUnknown && a.Shape.Kind != schema.ShapeObject && a.Shape.Kind != schema.ShapeTuple {
				t.Errorf("%s: %s is null where there is none, and its shape is not nullable", name, a.Name)
			}
		}
	}
	for _, condition := range []string{
		`[for s in sut.spans() : s if s.parent_id == ""] == []`, `alltrue([for l in sut.logs() : "" != l.trace_id])`, `[for s in sut.spans() : s.scope] == [""]`, `length(sut.spans({ trace_id = "" })) == 1`,
	} {
		_, diags := tryCompile("said.scenario.hcl", "provider \"openai\" \"llm\" {}\nscenario \"s\" {\n  sut {}\n  assert \"a\" { condition = "+condition+" }\n}\n")
		if !diags.HasErrors() || !strings.Contains(diags.Error(), "where there is none it is null") {
			t.Errorf("%s: %s", condition, diags)
		}
	}
}

// Shows how a query fails: with the program's names where one is not known, and
// with what is wrong where a filter is not known before the run.
func TestQueriesOfAProgramThatFail(t *testing.T) {
	for condition, want := range map[string]string{
		`sut.metric("braker.state") == 1`:                                                     `the condition cannot be evaluated: the program has sent no metric "braker.state".`,
		`sut.metric(sut.stdout) == 1`:                                                         `the condition cannot be evaluated: the program has sent no metric "".`,
		`sut.metric("breaker.state", { a = null }) == 1`:                                      `the label "a" must be a string, a number or a boolean`,
		`length(sut.spans({ trace_id = sut.signal })) == 1`:                                   `trace_id in the filter of sut.spans is null: leave it out where it does not matter`,
		`length(sut.spans({ attributes = { a = [] } })) == 1`:                                 `the attribute "a" must be a string, a number or a boolean`,
		`length(sut.spans(jsondecode("{\"nam\": 1, \"x\": \"${sut.stdout}\"}"))) == 1`:        `a filter of sut.spans has no "nam": it has attributes, name, status, trace_id`,
		`length(sut.logs(jsondecode("{\"body\": 1, \"severity\": \"${sut.stdout}\"}"))) == 1`: `body in the filter of sut.logs is a string`,
		`length(sut.metrics("")) == 1`:                                                        `the argument is the name of a metric; sut.metrics, without parentheses, are the series of all`,
	} {
		r := saidOf(t, "", "  assert \"a\" { condition = "+condition+" }", spoken{})
		if r.Verdict != Fail || !strings.Contains(problems(r), want) {
			t.Errorf("%s: %s\n%s", condition, r.Verdict, problems(r))
		}
	}
}

// Shows that until holds when the program has said it, and is looked at again then,
// and that it waits for a name that has not come.
func TestUntilTheProgramSaysSo(t *testing.T) {
	p := compileAt(t, "said.scenario.hcl", `
provider "openai" "llm" {}
scenario "s" {
  sut { until = sut.metric("breaker.state", { target = "a" }) == 1 }
  expect "run" { status = "success" }
}`)[0]
	if !p.AsksProgram() {
		t.Error("nobody knows that the program is asked")
	}
	synctest.Test(t, func(t *testing.T) {
		var later speaker
		o := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec, Said: &later})
		o.Started(0)
		<-o.Changes()
		if holds, why := o.Until(); holds || !strings.Contains(why, "nothing yet") {
			t.Errorf("it holds: %t, %s", holds, why)
		}
		select {
		case <-o.Changes():
			t.Error("nothing has changed")
		default:
		}
		later.Said = spoken{}
		o.Changed()
		<-o.Changes()
		if holds, why := o.Until(); !holds {
			t.Errorf("it does not hold: %s", why)
		}
		if r, _ := o.Finish(""); r.Verdict != Pass {
			t.Errorf("%s", problems(r))
		}
	})
}

// A speaker says nothing until it is given a voice.
type speaker struct{ Said }

func (s *speaker) Metric(name string, labels map[string]any) (float64, error) {
	if s.Said == nil {
		return 0, fmt.Errorf("nothing yet")
	}
	return s.Said.Metric(name, labels)
}

// Shows that what a program says is in no trace: a run that is judged by its trace
// observes none of it, and lists that.
func TestWhatIsSaidIsInNoTrace(t *testing.T) {
	r := saidOf(t, "", `
  assert "metric" { condition = sut.metric("breaker.state") == 0 }
  assert "all" { condition = length(sut.metrics) == 2 }
  assert "else" { condition = sut.exit_code == 0 }
  snapshot "spans" { value = length(sut.spans()) }
`, spoken{})
	if len(r.Unseen) > 0 {
		t.Errorf("not observed: %v", r.Unseen)
	}
	for _, e := range r.Events {
		if text := string(e.AppendJSON(nil)); strings.Contains(text, "fallback") || strings.Contains(text, "breaker.state") {
			t.Errorf("the trace has %s", text)
		}
	}
	again, err := Judge(r.Plan, r.Events)
	if err != nil {
		t.Fatal(err)
	}
	var unseen []string
	for _, u := range again.Unseen {
		unseen = append(unseen, u.Kind+" "+u.Name+" "+u.What)
	}
	if got, want := strings.Join(unseen, ", "), "assert metric sut.metric, assert all sut.metrics, snapshot spans sut.spans"; got != want || again.Checks != 1 {
		t.Errorf("%d checks, not observed: %s", again.Checks, got)
	}
}

// Shows where nothing is observed of what a program says: in a workflow that is
// interpreted, and where a test takes the place of the program.
func TestWhereNobodySaysAnything(t *testing.T) {
	p := compileAt(t, "said.scenario.hcl", `
provider "http" "data" { base_url = "https://data.test" }
workflow "w" {
  step "http" "ask" {
    provider = provider.data
    path     = "/7"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply {}
  }
  assert "metric" { condition = sut.metric("breaker.state") == 0 }
  assert "trace" { condition = step.ask.attempts[0].trace_id == null }
  expect "run" { status = "success" }
}`)[0]
	r := Run(p, RunOptions{})
	if r.Verdict != Pass || len(r.Unseen) != 2 || r.Unseen[0].What != "sut.metric" || r.Unseen[1].What != "step.ask.attempts[…].trace_id" {
		t.Errorf("%s, %v", r.Verdict, r.Unseen)
	}
	synctest.Test(t, func(t *testing.T) {
		o := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Embedded})
		req, _ := http.NewRequest(http.MethodGet, "https://data.test/7", nil)
		x, err := o.Answer(t.Context(), Asked{Request: req})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if r, _ := o.Finish(""); len(r.Unseen) != 1 || r.Unseen[0].What != "sut.metric" {
			t.Errorf("%s, %v", r.Verdict, r.Unseen)
		}
	})
}

// Shows that an answer about what the program never said anything of shows nothing,
// though it adds up to 0 or is empty, and that one about something it said does.
func TestSaidOfNone(t *testing.T) {
	for condition, why := range map[string]string{
		`sut.metric("breaker.state", { queue = "slwo" }) == 0`:                       `no series of the metric "breaker.state" has queue = "slwo"`,
		`sut.metric("breaker.state", { queue = "slwo" }) <= 5`:                       `Did you mean "slow"?`,
		`sut.metric("breaker.state", { queue = "slow" }) == 0`:                       "",
		`sut.metric("breaker.state") == 0`:                                           "",
		`sut.spans({ attributes = { too = "third" } }) == []`:                        `no span has the attribute "too"`,
		`length(sut.spans({ attributes = { too = "third" } })) == 0`:                 `Did you mean "to"?`,
		`[for s in sut.spans({ attributes = { too = "third" } }) : s.name] == []`:    `no span has the attribute "too"`,
		`sut.spans({ attributes = { to = "third" } }) == []`:                         "",
		`sut.logs({ attributes = { usr = "x" } }) == []`:                             `no record of the log has the attribute "usr"|What came: n`,
		`sut.logs({ attributes = { n = "x" } }) == []`:                               "",
		`sut.logs({ body = "*x*" }) == []`:                                           "",
		`[for m in sut.metrics("breaker.state") : m if m.labels.queue == "x"] == []`: "",
		`!strcontains(sut.stdout, "secret")`:                                         "the program wrote nothing|was empty",
		`sut.stdout != "rain\n"`:                                                     "the program wrote nothing on standard output",
		`!regexmatch("(?i)error", sut.stdout)`:                                       "was empty",
		`[for l in split("\n", sut.stdout) : l if strcontains(l, "secret")] == []`:   "was empty",
		`sut.stdout == ""`:                      "",
		`trimspace(sut.stdout) == ""`:           "",
		`!strcontains(sut.stderr, "Traceback")`: "",
		`sut.stderr == ""`:                      "",
	} {
		r := saidOf(t, "", "  assert \"x\" {\n    condition = "+condition+"\n  }\n", saysLittle{})
		var told string
		for _, p := range r.Relaxed {
			told += p.Message
		}
		found := why == "" && told == ""
		for part := range strings.SplitSeq(why, "|") {
			found = found || part != "" && strings.Contains(told, part)
		}
		if !found || (r.Verdict == Pass) != (why == "") {
			t.Errorf("%s: %s, told %q and not %q:\n%s", condition, r.Verdict, told, why, problems(r))
		}
	}
}

// saysLittle is [spoken] whose metrics are 0, and that finds what has the attributes
// of a filter.
type saysLittle struct{ spoken }

func (saysLittle) Metric(string, map[string]any) (float64, error) { return 0, nil }

func (s saysLittle) Spans(filter map[string]any) ([]any, error) {
	return withAttributes(spokenSpan, filter), nil
}

func (s saysLittle) Logs(filter map[string]any) ([]any, error) {
	if filter["body"] != nil {
		return nil, nil
	}
	return withAttributes(spokenLog, filter), nil
}

func withAttributes(o map[string]any, filter map[string]any) []any {
	if filter["attributes"] != nil {
		return nil
	}
	return []any{o}
}

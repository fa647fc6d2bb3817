package stdlib

import (
	"sync"

	"github.com/scenario-lang/scenario/schema"
)

// Queries describes the functions that ask about a run: its metrics, spans and
// events. Their examples are about the one of which [QueryRun] is the file. They
// have no implementation here; whoever has a run adds them to the
// function table. The result is shared and must not be changed.
func Queries() []Func { return queries() }

var queries = sync.OnceValue(func() []Func {
	return []Func{
		query("metric(name, labels)", "The sum of all series of a metric that have these labels, 0 if there are none; a histogram counts its values.", 1, 2, schema.NumberShape,
			Example{`metric("scenario_retries_total", { step_id = "answer" })`, "1"}),
		query("metrics(name)", "All series of a metric.", 1, 1, schema.TupleOf(observedObject("a series", map[string]*schema.Shape{"name": schema.StringShape, "labels": schema.OpenObject(), "value": schema.NumberShape})),
			Example{`metrics("scenario_mock_fault_total")[0].labels.fault_type`, `"http_error"`}),
		query("span(name)", "The only span of that name; an error where there are none or several.", 1, 1, spanShape(),
			Example{`span("step answer").end_ms`, "1000"}),
		query("spans(filter)", "The spans that match the filter partially, as expect does; without a filter all.", 0, 1, schema.TupleOf(spanShape()),
			Example{`length(spans({ attributes = { "mock.fault_type" = "http_error" } }))`, "1"}),
		query("events(filter)", "The events that match the filter partially, as expect does; without a filter all.", 0, 1, schema.TupleOf(eventShape()),
			Example{`[for e in events({ type = "retry_wait" }) : e.at_ms]`, "[0]"}),
		query("overlaps(sessions)", "How many pairs of sessions ran at the same time.", 1, 1, schema.NumberShape,
			Example{`overlaps(steps)`, "0"}),
	}
})

// OfProgram describes the functions that ask the program under test what it said
// of itself, where a run is judged. They have no implementation here either. The
// result is shared and must not be changed.
func OfProgram() []Func { return ofProgram() }

var ofProgram = sync.OnceValue(func() []Func {
	return []Func{
		ofSut("sut.metric(name, labels)", "The value of a metric that the program exported: its series that have these labels, added up. A counter counts since the program was ready, a histogram counts its values. A name or a label that never came is an error.", 1, 2, schema.NumberShape),
		ofSut("sut.metrics(name)", "The series of a metric that the program exported.", 1, 1, schema.TupleOf(nil)),
		ofSut("sut.spans(filter)", "The spans that the program exported and that have this name, status, trace_id and these attributes; without a filter all. A name that never came is an error.", 0, 1, schema.TupleOf(nil)),
		ofSut("sut.logs(filter)", "The log records that the program exported and that have this severity, body and these attributes; without a filter all. In body, * is any run of characters.", 0, 1, schema.TupleOf(nil)),
	}
})

// QueryRun is a scenario file whose run the examples of the queries are about:
// one step that meets one fault and is tried again after a second. What must
// hold goes into its last block.
const QueryRun = `
provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" {}

workflow "ask" {
  provider = provider.primary

  step "llm" "answer" {
    prompt = "Why is the sky blue?"
    retry  = retry.std
  }
}

scenario "a server error, then an answer" {
  run = workflow.ask

  on "answer" {
    fault "http_error" { status_code = 500 }
    reply { content = "Rayleigh scattering." }
  }
%s}
`

func query(signature, summary string, minimum, maximum int, result *schema.Shape, examples ...Example) Func {
	return Func{
		Name: nameOf(signature), Family: "queries", Signature: signature, Summary: summary, Examples: examples,
		Sig: Sig{Min: minimum, Max: maximum, Result: always(result), Query: true},
	}
}

func ofSut(signature, summary string, minimum, maximum int, result *schema.Shape) Func {
	f := query(signature, summary, minimum, maximum, result)
	f.Family = "queries about the program"
	return f
}

func observedObject(name string, attrs map[string]*schema.Shape) *schema.Shape {
	return &schema.Shape{Kind: schema.ShapeObject, Name: name, Attrs: attrs, Observed: true}
}

func spanShape() *schema.Shape {
	return observedObject("a span", map[string]*schema.Shape{
		"name": schema.StringShape, "start_ms": schema.NumberShape, "end_ms": schema.NumberShape,
		"status": schema.StringShape, "attributes": schema.OpenObject(), "events": schema.TupleOf(nil),
	})
}

func eventShape() *schema.Shape {
	s := observedObject("an event", map[string]*schema.Shape{
		"at_ms": schema.NumberShape, "type": schema.StringShape, "step": schema.StringShape,
		"call": schema.StringShape, "actor": schema.StringShape,
	})
	s.Open = true
	return s
}

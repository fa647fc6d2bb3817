package exchange

import (
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// A Request is what a step asks one target in one turn. It is the same in every
// round, so it is written down once, but in a session, where each request has a
// name of its own.
type Request struct {
	Target *plan.Target
	Vendor providers.Vendor
	HTTP   *http.Request
	Body   []byte
	// Start is what the start of an attempt tells of it, and Operation is what the
	// attempt does by them.
	Start     *event.Request
	Operation string
}

// NewRequest writes down what a target is asked.
func (m *Recall) NewRequest(ctx context.Context, t *plan.Target, in providers.Input) (*Request, error) {
	q := &Request{Target: t, Vendor: providers.Vendor{Adapter: t.Provider.Adapter, In: in}}
	var err error
	if q.HTTP, err = q.Vendor.Adapter.Request(ctx, q.Vendor.In); err != nil {
		return nil, err
	}
	if q.Body, err = providers.TakeBody(q.HTTP); err != nil {
		return nil, err
	}
	q.Start = m.Told(q.Target, &q.Vendor.In, q.HTTP, q.Body, "")
	q.Operation = trace.Operation(&trace.Event{Payload: &event.AttemptStart{Request: q.Start}})
	return q, nil
}

// Again is the request once more, under another context.
func (q *Request) Again(ctx context.Context) *http.Request {
	req := q.HTTP.WithContext(providers.KeepSpelling(ctx, q.HTTP.Context()))
	if req.Body != nil {
		providers.SetBody(req, q.Body)
	}
	return req
}

// Told describes a request to the trace: what a target is asked, and how. Encoded is the
// content coding under which its body still is, "" for none.
func (m *Recall) Told(t *plan.Target, in *providers.Input, req *http.Request, body []byte, encoded string) *event.Request {
	p := t.Provider
	told := &event.Request{
		Body: plan.ByName.Body(req.Header.Get("Content-Type"), string(body)), Model: in.Model, Provider: p.Name, Stream: in.Stream, URL: plan.ByName.URL(req.URL.String()), Encoded: encoded,
	}
	switch p.Kind.Family {
	case "sql":
		told.Statement = plan.ByName.Text(in.Statement)
	case "mcp":
		told.Headers, told.Method, told.Tool = headersOf(req.Header), in.RPC.Method, in.RPC.Subject()
	case "llm":
		told.Operation, told.System = "chat", p.Kind.Name
		fallthrough
	default:
		told.Headers, told.Method = headersOf(req.Header), req.Method
	}
	known := m.requests.of(told, (*event.Request).Equal)
	if known == told {
		m.kept += told.Size()
	}
	return known
}

// headersOf are header fields as a trace has them: nil where there are none, so that
// a run and its trace give the same result.
func headersOf(h http.Header) map[string]string {
	if len(h) == 0 {
		return nil
	}
	return plan.HeaderMap(h)
}

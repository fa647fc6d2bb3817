package exchange

import (
	"context"
	"net/http"

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
	// Start are the attributes of an attempt's start, and Operation is what the
	// attempt does by them.
	Start     []trace.Attr
	Operation string
}

// NewRequest writes down what a target is asked.
func NewRequest(ctx context.Context, t *plan.Target, in providers.Input) (*Request, error) {
	q := &Request{Target: t, Vendor: providers.Vendor{Adapter: t.Provider.Adapter, In: in}}
	var err error
	if q.HTTP, err = q.Vendor.Adapter.Request(ctx, q.Vendor.In); err != nil {
		return nil, err
	}
	if q.Body, err = providers.TakeBody(q.HTTP); err != nil {
		return nil, err
	}
	q.Start = q.attrs()
	q.Operation = trace.Operation(&trace.Event{Attrs: q.Start})
	return q, nil
}

// Again is the request once more, under another context.
func (q *Request) Again(ctx context.Context) *http.Request {
	req := q.HTTP.WithContext(ctx)
	if req.Body != nil {
		providers.SetBody(req, q.Body)
	}
	return req
}

// attrs describe the request to the trace, in the order of their keys.
func (q *Request) attrs() []trace.Attr {
	p, req, in := q.Target.Provider, q.HTTP, &q.Vendor.In
	var headers plan.HeadersAttr
	var method, operation, system, statement, tool string
	switch p.Kind.Family {
	case "sql":
		statement = plan.ByName.Text(in.Statement)
	case "mcp":
		headers, method, tool = plan.HeaderMap(req.Header), in.RPC.Method, subject(in.RPC)
	case "llm":
		operation, system = "chat", p.Kind.Name
		fallthrough
	default:
		headers, method = plan.HeaderMap(req.Header), req.Method
	}
	return plan.Attrs("body", plan.ByName.Body(req.Header.Get("Content-Type"), string(q.Body)), "headers", headers, "method", method, "model", in.Model,
		"operation", operation, "provider", p.Name, "statement", statement, "stream", plan.IfSet(in.Stream), "system", system, "tool", tool,
		"url", plan.ByName.URL(req.URL.String()))
}

// subject is the tool, prompt or resource that a call is about, "" for others.
func subject(rpc providers.RPC) string {
	params, _ := rpc.Params.(map[string]any)
	for _, key := range []string{"name", "uri"} {
		if name, ok := params[key].(string); ok {
			return name
		}
	}
	return ""
}

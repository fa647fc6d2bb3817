package interp

import (
	"context"
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// question is what a step asks one target in one turn. It is the same in every
// round, so it is written down once, but in a session, where each request has a
// name of its own.
type question struct {
	target *target
	vendor providers.Vendor
	req    *http.Request
	body   []byte
	// said are the attributes of an attempt's start, and operation is what the
	// attempt does by them.
	said      []trace.Attr
	operation string
}

// question is what the attempt asks, as a request under ctx.
func (a *attempt) question(ctx context.Context) (*question, *http.Request, error) {
	c := a.call
	if i := slices.IndexFunc(*c.asked, func(q *question) bool { return q.target == a.target }); i >= 0 {
		q := (*c.asked)[i]
		req := q.req.WithContext(ctx)
		if req.Body != nil {
			providers.SetBody(req, q.body)
		}
		return q, req, nil
	}
	q, err := a.newQuestion(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := a.target.provider.adapter.(providers.Sessioner); !ok {
		*c.asked = append(*c.asked, q)
	}
	return q, q.req, nil
}

func (a *attempt) newQuestion(ctx context.Context) (*question, error) {
	q := &question{target: a.target, vendor: providers.Vendor{Adapter: a.target.provider.adapter, In: a.bind()}}
	var err error
	if q.req, err = q.vendor.Adapter.Request(ctx, q.vendor.In); err != nil {
		return nil, err
	}
	if q.body, err = providers.TakeBody(q.req); err != nil {
		return nil, err
	}
	q.said = q.attrs()
	q.operation = trace.Operation(&trace.Event{Attrs: q.said})
	return q, nil
}

// attrs describe the question to the trace, in the order of their keys.
func (q *question) attrs() []trace.Attr {
	p, req, in := q.target.provider, q.req, &q.vendor.In
	var headers headersAttr
	var method, operation, system, statement, tool string
	switch p.kind.Family {
	case "sql":
		statement = asked(*in)
	case kindMCP:
		headers, method, tool = headerMap(req.Header), in.RPC.Method, subject(in.RPC)
	case "llm":
		operation, system = "chat", p.kind.Name
		fallthrough
	default:
		headers, method = headerMap(req.Header), req.Method
	}
	return attrs("body", byName.Body(req.Header.Get("Content-Type"), string(q.body)), "headers", headers, "method", method, "model", in.Model,
		"operation", operation, "provider", p.name, "statement", statement, "stream", ifSet(in.Stream), "system", system, "tool", tool,
		"url", byName.URL(req.URL.String()))
}

package engine

import (
	"context"
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// exchangeRequest is what a step asks one target in one turn. It is the same in every
// round, so it is written down once, but in a session, where each request has a
// name of its own.
type exchangeRequest struct {
	target *plan.Target
	vendor providers.Vendor
	req    *http.Request
	body   []byte
	// said are the attributes of an attempt's start, and operation is what the
	// attempt does by them.
	startAttrs []trace.Attr
	operation  string
}

// exchangeRequest is what the attempt asks, as a request under ctx.
func (a *attempt) exchangeRequest(ctx context.Context) (*exchangeRequest, *http.Request, error) {
	c := a.call
	if i := slices.IndexFunc(*c.asked, func(q *exchangeRequest) bool { return q.target == a.target }); i >= 0 {
		q := (*c.asked)[i]
		req := q.req.WithContext(ctx)
		if req.Body != nil {
			providers.SetBody(req, q.body)
		}
		return q, req, nil
	}
	q, err := a.newExchangeRequest(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := a.target.Provider.Adapter.(providers.Sessioner); !ok {
		*c.asked = append(*c.asked, q)
	}
	return q, q.req, nil
}

func (a *attempt) newExchangeRequest(ctx context.Context) (*exchangeRequest, error) {
	q := &exchangeRequest{target: a.target, vendor: providers.Vendor{Adapter: a.target.Provider.Adapter, In: a.bind()}}
	var err error
	if q.req, err = q.vendor.Adapter.Request(ctx, q.vendor.In); err != nil {
		return nil, err
	}
	if q.body, err = providers.TakeBody(q.req); err != nil {
		return nil, err
	}
	q.startAttrs = q.attrs()
	q.operation = trace.Operation(&trace.Event{Attrs: q.startAttrs})
	return q, nil
}

// attrs describe the question to the trace, in the order of their keys.
func (q *exchangeRequest) attrs() []trace.Attr {
	p, req, in := q.target.Provider, q.req, &q.vendor.In
	var headers plan.HeadersAttr
	var method, operation, system, statement, tool string
	switch p.Kind.Family {
	case "sql":
		statement = asked(*in)
	case plan.KindMCP:
		headers, method, tool = plan.HeaderMap(req.Header), in.RPC.Method, subject(in.RPC)
	case "llm":
		operation, system = "chat", p.Kind.Name
		fallthrough
	default:
		headers, method = plan.HeaderMap(req.Header), req.Method
	}
	return plan.Attrs("body", plan.ByName.Body(req.Header.Get("Content-Type"), string(q.body)), "headers", headers, "method", method, "model", in.Model,
		"operation", operation, "provider", p.Name, "statement", statement, "stream", plan.IfSet(in.Stream), "system", system, "tool", tool,
		"url", plan.ByName.URL(req.URL.String()))
}

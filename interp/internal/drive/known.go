package drive

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// A known request is one that was asked before. Programs repeat themselves byte for
// byte, most of all those that retry, and what it means is worked out once.
type known struct {
	*exchange.Known
	*candidate
	// How it was asked: the address before it became that of the provider, and all
	// header fields.
	listener, method string
	url              url.URL
	header           http.Header
	body             []byte
	// told is the request as the trace has it, by the target that was asked, and asks
	// what it is compared by; both are of the header.
	told   *event.Request
	target *plan.Target
	asks   *what
}

const (
	// knownMax is how many requests a run knows, and knownBody how long they may be.
	knownMax  = 16
	knownBody = 64 << 10
)

// knownOnes are the last requests of a run that were different.
type knownOnes struct {
	list []*known
	next int
}

func (o *knownOnes) add(k *known) {
	if len(o.list) < knownMax {
		o.list = append(o.list, k)
		return
	}
	o.list[o.next] = k
	o.next = (o.next + 1) % knownMax
}

// exactly is the known request that one repeats in everything, nil for none.
func (o *knownOnes) exactly(a *Asked, own *http.Request) *known {
	for _, k := range o.list {
		if k.said(a, own.URL) && k.sameHeader(own.Header) {
			return k
		}
	}
	return nil
}

// butHeader is the known request to a language model that one repeats but for header
// fields, such as the number of a retry. No reader of one looks at them.
func (o *knownOnes) butHeader(c *candidate, a *Asked, asked *url.URL) *known {
	if c.Kind.Family != "llm" {
		return nil
	}
	for _, k := range o.list {
		if k.provider == c.provider && k.said(a, asked) {
			return k
		}
	}
	return nil
}

// said reports whether what was asked is the same but for header fields.
func (k *known) said(a *Asked, asked *url.URL) bool {
	return k.listener == a.Listener && k.method == a.Request.Method && k.url == *asked && bytes.Equal(k.body, a.Body)
}

func (k *known) sameHeader(h http.Header) bool {
	return maps.EqualFunc(k.header, h, slices.Equal)
}

// understand reads a request as its provider does, or remembers what it said.
func (r *Run) understand(c *candidate, a *Asked, asked url.URL, req *request) error {
	if req.known != nil {
		req.in = req.known.In
		return nil
	}
	before := r.known.butHeader(c, a, &asked)
	if before != nil {
		req.in = before.In
	} else {
		in, err := c.Adapter.(providers.Reader).Read(c.below, req.plain)
		if err != nil {
			return err
		}
		req.in = in
	}
	if len(req.body) > knownBody || !overHTTP(req.http) {
		return nil
	}
	req.known = &known{candidate: c, listener: a.Listener, method: req.http.Method, url: asked, header: req.http.Header}
	if before != nil {
		req.known.Known, req.known.body = before.Known, before.body
	} else {
		req.known.Known, req.known.body = &exchange.Known{In: req.in}, bytes.Clone(req.body)
	}
	r.known.add(req.known)
	return nil
}

// toldOf is a request as the trace has it.
func (r *Run) toldOf(x *Exchange) *event.Request {
	k := x.request.known
	if k != nil && k.told != nil && k.target == x.target {
		return k.told
	}
	told := r.recall.Told(x.target, &x.vendor.In, x.request.http, x.request.plain, x.request.encoded)
	if k != nil {
		k.told, k.target = told, x.target
	}
	return told
}

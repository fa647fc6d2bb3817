package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// followsRedirects reports whether redirects of what answered are followed. A recording has
// every hop of its client, and a fault may answer for all. A reply, like any
// other fault, is written as what the step is answered in the end.
func (s answers) followsRedirects() bool {
	switch e := s.a.entry; {
	case e == nil:
		return true
	case e.Fault != nil:
		return e.Fault.Hops
	default:
		return e.Replay != nil && e.Replay.Interaction == 0
	}
}

// redirected answers a hop. It takes no entry of the script: a fault that answers
// hops strikes again without its wait, and what was recorded goes on with the
// cassette. A redirect that was recorded alone is passed on as it is.
func (s answers) redirected(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if e := s.a.entry; e != nil && e.Fault != nil {
		return withoutWait(s.a.script), nil
	}
	script, err := wire.Chain{cassetteSource(s), liveSource(s)}.Next(ctx, call)
	var g *gateError
	if errors.As(err, &g) && g.gate != plan.GateDrifted {
		return script, wire.ErrPass
	}
	return script, err
}

// withoutWait is a script whose first byte comes at once.
func withoutWait(s wire.WireScript) wire.WireScript {
	s.Delay = 0
	if len(s.Ops) > 0 {
		s.Ops = slices.Clone(s.Ops)
		s.Ops[0].Wait = 0
	}
	return s
}

// requestsMax is how many requests a chain of redirects has at most, as with
// http.Client.
const requestsMax = 10

// errRedirects has the words of http.Client's own error, which is unexported.
var errRedirects = errors.New("stopped after 10 redirects")

// Redirects follows the redirects of one attempt as http.Client documents it:
// 301, 302 and 303 turn every method but GET and HEAD into GET and drop the
// body, 307 and 308 keep both, and credentials do not go to another domain
// than the first one's and those below it. No Referer is sent.
type Redirects struct {
	First *http.Request
	Body  []byte
	sent  int
	// bodyless and stripped stay true for the rest of the chain.
	bodyless, stripped bool
}

// Next is the request that answers the redirect resp of req, nil where resp is
// no redirect and so the last answer. An error ends the chain.
func (c *Redirects) Next(req *http.Request, resp *http.Response) (*http.Request, error) {
	method, keepsBody, ok := redirected(req.Method, resp.StatusCode)
	location := resp.Header.Get("Location")
	if !ok || location == "" {
		return nil, nil
	}
	target, err := req.URL.Parse(location)
	if err != nil {
		return nil, fmt.Errorf("the answer redirects to no address: %w", textproto.ProtocolError(fmt.Sprintf("failed to parse Location header %q", location)))
	}
	if target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return nil, fmt.Errorf("the answer redirects to %q: %w", location, textproto.ProtocolError("unsupported protocol scheme"))
	}
	c.sent++
	c.bodyless = c.bodyless || !keepsBody
	c.stripped = c.stripped || !below(c.First.URL, target)
	if c.sent >= requestsMax {
		return nil, errRedirects
	}
	return c.request(req, method, target, location)
}

// redirected says what a redirect makes of a method, and whether the body goes
// along.
func redirected(method string, status int) (next string, keepsBody, ok bool) {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		if method != http.MethodGet && method != http.MethodHead {
			method = http.MethodGet
		}
		return method, false, true
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return method, true, true
	default:
		return "", false, false
	}
}

func (c *Redirects) request(req *http.Request, method string, target *url.URL, location string) (*http.Request, error) {
	var body io.Reader
	if !c.bodyless && len(c.Body) > 0 {
		body = bytes.NewReader(c.Body)
	}
	next, err := http.NewRequestWithContext(req.Context(), method, target.String(), body)
	if err != nil {
		return nil, err
	}
	next.Header = c.header()
	// A Host of the caller's own stays as long as the redirect names none.
	if u, err := url.Parse(location); err == nil && !u.IsAbs() && req.Host != req.URL.Host {
		next.Host = req.Host
	}
	return next, nil
}

// sentBy is the body of a request that c made.
func (c *Redirects) sentBy(req *http.Request) []byte {
	if req.Body == nil {
		return nil
	}
	return c.Body
}

// header is that of the first request without what may not go along.
func (c *Redirects) header() http.Header {
	h := c.First.Header.Clone()
	if c.stripped {
		drop(h, "Authorization", "Www-Authenticate", "Cookie", "Cookie2", "Proxy-Authorization", "Proxy-Authenticate")
	}
	if c.bodyless {
		drop(h, "Content-Encoding", "Content-Language", "Content-Location", "Content-Type")
	}
	return h
}

func drop(h http.Header, names ...string) {
	for _, name := range names {
		h.Del(name)
	}
}

// below reports whether a target is of the first request's host or of a domain
// below it; ports do not matter.
func below(first, target *url.URL) bool {
	host, parent := target.Hostname(), first.Hostname()
	if first.Host == target.Host || host == parent {
		return true
	}
	return !strings.ContainsAny(host, ":%") && strings.HasSuffix(host, "."+parent)
}

// noAnswer is an error of the sources: there is no answer that the attempt may
// have.
type noAnswer struct{ error }

// send asks the sources for an answer and, where they answer for the hops too
// ([answers.hops]), follows its redirects: all of it is one attempt.
func (a *attempt) send(ctx context.Context, req *http.Request, body []byte) (*http.Response, error) {
	chain := Redirects{First: req, Body: body}
	script, err := a.ask(ctx, req, body, 0)
	for err == nil {
		resp, failed := script.RoundTrip(a.call.r.Clock, req)
		if failed != nil || !(answers{a.call.r, a, 0}).followsRedirects() {
			return resp, failed
		}
		next, failed := chain.Next(req, resp)
		if failed != nil {
			resp.Body.Close()
			return nil, failed
		}
		if next == nil {
			return resp, nil
		}
		script, err = a.ask(ctx, next, chain.sentBy(next), chain.sent)
		if errors.Is(err, wire.ErrPass) {
			return resp, nil
		}
		resp.Body.Close()
		req = next
	}
	return nil, noAnswer{err}
}

// ask asks the sources about one request; hop counts those before it.
func (a *attempt) ask(ctx context.Context, req *http.Request, body []byte, hop int) (wire.WireScript, error) {
	r := a.call.r
	a.seal(ctx, true)
	script, err := answers{r, a, hop}.Next(ctx, wire.Call{
		Scenario: r.plan.Name, Step: a.call.s.Name, Attempt: a.n, Round: a.call.round, Turn: a.call.turn, Iteration: r.iteration, Target: a.target.Name,
		Stream: a.vendor.In.Stream, Request: req, Body: body,
	})
	if err != nil {
		return script, err
	}
	a.meta, a.script = script.Meta, script
	if script.Meta.Fault != "" && hop == 0 {
		r.emit(a.event(trace.Fault, plan.Attrs("fault_type", script.Meta.Fault, "entry", script.Meta.Entry, "file", script.Meta.Pos.File, "line", plan.IfSet(script.Meta.Pos.Line))))
	}
	return script, nil
}

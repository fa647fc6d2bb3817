package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/wire"
)

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

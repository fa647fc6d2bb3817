package providers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// ParseBase reads a provider's base URL: absolute, http or https. A query is
// kept for every request, as hosts that put a version there need it.
func ParseBase(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return nil, fmt.Errorf("base_url %q is no URL: %w", base, err)
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("base_url %q must begin with http:// or https:// and a host", base)
	}
	return u, nil
}

// NewRequest is a request whose body is written already, nil for none. The
// request owns target from then on.
func NewRequest(ctx context.Context, method string, target *url.URL, body []byte) (*http.Request, error) {
	// Nothing is parsed here: target was.
	req, err := http.NewRequestWithContext(ctx, method, "", nil)
	if err != nil {
		return nil, fmt.Errorf("the request %s %s cannot be built: %w", method, target, err)
	}
	normalize(target)
	req.URL, req.Host = target, target.Host
	if body != nil {
		SetBody(req, body)
	}
	return req, nil
}

// SetBody gives a request a body, unread. The request owns it from then on, and
// nobody may change it.
func SetBody(req *http.Request, body []byte) {
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) {
		if len(body) == 0 {
			return http.NoBody, nil
		}
		b := &writtenBody{data: body}
		b.Reset(body)
		return b, nil
	}
	req.Body, _ = req.GetBody()
}

// A writtenBody is one that is in memory as a whole.
type writtenBody struct {
	bytes.Reader
	data []byte
}

// Close does nothing.
func (*writtenBody) Close() error { return nil }

// TakeBody is the body of a request that can be read all the same.
func TakeBody(req *http.Request) ([]byte, error) {
	switch b := req.Body.(type) {
	case nil:
		return nil, nil
	case *writtenBody:
		if b.Len() == len(b.data) {
			return b.data, nil
		}
	}
	body, err := ReadAll(req.Body, req.ContentLength)
	if err != nil {
		return nil, err
	}
	SetBody(req, body)
	return body, nil
}

// normalize makes of an address what it is when its text is parsed: without an
// empty port, and with a path that begins at the root, also where it was joined
// to an address that has none.
func normalize(u *url.URL) {
	u.Host = strings.TrimSuffix(u.Host, ":")
	if u.Path != "" && u.Path[0] != '/' {
		u.Path = "/" + u.Path
		if u.RawPath != "" {
			u.RawPath = "/" + u.RawPath
		}
	}
}

// Post is the request that asks a model: content as JSON, to be answered in the
// media type accept. The request owns target from then on.
func Post(ctx context.Context, target *url.URL, content any, accept string) (*http.Request, error) {
	body, err := EncodeJSON(content)
	if err != nil {
		return nil, fmt.Errorf("the request to %s cannot be written as JSON: %w", target, err)
	}
	req, err := NewRequest(ctx, http.MethodPost, target, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	return req, nil
}

// SetHeaders sets the input's own header fields, which win over the adapter's.
// Host sets the request's host, as the standard library wants it.
func SetHeaders(req *http.Request, headers map[string]string) {
	if len(headers) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if http.CanonicalHeaderKey(name) == "Host" {
			req.Host = headers[name]
			continue
		}
		req.Header.Set(name, headers[name])
	}
	spell(req, headers)
}

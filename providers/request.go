package providers

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
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

// SetHeaders sets the input's own header fields, which win over the adapter's.
// Host sets the request's host, as the standard library wants it.
func SetHeaders(req *http.Request, headers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if http.CanonicalHeaderKey(name) == "Host" {
			req.Host = headers[name]
			continue
		}
		req.Header.Set(name, headers[name])
	}
}

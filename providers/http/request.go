package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// Adapter is the adapter of plain HTTP. The zero value is ready.
type Adapter struct{}

var _ providers.Adapter = Adapter{}

// Request builds the request that the input describes: GET where it gives no
// method, the path joined to the base URL or else the URL, query parameters
// sorted by name. A JSON body is announced as such unless the headers say
// otherwise.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	target, err := target(in)
	if err != nil {
		return nil, err
	}
	body, media, err := requestBody(in)
	if err != nil {
		return nil, err
	}
	req, err := providers.NewRequest(ctx, method(in), target, body)
	if err != nil {
		return nil, err
	}
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if in.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+in.APIKey)
	}
	providers.SetHeaders(req, in.Headers)
	return req, nil
}

func method(in providers.Input) string {
	if in.Method == "" {
		return http.MethodGet
	}
	return strings.ToUpper(in.Method)
}

func target(in providers.Input) (*url.URL, error) {
	u, err := joined(in)
	if err != nil {
		return nil, err
	}
	if len(in.Query) > 0 {
		query := u.Query()
		for name, value := range in.Query {
			query.Set(name, value)
		}
		u.RawQuery = query.Encode()
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

func joined(in providers.Input) (*url.URL, error) {
	if in.URL != "" {
		u, err := url.Parse(in.URL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return nil, fmt.Errorf("url %q must begin with http:// or https:// and a host", in.URL)
		}
		return u, nil
	}
	if in.BaseURL == "" {
		return nil, errors.New("there is no address to send the request to: give the provider a base_url, or the step a url")
	}
	base, err := providers.ParseBase(in.BaseURL)
	if err != nil {
		return nil, err
	}
	return withPath(base, in.Path)
}

// withPath joins a path, which may carry a query of its own, to the base.
func withPath(base *url.URL, path string) (*url.URL, error) {
	path, query, _ := strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	query, _, _ = strings.Cut(query, "#")
	if path != "" {
		if _, err := url.PathUnescape(path); err != nil {
			return nil, fmt.Errorf("path %q is no path of a URL: %w", path, err)
		}
		base = joinedPath(base, path)
	}
	if base.RawQuery != "" && query != "" {
		query = base.RawQuery + "&" + query
	}
	if query != "" {
		base.RawQuery = query
	}
	return base, nil
}

// joinedPath is a base with a path behind its own, as it is written: what /../, /./ and // lead to is the server's
// business, and whether it takes care of them what a scenario may be about.
func joinedPath(base *url.URL, path string) *url.URL {
	u := *base
	u.RawPath = strings.TrimSuffix(base.EscapedPath(), "/") + "/" + strings.TrimPrefix(path, "/")
	u.Path, _ = url.PathUnescape(u.RawPath)
	if escaped := (&url.URL{Path: u.Path}).EscapedPath(); escaped == u.RawPath {
		u.RawPath = ""
	}
	return &u
}

func requestBody(in providers.Input) (body []byte, media string, err error) {
	if in.HasJSON {
		data, err := providers.EncodeJSON(in.JSON)
		if err != nil {
			return nil, "", fmt.Errorf("json cannot be written as JSON: %w", err)
		}
		return data, "application/json", nil
	}
	if len(in.Body) == 0 {
		return nil, "", nil
	}
	return in.Body, "", nil
}

package providers

import (
	"context"
	"net/http"
	"slices"
)

// spelling is the key under which the context of a request has the names of its header fields as they were written,
// by those that net/http gives them.
type spelling struct{}

// ownNames are the fields that net/http writes by itself, whatever case another one of the name has.
var ownNames = []string{"Host", "User-Agent", "Accept-Encoding", "Connection", "Content-Length", "Transfer-Encoding", "Trailer", "Expect"}

// spell notes how the names of header fields of a request were written.
func spell(req *http.Request, headers map[string]string) {
	var names map[string]string
	for name := range headers {
		canonical := http.CanonicalHeaderKey(name)
		if name != canonical && !slices.Contains(ownNames, canonical) {
			if names == nil {
				names = map[string]string{}
			}
			names[canonical] = name
		}
	}
	if names != nil {
		*req = *req.WithContext(context.WithValue(req.Context(), spelling{}, names))
	}
}

// KeepSpelling is a context for sending a request again that has another one: it says how the names of its header
// fields were written.
func KeepSpelling(ctx, of context.Context) context.Context {
	if names := of.Value(spelling{}); names != nil {
		return context.WithValue(ctx, spelling{}, names)
	}
	return ctx
}

// Spelled is a request as it goes over the wire in HTTP/1.1: the names of its header fields are those that were
// written, such as x-api-key, and not those of net/http. The request itself is left as it is.
func Spelled(req *http.Request) *http.Request {
	names, _ := req.Context().Value(spelling{}).(map[string]string)
	if names == nil {
		return req
	}
	out := req.Clone(req.Context())
	for canonical, name := range names {
		if values, is := out.Header[canonical]; is {
			delete(out.Header, canonical)
			out.Header[name] = values
		}
	}
	return out
}

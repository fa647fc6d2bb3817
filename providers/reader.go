package providers

import (
	"net/http"
	"net/url"
	"strings"
)

// A Reader understands requests as its provider would, whoever wrote them: the
// vendor's own library as well as [Adapter.Request]. Every adapter of the
// catalogue is one.
//
// Both methods see a request as it is below the provider's base URL, as [Below]
// makes it: of one to /v1/chat/completions at a provider whose base_url ends in
// /v1 they see the path /chat/completions. They only look at it, and leave its
// Body alone.
type Reader interface {
	// Claims reports whether the provider's interface has such a request, by its
	// method, its path and its header fields. A request that is claimed may
	// still be one that cannot be read.
	Claims(below *http.Request) bool
	// Read is the input that asks what the request asks; body is the whole of
	// its body, decoded. Written as a request once more, what was read asks the
	// same. What Read knows nothing of it passes over. An error says what cannot
	// be understood and where in the body that stands.
	//
	// A request says nothing of BaseURL, APIKey, Expect, ReadsErrors, OnMessage and the
	// thoughts of a message, nor, but for http, of Headers. Numbers of decoded
	// JSON are [encoding/json.Number].
	Read(below *http.Request, body []byte) (Input, error)
}

// Below is the request with what stands below a base URL as its path, ok where
// it stands there: "" for the base itself, else a path that begins with a slash.
// How a path is escaped makes no difference. The host is not looked at, and the
// request itself is not changed.
func Below(r *http.Request, base *url.URL) (below *http.Request, ok bool) {
	rest, ok := pathBelow(r.URL.EscapedPath(), strings.TrimRight(base.EscapedPath(), "/"))
	if !ok {
		return nil, false
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return nil, false
	}
	u := *r.URL
	u.Path, u.RawPath = path, rest
	copied := *r
	copied.URL = &u
	return &copied, true
}

// pathBelow cuts an escaped path behind the segments of another.
func pathBelow(path, base string) (rest string, ok bool) {
	for base != "" {
		var want, got string
		if want, base, ok = segment(base); !ok {
			return "", false
		}
		if got, path, ok = segment(path); !ok || got != want {
			return "", false
		}
	}
	return path, true
}

// segment takes the first segment off an escaped path that begins with a slash.
func segment(path string) (text, rest string, ok bool) {
	path, ok = strings.CutPrefix(path, "/")
	if !ok {
		return "", "", false
	}
	end := strings.IndexByte(path, '/')
	if end < 0 {
		end = len(path)
	}
	text, err := url.PathUnescape(path[:end])
	return text, path[end:], err == nil
}

package http

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

var _ providers.Reader = Adapter{}

// Claims is true: every request is one of plain HTTP.
func (Adapter) Claims(*http.Request) bool { return true }

// Read takes a request as it stands, with all its header fields; of a query
// parameter that is given several times the first counts. The body is never
// decoded. It never fails.
//
// Nothing in HTTP says that a stream is wanted. It is taken to be where the
// request accepts events, or its body is a JSON object whose stream is true.
func (Adapter) Read(r *http.Request, body []byte) (providers.Input, error) {
	in := providers.Input{Method: r.Method, Path: r.URL.EscapedPath(), Stream: wantsStream(r, body)}
	if in.Method == "" {
		in.Method = http.MethodGet
	}
	if len(body) > 0 {
		in.Body = body
	}
	for name, values := range r.URL.Query() {
		put(&in.Query, name, values[0])
	}
	for name, values := range r.Header {
		put(&in.Headers, name, strings.Join(values, ", "))
	}
	return in, nil
}

func put(m *map[string]string, name, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[name] = value
}

func wantsStream(r *http.Request, body []byte) bool {
	for _, accept := range r.Header.Values("Accept") {
		for media := range strings.SplitSeq(accept, ",") {
			media, _, _ = strings.Cut(media, ";")
			if strings.EqualFold(strings.TrimSpace(media), providers.EventStream) {
				return true
			}
		}
	}
	if !providers.IsJSON(providers.MediaType(r.Header)) {
		return false
	}
	var asked struct {
		Stream json.RawMessage `json:"stream"`
	}
	return providers.DecodeObject(body, &asked) == nil && string(asked.Stream) == "true"
}

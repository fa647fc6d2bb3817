package match

import (
	"bytes"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/internal/encoded"
)

// The profiles of a comparison; docs/replay.md says what each compares.
const (
	Strict   = "strict"
	Semantic = "semantic"
	Loose    = "loose"
)

// Profiles returns the names of the profiles, the most exact first.
func Profiles() []string { return []string{Strict, Semantic, Loose} }

// A Request is what is compared: a recorded or an actual one. Nothing here
// changes it.
type Request struct {
	Method, URL string
	Header      http.Header
	Body        []byte
}

// A Match says what of two requests must be equal.
type Match struct {
	// Profile is one of [Profiles]; "" is Strict.
	Profile string
	// Headers are the names of the header fields that count; none does
	// otherwise.
	Headers []string
	// Ignore are the places that do not count, as [FieldDiff] names them
	// ("body.metadata.trace_id", "query.ts[0]"), beside those that never do; [*]
	// is every item of a list. [CheckPath] says whether one is a path.
	Ignore []string
}

// volatile are top-level fields of a JSON body that differ from one sending of
// a request to the next.
var volatile = []string{"client_request_id", "idempotency_key", "request_id", "trace_id"}

// Key returns "sha256:" and the sum of the canonical JSON of what the profile
// compares. Equal keys mean equal requests under this match.
func (m Match) Key(r Request) string {
	tree := map[string]any{}
	for _, f := range m.fields(r) {
		tree[f.name] = f.value
	}
	return "sha256:" + Sum(tree)
}

// A field is one thing that is compared.
type field struct {
	name  string
	value any
}

// fields returns what the profile compares, what tells most first.
func (m Match) fields(r Request) []field {
	u := parseURL(r.URL)
	fields := []field{{"method", method(r.Method)}}
	switch m.Profile {
	case Loose:
		fields = append(fields, field{"path", path(u)})
	case Semantic:
		fields = append(fields, field{"path", path(u)})
		fields = append(fields, m.semanticFields(r, u)...)
	default:
		fields = append(fields, field{"host", host(u)}, field{"path", path(u)})
		fields = appendQuery(fields, u)
		fields = m.appendBody(fields, r)
	}
	fields = m.ignoring(fields)
	for _, name := range m.Headers {
		name = http.CanonicalHeaderKey(name)
		fields = append(fields, field{"header " + name, list(r.Header[name])})
	}
	return fields
}

// parseURL takes what is no URL for a path.
func parseURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		return &url.URL{Path: text}
	}
	return u
}

// Place is the method and the path of a request, what Loose compares.
func Place(r Request) string { return method(r.Method) + " " + path(parseURL(r.URL)) }

// method is the method in the case in which RFC 9110 §9.1 registers it; an
// empty one is GET, as in net/http.
func method(name string) string {
	if name == "" {
		return http.MethodGet
	}
	return strings.ToUpper(name)
}

// host is the host in lower case without the port that the scheme implies.
func host(u *url.URL) string {
	port := u.Port()
	if port == "" || u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		return strings.ToLower(u.Hostname())
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

func path(u *url.URL) string {
	if p := u.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

// appendQuery adds the parameters by name. Those that carry credentials never
// count, because a recording has them redacted.
func appendQuery(fields []field, u *url.URL) []field {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return append(fields, field{"query", u.RawQuery})
	}
	tree := map[string]any{}
	for name, v := range values {
		if !isCredential(name) {
			tree[name] = list(v)
		}
	}
	if len(tree) == 0 {
		return fields
	}
	return append(fields, field{"query", tree})
}

func isCredential(parameter string) bool {
	name := strings.ToLower(parameter)
	return slices.Contains([]string{"key", "api_key", "access_token", "token", "sig"}, name) ||
		strings.HasPrefix(name, "x-amz-")
}

func list(values []string) []any {
	l := make([]any, len(values))
	for i, v := range values {
		l[i] = v
	}
	return l
}

// appendBody adds the body: a JSON one without the fields that do not count,
// any other as its bytes.
func (m Match) appendBody(fields []field, r Request) []field {
	if len(r.Body) == 0 {
		return fields
	}
	if tree, ok := m.jsonBody(r); ok {
		return append(fields, field{"body", tree})
	}
	return append(fields, field{"body", string(rawBody(r))})
}

// BodyKey stands for the body of a request as it is compared: of JSON without the fields
// that differ from one sending to the next and in no order of members, of a multipart body
// without its boundary.
func BodyKey(r Request) string {
	tree := map[string]any{}
	for _, f := range (Match{}).appendBody(nil, r) {
		tree[f.name] = f.value
	}
	return Sum(tree)
}

func (m Match) jsonBody(r Request) (any, bool) {
	contentType := r.Header.Get("Content-Type")
	body, _ := encoded.Undo(r.Header, r.Body)
	text := bytes.TrimLeft(body, " \t\r\n")
	if !httptext.IsJSON(contentType) && (len(text) == 0 || text[0] != '{' && text[0] != '[') {
		return nil, false
	}
	tree, ok := parseJSON(body)
	if !ok {
		return nil, false
	}
	dropVolatile(tree)
	eachObject(tree, func(item map[string]any) { dropVolatile(item) })
	if isRPC(tree) {
		dropRPC(tree.(map[string]any))
	}
	return tree, true
}

// rawBody is a body that is not JSON. The boundary of a multipart body, which
// is drawn anew for every request, becomes a fixed one.
func rawBody(r Request) []byte {
	body, _ := encoded.Undo(r.Header, r.Body)
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(t, "multipart/") || params["boundary"] == "" {
		return body
	}
	return bytes.ReplaceAll(body, []byte("--"+params["boundary"]), []byte("--boundary"))
}

func dropVolatile(tree any) {
	object, _ := tree.(map[string]any)
	for _, name := range volatile {
		delete(object, name)
	}
}

// dropRPC takes the names of requests out of a message of JSON-RPC. What a client
// calls its requests says nothing about what it asks, so it is not compared.
func dropRPC(message map[string]any) {
	delete(message, "id")
	params, _ := message["params"].(map[string]any)
	delete(params, "requestId")
	meta, _ := params["_meta"].(map[string]any)
	delete(meta, "progressToken")
}

// isRPC reports whether a body is a message of JSON-RPC 2.0.
func isRPC(tree any) bool {
	object, ok := tree.(map[string]any)
	return ok && object["jsonrpc"] == "2.0"
}

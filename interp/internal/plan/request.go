package plan

import (
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// RequestShape is the root request: what a program asked, as the lane and the
// match of an endpoint read it. What a request has not is null, also below:
// request.json.a.b is where there is no a.
var RequestShape = requestShape()

// What an address consists of: a string of another form is never equal to it.
var (
	requestURL  = &schema.Words{Noun: "URL", Free: func(s string) bool { return strings.Contains(s, "://") }}
	requestPath = &schema.Words{Noun: "path", Free: func(s string) bool { return s == "" || strings.HasPrefix(s, "/") }}
	requestHost = &schema.Words{Noun: "host", Free: func(s string) bool { return !strings.Contains(s, "/") }}
)

func requestShape() *schema.Shape {
	text, open := read.Nullable(read.TextShape), read.OpenShape
	s := &schema.Shape{Kind: schema.ShapeObject, Name: "request", Observed: true, Attrs: map[string]*schema.Shape{}}
	for _, a := range []struct {
		name, doc string
		shape     *schema.Shape
	}{
		{"method", "The method.", read.Nullable(read.OneOf(read.Method))},
		{"url", "The URL at the service itself.", read.Nullable(read.OneOf(requestURL))},
		{"path", "The path below that of base_url.", read.Nullable(read.OneOf(requestPath))},
		{"host", "The host of the service itself.", read.Nullable(read.OneOf(requestHost))},
		{"query", "The query parameters.", open},
		{"headers", "The header fields, names in lower case. A value that is not UTF-8 is read as ISO 8859-1.", read.HeadersShape},
		{"body", "The body as text, below a `Content-Encoding` of gzip or deflate.", text},
		{"json", "The body as a value, null where it is not JSON.", read.AnyShape},
		{"model", "The model that is asked for.", text},
		{"prompt", "The text of the user's last message.", text},
		{"stream", "Whether a stream is asked for.", read.Nullable(read.BoolShape)},
		{"turn", "1 plus the assistant's messages since the user's last one.", read.Nullable(read.NumberShape)},
		{"tool", "The tool, prompt or resource that an MCP server is asked for.", text},
		{"statement", "The statement for a database.", text},
		{"lane", "The lane of the request, in a match.", text},
	} {
		shape := *a.shape
		shape.Doc = a.doc
		s.Attrs[a.name] = &shape
	}
	return s
}

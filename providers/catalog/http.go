package catalog

import (
	"fmt"
	nethttp "net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/http"
	"github.com/scenario-lang/scenario/schema"
)

var httpKind = &Kind{
	Name:    "http",
	Summary: "Any service that speaks HTTP.",
	Family:  "http",
	Adapter: http.Adapter{},
	InFailure: []string{
		"200 to 399 is a success unless `expect_status` says otherwise; anything else is `http_status`, with 429 as `rate_limit` and 529 as `overloaded`.",
		"A body announced as JSON that is none, or that is empty, is `malformed_response`. A JSON answer whose only member is an `error` object with a message is a failure, whatever its status.",
		"A stream has no end marker of its own: one that ends in order between two events is a success, so `stream_truncate` with `end = \"clean\"` goes unnoticed here.",
		"Redirects are followed as Go's client does, at most ten; more are a `protocol_error`.",
	},
	Reply: []schema.Attr{
		{Name: "status_code", Type: schema.Int, Default: "200", Min: 200, HasMin: true, Max: 599, HasMax: true, Doc: "The status of the answer."},
		{Name: "headers", Type: schema.StringMap, Doc: "Its header fields. Content-Length is computed."},
		{Name: "body", Type: schema.String, Doc: "The body as it is sent."},
		{Name: "json", Type: schema.Any, Doc: "A value that is sent as JSON, in place of `body`. Keys are sorted."},
		{Name: "chunks", Type: schema.Strings, Doc: "The pieces of a streamed body: the data of one event each, or the bytes alone where `headers` gives another Content-Type than `text/event-stream`."},
		costAttr, latencyAttr, chunkDelayAttr,
	},
	ReplyOutput: httpReply,
}

func httpReply(values schema.Values) (providers.Output, error) {
	r := reader{values: values}
	out := providers.Output{StatusCode: r.whole("status_code"), Chunks: r.texts("chunks"), Headers: nethttp.Header{}}
	for name, value := range r.textMap("headers") {
		out.Headers.Set(name, value)
		if canonical := nethttp.CanonicalHeaderKey(name); canonical != name {
			if out.Spelling == nil {
				out.Spelling = map[string]string{}
			}
			out.Spelling[canonical] = name
		}
	}
	if r.has("body") {
		out.Body = []byte(r.text("body"))
	}
	if r.has("json") && r.err == nil {
		out.Body, r.err = r.json("json")
		if out.Headers.Get("Content-Type") == "" {
			out.Headers.Set("Content-Type", "application/json")
		}
	}
	r.common(&out)
	if r.err == nil {
		r.err = oneBody(r)
	}
	return out, r.err
}

// oneBody refuses two attributes that both are the body.
func oneBody(r reader) error {
	given := ""
	for _, name := range []string{"body", "json", "chunks"} {
		if !r.has(name) {
			continue
		}
		if given != "" {
			return fmt.Errorf("%s and %s both give the body: keep one", given, name)
		}
		given = name
	}
	return nil
}

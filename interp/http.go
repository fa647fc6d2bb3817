package interp

import (
	"context"
	"net/http"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
)

// http sends one request, round by round.
func (r *run) http(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	in := providers.Input{
		Method: strings.ToUpper(args.String("method")), Path: args.String("path"), URL: args.String("url"), Query: args.StringMap("query"),
		Headers: args.StringMap("headers"), Stream: s.step.stream, Expect: s.step.expectStatus,
	}
	if in.Method == "" {
		in.Method = http.MethodGet
	}
	if args.Has("body") {
		in.Body = []byte(args.String("body"))
	}
	if args.raw("json") != cty.NilVal {
		in.JSON, in.HasJSON = args.value("json"), true
	}
	out, f := r.rounds(ctx, s, in, 0)
	s.result.answer(s.step.kind, out)
	return f
}

// headerMap flattens header fields: names in lower case, several values joined
// by a comma, credentials hidden.
func headerMap(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name, values := range h {
		m[strings.ToLower(name)] = byName.Header(name, strings.Join(values, ", "))
	}
	return m
}

// mayRepeat reports whether a request may be sent twice (language.md §3).
func (s *step) mayRepeat(in providers.Input) bool {
	if s.idempotent != nil {
		return *s.idempotent
	}
	switch s.family() {
	case "llm":
		return true
	case kindMCP:
		return mcp.Repeatable(in.RPC.Method)
	}
	switch in.Method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodOptions:
		return true
	}
	for name := range in.Headers {
		if strings.EqualFold(name, "Idempotency-Key") {
			return true
		}
	}
	return false
}

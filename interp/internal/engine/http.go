package engine

import (
	"context"
	"net/http"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// httpKind sends a request.
type httpKind struct{ serviceKind }

// perform sends one request, round by round.
func (httpKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	in := providers.Input{
		Method: strings.ToUpper(args.String("method")), Path: args.String("path"), URL: args.String("url"), Query: args.StringMap("query"),
		Headers: args.StringMap("headers"), Stream: s.Step.Stream, Expect: s.Step.ExpectStatus,
	}
	if in.Method == "" {
		in.Method = http.MethodGet
	}
	if args.Has("body") {
		in.Body = []byte(args.String("body"))
	}
	if args.Raw("json") != cty.NilVal {
		in.JSON, in.HasJSON = args.Value("json"), true
	}
	out, f := r.rounds(ctx, s, in, 0)
	httpKind{}.answer(&s.result, out)
	return f
}

// answer implements stepKind.
func (httpKind) answer(o *stepOutcome, out providers.Output) {
	o.statusCode, o.value = out.StatusCode, o.recall.TellAnswer("http", &o.Answer, out)
}

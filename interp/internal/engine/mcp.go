package engine

import (
	"context"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
)

// mcpKind asks an MCP server.
type mcpKind struct{ serviceKind }

// perform asks an MCP server, round by round.
func (mcpKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	rpc, f := r.message(s, args)
	if f != nil {
		return f
	}
	out, f := r.rounds(ctx, s, providers.Input{RPC: rpc, Stream: s.Step.Stream, ReadsErrors: s.Step.ReadsErrors}, 0)
	mcpKind{}.answer(&s.result, out)
	return f
}

// message is what a step sends.
func (r *run) message(s *stepState, args plan.ArgReader) (providers.RPC, *failure.Failure) {
	if s.Step.Args["list"] != nil {
		return mcp.ListTools(args.String("cursor")), nil
	}
	arguments, f := r.callArguments(s, args)
	if f != nil {
		return providers.RPC{}, f
	}
	for _, name := range plan.McpSubjects {
		if s.Step.Args[name] == nil {
			continue
		}
		subject := args.String(name)
		if subject == "" {
			return providers.RPC{}, r.broken(s, name, "is null or empty, so there is nothing to ask for")
		}
		switch name {
		case "resource":
			return mcp.ReadResource(subject), nil
		case "prompt":
			return mcp.GetPrompt(subject, arguments), nil
		}
		return mcp.CallTool(subject, arguments), nil
	}
	return providers.RPC{}, nil
}

// callArguments are an object, nil for none.
func (r *run) callArguments(s *stepState, args plan.ArgReader) (any, *failure.Failure) {
	v := args.Raw("arguments")
	if v == cty.NilVal {
		return nil, nil
	}
	if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
		return nil, r.broken(s, "arguments", "must be an object, not "+render.Value(v, 60))
	}
	if s.Step.Args["prompt"] != nil {
		for name, e := range v.AsValueMap() {
			if e.IsNull() || e.Type() != cty.String {
				return nil, r.broken(s, "arguments", fmt.Sprintf("has a %q that is no string, as every argument of a prompt must be", name))
			}
		}
	}
	return dsl.GoValue(v), nil
}

// answer implements stepKind.
func (mcpKind) answer(o *stepOutcome, out providers.Output) {
	o.value = o.recall.TellAnswer("mcp", &o.Answer, out)
}

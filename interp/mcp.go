package interp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
)

const kindMCP = "mcp"

// mcp asks an MCP server, round by round.
func (r *run) mcp(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	rpc, f := r.message(s, args)
	if f != nil {
		return f
	}
	out, f := r.rounds(ctx, s, providers.Input{RPC: rpc, Stream: s.step.stream}, 0)
	s.result.answer(s.step.kind, out)
	return f
}

// message is what a step sends.
func (r *run) message(s *stepState, args argReader) (providers.RPC, *failure.Failure) {
	if s.step.args["list"] != nil {
		return mcp.ListTools(args.String("cursor")), nil
	}
	arguments, f := r.callArguments(s, args)
	if f != nil {
		return providers.RPC{}, f
	}
	for _, name := range mcpSubjects {
		if s.step.args[name] == nil {
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
func (r *run) callArguments(s *stepState, args argReader) (any, *failure.Failure) {
	v := args.raw("arguments")
	if v == cty.NilVal {
		return nil, nil
	}
	if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
		return nil, r.broken(s, "arguments", "must be an object, not "+dsl.Render(v, 60))
	}
	if s.step.args["prompt"] != nil {
		for name, e := range v.AsValueMap() {
			if e.IsNull() || e.Type() != cty.String {
				return nil, r.broken(s, "arguments", fmt.Sprintf("has a %q that is no string, as every argument of a prompt must be", name))
			}
		}
	}
	return dsl.GoValue(v), nil
}

// subject is the name of what a message is about.
func subject(rpc providers.RPC) string {
	params, _ := rpc.Params.(map[string]any)
	for _, key := range []string{"name", "uri"} {
		if name, ok := params[key].(string); ok {
			return name
		}
	}
	return ""
}

// served takes over what a server answered.
func (o *stepOutcome) served(out providers.Output) {
	o.answered = out.Result != nil
	o.content, o.isError = out.Content, out.IsError
	o.structured, o.json = jsonValue(string(out.Structured)), jsonValue(string(out.Result))
	o.progress = progressVal(out.Progress)
	o.value = o.structured
	if o.structured.IsNull() {
		o.value = cty.StringVal(out.Content)
	}
}

func progressVal(list []providers.Progress) cty.Value {
	if list == nil {
		return null
	}
	return tupleVal(list, func(p providers.Progress) cty.Value {
		total := null
		if p.Total != 0 {
			total = cty.NumberFloatVal(p.Total)
		}
		return cty.ObjectVal(map[string]cty.Value{"progress": cty.NumberFloatVal(p.Progress), "total": total, "message": textOrNull(p.Message)})
	})
}

var mcpFields = []field[stepResult]{
	{"content", nullable(textShape), "The text of the answer; of a list of tools their names, a line each.", func(s *stepResult) cty.Value {
		if !s.hasContent {
			return null
		}
		return text(s.content)
	}, nil},
	{"structured", anyShape, "The structured content of a tool's result.", func(s *stepResult) cty.Value {
		if s.lists() {
			return null
		}
		return orNull(s.structured)
	}, nil},
	{"is_error", nullable(boolShape), "Whether the tool's result calls itself an error; the step failed with tool_error then.", func(s *stepResult) cty.Value { return cty.BoolVal(s.isError) }, nil},
	{"tools", nullable(tupleOf(anyShape)), "The tools of a list, each { name, description, parameters }: what an llm step takes as its tools.", func(s *stepResult) cty.Value {
		if !s.lists() {
			return null
		}
		return orNull(s.structured)
	}, nil},
	{"result", anyShape, "The whole result, as a value.", func(s *stepResult) cty.Value { return s.json }, nil},
	{"progress", nullable(tupleOf(anyShape)), "The reports of progress, each { progress, total, message }.", func(s *stepResult) cty.Value { return orNull(s.progress) }, nil},
}

var (
	mcpStepFields = append(append([]field[stepResult]{}, stepFields...), mcpFields...)
	mcpStepShape  = shapeOf("mcp step", mcpStepFields)
)

// lists reports whether the step asked for a list.
func (s *stepResult) lists() bool { return s.step.args["list"] != nil }

func orNull(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return null
	}
	return v
}

// params is what a message says, as a value.
func paramsVal(raw json.RawMessage) cty.Value { return jsonValue(string(raw)) }

package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
)

// llmKind asks a model.
type llmKind struct{ serviceKind }

// perform asks the model, runs the tools it calls and asks again, turn by turn.
func (llmKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	in, f := r.llmInput(s)
	if f != nil {
		return f
	}
	o := &s.result
	for turn := 1; ; turn++ {
		o.Turns = turn
		out, f := r.rounds(ctx, s, in, turn)
		llmKind{}.answer(o, out)
		if f != nil {
			return f
		}
		o.earlier = o.ToolCalls
		if len(out.ToolCalls) == 0 || len(s.Step.Tools) == 0 {
			return nil
		}
		if turn == s.Step.MaxTurns {
			return r.stillAsking(s)
		}
		answers, f := r.callTools(ctx, s, out.ToolCalls)
		if f != nil {
			return f
		}
		in.Messages = append(in.Messages[:len(in.Messages):len(in.Messages)],
			providers.Message{Role: "assistant", Content: out.Content, ToolCalls: out.ToolCalls, Thoughts: out.Thoughts})
		in.Messages = append(in.Messages, answers...)
	}
}

// stillAsking is the failure of a tool loop in whose last turn the model asks for
// tools: there is no answer. What it said and asked for stays with the step.
func (r *run) stillAsking(s *stepState) *failure.Failure {
	s.result.FinishReason = string(failure.MaxToolIterations)
	return r.classified(&failure.Failure{
		Kind: failure.MaxToolIterations, Step: s.Name, Operation: s.operation, Retries: s.retried,
		Message: fmt.Sprintf("the model still asks for tools after %d turns (max_tool_iterations)", s.Step.MaxTurns),
	})
}

// answer implements stepKind.
func (llmKind) answer(o *stepOutcome, out providers.Output) {
	o.value = o.recall.TellAnswer("llm", &o.Answer, out)
	o.ToolCalls = slices.Concat(o.earlier, out.ToolCalls)
}

func (r *run) llmInput(s *stepState) (providers.Input, *failure.Failure) {
	args, f := r.arguments(s)
	if f != nil {
		return providers.Input{}, f
	}
	in := providers.Input{Model: args.String("model"), Stream: s.Step.Stream}
	for _, m := range []struct{ role, attr string }{{"system", "system"}, {"user", "prompt"}} {
		content, err := args.Text(m.attr)
		switch {
		case err != nil:
			return in, r.broken(s, m.attr, err.Error())
		case args.Has(m.attr):
			in.Messages = append(in.Messages, providers.Message{Role: m.role, Content: content})
		}
	}
	messages, err := messagesOf(args.Value("messages"))
	if err != nil {
		return in, r.broken(s, "messages", err.Error())
	}
	in.Messages = append(in.Messages, messages...)
	if !args.Has("prompt") && len(messages) == 0 {
		return in, r.broken(s, "prompt", "is null, so there is nothing to ask")
	}
	if t, ok := args.Value("temperature").(float64); ok {
		in.Temperature = &t
	}
	if n, ok := args.Value("max_tokens").(int); ok {
		in.MaxTokens = &n
	}
	in.ResponseFormat = args.Value("response_format")
	offered, err := toolsOf(args.Value("tools"))
	if err != nil {
		return in, r.broken(s, "tools", err.Error())
	}
	in.Tools = s.Step.Offer(offered)
	return in, nil
}

func messagesOf(v any) ([]providers.Message, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("must be a list of { role, content }")
	}
	var out []providers.Message
	for i, e := range list {
		m, ok := e.(map[string]any)
		role, hasRole := m["role"].(string)
		if !ok || !hasRole {
			return nil, fmt.Errorf("must be a list of { role, content }; element %d has no role", i)
		}
		content, _ := m["content"].(string)
		id, _ := m["tool_call_id"].(string)
		out = append(out, providers.Message{Role: role, Content: content, ToolCallID: id})
	}
	return out, nil
}

func toolsOf(v any) ([]providers.Tool, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("must be a list of { name, description, parameters }")
	}
	var out []providers.Tool
	for i, e := range list {
		m, _ := e.(map[string]any)
		name, ok := m["name"].(string)
		if !ok {
			return nil, fmt.Errorf("must be a list of { name, description, parameters }; element %d has no name", i)
		}
		description, _ := m["description"].(string)
		out = append(out, providers.Tool{Name: name, Description: description, Schema: m["parameters"]})
	}
	return out, nil
}

// callTools runs the tools of one turn together and answers in the order
// asked. A tool that does not exist, or fails, is an error for the model and
// not for the step.
func (r *run) callTools(ctx context.Context, s *stepState, calls []providers.ToolCall) ([]providers.Message, *failure.Failure) {
	answers := make([]providers.Message, len(calls))
	var pending []*sched.Task
	for i, c := range calls {
		answers[i] = providers.Message{Role: "tool", ToolCallID: c.ID, Name: c.Name}
		t := s.Step.ToolNamed(c.Name)
		switch {
		case t == nil:
			answers[i].Content = fmt.Sprintf("error: tool %q not found", c.Name)
		case t.Step >= 0:
			sub := r.steps[t.Step]
			task := r.Clock.Go(ctx, fmt.Sprintf("tool %q of step %q", c.Name, s.Name), sub.Order, func(ctx context.Context) {
				answers[i].Content = r.toolStep(ctx, sub, nil, observe.ToolArguments(c.Arguments))
			})
			pending = append(pending, task)
		default:
			v, f := r.evaluate(s, t.Output, "tool "+t.Name, map[string]cty.Value{"arguments": observe.ToolArguments(c.Arguments)})
			answers[i].Content = toolText(v, f)
		}
	}
	for _, task := range pending {
		// Under a context that has ended the tools end too, and before the
		// step that called them.
		_ = task.Wait(context.Background())
	}
	if err := ctx.Err(); err != nil {
		return nil, cancelled(err)
	}
	return answers, nil
}

// toolStep runs a step as a tool, and its fallback where it fails. Two calls of
// one turn run one after the other, because a step has one cursor and one
// result. It stands in for the step that it replaces, nil for none.
func (r *run) toolStep(ctx context.Context, sub, replaces *stepState, arguments cty.Value) string {
	if sub.busy == nil {
		sub.busy = r.Clock.NewSemaphore(1)
	}
	if err := sub.busy.Acquire(ctx, fmt.Sprintf("step %q, which another call runs", sub.Name)); err != nil {
		return "error: " + err.Error()
	}
	defer sub.busy.Release()
	if sub.phase == waiting {
		sub.phase = running
	}
	sub.arguments, sub.replaces = arguments, replaces
	r.runStep(ctx, sub)
	if f := r.substitute(sub); f != nil {
		return r.toolStep(ctx, f, sub, arguments)
	}
	return toolText(r.Obs.Steps[sub.Name].Output, sub.failed)
}

func toolText(v cty.Value, f *failure.Failure) string {
	switch {
	case f != nil:
		return "error: " + f.Message
	case v.IsNull():
		return ""
	case v.Type() == cty.String:
		return v.AsString()
	}
	return string(event.Value{Value: v}.AppendJSON(nil))
}

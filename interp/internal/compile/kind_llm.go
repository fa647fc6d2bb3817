package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// llmKind asks a model.
type llmKind struct{ basicKind }

func (llmKind) family(*dsl.Block) string { return "llm" }

func (llmKind) arguments(wc *workflowCompiler, s *plan.Step, r dsl.Reader) {
	s.Stream, s.MaxTurns = r.Bool("stream"), r.Int("max_tool_iterations")
	if s.Args["prompt"] == nil && s.Args["messages"] == nil {
		wc.Errorf(s.Rng, "Missing attribute", "Step %q asks nothing: give prompt or messages.", s.Name)
	}
	if s.Args["prompt"] != nil && s.Args["messages"] != nil {
		wc.Errorf(s.Args["prompt"].NameRange, "Two prompts", "Give either prompt or messages.")
	}
	if r.Has("max_tool_iterations") && s.Args["tools"] == nil && len(s.Block.All("tool")) == 0 {
		r.Errorf("max_tool_iterations", "Attribute without tools", "\"max_tool_iterations\" bounds the turns in which a model calls tools, and step %q offers none: add tool blocks, or tools = […].", s.Name)
	}
}

// answersOtherwise says how an answer is written that a reply is not, "" for
// anything else.
func answersOtherwise(attr string) string {
	if attr == "status_code" || attr == "headers" {
		return " A reply is a good answer; another status is a fault: fault \"http_error\" { status_code = 500 }."
	}
	return ""
}

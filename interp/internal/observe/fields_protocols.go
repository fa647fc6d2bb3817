package observe

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// sqlFields are what a step of a database has beside the common attributes.
var sqlFields = []read.Field[StepResult]{
	read.Attr("rows", read.Nullable(read.TupleOf(read.AnyShape)), "The rows, a list of objects; empty for a statement that returns none.", func(s *StepResult) cty.Value { return s.Rows.OrNull() }),
	read.Attr("affected", read.Nullable(read.NumberShape), "How many rows the server says it returned or changed, null where it says nothing.", func(s *StepResult) cty.Value {
		if s.Affected == nil {
			return read.Null
		}
		return read.Number(*s.Affected)
	}),
}

// mcpFields are what a step of kind mcp has besides.
var mcpFields = []read.Field[StepResult]{
	read.Attr("content", read.Nullable(read.TextShape), "The text of the answer; of a list of tools their names, a line each.", func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Content)
	}),
	read.Attr("structured", read.AnyShape, "The structured content of a tool's result.", func(s *StepResult) cty.Value {
		if s.lists() {
			return read.Null
		}
		return s.Structured.OrNull()
	}),
	read.Attr("is_error", read.Nullable(read.BoolShape), "Whether the tool's result calls itself an error; the step failed with tool_error then, unless it reads_errors.", func(s *StepResult) cty.Value { return cty.BoolVal(s.IsError) }),
	read.Attr("tools", read.Nullable(read.TupleOf(read.AnyShape)), "The tools of a list, each { name, description, parameters }: what an llm step takes as its tools.", func(s *StepResult) cty.Value {
		if !s.lists() {
			return read.Null
		}
		return s.Structured.OrNull()
	}),
	read.Attr("result", read.AnyShape, "The whole result, as a value.", func(s *StepResult) cty.Value { return s.JSON.OrNull() }),
	read.Attr("progress", read.Nullable(read.TupleOf(read.AnyShape)), "The reports of progress, each { progress, total, message }.", func(s *StepResult) cty.Value { return s.Progress.OrNull() }),
}

// lists reports whether the step asked for a list.
func (s *StepResult) lists() bool { return s.Step.Args["list"] != nil }

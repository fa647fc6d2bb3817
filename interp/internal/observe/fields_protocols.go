package observe

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// sqlFields are what a step of a database has beside the common attributes.
var sqlFields = []read.Field[StepResult]{
	{Name: "rows", Shape: read.Nullable(read.TupleOf(read.AnyShape)), Doc: "The rows, a list of objects; empty for a statement that returns none.", Value: func(s *StepResult) cty.Value { return s.Rows.OrNull() }},
	{Name: "affected", Shape: read.Nullable(read.NumberShape), Doc: "How many rows the server says it returned or changed, null where it says nothing.", Value: func(s *StepResult) cty.Value {
		if s.Affected == nil {
			return read.Null
		}
		return read.Number(*s.Affected)
	}},
}

// mcpFields are what a step of kind mcp has besides.
var mcpFields = []read.Field[StepResult]{
	{Name: "content", Shape: read.Nullable(read.TextShape), Doc: "The text of the answer; of a list of tools their names, a line each.", Value: func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Content)
	}},
	{Name: "structured", Shape: read.AnyShape, Doc: "The structured content of a tool's result.", Value: func(s *StepResult) cty.Value {
		if s.lists() {
			return read.Null
		}
		return s.Structured.OrNull()
	}},
	{Name: "is_error", Shape: read.Nullable(read.BoolShape), Doc: "Whether the tool's result calls itself an error; the step failed with tool_error then, unless it reads_errors.", Value: func(s *StepResult) cty.Value { return cty.BoolVal(s.IsError) }},
	{Name: "tools", Shape: read.Nullable(read.TupleOf(read.AnyShape)), Doc: "The tools of a list, each { name, description, parameters }: what an llm step takes as its tools.", Value: func(s *StepResult) cty.Value {
		if !s.lists() {
			return read.Null
		}
		return s.Structured.OrNull()
	}},
	{Name: "result", Shape: read.AnyShape, Doc: "The whole result, as a value.", Value: func(s *StepResult) cty.Value { return s.JSON.OrNull() }},
	{Name: "progress", Shape: read.Nullable(read.TupleOf(read.AnyShape)), Doc: "The reports of progress, each { progress, total, message }.", Value: func(s *StepResult) cty.Value { return s.Progress.OrNull() }},
}

// lists reports whether the step asked for a list.
func (s *StepResult) lists() bool { return s.Step.Args["list"] != nil }

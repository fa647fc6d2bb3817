package telemetry

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/trace"
)

// A counter is a usage in memory that tells its tokens without being encoded.
type counter interface {
	Tokens() (in, out int64)
}

// tokens reads the input and output tokens of a usage object, by the names of
// either convention. It reports false where there are none.
func tokens(usage any) (in, out int64, ok bool) {
	if usage == nil {
		return 0, 0, false
	}
	if c, is := usage.(counter); is {
		in, out = c.Tokens()
		return in, out, true
	}
	var u struct {
		Prompt     *float64 `json:"prompt_tokens"`
		Completion *float64 `json:"completion_tokens"`
		Input      *float64 `json:"input_tokens"`
		Output     *float64 `json:"output_tokens"`
	}
	if json.Unmarshal(trace.AppendValue(nil, usage), &u) != nil {
		return 0, 0, false
	}
	for _, n := range []*float64{u.Prompt, u.Input} {
		if n != nil {
			in, ok = int64(*n), true
		}
	}
	for _, n := range []*float64{u.Completion, u.Output} {
		if n != nil {
			out, ok = int64(*n), true
		}
	}
	return in, out, ok
}

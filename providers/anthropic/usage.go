package anthropic

import (
	"cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A usage counts the input in three parts that do not overlap: what was read
// anew, written to the cache, and read from it. In a stream the counts are
// cumulative and come in pieces; a nil one was not sent.
type usage struct {
	Input         *int           `json:"input_tokens,omitempty"`
	CacheWritten  *int           `json:"cache_creation_input_tokens,omitempty"`
	CacheRead     *int           `json:"cache_read_input_tokens,omitempty"`
	Output        *int           `json:"output_tokens,omitempty"`
	OutputDetails *outputDetails `json:"output_tokens_details,omitempty"`
}

type outputDetails struct {
	Thinking int `json:"thinking_tokens"`
}

// update takes over the counts that a later report has.
func (u *usage) update(later *usage) {
	if later == nil {
		return
	}
	u.Input = cmp.Or(later.Input, u.Input)
	u.CacheWritten = cmp.Or(later.CacheWritten, u.CacheWritten)
	u.CacheRead = cmp.Or(later.CacheRead, u.CacheRead)
	u.Output = cmp.Or(later.Output, u.Output)
	u.OutputDetails = cmp.Or(later.OutputDetails, u.OutputDetails)
}

// value is the usage in the engine's terms.
func (u usage) value() providers.Usage {
	if u == (usage{}) {
		return providers.Usage{}
	}
	v := providers.Usage{
		Set:        true,
		Prompt:     chat.Tokens(u.Input) + chat.Tokens(u.CacheWritten) + chat.Tokens(u.CacheRead),
		Completion: chat.Tokens(u.Output),
		Cached:     chat.Tokens(u.CacheRead),
	}
	v.Total = v.Prompt + v.Completion
	if u.OutputDetails != nil {
		v.Reasoning = u.OutputDetails.Thinking
	}
	return v
}

// counted is the usage of a rendered answer; a part of a whole is never more
// than it. The API has no total, so one that a reply gives is not sent.
func counted(u providers.Usage) usage {
	cached, written, output := min(u.Cached, u.Prompt), 0, u.Completion
	input := u.Prompt - cached
	return usage{Input: &input, CacheWritten: &written, CacheRead: &cached, Output: &output, OutputDetails: thought(u)}
}

func thought(u providers.Usage) *outputDetails {
	if n := min(u.Reasoning, u.Completion); n > 0 {
		return &outputDetails{Thinking: n}
	}
	return nil
}

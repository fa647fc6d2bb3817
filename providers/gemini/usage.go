package gemini

import (
	"cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A usage counts parts that do not overlap, but for the cached ones, which are
// of the prompt. Every event of a stream may bring counts that replace the
// earlier; a nil one was not sent.
type usage struct {
	Prompt     *int `json:"promptTokenCount,omitempty"`
	Candidates *int `json:"candidatesTokenCount,omitempty"`
	Total      *int `json:"totalTokenCount,omitempty"`
	Cached     *int `json:"cachedContentTokenCount,omitempty"`
	Thoughts   *int `json:"thoughtsTokenCount,omitempty"`
	ToolPrompt *int `json:"toolUsePromptTokenCount,omitempty"`
}

// update takes over the counts that a later report has.
func (u *usage) update(later *usage) {
	if later == nil {
		return
	}
	u.Prompt = cmp.Or(later.Prompt, u.Prompt)
	u.Candidates = cmp.Or(later.Candidates, u.Candidates)
	u.Total = cmp.Or(later.Total, u.Total)
	u.Cached = cmp.Or(later.Cached, u.Cached)
	u.Thoughts = cmp.Or(later.Thoughts, u.Thoughts)
	u.ToolPrompt = cmp.Or(later.ToolPrompt, u.ToolPrompt)
}

// value is the usage in the engine's terms.
func (u usage) value() providers.Usage {
	if u == (usage{}) {
		return providers.Usage{}
	}
	v := providers.Usage{
		Set:        true,
		Prompt:     chat.Tokens(u.Prompt) + chat.Tokens(u.ToolPrompt),
		Completion: chat.Tokens(u.Candidates) + chat.Tokens(u.Thoughts),
		Total:      chat.Tokens(u.Total),
		Cached:     chat.Tokens(u.Cached),
		Reasoning:  chat.Tokens(u.Thoughts),
	}
	if v.Total == 0 {
		v.Total = v.Prompt + v.Completion
	}
	return v
}

// counted is the usage of a rendered answer; a part of a whole is never more
// than it.
func counted(u providers.Usage) *usage {
	cached, thoughts := min(u.Cached, u.Prompt), min(u.Reasoning, u.Completion)
	candidates, total := u.Completion-thoughts, u.Total
	if total == 0 {
		total = u.Prompt + u.Completion
	}
	report := &usage{Prompt: &u.Prompt, Candidates: &candidates, Total: &total}
	if cached > 0 {
		report.Cached = &cached
	}
	if thoughts > 0 {
		report.Thoughts = &thoughts
	}
	return report
}

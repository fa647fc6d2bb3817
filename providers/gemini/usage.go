package gemini

import "github.com/scenario-lang/scenario/providers"

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
	for _, c := range []struct{ old, new **int }{
		{&u.Prompt, &later.Prompt},
		{&u.Candidates, &later.Candidates},
		{&u.Total, &later.Total},
		{&u.Cached, &later.Cached},
		{&u.Thoughts, &later.Thoughts},
		{&u.ToolPrompt, &later.ToolPrompt},
	} {
		if *c.new != nil {
			*c.old = *c.new
		}
	}
}

// value is the usage in the engine's terms.
func (u usage) value() providers.Usage {
	if u == (usage{}) {
		return providers.Usage{}
	}
	v := providers.Usage{
		Set:        true,
		Prompt:     number(u.Prompt) + number(u.ToolPrompt),
		Completion: number(u.Candidates) + number(u.Thoughts),
		Total:      number(u.Total),
		Cached:     number(u.Cached),
		Reasoning:  number(u.Thoughts),
	}
	if v.Total == 0 {
		v.Total = v.Prompt + v.Completion
	}
	return v
}

func number(n *int) int {
	if n == nil {
		return 0
	}
	return *n
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

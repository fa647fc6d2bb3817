package providers

import "unicode/utf8"

// EstimateTokens is the number of tokens a text counts for where no provider
// reports one: a quarter of its characters, rounded up.
func EstimateTokens(characters int) int { return (characters + 3) / 4 }

// PromptCharacters counts what a model is asked to read: the content of every
// message and what its tool calls say.
func PromptCharacters(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += utf8.RuneCountInString(m.Content) + callCharacters(m.ToolCalls)
	}
	return n
}

// EstimateUsage is the usage of an answer that reports none. It depends on the
// two texts alone, so that equal replies cost the same in every run.
func EstimateUsage(in Input, out Output) Usage {
	u := Usage{
		Set:        true,
		Prompt:     EstimateTokens(PromptCharacters(in.Messages)),
		Completion: EstimateTokens(utf8.RuneCountInString(out.Content) + callCharacters(out.ToolCalls)),
	}
	u.Total = u.Prompt + u.Completion
	return u
}

func callCharacters(calls []ToolCall) int {
	n := 0
	for _, c := range calls {
		n += utf8.RuneCountInString(c.Name) + utf8.RuneCountInString(c.Arguments)
	}
	return n
}

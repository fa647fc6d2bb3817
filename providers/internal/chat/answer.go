package chat

import (
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// CallsMax bounds how many tool calls one answer may have.
const CallsMax = 4096

// An Answer is put together from the deltas of a stream.
type Answer struct {
	// Out is all of the answer but its content and its reasoning.
	Out providers.Output
	// Sink is called with every delta of the content.
	Sink func(providers.Chunk) error
	// Deltas counts what the model said: content, reasoning, tool calls. Once
	// there is one, a broken connection is an interrupted stream.
	Deltas             int
	content, reasoning strings.Builder
}

// Say adds a delta of the content; an empty one is none.
func (a *Answer) Say(text string) *failure.Failure {
	if text == "" {
		return nil
	}
	a.Deltas++
	a.content.WriteString(text)
	a.Out.Chunks = append(a.Out.Chunks, text)
	if err := a.Sink(providers.Chunk{Content: text}); err != nil {
		return providers.Stopped(err)
	}
	return nil
}

// Think adds a delta of the reasoning; an empty one is none.
func (a *Answer) Think(text string) {
	if text != "" {
		a.Deltas++
		a.reasoning.WriteString(text)
	}
}

// Output is the answer as far as it came.
func (a *Answer) Output(complete bool) providers.Output {
	out := a.Out
	out.Content, out.Reasoning, out.Complete = a.content.String(), a.reasoning.String(), complete
	return out
}

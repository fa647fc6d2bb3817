package gemini

import (
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A saying is what the parts of a candidate say, of a whole answer or of one
// event.
type saying struct {
	text, thought string
	calls         []providers.ToolCall
}

// says reads the candidate of an answer, which has no content where the model
// said nothing before it ended.
func (a answer) says() saying {
	var s saying
	c, ok := a.candidate()
	if !ok || c.Content == nil {
		return s
	}
	var text, thought strings.Builder
	for _, p := range c.Content.Parts {
		switch {
		case p.FunctionCall != nil:
			s.calls = append(s.calls, providers.ToolCall{
				ID: p.FunctionCall.ID, Name: p.FunctionCall.Name,
				Arguments: chat.ArgumentsText(p.FunctionCall.Args), Signature: p.ThoughtSignature,
			})
		case p.Text != nil && p.Thought:
			thought.WriteString(*p.Text)
		case p.Text != nil:
			text.WriteString(*p.Text)
		}
	}
	s.text, s.thought = text.String(), thought.String()
	return s
}

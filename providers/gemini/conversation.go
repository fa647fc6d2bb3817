package gemini

import (
	"cmp"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// conversation turns messages into the API's: the system's stand apart, the
// assistant is the model, a call and its result are parts, and the results of
// one turn's calls are one turn of the user.
func conversation(messages []providers.Message) (system *content, turns []content) {
	turns = []content{}
	var instructions []string
	names := map[string]string{}
	answering := false
	for _, m := range messages {
		switch m.Role {
		case "system", "developer":
			instructions = append(instructions, m.Content)
		case "tool":
			if !answering {
				turns = append(turns, content{Role: "user"})
			}
			last := &turns[len(turns)-1]
			last.Parts = append(last.Parts, result(m, names))
		case "assistant":
			turns = append(turns, content{Role: "model", Parts: said(m)})
			for _, c := range m.ToolCalls {
				names[c.ID] = c.Name
			}
		default:
			turns = append(turns, content{Role: m.Role, Parts: []part{textPart(m.Content)}})
		}
		answering = m.Role == "tool"
	}
	if instructions != nil {
		system = &content{Parts: []part{textPart(strings.Join(instructions, "\n\n"))}}
	}
	return system, turns
}

func textPart(text string) part { return part{Text: &text} }

// said has no part for a text that is empty beside calls.
func said(m providers.Message) []part {
	var parts []part
	if m.Content != "" || len(m.ToolCalls) == 0 {
		parts = append(parts, textPart(m.Content))
	}
	for _, c := range m.ToolCalls {
		parts = append(parts, callPart(c))
	}
	return parts
}

func callPart(c providers.ToolCall) part {
	return part{
		FunctionCall:     &functionCall{ID: c.ID, Name: c.Name, Args: chat.ArgumentsObject(c.Arguments)},
		ThoughtSignature: c.Signature,
	}
}

// result names the function that it is of, which the API goes by; a message
// that does not is looked up by its call.
func result(m providers.Message, names map[string]string) part {
	return part{FunctionResponse: &functionResponse{
		ID: m.ToolCallID, Name: cmp.Or(m.Name, names[m.ToolCallID], m.ToolCallID),
		Response: map[string]string{"result": m.Content},
	}}
}

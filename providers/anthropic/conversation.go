package anthropic

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// conversation turns messages into the API's: the system's stand apart, a tool
// call and its result are blocks, and the results of one turn's calls are one
// turn of the user.
func conversation(messages []providers.Message) (system string, turns []turn) {
	turns = []turn{}
	var instructions []string
	ids := callIDs{}
	answering := false
	for _, m := range messages {
		if m.Role != "tool" {
			answering = false
		}
		switch m.Role {
		case "system", "developer":
			instructions = append(instructions, m.Content)
		case "tool":
			result := toolResult{Type: "tool_result", ToolUseID: ids.answered(m), Content: m.Content}
			if !answering {
				turns = append(turns, turn{Role: "user", Content: []any{}})
			}
			last := &turns[len(turns)-1]
			last.Content = append(last.Content.([]any), result)
			answering = true
		default:
			turns = append(turns, turn{Role: m.Role, Content: ids.content(m)})
		}
	}
	return strings.Join(instructions, "\n\n"), turns
}

// callIDs gives every call of a conversation an id, which the API demands and
// another vendor's turn may lack, and its result the same one.
type callIDs struct {
	made int
	// open are the calls of the last turn that have no result yet.
	open []string
}

// content is a plain text where nothing else was said.
func (ids *callIDs) content(m providers.Message) any {
	if len(m.ToolCalls) == 0 {
		return m.Content
	}
	var blocks []any
	if m.Content != "" {
		blocks = append(blocks, textBlock{Type: "text", Text: m.Content})
	}
	ids.open = nil
	for _, c := range m.ToolCalls {
		ids.made++
		id := callID(c, ids.made)
		ids.open = append(ids.open, id)
		blocks = append(blocks, toolUse(c, id))
	}
	return blocks
}

// answered is the id of the call that a result is of: the one it names, or
// the first that has no result.
func (ids *callIDs) answered(m providers.Message) string {
	if m.ToolCallID != "" || len(ids.open) == 0 {
		return m.ToolCallID
	}
	id := ids.open[0]
	ids.open = ids.open[1:]
	return id
}

// callID numbers calls that have no id, from 1.
func callID(c providers.ToolCall, n int) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("toolu_%d", n)
}

func toolUse(c providers.ToolCall, id string) toolUseBlock {
	return toolUseBlock{Type: "tool_use", ID: id, Name: c.Name, Input: inputOf(c.Arguments)}
}

package anthropic

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// conversation turns messages into the API's: the system's stand apart, a tool
// call and its result are blocks, and the results of one turn's calls are one
// turn of the user.
func conversation(messages []providers.Message, of string) (system string, turns []turn) {
	turns = []turn{}
	var instructions []string
	ids := providers.CallIDs{Prefix: "toolu_"}
	answering := false
	for _, m := range messages {
		if m.Role != "tool" {
			answering = false
		}
		switch m.Role {
		case "system", "developer":
			instructions = append(instructions, m.Content)
		case "tool":
			result := toolResult{Type: "tool_result", ToolUseID: ids.Answered(m), Content: m.Content}
			if !answering {
				turns = append(turns, turn{Role: "user", Content: []any{}})
			}
			last := &turns[len(turns)-1]
			last.Content = append(last.Content.([]any), result)
			answering = true
		default:
			turns = append(turns, turn{Role: m.Role, Content: said(m, &ids, m.ThoughtsFor(of))})
		}
	}
	return strings.Join(instructions, "\n\n"), turns
}

// said is a plain text where nothing else was said.
func said(m providers.Message, ids *providers.CallIDs, thoughts []json.RawMessage) any {
	if len(m.ToolCalls) == 0 {
		return m.Content
	}
	var blocks []any
	for _, t := range thoughts {
		blocks = append(blocks, t)
	}
	if m.Content != "" {
		blocks = append(blocks, textBlock{Type: "text", Text: m.Content})
	}
	for i, id := range ids.Calls(m.ToolCalls) {
		blocks = append(blocks, toolUse(m.ToolCalls[i], id))
	}
	return blocks
}

// callID numbers calls that have no id, from 1.
func callID(c providers.ToolCall, n int) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("toolu_%d", n)
}

func toolUse(c providers.ToolCall, id string) toolUseBlock {
	return toolUseBlock{Type: "tool_use", ID: id, Name: c.Name, Input: chat.ArgumentsObject(c.Arguments)}
}

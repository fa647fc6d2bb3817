package anthropic

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A block is a piece of an answer as it is read: a text, a thought, a call, or
// nothing of these. Blocks of the vendor's own tools have fields of the same
// names and other types, so each type is read for what it is and an unknown
// one for nothing.
type block struct {
	text, thinking string
	call           *providers.ToolCall
	// thinks says that it is a thought, with its signature, or redacted as it
	// came.
	thinks    bool
	signature string
	redacted  json.RawMessage
}

func (b *block) UnmarshalJSON(data []byte) error {
	var kind struct{ Type string }
	if err := providers.DecodeJSON(data, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case "text":
		var t textBlock
		err := providers.DecodeJSON(data, &t)
		b.text = t.Text
		return err
	case "thinking":
		var t thinkingBlock
		err := providers.DecodeJSON(data, &t)
		b.thinking, b.signature, b.thinks = t.Thinking, t.Signature, true
		return err
	case "redacted_thinking":
		var t redactedBlock
		err := providers.DecodeJSON(data, &t)
		b.redacted, b.thinks = chat.Encode(t), true
		return err
	case "tool_use":
		var t toolUseBlock
		err := providers.DecodeJSON(data, &t)
		b.call = &providers.ToolCall{ID: t.ID, Name: t.Name, Arguments: chat.ArgumentsText(t.Input)}
		return err
	}
	return nil
}

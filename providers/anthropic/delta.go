package anthropic

import "github.com/scenario-lang/scenario/providers"

// A delta is a piece of a block as it is read. Like [block] it is read by its
// type; citations and what is unknown say nothing.
type delta struct {
	text, thinking, partial, signature string
}

func (d *delta) UnmarshalJSON(data []byte) error {
	var kind struct{ Type string }
	if err := providers.DecodeJSON(data, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case "text_delta":
		var t textDelta
		err := providers.DecodeJSON(data, &t)
		d.text = t.Text
		return err
	case "thinking_delta":
		var t thinkingDelta
		err := providers.DecodeJSON(data, &t)
		d.thinking = t.Thinking
		return err
	case "signature_delta":
		var t signatureDelta
		err := providers.DecodeJSON(data, &t)
		d.signature = t.Signature
		return err
	case "input_json_delta":
		var t inputDelta
		err := providers.DecodeJSON(data, &t)
		d.partial = t.Partial
		return err
	}
	return nil
}

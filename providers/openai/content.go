package openai

import "github.com/scenario-lang/scenario/providers"

// A content is the text of a turn: a string, or at hosts that think aloud
// inside it a list of typed parts, of which only text and thinking are read.
// It is written as a string. A nil one is empty.
type content struct {
	said, thought string
}

func (c *content) text() string {
	if c == nil {
		return ""
	}
	return c.said
}

func (c *content) thinking() string {
	if c == nil {
		return ""
	}
	return c.thought
}

// MarshalText is what is written, as a string.
func (c *content) MarshalText() ([]byte, error) { return []byte(c.said), nil }

// UnmarshalJSON reads either form.
func (c *content) UnmarshalJSON(data []byte) error {
	if text, ok := providers.PlainString(data); ok {
		c.said = text
		return nil
	}
	if len(data) == 0 || data[0] != '[' {
		return providers.DecodeJSON(data, &c.said)
	}
	var parts []contentPart
	if err := providers.DecodeJSON(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		switch p.Type {
		case "text":
			c.said += p.Text
		case "thinking":
			for _, t := range p.Thinking {
				c.thought += t.Text
			}
		}
	}
	return nil
}

type contentPart struct {
	Type     string        `json:"type"`
	Text     string        `json:"text"`
	Thinking []contentPart `json:"thinking"`
}

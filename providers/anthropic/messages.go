package anthropic

import "encoding/json"

// The types of this file are the API's own objects, in the order of fields in
// which the vendor writes them.

type messageRequest struct {
	Version      string        `json:"anthropic_version,omitempty"`
	Model        string        `json:"model,omitempty"`
	MaxTokens    int           `json:"max_tokens"`
	System       string        `json:"system,omitempty"`
	Messages     []turn        `json:"messages"`
	Tools        []tool        `json:"tools,omitempty"`
	Temperature  *float64      `json:"temperature,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	Stream       bool          `json:"stream,omitempty"`
}

// A turn's content is a string or a list of blocks.
type turn struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

type tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	InputSchema any    `json:"input_schema"`
}

type outputConfig struct {
	Format any `json:"format"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type thinkingBlock struct {
	Type      string `json:"type"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
}

type toolUseBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	Content   string `json:"content"`
}

// A message is an answer as it is written: a plain one whole, a streamed one
// without content and stop reason.
type message struct {
	ID           string  `json:"id"`
	Type         string  `json:"type"`
	Role         string  `json:"role"`
	Model        string  `json:"model"`
	Content      []any   `json:"content"`
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
	Usage        usage   `json:"usage"`
}

type errorBody struct {
	Type      string   `json:"type"`
	Error     apiError `json:"error"`
	RequestID string   `json:"request_id,omitempty"`
}

// The events of a stream.
type (
	messageStart struct {
		Type    string  `json:"type"`
		Message message `json:"message"`
	}
	blockStart struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
		Block any    `json:"content_block"`
	}
	blockDelta struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
		Delta any    `json:"delta"`
	}
	blockStop struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
	}
	messageDelta struct {
		Type  string     `json:"type"`
		Delta stopDelta  `json:"delta"`
		Usage deltaUsage `json:"usage"`
	}
	messageStop struct {
		Type string `json:"type"`
	}
)

type (
	textDelta struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	thinkingDelta struct {
		Type     string `json:"type"`
		Thinking string `json:"thinking"`
	}
	signatureDelta struct {
		Type      string `json:"type"`
		Signature string `json:"signature"`
	}
	inputDelta struct {
		Type    string `json:"type"`
		Partial string `json:"partial_json"`
	}
	stopDelta struct {
		StopReason   string  `json:"stop_reason"`
		StopSequence *string `json:"stop_sequence"`
	}
	deltaUsage struct {
		OutputTokens  int            `json:"output_tokens"`
		OutputDetails *outputDetails `json:"output_tokens_details,omitempty"`
	}
)

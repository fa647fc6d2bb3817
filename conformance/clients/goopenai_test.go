package clients

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// openaiGo is the library of OpenAI for Go.
var openaiGo = client{name: "openai-go", of: "v3.95.0", speaks: "openai", path: "/v1", meets: overHTTP, ask: func(ctx context.Context, at place, stream bool) outcome {
	c := openai.NewClient(option.WithBaseURL(at.base), option.WithHTTPClient(at.http), option.WithAPIKey("x"), option.WithRequestTimeout(patience))
	params := openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("why?")}}
	if !stream {
		r, err := c.Chat.Completions.New(ctx, params)
		if err != nil {
			return outcome{err: classOf(err)}
		}
		if len(r.Choices) == 0 {
			return outcome{}
		}
		return outcome{text: r.Choices[0].Message.Content}
	}
	var o outcome
	events := c.Chat.Completions.NewStreaming(ctx, params)
	defer events.Close()
	for events.Next() {
		if e := events.Current(); len(e.Choices) > 0 {
			o.text += e.Choices[0].Delta.Content
		}
	}
	if err := events.Err(); err != nil {
		o.err = classOf(err)
	}
	return o
}}

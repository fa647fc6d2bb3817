package clients

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// anthropicGo is the library of Anthropic for Go.
var anthropicGo = client{name: "anthropic-sdk-go", of: "v1.84.0", speaks: "anthropic", meets: overHTTP, ask: func(ctx context.Context, at place, stream bool) outcome {
	c := anthropic.NewClient(option.WithBaseURL(at.base), option.WithHTTPClient(at.http), option.WithAPIKey("x"), option.WithRequestTimeout(patience))
	params := anthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("why?"))}}
	if !stream {
		r, err := c.Messages.New(ctx, params)
		if err != nil {
			return outcome{err: classOf(err)}
		}
		if len(r.Content) == 0 {
			return outcome{}
		}
		return outcome{text: r.Content[0].Text}
	}
	var o outcome
	events := c.Messages.NewStreaming(ctx, params)
	defer events.Close()
	for events.Next() {
		o.text += events.Current().Delta.Text
	}
	if err := events.Err(); err != nil {
		o.err = classOf(err)
	}
	return o
}}

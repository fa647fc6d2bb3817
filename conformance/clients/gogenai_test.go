package clients

import (
	"context"

	"google.golang.org/genai"
)

// genaiGo is the library of Google for Go.
var genaiGo = client{name: "genai", of: "v1.77.0", speaks: "gemini", meets: overHTTP, ask: func(ctx context.Context, at place, stream bool) outcome {
	limit := patience
	c, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "x", Backend: genai.BackendGeminiAPI, HTTPClient: at.http,
		HTTPOptions: genai.HTTPOptions{BaseURL: at.base, Timeout: &limit},
	})
	if err != nil {
		return outcome{err: classOf(err)}
	}
	var o outcome
	if !stream {
		r, err := c.Models.GenerateContent(ctx, "m", genai.Text("why?"), nil)
		if err != nil {
			return outcome{err: classOf(err)}
		}
		return outcome{text: r.Text()}
	}
	for r, err := range c.Models.GenerateContentStream(ctx, "m", genai.Text("why?"), nil) {
		if err != nil {
			o.err = classOf(err)
			break
		}
		o.text += r.Text()
	}
	return o
}}

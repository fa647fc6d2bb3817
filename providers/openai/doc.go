// Package openai speaks the Chat Completions and the Responses API, as OpenAI
// and the many hosts compatible with it serve them: plain answers and event
// streams, tool calls, usage, and the vendor's error objects. Each interface has
// an adapter of its own.
//
//	var a providers.Adapter = openai.Adapter{}
//	req, err := a.Request(ctx, providers.Input{Model: "gpt-4o-mini", Messages: messages})
package openai

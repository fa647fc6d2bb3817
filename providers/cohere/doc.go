// Package cohere speaks the second version of Cohere's chat interface: plain
// answers, streams of events, thinking, plans, tool calls and counts of tokens. What
// Cohere serves in OpenAI's shape is spoken by package openai.
//
//	var a providers.Adapter = cohere.Adapter{}
//	req, err := a.Request(ctx, providers.Input{Model: "command-a-03-2025", Messages: messages})
package cohere

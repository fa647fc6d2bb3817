// Package ollama speaks Ollama's own chat interface: plain answers, streams of
// newline-delimited JSON, thinking, tool calls and counts of tokens. The
// interface that Ollama shares with OpenAI is spoken by package openai.
//
//	var a providers.Adapter = ollama.Adapter{}
//	req, err := a.Request(ctx, providers.Input{Model: "llama3.2", Messages: messages})
package ollama

// Package anthropic speaks the Messages API, as Anthropic serves it and as
// Claude is served by Vertex AI and by Amazon Bedrock's InvokeModel: plain
// answers and event streams, tool use, thinking, the vendor's own tools, usage,
// and its error objects.
//
//	var a providers.Adapter = anthropic.Adapter{}
//	req, err := a.Request(ctx, providers.Input{Model: "claude-sonnet-4-5", Messages: messages})
//
// What an answer says in the engine's terms:
//
//   - Content is every text block, joined: an answer with citations is one text
//     in many blocks. Thinking is Reasoning; redacted thinking says nothing.
//   - ToolCalls are the tool_use blocks alone. Tools that the vendor runs itself
//     (web search, code execution, MCP servers) are no calls of the caller's;
//     their blocks are in the body.
//   - FinishReason is the vendor's word: end_turn, max_tokens, tool_use,
//     stop_sequence, pause_turn, refusal. Whether the model asked for tools is
//     told by ToolCalls, with every vendor alike.
//   - Usage counts as OpenAI does: Prompt holds what was read from and written
//     to the cache too, Cached is what was read from it.
package anthropic

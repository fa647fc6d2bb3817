// Package mcp speaks the Model Context Protocol as a client, over streamable
// HTTP or over the standard input and output of a process: tools, resources and
// prompts, in revisions 2025-03-26 to 2025-11-25. Messages are JSON-RPC 2.0.
//
// A message over a pipe is an exchange like one over HTTP, whose address is
// stdio://NAME and whose answer is a line for each message, so that it can be
// scripted, recorded and disturbed in the same way.
//
//	var a providers.Sessioner = mcp.Adapter{}
//	in := providers.Input{BaseURL: "https://tools.example.com/mcp", RPC: mcp.CallTool("search", nil)}
//	req, err := a.Request(ctx, in)
package mcp

package clients

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpGo is the official library of the Model Context Protocol for Go, over HTTP.
var mcpGo = client{name: "mcp go-sdk", of: "v1.8.0", speaks: "mcp", path: "/mcp", meets: overMCP, ask: func(ctx context.Context, at place, stream bool) outcome {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := mcp.NewClient(&mcp.Implementation{Name: "theirs", Version: "1"}, nil)
	session, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: at.base, HTTPClient: at.http, DisableStandaloneSSE: true}, nil)
	if err != nil {
		return outcome{err: classOf(err) + " when connecting"}
	}
	defer session.Close()
	params := &mcp.CallToolParams{Name: "why"}
	if stream {
		params.SetProgressToken("theirs")
	}
	r, err := session.CallTool(ctx, params)
	if err != nil {
		return outcome{err: classOf(err)}
	}
	var o outcome
	for _, part := range r.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			o.text += text.Text
		}
	}
	if r.IsError {
		return outcome{err: "IsError"}
	}
	return o
}}

package language

import "github.com/scenario-lang/scenario/schema"

// mcpStepAttrs are the attributes of a step that asks an MCP server.
func mcpStepAttrs() []schema.Attr {
	return []schema.Attr{
		{Name: "tool", Type: schema.String, Runtime: true, Doc: "The tool that is called."},
		{Name: "arguments", Type: schema.Expr, Takes: objects, Doc: "The arguments of the tool or the prompt, an object; those of a prompt are strings."},
		{Name: "resource", Type: schema.String, Runtime: true, Doc: "The URI of the resource that is read, in place of a tool."},
		{Name: "prompt", Type: schema.String, Runtime: true, Doc: "The prompt that is fetched, in place of a tool."},
		{Name: "list", Type: schema.String, OneOf: []string{"tools"}, Doc: "What is listed, in place of a tool: what an llm step then offers to its model with tools = step.NAME.tools."},
		{Name: "cursor", Type: schema.String, Runtime: true, Doc: "The page of a list, as the one before it named the next."},
		{Name: "reads_errors", Type: schema.Bool, Default: "false", Doc: "Whether a result that says isError is an answer to this step, which reads is_error and goes on, as a program that looks at the flag does. Otherwise it is the failure tool_error."},
		{Name: "stream", Type: schema.Bool, Default: "false", Doc: "Ask for reports of progress, and so for an answer in a stream of events."},
	}
}

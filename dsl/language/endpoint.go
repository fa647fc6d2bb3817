package language

import "github.com/scenario-lang/scenario/schema"

// endpointBlock is a call that a program under test makes.
func endpointBlock() *schema.Block {
	return &schema.Block{
		Type: "endpoint", Labels: []string{"name"}, Doc: "A call that a program under test makes. It has a script and results like a step. A provider that no endpoint and no step names is an endpoint of its own name.",
		Attrs: []schema.Attr{
			{Name: "provider", Type: schema.Ref, Refs: []string{"provider"}, Required: true, Doc: "The service that the program calls. Its kind says how requests are read and answers are written."},
			laneAttr(),
			{Name: "concurrent", Type: schema.String, Default: `"refuse"`, OneOf: []string{"refuse", "arrival"}, Doc: "What becomes of requests that overlap in a lane and would get different entries: the run fails, or they take entries in the order of their arrival."},
		},
		Blocks: []*schema.Block{matchBlock("What a request must have to be this endpoint's, all of it. Of several endpoints that it fits, the one that says more than the others has it.")},
	}
}

// laneAttr tells the requests of an endpoint apart.
func laneAttr() schema.Attr {
	return schema.Attr{Name: "lane", Type: schema.Expr, Doc: "An expression over `request`. Requests with different values have a script of their own each; without it, all of them share one."}
}

// matchBlock is what a request of a program must have.
func matchBlock(doc string) *schema.Block {
	return &schema.Block{
		Type: "match", Max: 1, Doc: doc,
		Attrs: []schema.Attr{
			{Name: "method", Type: schema.String, Doc: "The method. In strings of a match, `*` is any run of characters."},
			{Name: "path", Type: schema.String, Doc: "The path below that of the provider's base_url, without its escapes; one that has an escape, such as %2F, is compared with what was sent."},
			{Name: "query", Type: schema.Map, Doc: "Query parameters; null for one that must not be there."},
			{Name: "headers", Type: schema.Map, Doc: "Header fields, whose names ignore case; null for one that must not be there."},
			{Name: "host", Type: schema.String, Doc: "The host of the service, of a provider with several."},
			{Name: "json", Type: schema.Any, Doc: "Parts that the body must have, as JSON."},
			{Name: "model", Type: schema.String, Doc: "The model that is asked for."},
			{Name: "prompt", Type: schema.String, Doc: "The text of the user's last message."},
			{Name: "tool", Type: schema.String, Doc: "The tool, prompt or resource of an MCP server."},
			{Name: "statement", Type: schema.String, Doc: "The statement for a database. Case and runs of white space count in quotes alone."},
			{Name: "stream", Type: schema.Bool, Doc: "Whether a stream is asked for."},
			atLeast(1, schema.Attr{Name: "turn", Type: schema.Int, Doc: "The turn of a tool loop, from 1."}),
			{Name: "condition", Type: schema.Expr, Doc: "What must hold beside all that, an expression over `request`."},
		},
	}
}

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
	}
}

// laneAttr tells the requests of an endpoint apart.
func laneAttr() schema.Attr {
	return schema.Attr{Name: "lane", Type: schema.Expr, Doc: "An expression over `request`. Requests with different values have a script of their own each; without it, all of them share one."}
}

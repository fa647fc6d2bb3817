package language

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
)

func taxonomyBlock() *schema.Block {
	return &schema.Block{
		Type: "taxonomy", Labels: []string{"name"}, Doc: "Names for failures: the modes and rules of another taxonomy, with others added or in their place. taxonomy.cuga and taxonomy.routing are there without a declaration.",
		Attrs: []schema.Attr{
			{Name: "extends", Type: schema.Ref, Refs: []string{"taxonomy"}, Doc: "The taxonomy that this one adds to; taxonomy.cuga by default."},
		},
		Blocks: []*schema.Block{
			{
				Type: "mode", Labels: []string{"code"}, Doc: "One name for failures. What is not given of a mode that there is already stays as it was.",
				Attrs: []schema.Attr{
					{Name: "category", Type: schema.String, Doc: `Where the failure comes from, such as "agent" or "system"; "custom" by default.`},
					{Name: "retryable", Type: schema.Bool, Doc: "Whether it may be tried again; false by default."},
					{Name: "terminal", Type: schema.Bool, Doc: "Whether it ends the call whatever the policy says; false by default. A terminal mode is critical and not retryable."},
					{Name: "partial", Type: schema.Bool, Doc: "Whether there may be partial results; false by default."},
					{Name: "severity", Type: schema.String, OneOf: failure.Severities(), Doc: "How bad it is, or what it means to a bench: info, warn or block (no gate passes if it occurs); medium by default, critical where it is terminal."},
				},
			},
			{
				Type: "detect", Labels: []string{"code"}, Doc: "A rule that gives a mode. The rules of the file are asked in order, before those of the taxonomy that it extends.",
				Attrs: []schema.Attr{
					{Name: "when", Type: schema.Expr, Required: true, Doc: "When it applies: a condition over failure.kind, cause, type, message, status_code, retry_after_ms, operation and chain."},
					{Name: "first", Type: schema.Bool, Default: "false", Doc: "Ask it before the typed kinds, which otherwise decide alone."},
				},
			},
		},
	}
}

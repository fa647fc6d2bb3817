package language

import "github.com/scenario-lang/scenario/schema"

func snapshotBlock() *schema.Block {
	return &schema.Block{
		Type: "snapshot", Labels: []string{"name"}, Doc: "A value that must be what it was when `scenario test --update` recorded it.",
		Attrs: []schema.Attr{
			{Name: "value", Type: schema.Expr, Required: true, Doc: "The value, an expression over what a condition can read."},
		},
	}
}

package catalog

import (
	"slices"

	"github.com/scenario-lang/scenario/schema"
)

// modelReply is what a reply of any kind of model may say. The words for why
// the model stopped are the vendor's own, and doc names them.
func modelReply(doc string) []schema.Attr {
	attrs := slices.Clone(openaiKind.Reply)
	for i := range attrs {
		if attrs[i].Name == "finish_reason" {
			attrs[i].Doc = doc
		}
	}
	return attrs
}

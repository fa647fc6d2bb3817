// Package catalog lists the kinds of provider: what a declaration and a reply
// of each may say, and the adapter that speaks for it.
package catalog

import (
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// A Kind is one kind of provider.
type Kind struct {
	Name    string
	Summary string
	// Family is "llm", "http", "mcp" or "sql": which step kinds it serves and
	// which faults
	// mean something on it.
	Family string
	// Adapter speaks for a declaration without the attribute `api`.
	Adapter providers.Adapter
	// APIs are the adapters that `api` chooses among, by its value; nil for a
	// kind without that attribute.
	APIs map[string]providers.Adapter
	// BaseURL is used where a declaration gives none; "" where there is no
	// such default.
	BaseURL string
	// Attrs are the attributes beyond those common to all providers.
	Attrs []schema.Attr
	// InFailure says, a sentence each, how the vendor's failures differ from
	// those of others: for the reference.
	InFailure []string
	// ToPrograms says, a sentence each, what a program meets that is asked to find
	// its service here, where that is more than the words of HTTP.
	ToPrograms []string
	// Reply are the attributes of a reply block for this kind.
	Reply []schema.Attr
	// ReplyOutput turns the evaluated attributes of a reply block into the
	// output that Adapter renders. The error names the attribute that cannot
	// be one, and what was expected.
	ReplyOutput func(schema.Values) (providers.Output, error)
}

// Speaker is the adapter of the interface that a declaration names with its
// attribute `api`, and Adapter where it names none.
func (k *Kind) Speaker(api string) providers.Adapter {
	if a := k.APIs[api]; a != nil {
		return a
	}
	return k.Adapter
}

// kinds is the catalogue; a new kind is one line here.
var kinds = []*Kind{
	openaiKind,
	anthropicKind,
	geminiKind,
	ollamaKind,
	cohereKind,
	httpKind,
	mcpKind,
	sqlKind,
}

// Kinds lists the kinds in the order of the reference. The slice and what it
// points to are shared and must not be changed.
func Kinds() []*Kind { return kinds }

// Lookup returns the kind of that name, or nil.
func Lookup(name string) *Kind {
	for _, k := range kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

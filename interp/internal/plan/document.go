package plan

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/trace"
)

// Document is an object of the plan's JSON. Every plan is encoded once for its
// hash, and a list costs a fraction of a map; one that is written in the order
// of its names, which is sorted all the same, the least.
type Document []member

// member is one member of a document; one that is nil is left out.
type member struct {
	Name  string
	Value any
}

// Add appends a member; one that has no value is left out.
func (d *Document) Add(name string, value any) { *d = append(*d, member{name, value}) }

// AppendJSON implements trace.Value.
func (d Document) AppendJSON(dst []byte) []byte {
	slices.SortFunc(d, func(a, b member) int { return strings.Compare(a.Name, b.Name) })
	dst = append(dst, '{')
	first := true
	for _, m := range d {
		if m.Value == nil {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(trace.AppendString(dst, m.Name), ':')
		dst = trace.AppendValue(dst, m.Value)
	}
	return append(dst, '}')
}

// encoded is a document that stands in several places.
type encoded []byte

// AppendJSON implements trace.Value.
func (e encoded) AppendJSON(dst []byte) []byte { return append(dst, e...) }

package cassette

import (
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/python"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// pyBytes returns the bytes of a body: a text, base64, the content of a BytesIO,
// or the pieces of an iterator. A mapping is what a client was given to send as
// JSON.
func (r *pyReader) pyBytes(n *yaml.Node) ([]byte, error) {
	if data, ok := python.Scalar(n); ok {
		return data, nil
	}
	switch {
	case n.Kind == yaml.ScalarNode:
		return nil, flaw.New(n.Line, flaw.Restore, "the !!binary of the body is not base64")
	case n.ShortTag() == python.TagBytesIO:
		return r.pieces(first(yamlnode.Child(n, "state")))
	case n.ShortTag() == python.TagIter && n.Kind == yaml.MappingNode:
		return r.pieces(first(yamlnode.Child(n, "args")))
	case n.ShortTag() == python.TagIter:
		return r.pieces(first(n))
	}
	return r.json(n)
}

// first is the first item of a list, nil where there is none.
func first(n *yaml.Node) *yaml.Node { return yamlnode.Target(yamlnode.FirstItem(n)) }

// pieces joins the texts of a list, or returns the one that is given.
func (r *pyReader) pieces(n *yaml.Node) ([]byte, error) {
	list := []*yaml.Node{n}
	switch {
	case n == nil:
		return nil, nil
	case n.Kind == yaml.SequenceNode:
		list = n.Content
	}
	var all []byte
	for _, item := range list {
		data, ok := python.Scalar(yamlnode.Target(item))
		if !ok {
			return nil, flaw.New(item.Line, flaw.Inspect, "a piece of the body is neither text nor base64")
		}
		if all = append(all, data...); len(all) > r.left {
			return nil, flaw.New(item.Line, flaw.Inspect, "the aliases in the file stand for far more text than it has itself")
		}
	}
	return all, nil
}

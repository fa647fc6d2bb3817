package cassette

import (
	"encoding/base64"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Tags of Python objects that a request's body had when old vcrpy wrote it.
const (
	tagBytesIO = "!!python/object/new:_io.BytesIO"
	tagIter    = "!!python/object/apply:builtins.iter"
)

// The tags that are read, by the kind of node: YAML's own, and those of Python
// that say nothing but what the data is. Nothing is ever constructed.
var pyTags = map[yaml.Kind][]string{
	yaml.ScalarNode: {
		"!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp",
		"!!python/unicode", "!!python/str",
	},
	yaml.SequenceNode: {"!!seq", "!!python/tuple", tagIter},
	yaml.MappingNode:  {"!!map", tagBytesIO, tagIter},
}

// checkPython refuses tags that stand for code and mappings with a key twice.
// It looks at nodes, so that a text that looks like a tag is none.
func checkPython(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		return nil // what it stands for is visited where it is written
	}
	if n.Style&yaml.TaggedStyle != 0 && !slices.Contains(pyTags[n.Kind], n.ShortTag()) {
		return flaw(n.Line, "remove the object from the recording",
			"the tag %s may stand for code, which is not run", shorten(n.ShortTag()))
	}
	if n.Kind == yaml.MappingNode {
		if err := checkKeys(n); err != nil {
			return err
		}
	}
	for _, c := range n.Content {
		if err := checkPython(c); err != nil {
			return err
		}
	}
	return nil
}

func checkKeys(n *yaml.Node) error {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Tag == "!!merge":
			return flaw(key.Line, "write the keys out", "the merge key << is not read here")
		case key.Kind == yaml.ScalarNode && seen[key.Value]:
			return flaw(key.Line, hintInspect, "the key %s stands twice", quote(shorten(key.Value)))
		case key.Kind == yaml.ScalarNode:
			seen[key.Value] = true
		}
	}
	return nil
}

// target is what an alias stands for: PyYAML writes one where an object, such
// as the headers of two requests, was the same.
func target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// child is lookup through aliases.
func child(n *yaml.Node, key string) *yaml.Node { return target(lookup(target(n), key)) }

// pyString is a scalar as text, "" for none and for null.
func pyString(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	text, _ := pyScalar(n)
	return string(text)
}

// pyScalar returns the bytes of a scalar; a number or a word is its own text.
func pyScalar(n *yaml.Node) ([]byte, bool) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return nil, false
	case pyKindOf(n) == pyNull:
		return nil, true
	case pyKindOf(n) != pyBytes:
		return []byte(n.Value), true
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	return data, err == nil
}

// pyBytes returns the bytes of a body: a text, base64, the content of a BytesIO,
// or the pieces of an iterator. A mapping is what a client was given to send as
// JSON.
func (r *pyReader) pyBytes(n *yaml.Node) ([]byte, error) {
	if data, ok := pyScalar(n); ok {
		return data, nil
	}
	switch {
	case n.Kind == yaml.ScalarNode:
		return nil, flaw(n.Line, hintRestore, "the !!binary of the body is not base64")
	case n.ShortTag() == tagBytesIO:
		return r.pieces(first(child(n, "state")))
	case n.ShortTag() == tagIter && n.Kind == yaml.MappingNode:
		return r.pieces(first(child(n, "args")))
	case n.ShortTag() == tagIter:
		return r.pieces(first(n))
	}
	return r.json(n)
}

// first is the first item of a list, nil where there is none.
func first(n *yaml.Node) *yaml.Node { return target(firstItem(n)) }

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
		data, ok := pyScalar(target(item))
		if !ok {
			return nil, flaw(item.Line, hintInspect, "a piece of the body is neither text nor base64")
		}
		if all = append(all, data...); len(all) > r.left {
			return nil, flaw(item.Line, hintInspect, "the aliases in the file stand for far more text than it has itself")
		}
	}
	return all, nil
}

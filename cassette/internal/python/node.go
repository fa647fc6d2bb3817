package python

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"gopkg.in/yaml.v3"
)

// Tags of Python objects that a request's body had when old vcrpy wrote it.
const (
	TagBytesIO = "!!python/object/new:_io.BytesIO"
	TagIter    = "!!python/object/apply:builtins.iter"
)

// The tags that are read, by the kind of node: YAML's own, and those of Python
// that say nothing but what the data is. Nothing is ever constructed.
var tags = map[yaml.Kind][]string{
	yaml.ScalarNode: {
		"!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp",
		"!!python/unicode", "!!python/str",
	},
	yaml.SequenceNode: {"!!seq", "!!python/tuple", TagIter},
	yaml.MappingNode:  {"!!map", TagBytesIO, TagIter},
}

// Check refuses tags that stand for code and mappings with a key twice.
// It looks at nodes, so that a text that looks like a tag is none.
func Check(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		return nil // what it stands for is visited where it is written
	}
	if n.Style&yaml.TaggedStyle != 0 && !slices.Contains(tags[n.Kind], n.ShortTag()) {
		return flaw.New(n.Line, "remove the object from the recording",
			"the tag %s may stand for code, which is not run", flaw.Shorten(n.ShortTag()))
	}
	if n.Kind == yaml.MappingNode {
		if err := CheckKeys(n); err != nil {
			return err
		}
	}
	for _, c := range n.Content {
		if err := Check(c); err != nil {
			return err
		}
	}
	return nil
}

// CheckKeys refuses a mapping with merge keys, or with a key twice.
func CheckKeys(n *yaml.Node) error {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Tag == "!!merge":
			return flaw.New(key.Line, "write the keys out", "the merge key << is not read here")
		case key.Kind == yaml.ScalarNode && seen[key.Value]:
			return flaw.New(key.Line, flaw.Inspect, "the key %s stands twice", strconv.Quote(flaw.Shorten(key.Value)))
		case key.Kind == yaml.ScalarNode:
			seen[key.Value] = true
		}
	}
	return nil
}

// String is a scalar as text, "" for none and for null.
func String(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	text, _ := Scalar(n)
	return string(text)
}

// Scalar returns the bytes of a scalar; a number or a word is its own text.
func Scalar(n *yaml.Node) ([]byte, bool) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return nil, false
	case KindOf(n) == Null:
		return nil, true
	case KindOf(n) != Bytes:
		return []byte(n.Value), true
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	return data, err == nil
}

package yamlnode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// Lookup returns the value of a mapping's key, nil where there is none.
func Lookup(n *yaml.Node, key string) *yaml.Node {
	_, value := Entry(n, key)
	return value
}

// Entry returns a key of a mapping and its value. Where a key stands twice the
// decoder complains, so the first will do.
func Entry(n *yaml.Node, key string) (*yaml.Node, *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// IsNull reports whether there is no node, or one that says null.
func IsNull(n *yaml.Node) bool { return n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// UnknownKeys returns the keys of a mapping that are not among known.
func UnknownKeys(n *yaml.Node, known []string) []*yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var keys []*yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains(known, n.Content[i].Value) {
			keys = append(keys, n.Content[i])
		}
	}
	return keys
}

// KindName is the kind of a node for people.
func KindName(n *yaml.Node) string {
	switch {
	case IsNull(n):
		return "empty"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	default:
		return "a plain value"
	}
}

var lineNumber = pattern.New(`line (\d+)`)

// ErrorLine is the line that an error of the YAML library names, or 0.
func ErrorLine(err error) int {
	m := lineNumber().FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// ErrorText is the error of the YAML library on one line without its own name.
func ErrorText(err error) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
}

// KeyWarnings are warnings about the keys of a mapping that are read by nobody.
func KeyWarnings(n *yaml.Node, where string, known ...string) []string {
	var list []string
	for _, key := range UnknownKeys(n, known) {
		list = append(list, fmt.Sprintf("line %d: %s has the unknown key %s, which is ignored", key.Line, where, strconv.Quote(key.Value)))
	}
	return list
}

// FirstItem is the first item of a list, nil where there is none.
func FirstItem(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil
	}
	return n.Content[0]
}

// Target is what an alias stands for: PyYAML writes one where an object, such
// as the headers of two requests, was the same.
func Target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// Child is [Lookup] through aliases.
func Child(n *yaml.Node, key string) *yaml.Node { return Target(Lookup(Target(n), key)) }

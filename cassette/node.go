package cassette

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// lookup returns the value of a mapping's key, nil where there is none.
func lookup(n *yaml.Node, key string) *yaml.Node {
	_, value := entry(n, key)
	return value
}

// entry returns a key of a mapping and its value. Where a key stands twice the
// decoder complains, so the first will do.
func entry(n *yaml.Node, key string) (*yaml.Node, *yaml.Node) {
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

func isNull(n *yaml.Node) bool { return n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// unknownKeys returns the keys of a mapping that are not among known.
func unknownKeys(n *yaml.Node, known []string) []*yaml.Node {
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

func kindName(n *yaml.Node) string {
	switch {
	case isNull(n):
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

var lineNumber = regexp.MustCompile(`line (\d+)`)

// yamlLine is the line that an error of the YAML library names, or 0.
func yamlLine(err error) int {
	m := lineNumber.FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// yamlText is the error of the YAML library on one line without its own name.
func yamlText(err error) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
}

func quote(s string) string { return strconv.Quote(s) }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

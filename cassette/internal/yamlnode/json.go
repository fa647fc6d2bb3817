package yamlnode

import (
	"bytes"
	"encoding/json"
	"strings"

	"gopkg.in/yaml.v3"
)

// FromJSON reads a JSON file as the nodes that YAML would give, with their
// lines; nil for a file that is no JSON object. YAML reads most JSON, but
// neither tabs nor the pairs of escapes that Python's json writes for a
// character beyond 16 bits.
func FromJSON(data []byte) *yaml.Node {
	if text := bytes.TrimLeft(data, " \t\r\n"); len(text) == 0 || text[0] != '{' || !json.Valid(data) {
		return nil
	}
	r := jsonReader{data: data, line: 1, decoder: json.NewDecoder(bytes.NewReader(data))}
	r.decoder.UseNumber()
	return r.value()
}

// A jsonReader turns the tokens of a valid JSON text into nodes. Its recursion
// is as deep as json.Valid lets a text be.
type jsonReader struct {
	data    []byte
	decoder *json.Decoder
	at      int64 // up to which line counts
	line    int
}

func (r *jsonReader) value() *yaml.Node {
	token, _ := r.decoder.Token()
	end := r.decoder.InputOffset()
	r.line += bytes.Count(r.data[r.at:end], []byte("\n"))
	r.at = end
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: r.line}
	switch v := token.(type) {
	case json.Delim:
		r.children(n, v)
	case string:
		n.Tag, n.Value, n.Style = "!!str", v, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value, n.Style = "!!int", v.String(), yaml.TaggedStyle
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", "false"
		if v {
			n.Value = "true"
		}
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n
}

func (r *jsonReader) children(n *yaml.Node, open json.Delim) {
	n.Kind, n.Tag, n.Style = yaml.MappingNode, "!!map", yaml.FlowStyle
	if open == '[' {
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	}
	for r.decoder.More() {
		n.Content = append(n.Content, r.value())
	}
	_, _ = r.decoder.Token() // the closing bracket
}

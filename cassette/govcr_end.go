package cassette

import (
	"bytes"
	"encoding/json"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// NoEndMarker is the warning about a foreign file of which nothing but the
// missing marker is remarkable. All files of go-vcr have it.
const NoEndMarker = "no end marker: such a file does not show whether it is whole"

// warnEnd says that nothing proves a foreign file whole.
func (c *Cassette) warnEnd(data []byte) {
	text := NoEndMarker
	if !bytes.HasSuffix(data, []byte("\n")) {
		text += "; its last line has no end, so it may be cut"
	}
	if len(c.Interactions) == 0 {
		text += "; it has no interactions"
	}
	c.Warnings = append(c.Warnings, text)
}

const hintDuration = "restore the file from version control; if it was written by hand, end every response with `duration: 0s`"

// endFlaw refuses a file that ends inside its last interaction. go-vcr writes
// the duration last. Where only the last one is missing it was cut off; where
// there is none at all, the file was written by hand, and then the text that
// the file ends with must be seen to be whole.
func endFlaw(root *yaml.Node, items []*yaml.Node, data []byte) error {
	if len(items) == 0 || root.Style&yaml.FlowStyle != 0 || items[len(items)-1] != lastValue(lookupLast(root)) {
		return nil
	}
	n, last := len(items), items[len(items)-1]
	if hasDuration(last) {
		return nil
	}
	for _, item := range items {
		if hasDuration(item) {
			return flaw.New(yamlnode.Lookup(last, "response").Line, hintDuration, "interaction %d: the response has no duration, which others have; the file seems cut", n)
		}
	}
	if text := lastValue(lastValue(last)); openText(text, data) {
		return flaw.New(text.Line, hintDuration, "interaction %d: nothing shows where the text ends that ends the file; it may be cut", n)
	}
	return nil
}

func hasDuration(item *yaml.Node) bool {
	return !yamlnode.IsNull(yamlnode.Lookup(yamlnode.Lookup(item, "response"), "duration"))
}

// lookupLast is the last value of the file, if that is the interactions.
func lookupLast(root *yaml.Node) *yaml.Node {
	if items := yamlnode.Lookup(root, "interactions"); items == lastValue(root) {
		return items
	}
	return nil
}

// lastValue is the value of a mapping's last key or a list's last item, nil
// where there is none.
func lastValue(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind == yaml.ScalarNode || len(n.Content) == 0 {
		return nil
	}
	return n.Content[len(n.Content)-1]
}

// openText reports whether a text could have gone on where the file ends: it
// has no closing quote, is no closed JSON and has several lines. A single line
// that is cut has no end, of which warnEnd warns.
func openText(n *yaml.Node, data []byte) bool {
	if n == nil || n.Kind != yaml.ScalarNode || n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		return false
	}
	last := 1 + bytes.Count(bytes.TrimSpace(data), []byte("\n"))
	oneLine := n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && n.Line >= last
	return !oneLine && !closedJSON([]byte(n.Value))
}

// closedJSON reports whether data is a JSON object or array, whose last
// character closes it.
func closedJSON(data []byte) bool {
	data = bytes.TrimSpace(data)
	return json.Valid(data) && len(data) > 0 && bytes.IndexByte([]byte("{["), data[0]) >= 0
}

package convert

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// An importReader reads the nodes of a JSON file. It keeps the first flaw, and
// notes what nobody reads.
type importReader struct {
	options ImportOptions
	out     *Imported
	notes   []*note
	by      map[string]*note
	err     error
}

// A note is a sentence about what is not carried over, how often it holds, and
// where first.
type note struct {
	line, count int
	text        string
}

// note says what is not carried over, and why.
func (r *importReader) note(n *yaml.Node, what, why string) {
	text := what + " " + why
	if r.by[text] == nil {
		r.by[text] = &note{line: n.Line, text: text}
		r.notes = append(r.notes, r.by[text])
	}
	r.by[text].count++
}

// An object is a mapping that is being read. What was not asked for by its end
// is noted.
type object struct {
	r    *importReader
	node *yaml.Node
	// what is the object for people.
	what string
	used map[string]bool
}

// object reads a mapping; where n is none, that is a flaw. A missing one is
// empty.
func (r *importReader) object(n *yaml.Node, what string) *object {
	o := &object{r: r, node: n, what: what, used: map[string]bool{}}
	if yamlnode.IsNull(n) {
		o.node = &yaml.Node{Kind: yaml.MappingNode}
		if n != nil {
			o.node.Line = n.Line
		}
	} else if n.Kind != yaml.MappingNode {
		r.wrong(n, what, "an object")
		o.node = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
	}
	return o
}

func (r *importReader) wrong(n *yaml.Node, what, want string) {
	if r.err == nil {
		r.err = flaw.New(n.Line, "correct the file, or take it out", "%s must be %s; this is %s", what, want, yamlnode.KindName(n))
	}
}

// get is the value of a key, nil where it is missing or null.
func (o *object) get(key string) *yaml.Node {
	o.used[key] = true
	n := yamlnode.Lookup(o.node, key)
	if yamlnode.IsNull(n) {
		return nil
	}
	return n
}

func (o *object) has(key string) bool { return !yamlnode.IsNull(yamlnode.Lookup(o.node, key)) }

// child is the object under a key.
func (o *object) child(key string) *object {
	if o.what == wholeFile {
		return o.r.object(o.get(key), "the "+key)
	}
	return o.r.object(o.get(key), key+" of "+o.what)
}

// wholeFile is the top-level object of a file, which goes without saying.
const wholeFile = "the file"

func (o *object) list(key string) []*yaml.Node {
	n := o.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		o.r.wrong(n, key+" of "+o.what, "a list")
		return nil
	}
	return n.Content
}

func (o *object) text(key string) string {
	n := o.get(key)
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		o.r.wrong(n, key+" of "+o.what, "a string")
		return ""
	}
	return n.Value
}

func (o *object) whole(key string) int {
	f := o.number(key)
	if f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		o.r.wrong(o.get(key), key+" of "+o.what, "an integer")
		return 0
	}
	return int(f)
}

// status reads the status of a final answer.
func (o *object) status(key string) int {
	n := o.whole(key)
	if (n < 200 || n > 599) && o.r.err == nil {
		o.r.err = flaw.New(o.get(key).Line, "give the answer a status from 200 to 599", "%s of %s is %d, which is no status of an answer", key, o.what, n)
	}
	return n
}

func (o *object) number(key string) float64 {
	n := o.get(key)
	if n == nil {
		return 0
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || n.Kind != yaml.ScalarNode || math.IsInf(f, 0) {
		o.r.wrong(n, key+" of "+o.what, "a number")
		return 0
	}
	return f
}

// millis reads a number of milliseconds.
func (o *object) millis(key string) time.Duration {
	f := o.number(key)
	if f < 0 || f > float64(waitMax.Milliseconds()) {
		if n := o.get(key); n != nil && f > 0 {
			o.r.wrong(n, key+" of "+o.what, "at most a year of milliseconds")
		}
		return 0
	}
	return time.Duration(f * float64(time.Millisecond)).Round(time.Microsecond)
}

// waitMax bounds a wait that is imported.
const waitMax = 365 * 24 * time.Hour

// leave notes keys that are known and have no place here.
func (o *object) leave(why string, keys ...string) {
	for _, key := range keys {
		if n := o.get(key); n != nil && (n.Kind == yaml.ScalarNode || len(n.Content) > 0) {
			o.r.note(n, key+" of "+o.plain(), "is left out: "+why)
		}
	}
}

// skip marks keys that say nothing about the exchange.
func (o *object) skip(keys ...string) {
	for _, key := range keys {
		o.used[key] = true
	}
}

// end notes the keys that were not read.
func (o *object) end() {
	for i := 0; i+1 < len(o.node.Content); i += 2 {
		if key := o.node.Content[i]; !o.used[key.Value] {
			o.r.note(key, "the key "+strconv.Quote(flaw.Shorten(key.Value))+" of "+o.plain(), "is unknown and is left out")
		}
	}
}

// plain is what the object is, without the number that tells it from its like.
func (o *object) plain() string {
	if at := strings.IndexByte(o.what, '#'); at > 0 {
		rest := o.what[at:]
		if space := strings.IndexByte(rest, ' '); space > 0 {
			return strings.TrimSpace(o.what[:at]) + rest[space:]
		}
		return strings.TrimSpace(o.what[:at])
	}
	return o.what
}

// treeValue is a node as the value of an attribute.
func treeValue(n *yaml.Node) any {
	switch {
	case yamlnode.IsNull(n):
		return nil
	case n.Kind == yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = treeValue(item)
		}
		return list
	case n.Kind == yaml.MappingNode:
		fields := make([]Attr, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			fields = append(fields, Attr{n.Content[i].Value, treeValue(n.Content[i+1])})
		}
		return fields
	case n.Tag == "!!bool":
		return n.Value == "true"
	case n.Tag == "!!int", n.Tag == "!!float":
		return Number(n.Value)
	}
	return n.Value
}

// jsonText is a node as JSON in one line, the keys in their order.
func jsonText(n *yaml.Node) string {
	var b strings.Builder
	writeJSON(&b, n)
	return b.String()
}

func writeJSON(b *strings.Builder, n *yaml.Node) {
	list := func(open, end byte, each int) {
		b.WriteByte(open)
		for i := 0; i < len(n.Content); i += each {
			if i > 0 {
				b.WriteByte(',')
			}
			if each == 2 {
				b.WriteString(jsonString(n.Content[i].Value) + ":")
			}
			writeJSON(b, n.Content[i+each-1])
		}
		b.WriteByte(end)
	}
	switch {
	case n.Kind == yaml.SequenceNode:
		list('[', ']', 1)
	case n.Kind == yaml.MappingNode:
		list('{', '}', 2)
	case n.Tag == "!!str":
		b.WriteString(jsonString(n.Value))
	default:
		b.WriteString(n.Value)
	}
}

func jsonString(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string is always JSON
	return strings.TrimSuffix(b.String(), "\n")
}

// wait is a duration as scenario files have it.
func wait(d time.Duration) string { return d.String() }

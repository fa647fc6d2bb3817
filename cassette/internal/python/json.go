package python

import (
	"fmt"
	"strconv"
	"unicode/utf16"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/jsontext"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// A pyEncoder writes nodes as Python's json.dumps writes what PyYAML made of
// them: keys in their order, ", " and ": " between, everything but ASCII
// escaped. Aliases are followed within bounds.
type Encoder struct {
	Out   []byte
	depth int
	// Max bounds out. Aliases in a small file can stand for a text of any size.
	Max int
}

const depthMax = 1000

// Encode appends a node.
func (e *Encoder) Encode(n *yaml.Node) (err error) {
	n = yamlnode.Target(n)
	e.depth++
	defer func() { e.depth-- }()
	if e.depth > depthMax {
		return flaw.New(n.Line, flaw.Inspect, "a value is nested more than %d times, or contains itself", depthMax)
	}
	switch n.Kind {
	case yaml.MappingNode:
		err = e.object(n)
	case yaml.SequenceNode:
		err = e.list(n)
	default:
		err = e.scalar(n)
	}
	if err == nil && len(e.Out) > e.Max {
		return flaw.New(n.Line, flaw.Inspect, "the aliases in the file stand for far more text than it has itself")
	}
	return err
}

func (e *Encoder) object(n *yaml.Node) error {
	e.Out = append(e.Out, '{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			e.Out = append(e.Out, ", "...)
		}
		if err := e.key(n.Content[i]); err != nil {
			return err
		}
		e.Out = append(e.Out, ": "...)
		if err := e.Encode(n.Content[i+1]); err != nil {
			return err
		}
	}
	e.Out = append(e.Out, '}')
	return nil
}

func (e *Encoder) list(n *yaml.Node) error {
	e.Out = append(e.Out, '[')
	for i, item := range n.Content {
		if i > 0 {
			e.Out = append(e.Out, ", "...)
		}
		if err := e.Encode(item); err != nil {
			return err
		}
	}
	e.Out = append(e.Out, ']')
	return nil
}

// key writes a key as a text, which json.dumps makes of the other scalars.
func (e *Encoder) key(n *yaml.Node) error {
	n = yamlnode.Target(n)
	if n.Kind != yaml.ScalarNode {
		return flaw.New(n.Line, flaw.Inspect, "a key is %s, which JSON has not", yamlnode.KindName(n))
	}
	if KindOf(n) == Text {
		return e.scalar(n)
	}
	e.Out = append(e.Out, '"')
	err := e.scalar(n)
	e.Out = append(e.Out, '"')
	return err
}

func (e *Encoder) scalar(n *yaml.Node) error {
	text, ok := "", true
	switch KindOf(n) {
	case Text:
		e.Out = AppendString(e.Out, n.Value)
		return nil
	case Null:
		text = "null"
	case True:
		text = "true"
	case False:
		text = "false"
	case Int:
		text, ok = intText(n.Value)
	case Float:
		text, ok = FloatText(n.Value)
	default:
		ok = false
	}
	if !ok {
		return flaw.New(n.Line, "write it as a quoted text", "the value %s is nothing that JSON has", strconv.Quote(flaw.Shorten(n.Value)))
	}
	e.Out = append(e.Out, text...)
	return nil
}

// AppendString appends a text as json.dumps writes it, in ASCII.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\' || c < ' ':
			b = append(b, jsontext.Escape(byte(c))...)
		case c <= '~':
			b = append(b, byte(c))
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return append(b, '"')
}

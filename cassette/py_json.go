package cassette

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A pyEncoder writes nodes as Python's json.dumps writes what PyYAML made of
// them: keys in their order, ", " and ": " between, everything but ASCII
// escaped. Aliases are followed within bounds.
type pyEncoder struct {
	out   []byte
	depth int
	// max bounds out. Aliases in a small file can stand for a text of any size.
	max int
}

const pyDepthMax = 1000

// encode appends a node.
func (e *pyEncoder) encode(n *yaml.Node) (err error) {
	n = target(n)
	e.depth++
	defer func() { e.depth-- }()
	if e.depth > pyDepthMax {
		return flaw(n.Line, hintInspect, "a value is nested more than %d times, or contains itself", pyDepthMax)
	}
	switch n.Kind {
	case yaml.MappingNode:
		err = e.object(n)
	case yaml.SequenceNode:
		err = e.list(n)
	default:
		err = e.scalar(n)
	}
	if err == nil && len(e.out) > e.max {
		return flaw(n.Line, hintInspect, "the aliases in the file stand for far more text than it has itself")
	}
	return err
}

func (e *pyEncoder) object(n *yaml.Node) error {
	e.out = append(e.out, '{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			e.out = append(e.out, ", "...)
		}
		if err := e.key(n.Content[i]); err != nil {
			return err
		}
		e.out = append(e.out, ": "...)
		if err := e.encode(n.Content[i+1]); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	return nil
}

func (e *pyEncoder) list(n *yaml.Node) error {
	e.out = append(e.out, '[')
	for i, item := range n.Content {
		if i > 0 {
			e.out = append(e.out, ", "...)
		}
		if err := e.encode(item); err != nil {
			return err
		}
	}
	e.out = append(e.out, ']')
	return nil
}

// key writes a key as a text, which json.dumps makes of the other scalars.
func (e *pyEncoder) key(n *yaml.Node) error {
	n = target(n)
	if n.Kind != yaml.ScalarNode {
		return flaw(n.Line, hintInspect, "a key is %s, which JSON has not", kindName(n))
	}
	if pyKindOf(n) == pyText {
		return e.scalar(n)
	}
	e.out = append(e.out, '"')
	err := e.scalar(n)
	e.out = append(e.out, '"')
	return err
}

func (e *pyEncoder) scalar(n *yaml.Node) error {
	text, ok := "", true
	switch pyKindOf(n) {
	case pyText:
		e.out = appendPyString(e.out, n.Value)
		return nil
	case pyNull:
		text = "null"
	case pyTrue:
		text = "true"
	case pyFalse:
		text = "false"
	case pyInt:
		text, ok = pyIntText(n.Value)
	case pyFloat:
		text, ok = pyFloatText(n.Value)
	default:
		ok = false
	}
	if !ok {
		return flaw(n.Line, "write it as a quoted text", "the value %s is nothing that JSON has", quote(shorten(n.Value)))
	}
	e.out = append(e.out, text...)
	return nil
}

func appendPyString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\' || c < ' ':
			b = append(b, escape(byte(c))...)
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

// shorten cuts a text that a message shows.
func shorten(s string) string {
	if len(s) <= excerptMax {
		return s
	}
	end := excerptMax
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

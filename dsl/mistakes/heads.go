package mistakes

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// A blockWord is what is known of the blocks of one type, wherever they stand.
type blockWord struct {
	labels int
	// conditions says that all that such a block is about is its attribute condition.
	conditions bool
}

// blockWords are the types of blocks of the language.
var blockWords = sync.OnceValue(func() map[string]blockWord {
	words := map[string]blockWord{}
	var visit func(b *schema.Block)
	visit = func(b *schema.Block) {
		for _, n := range b.Blocks {
			if _, seen := words[n.Type]; seen {
				continue
			}
			words[n.Type] = blockWord{labels: len(n.Labels), conditions: n.Attr("condition") != nil && n.Attr("condition").Required}
			visit(n)
			for _, k := range n.Kinds {
				visit(k)
			}
		}
	}
	visit(language.File())
	return words
})

// MainAttribute is the attribute that the label of a block without labels was meant to
// be, "" for none. value is that label.
func MainAttribute(block, value string) string {
	switch block {
	case "reply":
		return "content"
	case "cassette", "match":
		return "path"
	case "ready":
		if strings.HasPrefix(value, "/") {
			return "path"
		}
		return "log"
	}
	return ""
}

// parenthesized is the head of a block as a call, as the functions of test frameworks
// have it.
var parenthesized = pattern.New(`^([A-Za-z_]\w*)\s*\(\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')?\s*(?:\)|,)`)

// head explains the head of a block that has signs which belong to none, "" for any other
// line.
func head(e syntaxError) (string, string) {
	after := strings.TrimSpace(e.after)
	m := parenthesized().FindStringSubmatch(after)
	if opens, closes := braces(after); m == nil || opens <= closes {
		return "", ""
	}
	word, label := m[1], m[2]+m[3]
	if _, known := blockWords()[word]; !known {
		var types []string
		for _, b := range language.File().Blocks {
			types = append(types, b.Type)
		}
		if word = spelling.Nearest(word, types); word == "" {
			return "", ""
		}
	}
	if blockWords()[word].labels == 0 || label == "" {
		return summaryWritten, fmt.Sprintf("A block has no parentheses: write `%s { … }`.", word)
	}
	return summaryWritten, fmt.Sprintf("A block has no parentheses: write `%s %q { … }`.", word, label)
}

// withColon explains a name with a colon and a brace behind it.
func withColon(name string) (string, string) {
	if _, block := blockWords()[name]; block {
		return summaryWritten, fmt.Sprintf("A block has no colon: write `%s { … }`.", name)
	}
	return summaryNoEquals, fmt.Sprintf("An attribute is written with an equals sign: `%s = { … }`.", name)
}

// labelled explains a block without braces that has a value in the place of a label, ""
// for what is no block or has labels.
func labelled(name, value string) (string, string) {
	word, block := blockWords()[name]
	if main := MainAttribute(name, strings.Trim(value, `"`)); block && word.labels == 0 && main != "" {
		return summaryBrace, fmt.Sprintf("What a block says stands between braces: `%s { %s = %s }`.", name, main, value)
	}
	return "", ""
}

// A nesting tells in which block a place of a file is.
type nesting struct {
	starts []int
	heads  []blockHead
}

// A blockHead is the word with which a block begins, and its labels.
type blockHead struct {
	word   string
	labels []string
}

// nestingOf reads the blocks of a file by its braces.
func nestingOf(path string, src []byte) *nesting {
	tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
	n := &nesting{}
	var around []blockHead
	var first blockHead
	begins := true
	note := func(at int) {
		var head blockHead
		if len(around) > 0 {
			head = around[len(around)-1]
		}
		n.starts, n.heads = append(n.starts, at), append(n.heads, head)
	}
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace:
			around = append(around, first)
			note(t.Range.End.Byte)
			first, begins = blockHead{}, true
			continue
		case hclsyntax.TokenCBrace:
			around = around[:max(0, len(around)-1)]
			note(t.Range.End.Byte)
			first = blockHead{}
		case hclsyntax.TokenNewline:
			first, begins = blockHead{}, true
			continue
		case hclsyntax.TokenIdent:
			if begins {
				first.word = string(t.Bytes)
			}
		case hclsyntax.TokenQuotedLit:
			first.labels = append(first.labels, string(t.Bytes))
		}
		begins = false
	}
	return n
}

// at is the head of the innermost block around a place, empty for none.
func (n *nesting) at(offset int) blockHead {
	i := sort.SearchInts(n.starts, offset+1) - 1
	if i < 0 {
		return blockHead{}
	}
	return n.heads[i]
}

// checked is the reference to what a block with an address checks, "" for any other.
func checked(head blockHead, src []byte) string {
	if head.word != "expect" || len(head.labels) != 1 {
		return ""
	}
	address := head.labels[0]
	if address == "run" || address == "sut" {
		return address
	}
	first, _, _ := strings.Cut(address, ".")
	if declared := "endpoint " + strconv.Quote(first); strings.Contains(string(src), declared) {
		return "endpoint." + address
	}
	return "step." + address
}

// AsObject writes an object or a list of JSON as an expression on one line, "" for a text
// that is none.
func AsObject(text string) string {
	text = strings.TrimSpace(text)
	var v any
	if text == "" || text[0] != '{' && text[0] != '[' || !fromJSON(text, &v) {
		return ""
	}
	var b strings.Builder
	writeValue(&b, v)
	return b.String()
}

// fromJSON reads a text that is one value of JSON, with numbers as they are written.
func fromJSON(text string, to any) bool {
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	return json.Valid([]byte(text)) && in.Decode(to) == nil
}

// nameOf is the name of an attribute of an object.
func nameOf(name string) string {
	if hclsyntax.ValidIdentifier(name) {
		return name
	}
	return wording.Quote(name)
}

func writeValue(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteString("{ ")
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(nameOf(name) + " = ")
			writeValue(b, v[name])
		}
		b.WriteString(" }")
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, e)
		}
		b.WriteByte(']')
	case string:
		b.WriteString(wording.Quote(v))
	default:
		var line strings.Builder
		out := json.NewEncoder(&line)
		out.SetEscapeHTML(false)
		_ = out.Encode(v) // a number, a bool or null
		b.WriteString(strings.TrimSuffix(line.String(), "\n"))
	}
}

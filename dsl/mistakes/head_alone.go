package mistakes

import (
	"fmt"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// labelsAlone is the head of a block: its type and its labels.
var labelsAlone = pattern.New(`^([A-Za-z_]\w*)((?:\s+"(?:[^"\\]|\\.)*")*)$`)

// headAlone explains the head of a block without a brace behind it, "" for what may as well
// be an attribute without its equals sign. What is indented deeper below it was meant to
// stand in the block; without such lines the block is empty.
func headAlone(e syntaxError, header string) string {
	m := labelsAlone().FindStringSubmatch(header)
	if m == nil {
		return ""
	}
	word, block := blockWords()[m[1]]
	if labelled := m[2] != ""; !block || labelled != (word.labels > 0) || settable()[e.within()+" "+m[1]] {
		return ""
	}
	for line := range strings.Lines(e.rest) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if indent(line) > indent(e.line) {
			return fmt.Sprintf("The opening brace of a block stands on the line of its header: write %s {.", header)
		}
		break
	}
	return fmt.Sprintf("A block has braces, even with nothing in them: `%s {}`.", header)
}

// settable are the attributes of the language, each behind the type of a block that has it.
var settable = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	language.Each(func(b *schema.Block) {
		for i := range b.Attrs {
			all[b.Type+" "+b.Attrs[i].Name] = true
		}
	})
	return all
})

package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// format names this vendor's thoughts: a thinking block with its signature, or
// one that the vendor has encrypted. The API wants those of a turn that calls
// tools back unchanged, before all else of the turn.
const format = "anthropic"

type redactedBlock struct {
	Type string `json:"type"`
	Data string `json:"data"`
}

// An openThought is a thinking block of a stream while it comes in, or one
// that is encrypted and comes whole.
type openThought struct {
	text      strings.Builder
	signature string
	whole     json.RawMessage
}

// thoughts keeps the thoughts of a stream in the order in which they began.
type thoughts struct {
	byIndex map[int]*openThought
	inOrder []*openThought
}

func (t *thoughts) begin(index int, b block) {
	if !b.thinks {
		return
	}
	if t.byIndex == nil {
		t.byIndex = map[int]*openThought{}
	}
	o := &openThought{signature: b.signature, whole: b.redacted}
	o.text.WriteString(b.thinking)
	t.byIndex[index] = o
	t.inOrder = append(t.inOrder, o)
}

func (t *thoughts) add(index int, d delta) {
	if o := t.byIndex[index]; o != nil {
		o.text.WriteString(d.thinking)
		o.signature += d.signature
	}
}

func (t *thoughts) list(of string) []providers.Thought {
	var list []providers.Thought
	for _, o := range t.inOrder {
		list = appendThought(list, of, o.text.String(), o.signature, o.whole)
	}
	return list
}

// appendThought leaves out a thinking block without a signature, which the API
// would refuse.
func appendThought(list []providers.Thought, of, text, signature string, whole json.RawMessage) []providers.Thought {
	switch {
	case whole != nil:
		return append(list, providers.Thought{Of: of, Data: whole})
	case signature != "":
		return append(list, providers.Thought{Of: of, Data: chat.Encode(thinkingBlock{Type: "thinking", Thinking: text, Signature: signature})})
	}
	return list
}

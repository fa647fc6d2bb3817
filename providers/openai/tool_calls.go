package openai

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// toolCalls puts tool calls together from their deltas, by index.
type toolCalls struct {
	// byIndex is the latest call of each index.
	byIndex map[int]*partialCall
	all     []*partialCall
}

type partialCall struct {
	index     int
	id, name  string
	arguments strings.Builder
}

// add takes one delta: id and name once, arguments piece by piece. A delta
// without an index belongs to the first call. Hosts that give parallel calls
// one index tell them apart by id and name together; an id alone may be a new
// one in every delta.
func (t *toolCalls) add(d toolCall) error {
	index := 0
	if d.Index != nil {
		index = *d.Index
	}
	call, err := t.at(index)
	if err == nil && d.Function.Name != "" && call.name != "" && d.ID != "" && call.id != d.ID {
		call, err = t.begin(index)
	}
	if err != nil {
		return err
	}
	call.id, call.name = cmp.Or(call.id, d.ID), cmp.Or(call.name, d.Function.Name)
	call.arguments.WriteString(d.Function.Arguments)
	return nil
}

// at returns the latest call of an index, a new one where there is none yet.
func (t *toolCalls) at(index int) (*partialCall, error) {
	if call := t.byIndex[index]; call != nil {
		return call, nil
	}
	return t.begin(index)
}

func (t *toolCalls) begin(index int) (*partialCall, error) {
	if len(t.all) == chat.CallsMax {
		return nil, fmt.Errorf("the answer has more than %d tool calls", chat.CallsMax)
	}
	if t.byIndex == nil {
		t.byIndex = map[int]*partialCall{}
	}
	call := &partialCall{index: index}
	t.byIndex[index] = call
	t.all = append(t.all, call)
	return call, nil
}

func (c *partialCall) setArguments(text string) {
	c.arguments.Reset()
	c.arguments.WriteString(text)
}

// list returns the calls in the order of their indexes, nil where there is none.
func (t *toolCalls) list() []providers.ToolCall {
	slices.SortStableFunc(t.all, func(a, b *partialCall) int { return cmp.Compare(a.index, b.index) })
	var list []providers.ToolCall
	for _, c := range t.all {
		list = append(list, providers.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	return list
}

package openai

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// callsMax bounds how many tool calls one answer may have.
const callsMax = 4096

// toolCalls puts tool calls together from their deltas, by index.
type toolCalls struct {
	byIndex map[int]*partialCall
}

type partialCall struct {
	id, name  string
	arguments strings.Builder
}

// add takes one delta: id and name once, arguments piece by piece. A delta
// without an index belongs to the first call.
func (t *toolCalls) add(d toolCall) error {
	index := 0
	if d.Index != nil {
		index = *d.Index
	}
	call, err := t.at(index)
	if err != nil {
		return err
	}
	call.id, call.name = first(call.id, d.ID), first(call.name, d.Function.Name)
	call.arguments.WriteString(d.Function.Arguments)
	return nil
}

// at returns the call of an index, a new one where there is none yet.
func (t *toolCalls) at(index int) (*partialCall, error) {
	if call := t.byIndex[index]; call != nil {
		return call, nil
	}
	if len(t.byIndex) == callsMax {
		return nil, fmt.Errorf("the answer has more than %d tool calls", callsMax)
	}
	if t.byIndex == nil {
		t.byIndex = map[int]*partialCall{}
	}
	call := &partialCall{}
	t.byIndex[index] = call
	return call, nil
}

func (c *partialCall) setArguments(text string) {
	c.arguments.Reset()
	c.arguments.WriteString(text)
}

// list returns the calls in the order of their indexes, nil where there is none.
func (t *toolCalls) list() []providers.ToolCall {
	indexes := make([]int, 0, len(t.byIndex))
	for i := range t.byIndex {
		indexes = append(indexes, i)
	}
	slices.Sort(indexes)
	var list []providers.ToolCall
	for _, i := range indexes {
		c := t.byIndex[i]
		list = append(list, providers.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	return list
}

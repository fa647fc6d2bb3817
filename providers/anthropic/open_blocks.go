package anthropic

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// blocksMax bounds how many blocks one answer may have.
const blocksMax = 4096

// openBlocks keeps the blocks of a stream by their index, and puts the
// arguments of those that are calls together.
type openBlocks struct {
	byIndex map[int]*openCall
	// inOrder are the calls, as they began.
	inOrder []*openCall
}

// An openCall is nil for a block that is no call.
type openCall struct {
	call      providers.ToolCall
	arguments strings.Builder
}

// begin opens the block of an index, with its call where it is one.
func (o *openBlocks) begin(index int, call *providers.ToolCall) error {
	_, twice := o.byIndex[index]
	switch {
	case twice:
		return fmt.Errorf("block %d of the stream begins twice", index)
	case len(o.byIndex) == blocksMax:
		return fmt.Errorf("the answer has more than %d blocks", blocksMax)
	case o.byIndex == nil:
		o.byIndex = map[int]*openCall{}
	}
	if call == nil {
		o.byIndex[index] = nil
		return nil
	}
	c := &openCall{call: *call}
	o.byIndex[index] = c
	o.inOrder = append(o.inOrder, c)
	return nil
}

// add takes a piece of a block, its arguments where it is a call. A block that
// never began was lost, and with it what the piece belongs to.
func (o *openBlocks) add(index int, partial string) error {
	c, begun := o.byIndex[index]
	if !begun {
		return fmt.Errorf("block %d of the stream goes on without having begun", index)
	}
	if c != nil {
		c.arguments.WriteString(partial)
	}
	return nil
}

// calls returns the calls in the order they began, nil where there is none. A
// call without pieces has the input that it began with.
func (o *openBlocks) calls() []providers.ToolCall {
	var list []providers.ToolCall
	for _, c := range o.inOrder {
		if text := c.arguments.String(); text != "" {
			c.call.Arguments = text
		}
		list = append(list, c.call)
	}
	return list
}

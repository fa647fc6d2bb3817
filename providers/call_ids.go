package providers

import (
	"slices"
	"strconv"
)

// CallIDs gives every call of a conversation an id, which some vendors demand
// and the turn of another may lack, and the call's result the same one. It is
// for one request.
type CallIDs struct {
	// Prefix begins the ids that are made up; they count from 1.
	Prefix string
	made   int
	// open are the calls of the last turn that have no result yet.
	open []string
}

// Calls returns the id of every call of a turn.
func (c *CallIDs) Calls(turn []ToolCall) []string {
	ids := make([]string, len(turn))
	for i, call := range turn {
		c.made++
		if ids[i] = call.ID; ids[i] == "" {
			ids[i] = c.Prefix + strconv.Itoa(c.made)
		}
	}
	if len(turn) > 0 {
		c.open = slices.Clone(ids)
	}
	return ids
}

// Answered is the id of the call that a result is of: the one it names, or the
// first that has no result.
func (c *CallIDs) Answered(result Message) string {
	id := result.ToolCallID
	if id == "" && len(c.open) > 0 {
		id = c.open[0]
	}
	if i := slices.Index(c.open, id); i >= 0 {
		c.open = slices.Delete(c.open, i, i+1)
	}
	return id
}

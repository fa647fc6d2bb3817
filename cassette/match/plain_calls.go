package match

import (
	"reflect"
	"slices"
	"strconv"
)

// openCalls are the calls of a conversation without a result so far. An id only
// ties a result to its call: Gemini gives most calls none, some servers with
// OpenAI's interface give none either, and clients make them up. What is compared
// is the number of a call, and which call a result is of.
type openCalls struct {
	made int
	open []openCall
}

type openCall struct {
	id, name any
	number   number
}

// call numbers a call, whose id is a member of an object.
func (c *openCalls) call(object map[string]any, id string, name any) {
	c.made++
	made := openCall{object[id], name, number(strconv.Itoa(c.made))}
	c.open = append(c.open, made)
	object[id] = made.number
}

// result gives a result, which names its call by id, that call's number. One of
// no call keeps what it names.
func (c *openCalls) result(object map[string]any, id string) {
	if of, ok := object[id]; ok {
		c.close(object, id, func(made openCall) bool { return reflect.DeepEqual(made.id, of) })
	}
}

// resultOf does so for a result that names its call by the function, and by an id
// where it has one.
func (c *openCalls) resultOf(object map[string]any) {
	c.close(object, "id", func(made openCall) bool {
		return reflect.DeepEqual(made.name, object["name"]) && (object["id"] == nil || reflect.DeepEqual(made.id, object["id"]))
	})
}

func (c *openCalls) close(object map[string]any, id string, of func(openCall) bool) {
	if i := slices.IndexFunc(c.open, of); i >= 0 {
		object[id] = c.open[i].number
		c.open = slices.Delete(c.open, i, i+1)
	}
}

// block numbers a block of a content that is a call or a result.
func (c *openCalls) block(block map[string]any) {
	switch block["type"] {
	case "tool_use", "server_tool_use", "mcp_tool_use":
		c.call(block, "id", nil)
	default:
		c.result(block, "tool_use_id")
	}
}

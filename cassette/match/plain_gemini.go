package match

import (
	"slices"
	"strconv"
)

// plainContents is a conversation of Gemini, where a turn without a role is the
// user's.
func plainContents(v any) any {
	var calls openCalls
	return eachObject(v, func(turn map[string]any) {
		if turn["role"] == nil {
			turn["role"] = "user"
		}
		eachObject(turn["parts"], calls.number)
		turn["parts"] = plainParts(turn["parts"])
	})
}

// openCalls are the calls of a conversation without a result so far. The vendor
// gives most of its calls no id, and clients make one up or send none: what is
// compared is the number of a call, and which call a result is of.
type openCalls struct {
	made int
	open []openCall
}

type openCall struct {
	id, name any
	number   number
}

func (c *openCalls) number(part map[string]any) {
	if call, ok := part["functionCall"].(map[string]any); ok {
		c.made++
		made := openCall{call["id"], call["name"], number(strconv.Itoa(c.made))}
		c.open = append(c.open, made)
		call["id"] = made.number
	}
	if result, ok := part["functionResponse"].(map[string]any); ok {
		i := slices.IndexFunc(c.open, func(made openCall) bool {
			return made.name == result["name"] && (result["id"] == nil || result["id"] == made.id)
		})
		if i >= 0 {
			result["id"] = c.open[i].number
			c.open = slices.Delete(c.open, i, i+1)
		}
	}
}

// plainInstruction is a system instruction, whose role the vendor does not
// read.
func plainInstruction(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	return plainParts(object["parts"])
}

// plainParts also takes a lone part for a list of one, as the vendor does. A
// part that is a thought, or that carries a signature, is no plain text.
func plainParts(v any) any {
	if part, ok := v.(map[string]any); ok {
		v = []any{part}
	}
	list, _ := v.([]any)
	text, ok := joined(list, func(part map[string]any) (string, bool) {
		text, ok := part["text"].(string)
		return text, ok && len(part) == 1
	})
	if ok {
		return text
	}
	return v
}

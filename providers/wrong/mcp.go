package wrong

import (
	"encoding/json"
	"errors"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// ofServer is what a result of a server of tools says: its text, and what of it is meant
// for programs.
func ofServer(v schema.Values, way Way, out *providers.Output) error {
	if out.IsError {
		return errors.New("the answer says itself that it is an error")
	}
	if out.Structured == nil && out.Content == "" && out.Result != nil {
		return errors.New("what of the answer is its content is not known")
	}
	var structured map[string]any
	if out.Structured != nil {
		if json.Unmarshal(out.Structured, &structured) != nil {
			return errors.New("what the answer holds for programs is no object")
		}
	}
	text := out.Content
	switch way {
	case Empty:
		text = ""
		if structured != nil {
			structured = map[string]any{}
		}
	case Half:
		half, ok := halved(any(structured))
		if structured != nil {
			if !ok {
				return errNoHalf
			}
			structured = half.(map[string]any)
		}
		if text, ok = halfText(text); !ok && structured == nil {
			return errNoHalf
		}
	case Retyped:
		switch {
		case structured != nil:
			for name, member := range structured {
				structured[name] = retyped(member)
			}
		case text == "":
			return errNoType
		default:
			text = otherText(text)
		}
	}
	if structured != nil {
		v["structured"] = structured
	}
	if text != "" || structured == nil {
		v["content"] = text
	}
	return nil
}

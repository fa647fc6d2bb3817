package ollama

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
)

// thoughtFormat names this interface's thoughts: the text of a turn's thinking,
// which a model that calls tools is to have back.
const thoughtFormat = "ollama"

func thoughts(in providers.Input, text string) []providers.Thought {
	if text == "" {
		return nil
	}
	data, err := providers.EncodeJSON(text)
	if err != nil {
		return nil
	}
	return []providers.Thought{{Of: in.ThoughtOf(thoughtFormat), Data: data}}
}

// thinking is the text of the thoughts that a turn had.
func thinking(list []json.RawMessage) string {
	all := ""
	for _, data := range list {
		var text string
		if json.Unmarshal(data, &text) == nil {
			all += text
		}
	}
	return all
}

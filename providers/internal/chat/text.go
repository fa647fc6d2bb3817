package chat

import (
	"encoding/json"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// TextThoughts is thinking that an interface sends and takes back as a text, in the
// thoughts of a format.
func TextThoughts(in providers.Input, format, text string) []providers.Thought {
	if text == "" {
		return nil
	}
	data, err := providers.EncodeJSON(text)
	if err != nil {
		return nil
	}
	return []providers.Thought{{Of: in.ThoughtOf(format), Data: data}}
}

// ThoughtText is the text of the thoughts that a turn had.
func ThoughtText(list []json.RawMessage) string {
	all := ""
	for _, data := range list {
		var text string
		if json.Unmarshal(data, &text) == nil {
			all += text
		}
	}
	return all
}

// TextError is an error of an interface whose errors are nothing but a text: a type
// is put before the message, because there is no other place for it.
func TextError(typ, message string) string {
	if typ == "" {
		return message
	}
	return typ + ": " + message
}

// TextKind tells rate limits and overload from everything else, which is other, by
// the words of a text: such an error has no type. Further words are those that one
// vendor says of its limits or its load.
func TextKind(text string, limits, load []string, other failure.Kind) failure.Kind {
	text = strings.ToLower(text)
	has := func(lists ...[]string) bool {
		for _, list := range lists {
			for _, w := range list {
				if strings.Contains(text, w) {
					return true
				}
			}
		}
		return false
	}
	switch {
	case has([]string{"rate limit", "rate_limit", "too many requests"}, limits):
		return failure.RateLimit
	case has([]string{"overloaded"}, load):
		return failure.Overloaded
	}
	return other
}

package providers

import "encoding/json"

// A Thought is a piece of a model's reasoning in the form in which its vendor
// wants it back with the next turn of a tool loop. Nobody else reads it: an
// encrypted one has no other form, and a signed one must not change.
type Thought struct {
	// Of is the [Input.ThoughtOf] of the call that was answered so.
	Of string
	// Data is JSON as the adapter sends it.
	Data json.RawMessage
}

// ThoughtOf names the service whose thoughts a call can take back: thoughts of
// one host mean nothing to another, though it speaks the same interface.
func (in Input) ThoughtOf(format string) string { return format + " " + in.BaseURL }

// ThoughtsFor returns the message's thoughts that may be sent to a service.
func (m Message) ThoughtsFor(of string) []json.RawMessage {
	var list []json.RawMessage
	for _, t := range m.Thoughts {
		if t.Of == of {
			list = append(list, t.Data)
		}
	}
	return list
}

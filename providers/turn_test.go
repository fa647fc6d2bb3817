package providers

import (
	"strings"
	"testing"
)

// spoken is a conversation of one letter a message: s of the system, u of the
// user, a of the assistant, t of a tool, and w what the user's role says beside
// the results of tools. A user's text is its place.
func spoken(letters string) Input {
	var in Input
	for i, l := range letters {
		m := Message{Role: map[rune]string{'s': "system", 'u': "user", 'a': "assistant", 't': "tool", 'w': "user"}[l], WithResults: l == 'w'}
		m.Content = letters[:i+1]
		in.Messages = append(in.Messages, m)
	}
	return in
}

// Shows that a turn counts what the assistant said since the user spoke, that
// the results of tools begin none in whatever role they come, and that a
// conversation which the vendor keeps counts on.
func TestTurn(t *testing.T) {
	kept := func(id string) int {
		return map[string]int{"first": 1, "third": 3}[id]
	}
	for _, c := range []struct {
		letters, previous string
		want              int
		prompt            string
	}{
		{"", "", 1, ""},
		{"u", "", 1, "u"},
		{"su", "", 1, "su"},
		{"uat", "", 2, "u"},
		{"uattat", "", 3, "u"},
		{"uaw", "", 2, "u"},
		{"uatwaw", "", 3, "u"},
		{"uatau", "", 1, "uatau"},
		{"uu", "", 1, "uu"},
		{"uaa", "", 3, "u"},
		{"at", "", 2, ""},
		{"t", "first", 2, ""},
		{"st", "third", 4, ""},
		{"tat", "first", 3, ""},
		{"t", "unknown", 2, ""},
		{"", "first", 2, ""},
		{"u", "third", 1, "u"},
		{"uat", "third", 2, "u"},
	} {
		in := spoken(c.letters)
		in.Previous = c.previous
		if got := in.Turn(kept); got != c.want {
			t.Errorf("%q behind %q is turn %d, want %d", c.letters, c.previous, got, c.want)
		}
		if got := in.Prompt(); got != c.prompt {
			t.Errorf("%q: the prompt is %q, want %q", c.letters, got, c.prompt)
		}
	}
	in := spoken("t")
	in.Previous = "first"
	if got := in.Turn(nil); got != 2 {
		t.Errorf("a conversation of which nothing is known is at turn %d, want 2", got)
	}
}

// Shows what a call of JSON-RPC is about.
func TestSubject(t *testing.T) {
	for _, c := range []struct {
		params any
		want   string
	}{
		{map[string]any{"name": "search", "arguments": map[string]any{"name": "x"}}, "search"},
		{map[string]any{"uri": "file:///a"}, "file:///a"},
		{map[string]any{"name": 7, "uri": "u"}, "u"},
		{map[string]any{"cursor": "c"}, ""},
		{nil, ""},
		{strings.NewReader(""), ""},
	} {
		if got := (RPC{Params: c.params}).Subject(); got != c.want {
			t.Errorf("%v is about %q, want %q", c.params, got, c.want)
		}
	}
}

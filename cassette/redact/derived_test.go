package redact

import "testing"

// Shows that a text has a twin of its length that is another one, where it has anything.
func TestTwinOf(t *testing.T) {
	for _, text := range []string{"", "a", "Z9", "#", "+", "§", "sk-k7Qw", "#+#"} {
		twin := TwinOf(text)
		if len(twin) != len(text) || (twin == text) != (text == "") {
			t.Errorf("the twin of %q is %q", text, twin)
		}
	}
}

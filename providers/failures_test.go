package providers

import (
	"strings"
	"testing"
)

// Shows that what an error body says is found in the shapes services use.
func TestErrorText(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"m"}}`: "m",
		`{"error":"m"}`:             "m",
		`{"message":"m"}`:           "m",
		"":                          "",
		"  plain \n text":           `"plain text"`,
		`{"detail":1}`:              `"{\"detail\":1}"`,
		strings.Repeat("é", 300):    `"` + strings.Repeat("é", 60) + `"… (400 bytes)`,
	} {
		if got := ErrorText([]byte(body)); got != want {
			t.Errorf("%q: got %s, want %s", body, got, want)
		}
	}
}

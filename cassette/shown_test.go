package cassette

import (
	"testing"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// What is shown of a recording has no credential, whatever its case and
// spelling, and everything else as it is.
func TestShown(t *testing.T) {
	for url, want := range map[string]string{
		"https://a/b":                              "https://a/b",
		"https://a/b?x=1&KEY=abc&y=%20":            "https://a/b?x=1&KEY=<hidden>&y=%20",
		"https://u:p@a/b?api%5Fkey=abc&alt=sse":    "https://a/b?api%5Fkey=<hidden>&alt=sse",
		"https://a/?X-Amz-Signature=1&tokens=2&%z": "https://a/?X-Amz-Signature=<hidden>&tokens=2&%z",
	} {
		if got := (&Interaction{URL: url}).ShownURL(); got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
	for name, shown := range map[string]bool{
		"Authorization": false, "x-api-key": false, "Ocp-Apim-Subscription-Key": false, "X-Auth-Token": false, "SET-COOKIE": false,
		"Content-Type": true, "X-RateLimit-Remaining-Tokens": true, "x-request-id": true,
	} {
		if got := redact.ShownValue(name, "value"); (got == "value") != shown {
			t.Errorf("%s is shown as %s", name, got)
		}
	}
}

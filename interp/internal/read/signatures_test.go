package read

import "testing"

// Shows which names are of signatures, however their words are parted, and that a part of a word is none.
func TestIsSignature(t *testing.T) {
	for name, want := range map[string]bool{
		"X-Hub-Signature-256": true, "hmac": true, "sig": true, "Content-Digest": true, "sign": true, "bodyHash": true, "X_SIGN": true,
		"": false, "design": false, "signal": false, "signed_at": false, "hashtag": false, "signin": false, "significant": false,
	} {
		if got := IsSignature(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

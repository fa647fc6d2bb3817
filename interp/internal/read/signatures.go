package read

import (
	"slices"

	"github.com/scenario-lang/scenario/internal/names"
)

// signatures are the words of names for what a request is signed with.
var signatures = []string{"signature", "sig", "sign", "hmac", "digest", "hash"}

// IsSignature reports whether a name says that what it names is a signature: X-Hub-Signature-256, hmac.
func IsSignature(name string) bool {
	return slices.ContainsFunc(WordsIn(name), func(w string) bool { return slices.Contains(signatures, w) })
}

// WordsIn are the words of a name, in small letters.
func WordsIn(name string) []string {
	return names.Words(name)
}

package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/scenario-lang/scenario/trace"
)

// Redact replaces every secret in a text, quoted or not, by a placeholder that
// is the same for the same secret. A secret of fewer than four characters is
// left alone: it would turn up everywhere.
func Redact(text string, secrets []string) string {
	for _, s := range secrets {
		if len(s) < 4 {
			continue
		}
		for _, shown := range disguises(s) {
			text = strings.ReplaceAll(text, shown, placeholder(s))
		}
	}
	return text
}

// disguises are the ways in which a text shows a secret: as it is, inside of the
// quotes of a report or of JSON, and inside of JSON that is itself a string, as
// the body of a request in a trace.
func disguises(secret string) []string {
	quoted := inQuotes(secret)
	if quoted == secret {
		return []string{secret}
	}
	return []string{inQuotes(quoted), quoted, secret}
}

func inQuotes(s string) string {
	quoted := trace.AppendString(nil, s)
	return string(quoted[1 : len(quoted)-1])
}

func placeholder(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return "<REDACTED:sha256=" + hex.EncodeToString(sum[:8]) + ">"
}

package redact

import "strings"

// Suspects finds what looks like a secret of a form that no rule knows, in a text
// such as a file: runs of letters and digits that nobody thought of. Ids, sums and
// what models sign and encrypt look the same; they are left out by their names, so
// that a finding is worth a look and no proof.
func Suspects(text string) []Finding {
	var found []Finding
	seen := map[string]bool{}
	for i := 0; i < len(text); {
		if !isRunByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isRunByte(text[i]) {
			i++
		}
		run := text[start:i]
		if !looksRandom(run) || isNamedThing(text[:start]) || seen[run] || isHiddenAt(text, start, i) || isPacked(text, start, i) {
			continue
		}
		seen[run] = true
		found = append(found, Finding{Line: 1 + strings.Count(text[:start], "\n"), Rule: ruleRandom, Where: "a random text", Mark: Placeholder(run)})
	}
	return found
}

// ruleRandom is the name of what [Suspects] finds.
const ruleRandom = "high-entropy"

const (
	randomMin = 24
	randomMax = 128
)

// looksRandom reports whether a run has digits and letters of both cases so mixed
// that nobody thought of it.
func looksRandom(run string) bool {
	if len(run) < randomMin || len(run) > randomMax || strings.Count(run, "/") > len(run)/12 {
		return false
	}
	upper, lower, digit, turns := 0, 0, 0, 0
	last := byte(0)
	for i := range len(run) {
		kind := byte(0)
		switch c := run[i]; {
		case isDigit(c):
			digit, kind = digit+1, 'd'
		case 'A' <= c && c <= 'Z':
			upper, kind = upper+1, 'u'
		case 'a' <= c && c <= 'z':
			lower, kind = lower+1, 'l'
		}
		if kind != last {
			turns++
		}
		last = kind
	}
	return upper > 2 && lower > 2 && digit > 1 && turns > len(run)/3 && bits(run) >= 4
}

// isHiddenAt reports whether a run is a part of a placeholder.
func isHiddenAt(text string, start, end int) bool {
	return strings.HasSuffix(text[:start], "<REDACTED:") || strings.HasSuffix(text[:start], placeholderStart) || HasPlaceholder(text[start:end])
}

// isPacked reports whether a run is a line of a text in Base64 that has several:
// it is alone in its line, and so is what stands in the line before or after.
func isPacked(text string, start, end int) bool {
	const full = 60 // as long as lines of Base64 are at least, but the last
	before := strings.LastIndexByte(text[:start], '\n') + 1
	rest := strings.TrimLeft(text[end:], "=\r")
	if strings.TrimSpace(text[before:start]) != "" || rest != "" && rest[0] != '\n' {
		return false
	}
	if end-start >= full {
		return true
	}
	above := strings.TrimSpace(text[strings.LastIndexByte(text[:max(0, before-1)], '\n')+1 : before])
	return len(above) >= full && strings.Trim(above, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_") == ""
}

// named are the ends of names of what looks random and is no secret.
var named = []string{
	"id", "ids", "key", "sha256", "sum", "hash", "digest", "etag", "fingerprint", "signature", "content", "data", "embedding", "cursor",
	"token", "version", "revision", "checksum", "nonce", "uuid", "ref", "body", "ray", "url", "integrity", "trace", "span", "iv", "obfuscation", "container",
}

// isNamedThing reports whether what follows a text stands under such a name, or is
// a part of a URL or of an id that says what it is of.
func isNamedThing(before string) bool {
	before = before[max(0, len(before)-64):]
	if at := strings.LastIndexAny(before, " \n\t\"'"); strings.ContainsAny(before[at+1:], "/?&=.%") {
		return true
	}
	name := strings.ToLower(strings.TrimRight(before, " :=\"'\\[{-\n\t"))
	name = name[strings.LastIndexAny(name, " \n\t\"'\\{,")+1:]
	for _, n := range named {
		if strings.HasSuffix(name, n) {
			return true
		}
	}
	return false
}

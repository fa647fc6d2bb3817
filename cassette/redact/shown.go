package redact

import (
	"net/url"
	"slices"
	"strings"
)

// hidden stands for a value that is not shown.
const hidden = "<hidden>"

// ShownURL is a URL for people: without user and password, and without the
// values of query parameters that carry credentials.
func ShownURL(raw string) string {
	base, query, has := strings.Cut(raw, "?")
	if u, err := url.Parse(base); err == nil && u.User != nil {
		u.User = nil
		base = u.String()
	}
	if !has {
		return base
	}
	parts := strings.Split(query, "&")
	for i, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if IsSecretParameter(name, value) {
			parts[i] = name + "=" + hidden
		}
	}
	return base + "?" + strings.Join(parts, "&")
}

// secretFields are header fields whose values are never shown, in lower case.
var secretFields = []string{
	"authorization", "authentication", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey", "x-goog-api-key", "auth",
	"openai-organization", "openai-project", "anthropic-organization-id", "x-amz-security-token", "x-amz-signature", "mcp-session-id", "x-pass", "x-passwd", "x-pwd",
}

// secretFieldEnds are the ends of the names of other such fields.
var secretFieldEnds = []string{"-token", "-secret", "-password", "-jwt", "-api-key", "-apikey", "-subscription-key", "-functions-key", "-signature", "-signature-256", "-auth", "-authorization", "-authentication", "-credential", "-credentials", "-cookie", "-sig"}

// SecretNames are the names by which credentials are known: of header fields and of their
// ends, of parameters, and of members of JSON, those without underscores and hyphens.
func SecretNames() (fields, ends, parameters, members []string) {
	return slices.Clone(secretFields), slices.Clone(secretFieldEnds), slices.Clone(credentialParameters), slices.Clone(secretNames)
}

// IsSecretField reports whether a header field carries credentials, and is
// hidden whatever it holds. Servers take underscores for hyphens, or are asked to.
func IsSecretField(name string) bool { return isFieldName(name) || IsSecretName(name) }

// isFieldName is [IsSecretField] for what only fields are called.
func isFieldName(name string) bool {
	name = strings.ReplaceAll(name, "_", "-")
	for _, f := range secretFields {
		if strings.EqualFold(name, f) {
			return true
		}
	}
	ends := func(end string) bool { return hasFoldedSuffix(name, end) }
	return slices.ContainsFunc(secretFieldEnds, ends)
}

// isSecretField is [IsSecretField], or reports whether the value looks like the
// secret that the name may be of: a key is one, and X-Idempotency-Key is none. A field
// shows up as a member, too, where a list of fields is written as an object, so that it
// is hidden wherever a member of this name would be.
func isSecretField(name, value string) bool {
	return isOwnField(name, value) || IsSecretMember(name, value)
}

// isOwnField is [isSecretField] for what only fields are called.
func isOwnField(name, value string) bool {
	return isFieldName(name) || isWeighedField(name) && fieldFits(name, value)
}

// isVariableField reports whether the last word of the name of a header field of somebody's
// own, such as X-Pat, is one that says of a variable of the environment that it is a secret:
// both are named with care.
func isVariableField(name string) bool {
	words := wordsOf(name)
	for len(words) > 1 && isQualifier(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || len(name) > nameMax || isHarmlessEnd(words) {
		return false
	}
	last := words[len(words)-1]
	switch {
	case last == "KEY" || last == "KEYS":
		return false // weighed by fieldFits
	case last == "SEED":
		return len(words) > 1 && slices.Contains(seedWords, words[len(words)-2])
	case last == "PHRASE" || last == "CODE" || last == "CODES" || last == "WORDS":
		return len(words) > 1 && slices.Contains(secretPhrases, words[len(words)-2])
	}
	return slices.Contains(secretWords, last) || slices.Contains(firstOrLast, last) || slices.Contains(lastWords, last) || slices.Contains(drawnWords, last) || endsSecret(last)
}

// isWeighedField reports whether a header field of this name carries a credential
// where its value looks like one.
func isWeighedField(name string) bool {
	name = strings.ReplaceAll(name, "_", "-")
	return isBareField(name) || hasFoldedSuffix(name, "-key") && !hasFoldedSuffix(name, "idempotency-key") || hasFoldedSuffix(name, "-session-id") || hasFoldedSuffix(name, "-session") || hasFoldedSuffix(name, "-otp") || hasFoldedSuffix(name, "-pin")
}

// isBareField reports whether the name of a field is only what credentials are called.
func isBareField(name string) bool {
	return strings.EqualFold(name, "token")
}

// fieldFits reports whether a value looks like the credential of such a field. A key
// that is as short as the names of things is one unless its name says what it names.
func fieldFits(name, value string) bool {
	name = strings.ReplaceAll(name, "_", "-")
	switch {
	case isBareField(name):
		return isBareSecret(value)
	case hasFoldedSuffix(name, "-session-id"), hasFoldedSuffix(name, "-session"):
		return drawnID.fits(value)
	case hasFoldedSuffix(name, "-otp"):
		return oneTime.fits(value)
	case hasFoldedSuffix(name, "-pin"):
		return shortCode.fits(value) || isDrawn(value)
	}
	names := func(thing string) bool { return strings.HasSuffix(fold(name), thing) }
	return secretKey.fits(value) || isDrawn(value) && !slices.ContainsFunc(harmless, names) && !names("projectkey")
}

// MayBeSecretField reports whether a header field of this name carries credentials, or
// does so where its value looks like them.
func MayBeSecretField(name string) bool {
	return isFieldName(name) || isWeighedField(name) || kindOf(name) != plain
}

func hasFoldedSuffix(name, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
}

// ShownValue is the value of a header field for people: hidden where the field
// carries credentials.
func ShownValue(name, value string) string {
	if isSecretField(name, value) {
		return hidden
	}
	return value
}

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
		name, _, _ := strings.Cut(p, "=")
		if plain, err := url.QueryUnescape(name); err == nil && credentialParameter(plain) {
			parts[i] = name + "=" + hidden
		}
	}
	return base + "?" + strings.Join(parts, "&")
}

// secretFields are header fields whose values are never shown, in lower case.
var secretFields = []string{
	"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-goog-api-key",
	"openai-organization", "openai-project", "anthropic-organization-id", "x-amz-security-token", "x-amz-signature", "mcp-session-id",
}

// ShownValue is the value of a header field for people: hidden where the field
// carries credentials.
func ShownValue(name, value string) string {
	name = strings.ToLower(name)
	if slices.Contains(secretFields, name) || strings.Contains(name, "token") && !strings.HasPrefix(name, "x-ratelimit-") ||
		strings.Contains(name, "secret") || strings.HasSuffix(name, "-key") {
		return hidden
	}
	return value
}

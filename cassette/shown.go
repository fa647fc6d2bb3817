package cassette

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/wire"
)

// hidden stands for a value that is not shown.
const hidden = "<hidden>"

// ShownURL is the URL for people: without user and password, and without the
// values of query parameters that carry credentials. Files of other tools have
// them as they were sent.
func (it *Interaction) ShownURL() string {
	base, query, has := strings.Cut(it.URL, "?")
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
		if plain, err := url.QueryUnescape(name); err == nil && isCredential(plain) {
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

// Outcome is how the exchange ended, in a few words: "200", "200, reset" for an
// answer that was cut, or "refused" where there was none.
func (it *Interaction) Outcome() string {
	if it.Error != "" {
		return it.Error
	}
	text := strconv.Itoa(statusCode(it.Response.Status))
	if it.Response.End != wire.EndNone {
		text += ", " + wordOf(it.Response.End)
	}
	return text
}

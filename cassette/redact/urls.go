package redact

import (
	"net/url"
	"slices"
	"strings"
)

// hideURLs hides what the URLs in a text carry.
func hideURLs(text string) string { return eachURL(text, hideURL) }

// eachURL replaces the URLs in a text by what is shown of them.
func eachURL(text string, shownOf func(string) string) string {
	var e edits
	for i := 0; i < len(text); {
		next := strings.Index(text[i:], "://")
		if next < 0 {
			break
		}
		start := i + next
		for start > i && isSchemeByte(text[start-1]) {
			start--
		}
		end := urlEnd(text, i+next+len("://"))
		if end < len(text) && text[end] <= ' ' { // in a sentence, whose marks belong to it
			end = start + len(strings.TrimRight(text[start:end], ".,:;"))
		}
		if shown := shownOf(text[start:end]); shown != text[start:end] {
			e.replace(start, end, shown)
		}
		i = end
	}
	return e.apply(text)
}

func isSchemeByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+'
}

// urlEnd returns where a URL within a text ends.
func urlEnd(text string, i int) int {
	for i < len(text) {
		if n := placeholderAt(text[i:]); n > 0 {
			i += n
			continue
		}
		if text[i] <= ' ' || strings.IndexByte("\"'`\\<>()[]{}", text[i]) >= 0 && !inAddress(text, i) {
			return i
		}
		i++
	}
	return i
}

// inAddress reports whether a bracket belongs to an IPv6 address.
func inAddress(text string, i int) bool {
	switch text[i] {
	case '[':
		return strings.HasSuffix(text[:i], "://") || strings.HasSuffix(text[:i], "@")
	case ']':
		open := strings.LastIndexByte(text[:i], '[')
		return open > 0 && inAddress(text, open)
	}
	return false
}

// hideURL hides user and password of a URL, and the parameters of its query
// and fragment by name.
func hideURL(raw string) string {
	rest, fragment, hasFragment := strings.Cut(raw, "#")
	base, query, hasQuery := strings.Cut(rest, "?")
	user, parameters, last := hideUser(base), hideParameters(query), hideParameters(fragment)
	if user == base && parameters == query && last == fragment {
		return raw
	}
	if hasQuery {
		user += "?" + parameters
	}
	if hasFragment {
		user += "#" + last
	}
	return user
}

// masks stand in the place of a password where a text shows how a URL is written.
var masks = []string{"…", "...", "***", "PASSWORD", "%E2%80%A6"}

// hideUser replaces what stands before the host. The placeholder is escaped
// there, or the rest would not be read as a URL any more.
func hideUser(base string) string {
	scheme := strings.Index(base, "://")
	if scheme < 0 {
		return base
	}
	start := scheme + len("://")
	end := len(base)
	if slash := strings.IndexByte(base[start:], '/'); slash >= 0 {
		end = start + slash
	}
	at := strings.LastIndexByte(base[start:end], '@')
	if at <= 0 || IsPlaceholder(base[start:start+at]) {
		return base
	}
	user := base[start : start+at]
	if _, password, _ := strings.Cut(user, ":"); slices.Contains(masks, password) || user == "user:password" {
		return base
	}
	if plain, err := url.PathUnescape(user); err == nil {
		user = plain
	}
	return base[:start] + url.QueryEscape(Placeholder(user)) + base[start+at:]
}

// hideParameters hides parameters of a query, or fields of a form, by name.
func hideParameters(query string) string { return hideParametersIf(query, IsSecretParameter) }

func hideParametersIf(query string, secret func(name, value string) bool) string {
	var e edits
	for at := 0; at < len(query); {
		end := len(query)
		if n := strings.IndexByte(query[at:], '&'); n >= 0 {
			end = at + n
		}
		if name, value, _ := strings.Cut(query[at:end], "="); value != "" && !IsPlaceholder(value) {
			plain, err := url.QueryUnescape(value)
			if err != nil {
				plain = value
			}
			if !IsPlaceholder(plain) && secret(name, plain) {
				e.replace(end-len(value), end, Placeholder(plain))
			}
		}
		at = end + 1
	}
	return e.apply(query)
}

// IsSecretParameter reports whether a value of a parameter of that name, which may
// be escaped, is hidden in URLs and forms.
func IsSecretParameter(name, value string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	lower := strings.ToLower(name)
	if slices.Contains(credentialParameters, lower) || strings.HasPrefix(lower, "x-amz-") {
		return true
	}
	if lower == "code" { // of an OAuth grant, and not of a country
		return secretToken.fits(value)
	}
	if slices.Contains(drawnParameters, lower) && isDrawn(value) {
		return true
	}
	return IsSecretMember(name, value)
}

// drawnParameters are parameters that carry credentials where the value is one that
// nobody thought of.
var drawnParameters = []string{"appid", "app_id", "sid", "sessionid", "session_id", "session-id", "ticket"}

// credentialParameters are parameters that carry credentials in a URL, whatever
// the same name means elsewhere.
var credentialParameters = []string{
	"key", "api_key", "access_token", "token", "sig", "auth", "signature", "pass", "x-goog-signature", "x-goog-credential", "x-goog-security-token", "otp", "pin",
}

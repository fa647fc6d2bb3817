package redact

import (
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/escapes"
)

// findURLs finds what the URLs in a text carry, and those that are escaped.
func findURLs(text string) (e edits) {
	if strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '%') < 0 {
		return e
	}
	done := 0
	eachAddress(text, func(start, end int) {
		e.eachNested(text[:start], done)
		e.url(text[start:end], start, IsSecretParameter)
		done = end
	})
	e.eachNested(text, done)
	return e
}

// findPaths finds what addresses carry that a text has without their host, as the log of a
// server has them: GET /back?code=….
func findPaths(text string) (e edits) {
	if strings.IndexByte(text, '/') < 0 { // no path
		e.queries(text)
		return e
	}
	e.segments(text, 0)
	e.queries(text)
	e.mixed = len(e.list) > 0
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '?')
		if next < 0 {
			e.sort()
			return e
		}
		at := i + next
		i = urlEnd(text, at+1)
		start := at
		for start > 0 && isPathByte(text[start-1]) {
			start--
		}
		if start == at || text[start] != '/' || strings.HasPrefix(text[start:], "//") || start > 0 && text[start-1] == ':' {
			continue // of an address with its host, or of a sentence
		}
		query, _, _ := strings.Cut(text[at+1:i], "#")
		if i < len(text) && text[i] <= ' ' {
			query = strings.TrimRight(query, ".,:;")
		}
		e.parameters(query, at+1, IsSecretParameter)
	}
	e.sort()
	return e
}

// shortestSegment is how long a part of a path is at least that is a secret.
const shortestSegment = 10

// segments finds the parts of paths that stand behind one which says what they are:
// /hooks/token/….
func (e *edits) segments(text string, begin int) {
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '/')
		if next < 0 {
			return
		}
		at := i + next + 1
		i = at
		for at < len(text) && isNameByte(text[at]) {
			at++
		}
		if at == i || at-i > nameMax || at == len(text) || text[at] != '/' {
			i = at
			continue
		}
		from := at + 1
		to := from
		for to < len(text) && isSegmentByte(text[to]) {
			to++
		}
		if to-from >= shortestSegment && isSegmentName(text[i:at]) && isRandom(text[from:to]) && isScrambled(text[from:to]) {
			e.replace(begin+from, begin+to, Placeholder(text[from:to]))
			at = to
		}
		i = at
	}
}

// isSegmentByte reports whether a secret in a path may have a byte.
func isSegmentByte(c byte) bool {
	return isNameByte(c) || c == '.' || c == '~' || c == '%' || c == ':' || c == '='
}

// isSegmentName reports whether what stands behind a part of a path is a secret if it looks
// like one. Behind a name of several stand their ids.
func isSegmentName(name string) bool {
	if strings.EqualFold(name, "key") {
		return true
	}
	switch kind := kindOf(name); kind {
	case plain, pluralSecret, signature:
		return false
	default:
		return kind != secretCode || !strings.HasSuffix(name, "s")
	}
}

// queries finds the parameters of queries that stand alone: sv=2020-08-04&sig=….
func (e *edits) queries(text string) {
	if strings.IndexByte(text, '\\') >= 0 && strings.Contains(text, escapedAmpersand) {
		plain, places := withAmpersands(text)
		var inner edits
		inner.queries(plain)
		for _, x := range inner.list {
			e.replace(places[x.start], places[x.end], x.with)
		}
		return
	}
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '&')
		if next < 0 {
			return
		}
		at := i + next
		start := at
		for start > i && isQueryByte(text[start-1]) {
			start--
		}
		end := at
		for end < len(text) && isQueryByte(text[end]) {
			end++
		}
		i = end
		if query := text[start:end]; isQuery(query) {
			e.parameters(query, start, isStrayParameter)
		}
	}
}

// escapedAmpersand is how Go writes one in a string of JSON.
const escapedAmpersand = `\u0026`

// withAmpersands is a text with its ampersands as they are, and for each byte of it, and
// its end, where that stands in the text.
func withAmpersands(text string) (plain string, places []int) {
	out := make([]byte, 0, len(text))
	places = make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		places = append(places, i)
		if strings.HasPrefix(text[i:], escapedAmpersand) {
			out = append(out, '&')
			i += len(escapedAmpersand)
			continue
		}
		out = append(out, text[i])
		i++
	}
	return string(out), append(places, len(text))
}

// queryEnds are the bytes, beside spaces, that no query has which stands alone.
var queryEnds = [256]bool{
	'"': true, '\'': true, '`': true, '\\': true, '<': true, '>': true, '(': true, ')': true, '[': true, ']': true, '{': true, '}': true, '|': true, '^': true,
}

func isQueryByte(c byte) bool { return c > ' ' && c < 0x7f && !queryEnds[c] }

// isQuery reports whether a text has names with their values, and nothing else: no address.
func isQuery(text string) bool {
	for part := range strings.SplitSeq(text, "&") {
		name, _, is := strings.Cut(strings.TrimPrefix(part, "amp;"), "=")
		if !is || name == "" || len(name) > nameMax {
			return false
		}
		for i := range len(name) {
			if c := name[i]; !isNameByte(c) && c != '.' && c != '%' && c != '[' && c != ']' {
				return false
			}
		}
	}
	return true
}

// isStrayParameter is [IsSecretParameter] for a query that nothing says to be one: its
// values have to look like a secret under the names that have other uses.
func isStrayParameter(name, value string) bool {
	name = strings.TrimPrefix(name, "amp;")
	return IsSecretParameter(name, value) && (IsSecretMember(name, value) || isBareSecret(value) && !isDate(value))
}

// isPathByte reports whether a path may have a byte.
func isPathByte(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte("/-._~%+@", c) >= 0
}

// hideURLs hides what the URLs in a text carry.
func hideURLs(text string) string { return hideFound(text, findURLs) }

// eachURL replaces the URLs in a text by what is shown of them.
func eachURL(text string, shownOf func(string) string) string {
	var e edits
	eachAddress(text, func(start, end int) {
		if shown := shownOf(text[start:end]); shown != text[start:end] {
			e.replace(start, end, shown)
		}
	})
	return e.apply(text)
}

// eachAddress calls do with where each URL of a text begins and ends.
func eachAddress(text string, do func(start, end int)) {
	for i := 0; i < len(text); {
		next := strings.Index(text[i:], "://")
		if next < 0 {
			return
		}
		start := i + next
		for start > i && isSchemeByte(text[start-1]) {
			start--
		}
		end := urlEnd(text, i+next+len("://"))
		if end < len(text) && text[end] <= ' ' { // in a sentence, whose marks belong to it
			end = start + len(strings.TrimRight(text[start:end], ".,:;"))
		}
		do(start, end)
		i = end
	}
}

func isSchemeByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+'
}

// urlEnd returns where a URL within a text ends.
func urlEnd(text string, i int) int {
	for i < len(text) {
		if urlBytes[text[i]] {
			i++
			continue
		}
		if n := placeholderAt(text[i:]); n > 0 {
			i += n
			continue
		}
		if text[i] != '%' && !inAddress(text, i) {
			return i
		}
		i++
	}
	return i
}

// urlBytes are the bytes that a URL has wherever they stand.
var urlBytes = bytesBut("%\"'`\\<>()[]{}", ' ')

// bytesBut are all bytes above one, but for some.
func bytesBut(some string, above byte) (is [256]bool) {
	for c := range is {
		is[c] = byte(c) > above && strings.IndexByte(some, byte(c)) < 0
	}
	return is
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
	var e edits
	e.url(raw, 0, IsSecretParameter)
	return e.apply(raw)
}

// url finds what a URL carries that begins at a place.
func (e *edits) url(raw string, at int, secret func(name, value string) bool) {
	rest, fragment, hasFragment := strings.Cut(raw, "#")
	base, query, hasQuery := strings.Cut(rest, "?")
	e.user(base, at)
	host := max(0, strings.Index(base, "://")+len("://"))
	if !strings.Contains(base, "://") {
		host = 0
	}
	e.segments(base[host:], at+host)
	e.matrix(base, at, secret)
	if hasQuery {
		e.parameters(query, at+len(base)+1, secret)
	}
	if hasFragment {
		e.parameters(fragment, at+len(rest)+1, secret)
		if !strings.Contains(fragment, "=") {
			e.segments(fragment, at+len(rest)+1)
		}
	}
}

// matrix finds the parameters that parts of a path have: /a.do;jsessionid=….
func (e *edits) matrix(path string, begin int, secret func(name, value string) bool) {
	for at := 0; ; {
		next := strings.IndexByte(path[at:], ';')
		if next < 0 {
			return
		}
		at += next + 1
		end := at
		for end < len(path) && path[end] != ';' && path[end] != '/' {
			end++
		}
		e.parameters(path[at:end], begin+at, secret)
		e.mixed = true
	}
}

// masks stand in the place of a password where a text shows how a URL is written.
var masks = []string{"…", "...", "***", "PASSWORD", "%E2%80%A6"}

// user replaces what stands before the host. The placeholder is escaped
// there, or the rest would not be read as a URL any more.
func (e *edits) user(base string, at int) {
	scheme := strings.Index(base, "://")
	if scheme < 0 {
		return
	}
	start := scheme + len("://")
	end := len(base)
	if slash := strings.IndexByte(base[start:], '/'); slash >= 0 {
		end = start + slash
	}
	sign := strings.LastIndexByte(base[start:end], '@')
	if sign <= 0 || IsPlaceholder(base[start:start+sign]) {
		return
	}
	user := base[start : start+sign]
	name, password, has := strings.Cut(user, ":")
	if !has && isUserName(name) && !isBareSecret(name) && len(name) < shortestReceived { // a login without its password
		return
	}
	if slices.Contains(masks, password) || user == "user:password" {
		return
	}
	if plain, err := url.PathUnescape(user); err == nil {
		user = plain
	}
	e.replace(at+start, at+start+sign, url.QueryEscape(Placeholder(user)))
}

// hideParameters hides parameters of a query, or fields of a form, by name.
func hideParameters(query string) string { return hideParametersIf(query, IsSecretParameter) }

func hideParametersIf(query string, secret func(name, value string) bool) string {
	var e edits
	e.parameters(query, 0, secret)
	return e.apply(query)
}

// parameters finds the parameters of a query that begins at a place, and those of
// addresses in them.
func (e *edits) parameters(query string, begin int, secret func(name, value string) bool) {
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
				e.replace(begin+end-len(value), begin+end, Placeholder(plain))
			} else if mayNest(plain, value) {
				e.nested(plain, value, begin+end-len(value), secret)
			}
		}
		at = end + 1
	}
}

// mayNest reports whether a value can be an address with parameters or a login, escaped.
func mayNest(plain, value string) bool {
	return len(plain) < len(value) && (strings.IndexByte(plain, '=') >= 0 || strings.IndexByte(plain, '@') >= 0)
}

// nested finds what an escaped address carries that begins at a place, as a parameter of
// another one has it: redirect_uri=https%3A%2F%2F…%23access_token%3D…
func (e *edits) nested(plain, value string, at int, secret func(name, value string) bool) {
	var inner edits
	inner.url(plain, 0, secret)
	if len(inner.list) == 0 {
		return
	}
	places := percentPlaces(value)
	for _, x := range inner.list {
		e.replace(at+places[x.start], at+places[x.end], url.QueryEscape(x.with))
	}
}

// percentPlaces is where each byte of a value without its percent escapes stands in it, and
// its end.
func percentPlaces(value string) []int {
	places := make([]int, 0, len(value)+1)
	for i := 0; i < len(value); {
		n := 1
		if value[i] == '%' {
			n, _ = escapes.Percent(value[i:])
		}
		places = append(places, i)
		i += n
	}
	return append(places, len(value))
}

// eachNested finds what the escaped addresses carry that stand in a text from a place on
// and are no part of a URL: of a path, or of a form.
func (e *edits) eachNested(text string, from int) {
	for i := from; i < len(text); {
		next := strings.Index(text[i:], "%2")
		if next < 0 {
			return
		}
		at := i + next
		i = at + len("%2")
		if !startsFolded(text[at:], "%2f%2f") && !startsFolded(text[at:], "%252f%252f") {
			continue
		}
		start := at
		for start > from && isBareByte(text[start-1]) && text[start-1] != '=' && text[start-1] != '?' {
			start--
		}
		i = urlEnd(text, at)
		if n := strings.IndexByte(text[at:i], '&'); n >= 0 {
			i = at + n
		}
		value := text[start:i]
		if plain, err := url.QueryUnescape(value); err == nil && strings.Contains(value, "%") {
			e.nested(plain, value, start, IsSecretParameter)
		}
	}
}

// shortestCode is how long a code of a grant is at least.
const shortestCode = 8

// IsSecretParameter reports whether a value of a parameter of that name, which may
// be escaped, is hidden in URLs and forms.
func IsSecretParameter(name, value string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = innermost(name)
	lower := strings.ToLower(name)
	if slices.Contains(credentialParameters, lower) || strings.HasPrefix(lower, "x-amz-") {
		return true
	}
	if lower == "code" { // of an OAuth grant, and not of a country
		return methodOrToken.fits(value) || len(value) >= shortestCode && isRandom(value)
	}
	if slices.Contains(drawnParameters, lower) && isDrawn(value) {
		return true
	}
	return IsSecretMember(name, value)
}

// innermost is the last name of one with brackets, as forms have them: user[password], tokens[],
// but for one that says which of several it is: password[new].
func innermost(name string) string {
	for strings.HasSuffix(name, "]") {
		open := strings.LastIndexByte(name, '[')
		if open <= 0 {
			break
		}
		if last := name[open+1 : len(name)-1]; last != "" && digits(last) < len(last) && !bears(last) {
			return last
		}
		name = name[:open]
	}
	return name
}

// drawnParameters are parameters that carry credentials where the value is one that
// nobody thought of.
var drawnParameters = []string{"appid", "app_id", "sid", "sessionid", "session_id", "session-id", "ticket"}

// credentialParameters are parameters that carry credentials in a URL, whatever
// the same name means elsewhere.
var credentialParameters = []string{
	"key", "api_key", "access_token", "token", "sig", "auth", "signature", "pass", "x-goog-signature", "x-goog-credential", "x-goog-security-token", "otp", "pin",
}

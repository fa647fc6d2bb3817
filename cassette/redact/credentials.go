package redact

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Credentials are the values that a request carries under the names of credentials, in
// its header, its address and a body of JSON or of a form, where they can be hidden
// wherever else they stand: what is as short as a word, or is one, would blot out the
// sentences that have it. A field that has a scheme, such as Bearer, is also listed
// without it, one of Basic also decoded, and cookies one by one.
func Credentials(in Request) []string {
	list := AddressCredentials(FieldCredentials(nil, in.Header), in.URL)
	return BodyCredentials(list, in.Header.Get("Content-Type"), in.Body)
}

// FieldCredentials adds those of a header.
func FieldCredentials(list []string, h http.Header) []string {
	// In an order, as there may be more than are known at once, and cookies last, of which a header has many.
	names := slices.Sorted(maps.Keys(h))
	for _, cookies := range []bool{false, true} {
		for _, name := range names {
			for _, v := range h[name] {
				if hasFoldedSuffix(name, "cookie") == cookies && isSecretField(name, v) {
					list = field(list, name, v)
				}
			}
		}
	}
	return list
}

// field adds what the value of a field that carries credentials gives away.
func field(list []string, name, value string) []string {
	if hasFoldedSuffix(name, "cookie") {
		for part := range strings.SplitSeq(value, ";") {
			if key, v, ok := strings.Cut(strings.TrimSpace(part), "="); ok && !slices.Contains(cookieAttributes, strings.ToLower(key)) {
				list = worthwhile(list, v)
			}
		}
		return list
	}
	scheme, rest, ok := strings.Cut(value, " ")
	rest = strings.TrimSpace(rest)
	if !ok || !slices.Contains(schemes, strings.ToLower(scheme)) {
		list = worthwhile(list, value)
	}
	if strings.EqualFold(scheme, "Basic") {
		return basic(list, rest)
	}
	if parameters := strings.Split(rest, ","); strings.Contains(rest, "=\"") || len(parameters) > 1 {
		for _, p := range parameters { // of a scheme such as Digest
			if key, v, _ := strings.Cut(strings.TrimSpace(p), "="); IsSecretMember(key, strings.Trim(v, `"`)) {
				list = worthwhile(list, strings.Trim(v, `"`))
			}
		}
	}
	return worthwhile(list, rest)
}

// basic adds what the credentials of the scheme Basic say (RFC 7617).
func basic(list []string, packed string) []string {
	list = worthwhile(list, packed)
	plain, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		plain, err = base64.RawStdEncoding.DecodeString(packed)
	}
	if err != nil || !utf8.Valid(plain) {
		return list
	}
	user, password, _ := strings.Cut(string(plain), ":")
	return worthwhile(worthwhile(worthwhile(list, string(plain)), user), password)
}

// AddressCredentials adds those of a URL: of the user, and of parameters.
func AddressCredentials(list []string, raw string) []string {
	list = segmentCredentials(list, raw)
	if !strings.ContainsAny(raw, "?#@") {
		return list
	}
	u, err := url.Parse(raw)
	if err != nil {
		return list
	}
	if u.User != nil {
		password, _ := u.User.Password()
		list = worthwhile(worthwhile(list, password), u.User.Username())
	}
	return parameters(parameters(list, u.RawQuery), u.Fragment)
}

// segmentCredentials adds the parts of a path that are hidden.
func segmentCredentials(list []string, raw string) []string {
	path, _, _ := strings.Cut(raw, "?")
	var e edits
	e.segments(path, 0)
	for _, x := range e.list {
		list = worthwhile(list, path[x.start:x.end])
	}
	return list
}

// parameters adds those of a query or a form.
func parameters(list []string, query string) []string {
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(value)
		if err != nil {
			continue
		}
		if IsSecretParameter(name, plain) {
			list = worthwhile(list, plain)
		} else if mayNest(plain, value) {
			list = AddressCredentials(list, plain)
		}
		list = privateKeys(list, plain)
	}
	return list
}

// BodyCredentials adds those of a body, which may be JSON or a form of either kind, and the private keys
// that stand in it under any name.
func BodyCredentials(list []string, contentType string, body []byte) []string {
	if isForm(contentType) {
		return parameters(list, string(body))
	}
	return memberCredentials(privateKeys(fieldCredentials(list, string(body)), string(body)), string(body), 0)
}

// memberCredentials adds what JSON has under the names of credentials, also JSON in a
// string.
func memberCredentials(list []string, text string, depth int) []string {
	if depth > nestedMax || !strings.Contains(text, `"`) || !mayName(text) {
		return list
	}
	found := credentials.find(text, nestedMax) // what is nested is read here
	for _, e := range found.list {
		list = worthwhile(list, unescape(text[e.start:e.end]))
	}
	if !strings.Contains(text, `\"`) {
		return list
	}
	for i := 0; i < len(text); {
		quote := strings.IndexByte(text[i:], '"')
		if quote < 0 {
			break
		}
		end := stringEnd(text, i+quote)
		if inner := inside(text, i+quote, end); strings.Contains(inner, `\"`) {
			list = memberCredentials(list, unescape(inner), depth+1)
		}
		i = end
	}
	return list
}

// EnvironmentCredentials are the values of variables of an environment, as os.Environ
// lists them, that are secrets by their names, the private keys in any of them, and the
// passwords in those that are addresses; those that can be hidden wherever they stand.
func EnvironmentCredentials(environment []string) []string {
	var list []string
	for _, pair := range environment {
		name, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok || value == "" || name == "PWD":
		case isSecretVariable(name, value) || isNamedSecret(name, value):
			list = variable(list, value)
			fallthrough
		default:
			list = within(packedPrivateKeys(privateKeys(list, value), value), value)
		}
	}
	return list
}

// isSecretVariable reports whether a variable of the environment is a secret. The name
// of one is chosen with care and has no other uses, so that it says more than that of a
// member.
func isSecretVariable(name, value string) bool {
	for {
		kind := kindOf(name)
		if kind == plain && strings.HasSuffix(strings.ToUpper(name), "_PWD") {
			kind = credential
		}
		switch kind {
		case credential:
			return true
		case secretToken:
			return digits(value) < len(value)
		case plain:
		default:
			return kind.fits(value)
		}
		at := strings.LastIndexByte(name, '_')
		if at <= 0 || !slices.Contains(followers, strings.ToLower(name[at+1:])) && digits(name[at+1:]) < len(name)-at-1 {
			return false
		}
		name = name[:at]
	}
}

// within adds the passwords in an address of any kind, and what stands in a list of
// settings under the name of a credential.
func within(list []string, value string) []string {
	if strings.Contains(value, "://") {
		eachURL(value, func(raw string) string {
			list = worthwhile(AddressCredentials(list, raw), writtenPassword(raw))
			return raw
		})
	} else if before, _, ok := strings.Cut(value, "@"); ok && !strings.ContainsAny(before, " /") {
		if _, password, ok := strings.Cut(before, ":"); ok { // user:password@tcp(host)/name
			list = worthwhile(list, password)
		}
	}
	list = keyOf(list, value)
	if !mayName(value) {
		return list
	}
	list = memberCredentials(list, value, 0)
	for _, e := range findAssignments(value).list {
		list = worthwhile(list, unescape(value[e.start:e.end]))
	}
	return list
}

// keyOf adds the key of a JSON object, as files of accounts have one.
func keyOf(list []string, value string) []string {
	var account struct{ Key string }
	if strings.HasPrefix(strings.TrimSpace(value), "{") && json.Unmarshal([]byte(value), &account) == nil && isDrawn(account.Key) {
		list = worthwhile(list, account.Key)
	}
	return list
}

// writtenPassword is the password of a URL with its escapes, as it stands in the Base64 of
// the whole URL.
func writtenPassword(raw string) string {
	_, rest, _ := strings.Cut(raw, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return ""
	}
	_, password, _ := strings.Cut(rest[:at], ":")
	return password
}

// What can be hidden wherever it stands: not what is longer than any secret, and of
// shorter ones no words.
const (
	longestReceived  = 16 << 10
	shortestReceived = 16
	// receivedAtOnce is how many are received from one request or environment: no program has as
	// many, and each is compared with those before.
	receivedAtOnce = 2 * receivedMax
)

// worthwhile adds a secret, unless it is such that it may stand anywhere by chance.
func worthwhile(list []string, secret string) []string {
	if len(list) >= receivedAtOnce || !isWorthwhile(secret) || slices.Contains(list, secret) {
		return list
	}
	return append(list, secret)
}

func isWorthwhile(secret string) bool {
	switch n := len(secret); {
	case n > longestReceived || n < shortestBare || HasPlaceholder(secret) || strings.TrimSpace(secret) == "":
		return false
	case n >= shortestReceived:
		return true
	case digits(secret) == n:
		return n >= longInOtherForm
	case isBareSecret(secret):
		return true
	case n >= longSecret && !isWord(secret):
		return true
	}
	return len(secret) >= longInOtherForm && strings.ContainsFunc(secret, func(c rune) bool {
		return !isNameRune(c) && c != '.'
	}) && !strings.Contains(secret, "://")
}

func isNameRune(c rune) bool { return c < utf8.RuneSelf && isNameByte(byte(c)) }

package circumstance

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Part is something of a request in which another one may differ, such as the member amount.
type Part struct {
	Name, Value string
	// Of is what it is a piece of, such as the header field of a token or the member with an address; "" for
	// nothing.
	Of string
	// Signs says that it is a signature of other parts, of which it is not known whether it is right.
	Signs bool
	// Right says that it is a signature that is known to be right, so that it parts no two requests.
	Right bool
	// Names says that it names or counts the thing that the request is about, as far as its letters tell: e-1
	// stands for e-2.
	Names bool
	// Free says that any word or text may stand there, as in a title: one stands for another of the same kind.
	Free bool
	// Field says that it is a header field, or in one.
	Field bool
	// Aside says that it is another one in each request, such as an idempotency key.
	Aside bool
}

// What bounds the looking for the key of a signature: the bytes of a request that is taken apart, and how many
// texts may be the key.
const (
	signedMax = 64 << 10
	keysMax   = 32
)

// Parts takes a request apart; nil for one that is too long for that. Fields are its header fields where they are
// known in plain, and given are the texts that the server was given, one of which may be the key of a signature.
func Parts(q *event.Request, fields map[string]string, given []string) (list []Part) {
	if len(q.Body) > signedMax {
		return nil
	}
	s := signer{given: given[:min(len(given), keysMax)], body: q.Body, fields: map[string]string{}}
	for name, value := range q.Headers {
		s.fields[strings.ToLower(name)] = value
	}
	for name, value := range fields {
		s.fields[strings.ToLower(name)] = value
	}
	list = []Part{}
	for _, name := range read.SortedNames(s.fields) {
		from := len(list)
		switch value := s.fields[name]; {
		case name == "idempotency-key" || slices.Contains(read.WordsIn(name), "nonce"):
			list = append(list, Part{Name: "the header field " + name, Value: value, Aside: true})
		case name == "cookie" && areCookies(value):
			for pair := range strings.SplitSeq(value, ";") {
				if key, value, _ := strings.Cut(strings.TrimSpace(pair), "="); key != "" {
					list = s.part(list, "the cookie "+key, "cookie", value)
				}
			}
		case name == "authorization" && !strings.Contains(strings.TrimSpace(value), " ") && slices.Contains([]string{"bearer", "basic"}, strings.ToLower(strings.TrimSpace(value))):
			// A scheme alone says nothing.
		case !passing(name) || read.IsSignature(name) || isTime(name):
			list = s.part(list, "the header field "+name, name, value)
		}
		for i := from; i < len(list); i++ {
			list[i].Field = true
			list[i].Names = list[i].Names && !saysWho(name)
			if list[i].Of == "" {
				list[i].Free = false
			}
		}
	}
	if u, err := url.Parse(q.URL); err == nil {
		query := u.Query()
		for _, name := range read.SortedNames(query) {
			list = s.member(list, "the query parameter "+name, name, strings.Join(query[name], ","))
		}
	}
	if form, err := url.ParseQuery(q.Body); err == nil && strings.HasPrefix(s.fields["content-type"], "application/x-www-form-urlencoded") {
		for _, name := range read.SortedNames(form) {
			list = s.member(list, ofForm+name, name, strings.Join(form[name], ","))
		}
		return list
	}
	eachOf(q.Body, true, func(path, name, _, value string) {
		if path == "" {
			list = s.member(list, wholeBody, name, value)
		} else {
			list = s.member(list, ofMember+path, name, value)
		}
	})
	return list
}

// How the parts of a body are called.
const (
	wholeBody = "the body"
	ofMember  = "the member "
	ofForm    = "the form field "
)

// areCookies reports whether a field of cookies is in plain.
func areCookies(value string) bool {
	return strings.Contains(value, "=") && !strings.ContainsAny(value[:strings.IndexByte(value, '=')], "<>:")
}

// member adds a part that may be an address, of which its scheme, its host and its path are parts.
func (s *signer) member(list []Part, of, name, value string) []Part {
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "" || u.Host == "" || read.IsSignature(name) {
		return s.part(list, of, name, value)
	}
	return append(list,
		Part{Name: "the scheme of " + of, Value: strings.ToLower(u.Scheme), Of: of},
		Part{Name: "the host of " + of, Value: strings.ToLower(u.Host), Of: of},
		Part{Name: "the path of " + of, Value: u.RequestURI(), Of: of, Names: true})
}

// isSecret reports whether a name says that what it names is known to one alone, so that each is another one.
func isSecret(name string) bool {
	return slices.ContainsFunc(read.WordsIn(name), func(w string) bool {
		return slices.Contains([]string{"state", "nonce", "token", "csrf", "xsrf", "secret", "password", "passcode", "pin", "otp", "session", "cookie", "authorization", "apikey", "verifier", "challenge"}, w)
	})
}

// free are the last words of what has any name or text.
var free = []string{
	"id", "uuid", "ref", "reference", "number", "key", "name", "email", "mail", "login", "title", "label", "note", "comment", "text", "message", "description", "subject",
	"content", "prompt", "user", "username", "customer", "sku", "slug", "product", "item", "order", "cart", "sub", "city", "street", "zip",
}

// isFree reports whether a name is that of what has any name or text.
func isFree(name string) bool {
	words := read.WordsIn(name)
	return len(words) > 0 && slices.Contains(free, strings.TrimSuffix(words[len(words)-1], "s"))
}

// isTime reports whether a name says that what it names is a time.
func isTime(name string) bool {
	return slices.ContainsFunc(read.WordsIn(name), func(w string) bool {
		return slices.Contains([]string{"timestamp", "time", "ts", "expires", "exp", "date"}, w)
	})
}

// A signer is a request whose signatures are looked at.
type signer struct {
	given, forms []string
	fields       map[string]string
	body         string
}

// part adds a part of a name and a value, and those of a token in place of it.
func (s *signer) part(list []Part, of, name, value string) []Part {
	if t := tokenIn(value); t != nil {
		for _, claim := range read.SortedNames(t.claims) {
			list = append(list, Part{Name: "the claim " + claim + " of the token in " + of, Value: t.claims[claim], Of: of, Free: isFree(claim), Aside: claim == "iat" || claim == "jti"})
		}
		right := s.made(t.signed, t.signature)
		return append(list, Part{Name: "the signature of the token in " + of, Value: t.signature, Of: of, Signs: !right, Right: right})
	}
	if !read.IsSignature(name) {
		_, err := netip.ParseAddr(value)
		secret := isSecret(name)
		return append(list, Part{Name: of, Value: value, Names: !isTime(name) && !secret && err != nil, Free: isFree(name) && !secret})
	}
	for _, one := range strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		key, text, has := strings.Cut(one, "=")
		switch {
		case has && (key == "t" || isTime(key)):
			list = append(list, Part{Name: "the time in " + of, Value: text, Of: of})
			s.fields["t"] = text
		case has && text != "" && strings.Trim(text, "=") != "":
			list = s.signature(list, of, text)
		default:
			list = s.signature(list, of, one)
		}
	}
	return list
}

func (s *signer) signature(list []Part, of, value string) []Part {
	right := slices.ContainsFunc(s.messages(), func(text string) bool { return s.made(text, value) })
	return append(list, Part{Name: of, Value: value, Signs: !right, Right: right})
}

// messages are the texts that a signature of the request may be of: its body, alone or behind its time and its id
// as the services that send events have it.
func (s *signer) messages() []string {
	if s.forms != nil {
		return s.forms
	}
	s.forms = []string{s.body}
	var times, ids []string
	for name, value := range s.fields {
		switch {
		case name == "t" || isTime(name):
			times = append(times, value)
		case isID(name):
			ids = append(ids, value)
		}
	}
	for _, t := range times {
		s.forms = append(s.forms, t+"."+s.body, t+s.body, t+":"+s.body, "v0:"+t+":"+s.body)
		for _, id := range ids {
			s.forms = append(s.forms, id+"."+t+"."+s.body)
		}
	}
	return s.forms
}

// made reports whether a signature is made of a text with one of the texts that the server was given.
func (s *signer) made(text, signature string) bool {
	want := slices.DeleteFunc(bytesOf(signature), func(b []byte) bool { return len(b) < sha1.Size })
	if len(want) == 0 {
		return false
	}
	for _, key := range s.given {
		for _, k := range append(bytesOf(strings.TrimPrefix(key, "whsec_")), []byte(key)) {
			for _, h := range []func() hash.Hash{sha256.New, sha512.New, sha512.New384, sha1.New} {
				m := hmac.New(h, k)
				m.Write([]byte(text))
				sum := m.Sum(nil)
				if slices.ContainsFunc(want, func(w []byte) bool { return hmac.Equal(w, sum) }) {
					return true
				}
			}
		}
	}
	return false
}

// bytesOf are the bytes that a text may stand for.
func bytesOf(text string) (list [][]byte) {
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
		if b, err := decode(text); err == nil && len(b) > 0 {
			list = append(list, b)
		}
	}
	return list
}

// A token is a JSON Web Token (RFC 7519) in its compact form.
type token struct {
	signed, signature string
	claims            map[string]string
}

// tokenIn finds a token in a value, which may stand behind a scheme; nil for none.
func tokenIn(value string) *token {
	word := value[strings.LastIndexByte(value, ' ')+1:]
	parts := strings.Split(word, ".")
	if len(parts) != 3 || !strings.HasPrefix(word, "eyJ") {
		return nil
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil
	}
	var claims map[string]json.RawMessage
	if json.Unmarshal(payload, &claims) != nil {
		return nil
	}
	t := &token{signed: parts[0] + "." + parts[1], signature: parts[2], claims: map[string]string{}}
	for name, value := range claims {
		t.claims[name] = string(value)
	}
	return t
}

// shapeOf is a value with one digit for each run of them.
func shapeOf(value string) string {
	var b strings.Builder
	digit := false
	for _, c := range value {
		is := c >= '0' && c <= '9'
		if !is || !digit {
			if is {
				c = '0'
			}
			b.WriteRune(c)
		}
		digit = is
	}
	return b.String()
}

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
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Part is something of a request in which another one may differ, such as the member amount.
type Part struct {
	Name, Value string
	// Signs says that it is a signature of other parts, of which it is not known whether it is right.
	Signs bool
	// Names says that it names or counts the thing that the request is about, as far as its letters tell: e-1
	// stands for e-2.
	Names bool
}

// What bounds the looking for the key of a signature: the bytes of a request that is taken apart, and how many
// texts may be the key.
const (
	signedMax = 64 << 10
	keysMax   = 32
)

// Parts takes a request apart. Fields are its header fields where they are known in plain, and given are the texts
// that the server was given, one of which may be the key of a signature: a signature that is made with one of them
// is left out, because it does not part two requests.
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
	for _, name := range read.SortedNames(s.fields) {
		if !passing(name) || isSignature(name) || isTime(name) {
			list = s.part(list, "the header field "+name, name, s.fields[name])
		}
	}
	if u, err := url.Parse(q.URL); err == nil {
		query := u.Query()
		for _, name := range read.SortedNames(query) {
			list = s.part(list, "the query parameter "+name, name, strings.Join(query[name], ","))
		}
	}
	eachPlain(q.Body, func(path, name, _, value string) {
		if path == "" {
			path = "the body"
		} else {
			path = "the member " + path
		}
		list = s.part(list, path, name, value)
	})
	return list
}

// isSignature reports whether a name says that what it names is a signature: X-Hub-Signature-256, hmac.
func isSignature(name string) bool {
	return slices.ContainsFunc(wordsIn(name), func(w string) bool { return slices.Contains([]string{"signature", "sig", "hmac", "digest"}, w) })
}

// isTime reports whether a name says that what it names is a time.
func isTime(name string) bool {
	return slices.ContainsFunc(wordsIn(name), func(w string) bool {
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
			list = append(list, Part{Name: "the claim " + claim + " of the token in " + of, Value: t.claims[claim]})
		}
		if !s.made(t.signed, t.signature) {
			list = append(list, Part{Name: "the signature of the token in " + of, Value: t.signature, Signs: true})
		}
		return list
	}
	if !isSignature(name) {
		return append(list, Part{Name: of, Value: value, Names: !isTime(name)})
	}
	for _, one := range strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		key, text, has := strings.Cut(one, "=")
		switch {
		case has && (key == "t" || isTime(key)):
			list = append(list, Part{Name: "the time in " + of, Value: text})
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
	for _, text := range s.messages() {
		if s.made(text, value) {
			return list
		}
	}
	return append(list, Part{Name: of, Value: value, Signs: true})
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

// Differ are the parts in which two requests differ, without signatures, and one of their signatures in which they
// do, "" for none. What names a thing counts only where the values differ in more than their digits.
func Differ(a, b []Part) (names []string, signature string) {
	of := map[string]Part{}
	for _, p := range b {
		of[p.Name] = p
	}
	for _, p := range a {
		q, has := of[p.Name]
		delete(of, p.Name)
		switch {
		case has && (p.Value == q.Value || p.Names && shapeOf(p.Value) == shapeOf(q.Value)):
		case p.Signs:
			signature = p.Name
		default:
			names = append(names, p.Name)
		}
	}
	for _, p := range b {
		if _, left := of[p.Name]; left && !p.Signs {
			names = append(names, p.Name)
		}
	}
	return names, signature
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

// Package styles spells a secret in the ways in which it turns up: encoded, quoted, or as a
// function of a language changes it.
//
//	for _, text := range styles.Of("pa ss") {
//		fmt.Println(text) // pa ss, pa%20ss, cGEgc3, …
//	}
package styles

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/scenario-lang/scenario/cassette/internal/jsontext"
)

// What a secret has at least of which other forms are looked for: bytes of one at all, of one
// whose digits and letters in another order do not come about by chance, and of one in other
// cases.
const (
	Shortest = 4
	Turned   = 8
	Long     = 12
)

// Of lists the ways in which a secret is looked for: as it is; as a
// JSON string, up to four times one within the other, in the styles of RFC 8785,
// of Go and of ASCII alone; quoted by Go and by the language; as a part of a
// URL; in Base64; and as a function of the language or a protocol changes it. Escapes
// of other characters, or of other styles, are for the caller to undo.
func Of(secret string) []string {
	list := []string{secret}
	for _, once := range jsonStyles(secret) {
		list = append(list, once)
		for _, twice := range jsonStyles(once) {
			thrice := JSON(twice)
			list = append(list, twice, thrice, JSON(thrice))
		}
	}
	quoted := strconv.Quote(secret)
	list = append(list, quoted[1:len(quoted)-1], strings.NewReplacer("${", "$${", "%{", "%%{").Replace(JSON(secret)))
	list = append(list, urlStyles(secret)...)
	list = append(list, base64Styles(secret)...)
	return append(list, changedStyles(secret)...)
}

// changedStyles are what functions make of a secret that nothing else makes the
// same: without the spaces around it, backwards, as hexadecimal digits, and of a
// long one in other cases, of which one is that of header fields.
func changedStyles(s string) []string {
	list := []string{strings.TrimSpace(s)}
	if len(s) >= Turned {
		digits := hex.EncodeToString([]byte(s))
		backwards := []rune(s)
		slices.Reverse(backwards)
		list = append(list, digits, strings.ToUpper(digits), string(backwards))
	}
	if len(s) >= Long {
		list = append(list, strings.ToUpper(s), strings.ToLower(s), textproto.CanonicalMIMEHeaderKey(s))
	}
	return list
}

func jsonStyles(s string) []string {
	plain := JSON(s)
	marshalled, _ := json.Marshal(s)
	return []string{plain, string(marshalled[1 : len(marshalled)-1]), jsonASCII(plain), strings.ReplaceAll(plain, "/", `\/`)}
}

// JSON is a text in quotes of JSON, without these; it has the fewest escapes that JSON allows.
func JSON(s string) string {
	quoted := string(jsontext.AppendString(nil, s))
	return quoted[1 : len(quoted)-1]
}

// jsonASCII escapes everything beyond ASCII, as Python does.
func jsonASCII(plain string) string {
	var b strings.Builder
	for _, c := range plain {
		switch {
		case c < 0x80:
			b.WriteRune(c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

func urlStyles(s string) []string {
	query := url.QueryEscape(s)
	spaced := strings.ReplaceAll(query, "+", "%20")
	list := []string{
		query, spaced, url.PathEscape(s), (&url.URL{Path: "/" + s}).EscapedPath()[1:], url.User(s).String(),
		// encodeURIComponent of ECMAScript leaves these.
		strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(spaced),
	}
	for _, text := range list {
		list = append(list, lowerHex(text))
	}
	return list
}

// lowerHex writes the digits of percent escapes in lower case.
func lowerHex(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
			i += 2
		}
	}
	return string(b)
}

// base64Styles are the characters that a secret alone decides in Base64, for
// the three places at which it can begin in a group, in both alphabets. A
// secret of four decides too few when it does not begin one.
func base64Styles(s string) []string {
	var list []string
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		list = append(list, alphabet.EncodeToString([]byte(s)))
		if len(s) <= Shortest {
			continue
		}
		for before := range 3 {
			text := alphabet.EncodeToString(append(make([]byte, before), s...))
			if (before+len(s))%3 != 0 {
				text = text[:len(text)-1]
			}
			list = append(list, text[[]int{0, 2, 3}[before]:])
		}
	}
	return list
}

package httptext

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/wire"
)

// HopByHop are the fields that belong to the recorded connection and not to
// the answer (RFC 9110 §7.6.1), with the length of the recorded framing. A
// replay frames the body anew.
var HopByHop = []string{
	"Connection", "Content-Length", "Keep-Alive", "Proxy-Connection", "Te",
	"Trailer", "Transfer-Encoding", "Upgrade",
}

// ReplayFields returns the recorded fields that still fit the body, sorted by
// name, the values of one name in their order.
func ReplayFields(h http.Header, body []byte) []wire.Field {
	names := make([]string, 0, len(h))
	for name := range h {
		if fits(name, h[name], body) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var fields []wire.Field
	for _, name := range names {
		for _, value := range h[name] {
			fields = append(fields, wire.Field{Name: name, Value: value})
		}
	}
	return fields
}

func fits(name string, values []string, body []byte) bool {
	name = http.CanonicalHeaderKey(name)
	if name == "Content-Encoding" {
		return isEncoded(strings.Join(values, ","), body)
	}
	return !slices.Contains(HopByHop, name)
}

// isEncoded reports whether the body still has the encoding that its header
// names. Recorders mostly store the decoded body and keep the field.
func isEncoded(encoding string, body []byte) bool {
	if strings.EqualFold(encoding, "gzip") {
		return bytes.HasPrefix(body, []byte{0x1f, 0x8b})
	}
	return len(body) > 0 && !utf8.Valid(body)
}

// HasField reports whether there is a field of that name, in any case.
func HasField(fields []wire.Field, name string) bool {
	return slices.ContainsFunc(fields, func(f wire.Field) bool { return strings.EqualFold(f.Name, name) })
}

// FieldValue is the first value of a field, "" where there is none.
func FieldValue(fields []wire.Field, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Header returns the fields as a map, the way go-vcr stores them.
func Header(fields []wire.Field) http.Header {
	h := http.Header{}
	for _, f := range fields {
		h[f.Name] = append(h[f.Name], f.Value)
	}
	return h
}

// HeaderFlaw says what makes a recorded header impossible on the wire, or "".
func HeaderFlaw(h http.Header) string {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if !IsToken(name) {
			return "the header name " + strconv.Quote(name) + " is not possible on the wire"
		}
		for _, value := range h[name] {
			if strings.ContainsAny(value, "\r\n\x00") {
				return "the value of header " + name + " has a line break"
			}
		}
	}
	return ""
}

// IsToken follows RFC 9110 §5.6.2.
func IsToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alnum && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

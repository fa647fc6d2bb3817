package redact

import (
	"net/http"

	"github.com/scenario-lang/scenario/cassette/internal/packing"
)

// UnpackedAll is what a body holds under all its layers, the body itself where
// it has none.
func UnpackedAll(encoding, body string) string {
	for range nestedMax {
		u, ok := packing.Unpack(encoding, body)
		if !ok {
			break
		}
		body, encoding = u.Text, ""
	}
	return body
}

// Stored is a body as it may be stored, under the header that it came with.
func (r *Redactor) Stored(h http.Header, body string) string {
	return r.storedAs(h.Get("Content-Type"), h.Get("Content-Encoding"), body, 0)
}

// storedAs looks into a compressed body. One in which nothing is hidden stays as
// it came; any other is compressed anew.
func (r *Redactor) storedAs(contentType, encoding, body string, depth int) string {
	if u, ok := packing.Unpack(encoding, body); ok && depth < nestedMax {
		if shown := r.storedAs(contentType, "", u.Text, depth+1); shown != u.Text {
			return u.Packed(shown)
		}
	}
	return HideTokens(r.Body(contentType, r.hideDeltas(contentType, body)))
}

// asked is the body of a request without what is hidden, also in a compressed one, which
// is compressed anew then.
func (r *Redactor) asked(h http.Header, body string) string {
	if u, ok := packing.Unpack(h.Get("Content-Encoding"), body); ok {
		shown := r.Body(h.Get("Content-Type"), u.Text)
		if shown == u.Text {
			return body
		}
		return u.Packed(shown)
	}
	return r.Body(h.Get("Content-Type"), body)
}

package redact

import "net/http"

// Stored is a body as it may be stored, under the header that it came with.
func (r *Redactor) Stored(h http.Header, body string) string {
	return r.storedAs(h.Get("Content-Type"), h.Get("Content-Encoding"), body, 0)
}

// storedAs looks into a compressed body. One in which nothing is hidden stays as
// it came; any other is compressed anew.
func (r *Redactor) storedAs(contentType, encoding, body string, depth int) string {
	if u, ok := unpack(encoding, body); ok && depth < nestedMax {
		if shown := r.storedAs(contentType, "", u.text, depth+1); shown != u.text {
			return u.packed(shown)
		}
	}
	return HideTokens(r.Body(contentType, r.hideDeltas(contentType, body)))
}

// asked is the body of a request without what is hidden, also in a compressed one, which
// is compressed anew then.
func (r *Redactor) asked(h http.Header, body string) string {
	if u, ok := unpack(h.Get("Content-Encoding"), body); ok {
		shown := r.Body(h.Get("Content-Type"), u.text)
		if shown == u.text {
			return body
		}
		return u.packed(shown)
	}
	return r.Body(h.Get("Content-Type"), body)
}

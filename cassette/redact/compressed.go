package redact

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
)

// A compression is a way in which a body can be packed that is looked into: a
// service that is asked for it by the scenario's own Accept-Encoding sends what
// nobody has unpacked.
type compression struct {
	// begins recognises a body; named says that its header names the way.
	begins func(body string, named bool) bool
	// name is the value of Content-Encoding.
	name string
	open func(io.Reader) (io.ReadCloser, error)
	pack func(io.Writer) flushCloser
}

type flushCloser interface {
	io.WriteCloser
	Flush() error
}

var compressions = []compression{
	{
		name:   "gzip",
		begins: func(body string, _ bool) bool { return strings.HasPrefix(body, "\x1f\x8b") },
		open:   func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
		pack:   func(w io.Writer) flushCloser { return gzip.NewWriter(w) },
	},
	{
		name: "deflate",
		begins: func(body string, named bool) bool {
			return len(body) > 1 && body[0] == 0x78 && (uint(body[0])<<8|uint(body[1]))%31 == 0 // RFC 1950 §2.2
		},
		open: zlib.NewReader,
		pack: func(w io.Writer) flushCloser { return zlib.NewWriter(w) },
	},
	{ // Some servers leave out the frame of RFC 1950; only the header tells.
		name:   "deflate",
		begins: func(_ string, named bool) bool { return named },
		open:   func(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil },
		pack: func(w io.Writer) flushCloser {
			f, _ := flate.NewWriter(w, flate.DefaultCompression) // it is a level that there is
			return f
		},
	},
}

// An unpacked body is what a compressed one holds.
type unpacked struct {
	text string
	how  *compression
	// broken says that the body ends, or is damaged, before its end.
	broken bool
}

// unpack returns what a compressed body holds, as far as it can be read; false
// for one that is not compressed in a way that is known here.
func unpack(encoding, body string) (unpacked, bool) {
	for i := range compressions {
		c := &compressions[i]
		if !c.begins(body, strings.EqualFold(strings.TrimSpace(encoding), c.name)) {
			continue
		}
		r, err := c.open(strings.NewReader(body))
		if err != nil {
			continue
		}
		var b bytes.Buffer
		_, err = io.Copy(&b, io.LimitReader(r, unpackMax))
		if b.Len() == 0 {
			continue
		}
		return unpacked{b.String(), c, err != nil || b.Len() == unpackMax}, true
	}
	return unpacked{}, false
}

// unpackMax bounds what is read of a compressed body. What a recording keeps of
// a larger one ends there, if anything had to be hidden in it.
const unpackMax = 64 << 20

// packed is another text, compressed like the body. A body that was broken
// stays one that has no end.
func (u unpacked) packed(text string) string {
	var b bytes.Buffer
	w := u.how.pack(&b)
	_, _ = io.WriteString(w, text) // a buffer takes everything
	if u.broken {
		_ = w.Flush()
	} else {
		_ = w.Close()
	}
	return b.String()
}

// UnpackedAll is what a body holds under all its layers, the body itself where
// it has none.
func UnpackedAll(encoding, body string) string {
	for range nestedMax {
		u, ok := unpack(encoding, body)
		if !ok {
			break
		}
		body, encoding = u.text, ""
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

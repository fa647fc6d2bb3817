// Package packing undoes what bodies and texts are packed in: compression, which it also does anew, and Base64.
package packing

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
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

// A Body is what a compressed one holds.
type Body struct {
	Text string
	how  *compression
	// broken says that the body ends, or is damaged, before its end.
	broken bool
}

// Unpack returns what a compressed body holds, as far as it can be read; false
// for one that is not compressed in a way that is known here.
func Unpack(encoding, body string) (Body, bool) {
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
		return Body{b.String(), c, err != nil || b.Len() == unpackMax}, true
	}
	return Body{}, false
}

// unpackMax bounds what is read of a compressed body. What a recording keeps of
// a larger one ends there, if anything had to be hidden in it.
const unpackMax = 64 << 20

// Packed is another text, compressed like the body. A body that was broken
// stays one that has no end.
func (u Body) Packed(text string) string {
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

// Base64Min is how long a run of Base64 is at least that is looked into: its beginning is
// looked at before the rest.
const Base64Min = 24

// FromBase64 is the text that a run of Base64 stands for, which is as long, "" where that is none.
func FromBase64(run string) string {
	alphabet := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		alphabet = base64.RawURLEncoding
	}
	head, err := alphabet.DecodeString(run[:Base64Min/4*4])
	if err != nil || !isPrinted(head) {
		return ""
	}
	data, err := alphabet.DecodeString(run)
	if err != nil || !isPrinted(data) {
		return ""
	}
	return string(data)
}

func isPrinted(data []byte) bool {
	for _, c := range data {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// Package encoded undoes the content codings that bodies of requests come in
// (RFC 9110 §8.4):
//
//	plain, left := encoded.Undo(req.Header, body)
package encoded

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// Max bounds, in bytes, what a body may hold below each coding: what holds more
	// stays encoded.
	Max = 16 << 20
	// codingsMax is how many codings a body may be under; more stay.
	codingsMax = 4
)

// Undo returns what a body is below the codings that its header names, and under which
// of them it stays: one that is not known here, or whose bytes are damaged or hold more
// than [Max]. That is "" where all were undone, and for what is text as it stands. A body
// that begins as a compressed file does stays as it is, and left names the format. The
// result may share the memory of body.
func Undo(h http.Header, body []byte) (plain []byte, left string) {
	if len(body) == 0 {
		return body, ""
	}
	all := codings(h)
	if len(all) > codingsMax {
		return body, unlessText(body, all[len(all)-1])
	}
	plain = body
	for _, name := range slices.Backward(all) { // the last was applied last
		below, ok := undone(name, plain)
		if !ok {
			return body, unlessText(plain, name)
		}
		plain = below
	}
	return plain, formatOf(plain)
}

// codings are those that a header names, in the order in which they were applied.
func codings(h http.Header) []string {
	var all []string
	for _, line := range h.Values("Content-Encoding") {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
				all = append(all, name)
			}
		}
	}
	return all
}

// unlessText is the name of a coding, "" for bytes that are text: a program may name a
// coding that it did not apply, and some, such as aws-chunked, leave text as it is.
func unlessText(body []byte, name string) string {
	if utf8.Valid(body) {
		return ""
	}
	return name
}

// formatOf is the format of a compressed file, "" for anything else.
func formatOf(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\x1f\x8b\x08")): // RFC 1952 §2.3
		return "gzip"
	case bytes.HasPrefix(body, []byte("\x28\xb5\x2f\xfd")): // RFC 8878 §3.1.1
		return "zstd"
	}
	return ""
}

// undone is what is below a coding; false where that cannot be told.
func undone(name string, body []byte) ([]byte, bool) {
	switch name {
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, false
		}
		return all(r)
	case "deflate":
		if r, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
			return all(r)
		}
		return all(flate.NewReader(bytes.NewReader(body))) // without the frame of RFC 1950, as some clients send it
	}
	return nil, false
}

// all is what a reader gives to its end, where that is not too much.
func all(r io.Reader) ([]byte, bool) {
	body, err := io.ReadAll(io.LimitReader(r, Max+1))
	return body, err == nil && len(body) <= Max
}

package dsl

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl/render"
)

// maxBadBytes is how many bytes of a file may be wrong for it to pass as a
// text with a mistake in it.
const maxBadBytes = 10

// noText is the one thing to say of a file that is no text in UTF-8: about
// each of its bytes there would be another. It is nil for a text.
func noText(path string, src []byte) *hcl.Diagnostic {
	why, hint := "", "Is it the file that you meant?"
	switch {
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}), bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		why, hint = "it is written in UTF-16", "Save it as UTF-8."
	case bytes.IndexByte(src, 0) >= 0:
		why = fmt.Sprintf("it has a NUL byte at offset %s", render.Thousands(bytes.IndexByte(src, 0)))
	case badBytes(src) > maxBadBytes:
		why, hint = "it has many bytes that are not UTF-8", hint+" Save text in another encoding as UTF-8."
	default:
		return nil
	}
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  "File is not text",
		Detail:   fmt.Sprintf("The file is not a UTF-8 text file: %s. %s", why, hint),
		Subject:  &hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos},
	}
}

// badBytes counts the bytes that are not UTF-8, up to one more than may be.
func badBytes(src []byte) int {
	if utf8.Valid(src) {
		return 0
	}
	n := 0
	for i := 0; i < len(src) && n <= maxBadBytes; {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			n++
		}
		i += size
	}
	return n
}

package encoded

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/hex"
	"io"
	"net/http"
	"testing"
)

func packed(t *testing.T, w io.WriteCloser, b *bytes.Buffer, text []byte) []byte {
	t.Helper()
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	return packed(t, gzip.NewWriter(&b), &b, text)
}

// Shows that the codings which a header names are undone, the last first, and that what
// cannot be undone stays and is named, unless it is text as it stands.
func TestUndo(t *testing.T) {
	text := []byte(`{"user":"jane@example.com"}`)
	var b, c bytes.Buffer
	framed := packed(t, zlib.NewWriter(&b), &b, text)
	w, _ := flate.NewWriter(&c, flate.DefaultCompression)
	bare := packed(t, w, &c, text)
	// What brotli 1.1 and zstd 1.5 make of "hello".
	brotli, _ := hex.DecodeString("0b028068656c6c6f03")
	zstd, _ := hex.DecodeString("28b52ffd0405290000" + "68656c6c6f" + "4c9fa2ec")
	gz := zipped(t, text)
	for _, c := range []struct {
		name    string
		codings []string
		body    []byte
		plain   []byte
		left    string
	}{
		{"no coding", nil, text, text, ""},
		{"nothing", []string{"gzip"}, nil, nil, ""},
		{"identity", []string{"identity"}, text, text, ""},
		{"gzip", []string{"gzip"}, gz, text, ""},
		{"its other name", []string{"X-GZIP"}, gz, text, ""},
		{"deflate", []string{"deflate"}, framed, text, ""},
		{"deflate without its frame", []string{"deflate"}, bare, text, ""},
		{"two", []string{"deflate, gzip"}, zipped(t, framed), text, ""},
		{"two, in two fields", []string{"deflate", "gzip"}, zipped(t, framed), text, ""},
		{"two, the other way round", []string{"gzip, deflate"}, zipped(t, framed), zipped(t, framed), "deflate"},
		{"brotli", []string{"br"}, brotli, brotli, "br"},
		{"brotli below gzip", []string{"br, gzip"}, zipped(t, brotli), zipped(t, brotli), "br"},
		{"a cut body", []string{"gzip"}, gz[:len(gz)-9], gz[:len(gz)-9], "gzip"},
		{"a named coding that was not applied", []string{"gzip"}, text, text, ""},
		{"one that leaves text", []string{"aws-chunked"}, text, text, ""},
		{"a compressed file", nil, gz, gz, "gzip"},
		{"another", nil, zstd, zstd, "zstd"},
		{"a compressed file in a coding", []string{"gzip"}, zipped(t, gz), gz, "gzip"},
		{"too many", []string{"gzip, gzip, gzip, gzip, gzip"}, gz, gz, "gzip"},
		{"as much as may be", []string{"gzip"}, zipped(t, make([]byte, Max)), make([]byte, Max), ""},
		{"a bomb", []string{"gzip"}, zipped(t, make([]byte, Max+1)), zipped(t, make([]byte, Max+1)), "gzip"},
	} {
		plain, left := Undo(http.Header{"Content-Encoding": c.codings}, c.body)
		if !bytes.Equal(plain, c.plain) || left != c.left {
			t.Errorf("%s: %.80q under %q, want %.80q under %q", c.name, plain, left, c.plain, c.left)
		}
	}
}

// FuzzUndo shows that no body makes it fail, or come to more than its bound.
func FuzzUndo(f *testing.F) {
	f.Add("gzip, deflate", []byte("\x1f\x8b\x08"))
	f.Add("deflate", []byte("x\x9c"))
	f.Fuzz(func(t *testing.T, codings string, body []byte) {
		plain, left := Undo(http.Header{"Content-Encoding": {codings}}, body)
		if len(plain) > max(len(body), Max) || left != "" && len(plain) == 0 {
			t.Errorf("%d bytes under %q of %d", len(plain), left, len(body))
		}
	})
}

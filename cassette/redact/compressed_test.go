package redact

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// compressedAs are the ways in which a server packs a body, by their names.
func compressedAs(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	pack := func(name string, make func(io.Writer) io.WriteCloser) {
		var b bytes.Buffer
		w := make(&b)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out[name] = b.String()
	}
	pack("gzip", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	pack("zlib", func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	pack("flate", func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 6); return f })
	pack("stored", func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, flate.NoCompression); return f })
	return out
}

func opened(t *testing.T, name, body string) (string, error) {
	t.Helper()
	var r io.Reader
	var err error
	switch name {
	case "gzip":
		r, err = gzip.NewReader(strings.NewReader(body))
	case "zlib":
		r, err = zlib.NewReader(strings.NewReader(body))
	default:
		r = flate.NewReader(strings.NewReader(body))
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// Shows that a secret in an answer that came compressed is hidden in what is
// written, which a client unpacks as before, that an answer without a secret
// keeps its bytes, and that one that was cut stays cut.
func TestSecretsInCompressedAnswers(t *testing.T) {
	token := "ghp_" + "aZ09bYcX18dW27eV36fU45gT54hS63iR72jQ"
	red := New([]string{canary})
	text := `{"echo":` + jsonOf(t, canary, false) + `,"token":"` + token + `","api_key":"abcdefgh","rest":"` + strings.Repeat("words ", 30) + `"}`
	want := red.Stored(http.Header{"Content-Type": {"application/json"}}, text)
	header := func(name string) http.Header {
		if name == "gzip" {
			return http.Header{"Content-Encoding": {"gzip"}}
		}
		return http.Header{"Content-Encoding": {"deflate"}}
	}
	for name, body := range compressedAs(t, text) {
		shown := red.Stored(header(name), body)
		if got, err := opened(t, name, shown); err != nil || got != want {
			t.Errorf("%s: holds %s, %v, want %s", name, got, err, want)
		}
		if again := red.Stored(header(name), shown); again != shown {
			t.Errorf("%s: hiding twice changes it", name)
		}
		cut := red.Stored(header(name), body[:len(body)-5])
		if got, err := opened(t, name, cut); err == nil || strings.Contains(got, "c4n") || !strings.HasPrefix(got, want[:60]) {
			t.Errorf("%s, cut: holds %s, %v", name, got, err)
		}
	}
	for name, body := range compressedAs(t, `{"echo":"nothing"}`) {
		if shown := red.Stored(header(name), body); shown != body {
			t.Errorf("%s without a secret became %q", name, shown)
		}
	}
	// Two letters that a text may begin with are those of a compressed one.
	if shown := red.Stored(http.Header{}, "x^ "+token); strings.Contains(shown, token) {
		t.Error(shown)
	}
}

// Shows that a secret in a request that came compressed is hidden in what is written, and
// that a request without one keeps its bytes.
func TestSecretsInCompressedRequests(t *testing.T) {
	red := New([]string{canary})
	in := func(name, body string) Request {
		h := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"deflate"}}
		if name == "gzip" {
			h.Set("Content-Encoding", "gzip")
		}
		return Request{Method: "POST", URL: "https://a.test/", Header: h, Body: []byte(body)}
	}
	text := `{"echo":` + jsonOf(t, canary, false) + `,"password":"abcdefgh","rest":"` + strings.Repeat("words ", 30) + `"}`
	want := string(red.Request(Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(text)}).Body)
	for name, body := range compressedAs(t, text) {
		if got, err := opened(t, name, string(red.Request(in(name, body)).Body)); err != nil || got != want || strings.Contains(got, "abcdefgh") {
			t.Errorf("%s: holds %s, %v, want %s", name, got, err, want)
		}
	}
	for name, body := range compressedAs(t, `{"echo":"nothing"}`) {
		if shown := string(red.Request(in(name, body)).Body); shown != body {
			t.Errorf("%s without a secret became %q", name, shown)
		}
	}
}

// Shows that the scan of a file looks into what is compressed or in Base64: bodies
// of go-vcr and vcrpy, of HAR and of WireMock.
func TestScanLooksIntoPackedBodies(t *testing.T) {
	token := "ghp_" + "aZ09bYcX18dW27eV36fU45gT54hS63iR72jQ"
	packed := base64.StdEncoding.EncodeToString([]byte(compressedAs(t, "a token: "+token)["gzip"]))
	plain := base64.StdEncoding.EncodeToString([]byte("\xff a token: " + token))
	for name, text := range map[string]string{
		"YAML, compressed": "version: 1\ninteractions:\n- response:\n    body: !!binary " + packed + "\n",
		"YAML":             "version: 1\ninteractions:\n- response:\n    body: !!binary |\n      " + plain[:40] + "\n      " + plain[40:] + "\n",
		"HAR":              fmt.Sprintf("{\"log\": {\"entries\": [\n\n\n{\"response\": {\"content\": {\"encoding\": \"base64\", \"text\": %q}}}]}}", plain),
		"WireMock":         fmt.Sprintf("{\n\"response\":\n {\n\"base64Body\": %q}}", plain),
	} {
		found, err := Scan("f", []byte(text))
		if err != nil || len(found) != 1 || found[0].Line != 4 || found[0].Rule != "github-pat" || found[0].Mark != Placeholder(token) {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// Shows that a secret which a stream brings in pieces is hidden where its events
// are bare texts, JSON strings or lists.
func TestPiecesThatAreNoObjects(t *testing.T) {
	red := New([]string{canary})
	for name, form := range map[string]func(string) string{
		"bare":   func(s string) string { return "data: " + s + "\n\n" },
		"crlf":   func(s string) string { return "data:" + s + "\r\n\r\n" },
		"string": func(s string) string { return "data: " + jsonOf(t, s, false) + "\n\n" },
		"list":   func(s string) string { return "data: [" + jsonOf(t, s, false) + "]\n\n" },
	} {
		var body, want strings.Builder
		pieces := strings.Split("the key is,"+canary[:6]+","+canary[6:9]+","+canary[9:]+", yes", ",")
		for i, p := range pieces {
			body.WriteString(form(p))
			want.WriteString(form([]string{p, Placeholder(canary), "", "", p}[i]))
		}
		if name == "bare" || name == "crlf" {
			body.WriteString("data: [DONE]\n\n")
			want.WriteString("data: [DONE]\n\n")
		}
		if got := red.Stored(http.Header{"Content-Type": {"text/event-stream"}}, body.String()); got != want.String() {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, want.String())
		}
	}
}

package exchange

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a credential in an answer is told of before the piece that ends it is handed on, in
// whatever pieces it comes, and at the latest with the end of the answer; and that no more of a long
// one is kept than a member may have.
func TestAnsweredBody(t *testing.T) {
	const token, key = "tokenOf8Za82kk10bb", "keyOf8Qq71mm20cc"
	space := strings.Repeat(" ", 5000)
	for kind, text := range map[string]string{
		"application/json":                  space + `{"access_token":"` + token + `"` + space + "}",
		"application/x-www-form-urlencoded": "scope=a&access_token=" + token,
	} {
		for name, pieces := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "in halves": iotest.HalfReader, "byte by byte": iotest.OneByteReader, "with its end": iotest.DataErrReader,
		} {
			var known []string
			d := &dial{onSecret: func(values []string) { known = append(known, values...) }}
			resp := &http.Response{Header: http.Header{"Content-Type": {kind}, "X-Api-Key": {key}}, Body: io.NopCloser(pieces(strings.NewReader(text)))}
			if d.listen(resp); !slices.Contains(known, key) {
				t.Errorf("%s, %s: the head is not told of: %q", kind, name, known)
			}
			var got strings.Builder
			piece := make([]byte, 64)
			for {
				n, err := resp.Body.Read(piece)
				got.Write(piece[:n])
				if strings.Contains(got.String(), token+`"`) && !slices.Contains(known, token) {
					t.Fatalf("%s, %s: it was handed on before it was told of", kind, name)
				}
				if err != nil {
					break
				}
			}
			if b := resp.Body.(*answeredBody); got.String() != text || !slices.Contains(known, token) || len(b.before) > memberMax {
				t.Errorf("%s, %s: read %d of %d bytes, %d are kept, known is %q", kind, name, got.Len(), len(text), len(b.before), known)
			}
		}
	}
}

// Shows that the credentials in what a script answers with are told of, however the bytes of the answer come apart,
// and that one which breaks off or is none of HTTP is looked through as well.
func TestAnsweredByAScript(t *testing.T) {
	const token, key = "tokenOf8Za82kk10bb", "keyOf8Qq71mm20cc"
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Api-Key: " + key + "\r\n"
	body := `{"access_token":"` + token + `"}`
	for name, text := range map[string]string{
		"whole":      head + "\r\n" + body,
		"in chunks":  head + "Transfer-Encoding: chunked\r\n\r\n14\r\n" + body[:20] + "\r\n" + fmt.Sprintf("%x\r\n", len(body)-20) + body[20:] + "\r\n0\r\n\r\n",
		"breaks off": head + "Content-Length: 400\r\n\r\n" + body,
		"in a pipe":  `{"x_api_key":"` + key + `","result":` + body + "}\n",
	} {
		var s wire.WireScript
		for rest := []byte(text); len(rest) > 0; {
			n := min(7, len(rest))
			s.Ops, rest = append(s.Ops, wire.Op{Data: rest[:n]}), rest[n:]
		}
		if got := Credentials(Answered(s)); !slices.Contains(got, token) || !slices.Contains(got, key) {
			t.Errorf("%s: %q", name, got)
		}
	}
	long := wire.WireScript{Ops: []wire.Op{{Data: make([]byte, answeredMax-1)}, {Data: make([]byte, 10)}, {Data: make([]byte, 10)}}}
	if n := len(Answered(long)); n != answeredMax {
		t.Errorf("%d bytes are looked at", n)
	}
}

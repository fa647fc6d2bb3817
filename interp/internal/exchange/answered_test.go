package exchange

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
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

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
// whatever pieces it comes, and that a long answer is not looked through again and again.
func TestAnsweredBody(t *testing.T) {
	const token = "tokenOf8Za82kk10bb"
	for name, pieces := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "in halves": iotest.HalfReader, "byte by byte": iotest.OneByteReader, "with its end": iotest.DataErrReader,
	} {
		var known []string
		d := &dial{onSecret: func(values []string) { known = append(known, values...) }}
		text := strings.Repeat(" ", 5000) + `{"access_token":"` + token + `"` + strings.Repeat(" ", 5000) + "}"
		resp := &http.Response{Header: http.Header{"Content-Type": {"application/json"}, "X-Api-Key": {"keyOf8Qq71mm20cc"}}, Body: io.NopCloser(pieces(strings.NewReader(text)))}
		if d.listen(resp); !slices.Contains(known, "keyOf8Qq71mm20cc") {
			t.Errorf("%s: the head is not told of: %q", name, known)
		}
		var got strings.Builder
		piece := make([]byte, 64)
		for {
			n, err := resp.Body.Read(piece)
			got.Write(piece[:n])
			if has := strings.Contains(got.String(), token+`"`); has && !slices.Contains(known, token) {
				t.Fatalf("%s: it was handed on before it was told of", name)
			}
			if err != nil {
				break
			}
		}
		if b := resp.Body.(*answeredBody); got.String() != text || len(b.before) > memberMax {
			t.Errorf("%s: read %d of %d bytes, %d are kept", name, got.Len(), len(text), len(b.before))
		}
	}
}

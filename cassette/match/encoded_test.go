package match

import (
	"bytes"
	"compress/gzip"
	"testing"
	"time"
)

// Shows that requests which say the same under a compression are equal, whenever they were
// compressed and whether both are, and those that do not are not.
func TestCompressedBodies(t *testing.T) {
	zipped := func(body string, at time.Time) Request {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.ModTime = at // clients write it, so the bytes differ
		_, _ = w.Write([]byte(body))
		_ = w.Close()
		r := request(b.String())
		r.Header = r.Header.Clone()
		r.Header.Set("Content-Encoding", "gzip")
		return r
	}
	day := time.Unix(1_700_000_000, 0)
	for _, body := range []string{`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`, `{"a":1}`, "text"} {
		for _, profile := range []string{Strict, Semantic} {
			m := Match{Profile: profile}
			a, b := zipped(body, day), zipped(body, day.Add(time.Hour))
			if bytes.Equal(a.Body, b.Body) {
				t.Fatal("the bytes are the same")
			}
			if m.Key(a) != m.Key(b) || m.Key(a) != m.Key(request(body)) || len(m.Diff(a, b)) > 0 || BodyKey(a) != BodyKey(b) {
				t.Errorf("%s: %s differs from itself: %v", profile, body, m.Diff(a, b))
			}
			if other := zipped(body[:len(body)-1]+" "+body[len(body)-1:]+"x", day); m.Key(a) == m.Key(other) || BodyKey(a) == BodyKey(other) {
				t.Errorf("%s: %s is the same as another", profile, body)
			}
		}
	}
}

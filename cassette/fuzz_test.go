package cassette

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/wire"
)

// No file makes Parse panic, and what it accepts can be written in our format
// and is read back equal.
func FuzzParse(f *testing.F) {
	f.Add([]byte(v1))
	f.Add(written(f, streamed("a"), recorded("b", 1, `{}`, `{}`)))
	f.Add([]byte("version: 2\ninteractions: []\n"))
	f.Add([]byte(pySample))
	f.Add([]byte("interactions: [{request: {uri: 'http://a', method: get, headers: &h {}, body: !!python/object/new:_io.BytesIO {state: [!!binary QQ==]}}, response: {status_code: 200, content: a, headers: *h}}]\nversion: 1\n"))
	f.Add([]byte(`{"_version": 2, "a": [{"content": "x", "tool_calls": [{"arguments": {"a": [1.5]}}]}], "b": {"fault": {"type": "http_error", "headers": {}}}}`))
	f.Add([]byte("version: 1\ninteractions: [{request: &a {body: *a}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("a.yaml", data)
		if err != nil {
			var e *LoadError
			if c != nil || !errors.As(err, &e) || e.Problem == "" {
				t.Fatalf("%v, %#v", c, err)
			}
			return
		}
		var out bytes.Buffer
		if err := Write(&out, c); err != nil {
			return // a name or form that YAML cannot hold
		}
		back, err := Parse("a.yaml", out.Bytes())
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, out.Bytes())
		}
		if d := sameItems(c.Interactions, back.Interactions); d != "" {
			t.Fatal(d)
		}
	})
}

// The parts of any body are the body, for every content type and every way in
// which it may have arrived.
func FuzzShape(f *testing.F) {
	f.Add("text/event-stream", []byte("data: 1\r\n\r\n: x\n\n"), 5)
	f.Add("application/vnd.amazon.eventstream", []byte("\x00\x00\x00\x10............"), 1)
	f.Add("application/x-ndjson", []byte("{}\n{}"), 0)
	f.Fuzz(func(t *testing.T, contentType string, body []byte, size int) {
		var chunks []Chunk
		for left := len(body); size > 0 && left > 0; left -= min(left, size) {
			chunks = append(chunks, Chunk{At: time.Duration(len(chunks)), Len: min(left, size)})
		}
		if text := chunkFlaw(chunks, len(body)); text != "" {
			t.Fatal(text)
		}
		var r wire.Response
		shape(&r, contentType, body, chunks, time.Second)
		if !bytes.Equal(r.Body(), body) {
			t.Fatalf("%q became %q", body, r.Body())
		}
		total := r.Wait
		for _, p := range r.Parts {
			if p.Wait < 0 || len(p.Data) == 0 {
				t.Fatalf("part %+v", p)
			}
			total += p.Wait
		}
		if len(chunks) > 0 && total != chunks[len(chunks)-1].At {
			t.Fatalf("it takes %v, not %v", total, chunks[len(chunks)-1].At)
		}
		httptext.CutFlaw(&r)
	})
}

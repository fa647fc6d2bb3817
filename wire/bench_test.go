package wire

import (
	"io"
	"net/http"
	"testing"
	"time"
)

// Measures what the player adds to a call with a small JSON answer (goal G8:
// at most 3 µs and 25 allocations).
func BenchmarkRoundTrip(b *testing.B) {
	answer := Response{Status: http.StatusOK, Header: jsonType, Parts: []Part{{Data: []byte(`{"id":"chatcmpl-1","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}`)}}}
	s := answer.Script(Meta{})
	c := newFakeClock()
	r := post(b, target)
	r.Body = nil
	buf := make([]byte, 512)
	b.ReportAllocs()
	for b.Loop() {
		resp, err := s.RoundTrip(c, r)
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = resp.Body.Read(buf)
		}
		resp.Body.Close()
	}
}

// Measures a stream of a thousand chunks with a wait before each.
func BenchmarkStream(b *testing.B) {
	r := Response{Stream: true, Parts: make([]Part, 1000)}
	for i := range r.Parts {
		r.Parts[i] = Part{Wait: time.Millisecond, Data: []byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")}
	}
	s := r.Script(Meta{})
	req := post(b, target)
	req.Body = nil
	buf := make([]byte, 512)
	b.ReportAllocs()
	for b.Loop() {
		resp, err := s.RoundTrip(newFakeClock(), req)
		for err == nil {
			_, err = resp.Body.Read(buf)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}

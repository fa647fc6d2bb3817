package cassette

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// steps is a body that brings a piece whenever the test sends one.
type steps chan string

func (s steps) Read(p []byte) (int, error) {
	text, ok := <-s
	if !ok {
		return 0, io.EOF
	}
	return copy(p, text), nil
}

func (s steps) Close() error { return nil }

func (s steps) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: s, Request: r,
	}, nil
}

const event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" and\"},\"finish_reason\":null}]}\n\n"

// Shows that a piece of a stream reaches the client before the next one exists:
// a recorder that waited for more would wait here for ever.
func TestPiecesAreNotHeldBack(t *testing.T) {
	r := recorderFor(t, filepath.Join(t.TempDir(), "a.yaml"), RecordOptions{})
	call := dialled(t, "answer", 1, chatURL, `{}`)
	take := r.Begin(call, TakeOptions{Now: time.Now})
	upstream := make(steps, 1)
	resp, err := take.RoundTrip(upstream, call.Request)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	for range 100 {
		upstream <- event
		if n, err := resp.Body.Read(buf); string(buf[:n]) != event || err != nil {
			t.Fatalf("%q, %v", buf[:n], err)
		}
	}
	close(upstream)
	if _, err := resp.Body.Read(buf); err != io.EOF {
		t.Fatal(err)
	}
	if err := take.Seal(true); err != nil {
		t.Fatal(err)
	}
	c, err := r.Commit(nil)
	if err != nil || len(c.Interactions[0].Chunks) != 101 {
		t.Errorf("%v, %v", c, err)
	}
}

// BenchmarkFirstByte measures how long a piece takes from its arrival at the
// recorder to the client.
func BenchmarkFirstByte(b *testing.B) {
	r := recorderFor(b, filepath.Join(b.TempDir(), "a.yaml"), RecordOptions{})
	buf := make([]byte, 4096)
	var sum, most time.Duration
	for b.Loop() {
		call := dialled(b, "answer", 1, chatURL, `{}`)
		take := r.Begin(call, TakeOptions{Now: time.Now})
		upstream := make(steps, 1)
		resp, err := take.RoundTrip(upstream, call.Request)
		if err != nil {
			b.Fatal(err)
		}
		begun := time.Now()
		upstream <- event
		if _, err := resp.Body.Read(buf); err != nil {
			b.Fatal(err)
		}
		took := time.Since(begun)
		sum, most = sum+took, max(most, took)
	}
	b.ReportMetric(float64(sum.Microseconds())/float64(b.N), "µs-mean")
	b.ReportMetric(float64(most.Microseconds()), "µs-worst")
}

// BenchmarkRecordChunks records a stream of 100,000 pieces and reports what
// the recording holds while it goes on, beside the bytes themselves.
func BenchmarkRecordChunks(b *testing.B) {
	const pieces = 100_000
	r := recorderFor(b, filepath.Join(b.TempDir(), "a.yaml"), RecordOptions{})
	buf := make([]byte, 4096)
	for b.Loop() {
		call := dialled(b, "answer", 1, chatURL, `{}`)
		before := heap()
		take := r.Begin(call, TakeOptions{Now: time.Now})
		upstream := make(steps, 1)
		resp, err := take.RoundTrip(upstream, call.Request)
		if err != nil {
			b.Fatal(err)
		}
		for range pieces {
			upstream <- event
			if _, err := resp.Body.Read(buf); err != nil {
				b.Fatal(err)
			}
		}
		held := heap() - before
		b.ReportMetric(float64(held)/1e6, "MB-held")
		b.ReportMetric(float64(held)/float64(pieces*len(event)), "held/body")
		runtime.KeepAlive(take)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkRecord compares the processor time of recording a stream with that
// of reading it alone, over loopback: 1,000 events of a model's answer. The
// sealing of it, with its syncs, is measured by itself.
func BenchmarkRecord(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 1000 {
			_, _ = io.WriteString(w, event)
			w.(http.Flusher).Flush()
		}
	}))
	defer srv.Close()
	r := recorderFor(b, filepath.Join(b.TempDir(), "a.yaml"), RecordOptions{})
	var passing, recording, sealing time.Duration
	n := 0
	for b.Loop() {
		n++
		passing += cpuOf(func() {
			call := dialled(b, "answer", n, srv.URL, `{}`)
			resp, err := http.DefaultTransport.RoundTrip(call.Request)
			drain(b, resp, err)
		})
		call := dialled(b, "answer", n, srv.URL, fmt.Sprintf(`{"n":%d}`, n))
		take := r.Begin(call, TakeOptions{Now: time.Now})
		recording += cpuOf(func() {
			resp, err := take.RoundTrip(http.DefaultTransport, call.Request)
			drain(b, resp, err)
		})
		sealing += cpuOf(func() {
			if err := take.Seal(true); err != nil {
				b.Fatal(err)
			}
		})
	}
	b.ReportMetric(float64(recording)/float64(passing), "CPU-streaming")
	b.ReportMetric(float64(recording+sealing)/float64(passing), "CPU-all")
	b.ReportMetric(float64(sealing.Microseconds())/float64(n)/1e3, "ms-seal")
}

func drain(b *testing.B, resp *http.Response, err error) {
	b.Helper()
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		err = errors.Join(err, resp.Body.Close())
	}
	if err != nil {
		b.Fatal(err)
	}
}

// Shows that a stream of very many pieces keeps a bounded number of them, and
// all of its bytes.
func TestManyPieces(t *testing.T) {
	take := NewTake(dialled(t, "answer", 1, chatURL, `{}`), TakeOptions{Now: time.Now})
	take.begun, take.ctx = time.Now(), t.Context()
	take.it.Chunks = []Chunk{{}}
	const pieces = 3 * chunkMax
	for range pieces {
		take.read([]byte("x"), nil)
	}
	it := take.Recorded()
	sum, last := 0, time.Duration(0)
	for _, c := range it.Chunks {
		if c.At < last {
			t.Fatalf("%v comes after %v", c.At, last)
		}
		sum, last = sum+c.Len, c.At
	}
	if sum != pieces || len(it.Chunks) > chunkMax || len(it.Chunks) < chunkMax/2 || it.Chunks[0].Len != 0 {
		t.Errorf("%d chunks of %d bytes", len(it.Chunks), sum)
	}
	if text := chunkFlaw(it.Chunks, pieces); text != "" || !strings.HasPrefix(string(take.body), "xxx") {
		t.Error(text)
	}
}

package sut

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// piecesMost is how many pieces of an output are remembered.
const piecesMost = 1 << 14

// came remembers when a program wrote.
type came struct {
	mu     sync.Mutex
	pieces []interp.Piece
	more   bool
	// streams are those that the program answered with.
	streams []interp.Stream
}

// wrote notes so many bytes that came at a time of the run.
func (c *came) wrote(at time.Duration, stderr bool, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pieces) == piecesMost {
		c.more = true
		return
	}
	c.pieces = append(c.pieces, interp.Piece{At: at, Stderr: stderr, Size: size})
}

// all is what came.
func (c *came) all() interp.Came {
	c.mu.Lock()
	defer c.mu.Unlock()
	return interp.Came{Pieces: slices.Clone(c.pieces), Whole: !c.more, Streams: slices.Clone(c.streams)}
}

// streamsMost is how many streams are remembered.
const streamsMost = 1 << 10

// following is a way to a program that remembers when the streams came that it answers with. now is the time of
// the run.
func (c *came) following(way http.RoundTripper, now func() time.Duration) http.RoundTripper {
	return follower{way, c, now}
}

type follower struct {
	http.RoundTripper
	came *came
	now  func() time.Duration
}

// RoundTrip implements http.RoundTripper.
func (f follower) RoundTrip(req *http.Request) (*http.Response, error) {
	from := f.now()
	resp, err := f.RoundTripper.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusOK || !isStream(resp.Header.Get("Content-Type")) {
		return resp, err
	}
	resp.Body = &followed{ReadCloser: resp.Body, by: f, stream: interp.Stream{From: from, First: -1}}
	return resp, nil
}

// isStream reports whether a content type is that of pieces which come one by one.
func isStream(contentType string) bool {
	return slices.ContainsFunc([]string{"text/event-stream", "ndjson", "jsonl", "stream+json", "json-seq"}, func(part string) bool { return strings.Contains(strings.ToLower(contentType), part) })
}

// followed is the body of a stream. It is read and closed by one at a time.
type followed struct {
	io.ReadCloser
	by     follower
	stream interp.Stream
	lines  int
	over   bool
}

// Read implements io.Reader.
func (f *followed) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if n > 0 && f.stream.First < 0 {
		f.stream.First = f.by.now()
	}
	if f.lines += bytes.Count(p[:n], []byte("\n")); err != nil {
		f.end()
	}
	return n, err
}

// Close implements io.Closer.
func (f *followed) Close() error {
	f.end()
	return f.ReadCloser.Close()
}

// severalLines is how many lines a stream has at least that has several pieces: an event is followed by an empty
// line.
const severalLines = 4

// end remembers a stream that had several pieces, once.
func (f *followed) end() {
	if f.over || f.stream.First < 0 || f.lines < severalLines {
		return
	}
	f.over, f.stream.Until = true, f.by.now()
	c := f.by.came
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.streams) < streamsMost {
		c.streams = append(c.streams, f.stream)
	}
}

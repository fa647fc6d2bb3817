package providers

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// BodyMax bounds what is read of one answer, a stream's events together.
const BodyMax = 64 << 20

// ReadBody reads an answer to its end. With an error it returns what came
// before it; beyond [BodyMax] the error wraps [ErrTooLarge].
func ReadBody(resp *http.Response) ([]byte, error) {
	return ReadAll(LimitBody(resp.Body), resp.ContentLength)
}

// announcedMax bounds the memory that is taken for bytes which have only been
// announced.
const announcedMax = 64 << 10

// ReadAll is [io.ReadAll] for a reader of which something says how many bytes it
// has. It need not be true, and may be negative.
func ReadAll(r io.Reader, announced int64) ([]byte, error) {
	// One more than there is leaves room for the read that finds the end.
	data := make([]byte, 0, 1+min(max(announced, 0), announcedMax))
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return data, err
		case len(data) == cap(data):
			data = slices.Grow(data, max(512, len(data)))
		}
	}
}

// LimitBody passes r on up to [BodyMax] and then fails with an error that wraps
// [ErrTooLarge].
func LimitBody(r io.Reader) io.Reader {
	return &limitedReader{source: r, left: BodyMax}
}

type limitedReader struct {
	source io.Reader
	left   int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("an answer of more than %d bytes: %w", BodyMax, ErrTooLarge)
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.source.Read(p)
	l.left -= int64(n)
	return n, err
}

// MediaType is the media type of a header in lower case without parameters, ""
// where there is none.
func MediaType(h http.Header) string {
	t, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// IsJSON tells whether a media type is JSON or built upon it (RFC 6839).
func IsJSON(mediaType string) bool {
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}

// EventStream is the media type of server-sent events.
const EventStream = "text/event-stream"

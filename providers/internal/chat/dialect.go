package chat

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// A Dialect is how one interface answers.
type Dialect struct {
	// Expected is what an answer in one piece holds, with its verb ("a message
	// was"), for the message about an empty one.
	Expected string
	// Streamed is the media type of a streamed answer.
	Streamed string
	// Unread says of media types that are known and not read what to do.
	Unread map[string]string
	// Refusal reads the vendor's error object in the body of an answer whose
	// status is no success; nil where [providers.ErrorText] reads it.
	Refusal func(body []byte) Refusal
	// Object reads an answer in one piece. It sets Complete on every output but
	// that of an object which cannot be understood.
	Object func(in providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure)
	// Stream reads a streamed answer; sink is not nil.
	Stream func(ctx context.Context, in providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure)
}

// A Refusal is what a vendor says when it refuses a request.
type Refusal struct {
	// Text is "" for a body of another shape than the vendor's.
	Text string
	// RetryAfter is read where no header has one.
	RetryAfter    time.Duration
	HasRetryAfter bool
}

// Parse reads an answer as [providers.Adapter] wants it. A streamed request that
// was answered by one JSON object is read as that; the whole content is then the
// only delta.
func (d *Dialect) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		return providers.Output{}, providers.TransportFailure(providers.NoResponse(err))
	}
	defer resp.Body.Close()
	out := providers.Output{StatusCode: resp.StatusCode, Headers: resp.Header}
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	if sink == nil {
		sink = func(providers.Chunk) error { return nil }
	}
	media := providers.MediaType(resp.Header)
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return d.refused(resp, out, now)
	case in.Stream && media == d.Streamed && resp.ContentLength != 0:
		return d.Stream(ctx, in, resp, out, sink)
	default:
		return d.plain(in, resp, out, media, sink)
	}
}

// refused reads an answer whose status is no success.
func (d *Dialect) refused(resp *http.Response, out providers.Output, now func() time.Time) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	out.Complete = true
	var r Refusal
	if d.Refusal != nil {
		r = d.Refusal(body)
	}
	if r.Text == "" {
		return out, providers.StatusFailure(resp, providers.ErrorText(body), now)
	}
	f := providers.StatusFailure(resp, r.Text, now)
	if !f.HasRetryAfter {
		f.RetryAfter, f.HasRetryAfter = r.RetryAfter, r.HasRetryAfter
	}
	return out, f
}

// plain reads an answer in one piece.
func (d *Dialect) plain(in providers.Input, resp *http.Response, out providers.Output, media string, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	switch {
	case err != nil:
		return out, providers.TransportFailure(err)
	case len(bytes.TrimSpace(body)) == 0:
		return out, providers.Malformed("the answer is empty where %s expected", d.Expected)
	case d.Unread[media] != "":
		return out, providers.Malformed("%s", d.Unread[media])
	case !providers.IsJSON(media):
		return out, providers.Malformed("the answer's content type is %q where application/json was expected: %s", media, providers.Excerpt(body))
	}
	out, failed := d.Object(in, body, out)
	if failed != nil || !in.Stream || out.Content == "" {
		return out, failed
	}
	out.Chunks = []string{out.Content}
	if err := sink(providers.Chunk{Content: out.Content}); err != nil {
		out.Complete = false
		return out, providers.Stopped(err)
	}
	return out, nil
}

// ErrorInside is an error that the vendor reports in an answer whose status
// promised success; stands is the status that its word for the error stands for, 0
// for a word that stands for none.
func ErrorInside(kind failure.Kind, status, stands int, text string) *failure.Failure {
	return &failure.Failure{Kind: kind, StatusCode: status, Stands: stands, Message: "HTTP " + strconv.Itoa(status) + " with an error inside: " + text}
}

package cassette

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// takeMax bounds the body of one recorded answer.
const takeMax = 64 << 20

// A Take is the recording of one exchange while it goes on. It is made by
// [Recorder.Begin] and stored by Seal; its methods may be called from any
// goroutine.
type Take struct {
	recorder *Recorder
	call     wire.Call
	options  TakeOptions
	seq      int
	order    int

	mu    sync.Mutex
	begun time.Time
	ctx   context.Context
	it    Interaction
	resp  *http.Response
	body  []byte
	// ended says that the answer, or the error in its place, is whole.
	ended    bool
	tooLarge bool
	sealed   bool
}

// NewTake is a take that belongs to no recorder: Recorded tells what it
// recorded, and Seal stores nothing.
func NewTake(call wire.Call, o TakeOptions) *Take { return &Take{call: call, options: o} }

// Recorded is what was recorded so far, as it came, secrets included. It belongs
// to the caller.
func (t *Take) Recorded() *Interaction {
	t.mu.Lock()
	defer t.mu.Unlock()
	it := t.it
	it.Chunks = slices.Clone(it.Chunks)
	it.Method, it.URL = t.call.Request.Method, t.call.Request.URL.String()
	if t.resp != nil {
		it.SetAnswer(t.resp.StatusCode, t.resp.Status, t.resp.Header, string(t.body))
	}
	return &it
}

// Ended reports whether the answer, or the error in its place, is whole.
func (t *Take) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// Refused reports whether the answer is whole and has a status of 400 or more: a client
// may not read the body of one.
func (t *Take) Refused() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended && t.resp != nil && t.resp.StatusCode >= http.StatusBadRequest
}

// RoundTrip passes the request on and keeps what comes back. The body reaches
// the client as it arrives: each Read returns what a Read of the transport's
// own body returned, and is remembered with its time.
func (t *Take) RoundTrip(next http.RoundTripper, req *http.Request) (*http.Response, error) {
	t.mu.Lock()
	t.begun, t.ctx = t.options.Now(), req.Context()
	t.mu.Unlock()
	resp, err := next.RoundTrip(req)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.fail(err)
		return resp, err
	}
	t.resp = resp
	t.it.Chunks = []Chunk{{At: t.since()}}
	resp.Body = &tee{t, resp.Body}
	return resp, nil
}

// since is the time from the request on. More than microseconds would be noise
// in a file that people compare.
func (t *Take) since() time.Duration { return t.options.Now().Sub(t.begun).Round(time.Microsecond) }

// fail keeps an error that came in the place of an answer.
func (t *Take) fail(err error) {
	t.it.Duration, t.ended = t.since(), true
	if t.ctx.Err() != nil {
		t.it.Error = errorCancelled
		return
	}
	t.it.setError(err)
}

// read keeps what one Read of the body brought.
func (t *Take) read(p []byte, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	if len(p) > 0 && !t.tooLarge {
		if len(t.it.Chunks) == chunkMax {
			t.it.Chunks = halved(t.it.Chunks)
		}
		t.it.Chunks = append(t.it.Chunks, Chunk{At: t.since(), Len: len(p)})
		t.body = append(t.body, p...)
		t.tooLarge = len(t.body) > takeMax
	}
	if err != nil {
		t.ended, t.it.Duration = true, t.since()
		if t.it.Response.End = t.endOf(err); t.it.Response.End == wire.EndFIN && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.it.ErrorText, t.it.ErrorType = innerText(err), typeName(err)
		}
	}
}

// chunkMax bounds how many pieces of one answer have a time of their own.
const chunkMax = 1 << 17

// halved joins each two neighbours, which then came with the later one. The
// first chunk stays, as it is the time of the header.
func halved(chunks []Chunk) []Chunk {
	out := chunks[:1]
	for rest := chunks[1:]; len(rest) > 0; rest = rest[min(2, len(rest)):] {
		c := rest[0]
		if len(rest) > 1 {
			c = Chunk{At: rest[1].At, Len: c.Len + rest[1].Len}
		}
		out = append(out, c)
	}
	return out
}

// endOf is how a body ended, by the error that its reader met.
func (t *Take) endOf(err error) wire.End {
	var timeout net.Error
	switch {
	case err == io.EOF:
		return wire.EndNone
	case t.ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return wire.EndHang
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return wire.EndFIN
	case isAny(syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED)(err):
		return wire.EndRST
	}
	return wire.EndFIN
}

// A tee is a body that is read by a client and remembered.
type tee struct {
	take *Take
	body io.ReadCloser
}

func (b *tee) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.take.read(p[:n], err)
	return n, err
}

func (b *tee) Close() error { return b.body.Close() }

// Seal ends the recording and puts it into the journal, without any secret. It
// waits for no medium: see [Recorder.Sync], whose error a later Seal returns, too.
// An answer that its client stopped reading is complete when whole says so, as
// after a stream's end marker; else it ends in the silence that the client did
// not wait out.
func (t *Take) Seal(whole bool) error {
	it, err := t.finish(whole)
	if it == nil || err != nil || t.recorder == nil {
		return err
	}
	return t.recorder.add(t, it)
}

func (t *Take) finish(whole bool) (*Interaction, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.sealed || t.begun.IsZero():
		return nil, nil
	case t.tooLarge:
		return nil, fmt.Errorf("the answer to %s has more than %d MiB and cannot be recorded", t.call.Request.URL.Redacted(), takeMax>>20)
	}
	t.sealed, t.it.RecordedAt = true, t.begun.Round(time.Microsecond).UTC()
	if !t.ended {
		t.it.Duration = t.since()
		if !whole && t.resp != nil {
			t.it.Response.End = wire.EndHang
		}
		if t.resp == nil {
			t.it.Error = errorCancelled
		}
	}
	it := t.it
	t.request(&it)
	t.answer(&it)
	return &it, nil
}

// request fills in what was asked, as it may be stored.
func (t *Take) request(it *Interaction) {
	c, red := &t.call, t.options.Redactor
	it.Scenario, it.Step, it.Target, it.Lane, it.Attempt, it.Round = t.options.Scenario, c.Step, c.Target, c.Lane, c.Attempt, c.Round
	hidden := red.Request(redact.Request{Method: c.Request.Method, URL: c.Request.URL.String(), Header: c.Request.Header, Body: c.Body})
	it.Method, it.URL, it.RequestBody = hidden.Method, redact.HideTokens(hidden.URL), []byte(redact.HideTokens(string(hidden.Body)))
	it.RequestHeader = keptHeader(red, c.Request.Header, keptRequest, t.options.Keep)
}

// answer fills in what came back, as it may be stored.
func (t *Take) answer(it *Interaction) {
	red := t.options.Redactor
	it.ErrorText = redact.HideTokens(red.Text(it.ErrorText))
	if t.resp == nil {
		return
	}
	h := keptHeader(red, t.resp.Header, keptResponse, t.options.Keep)
	body := red.Stored(h, string(t.body))
	if n := t.resp.ContentLength; n > 0 && (it.Method == http.MethodHead || n > int64(len(t.body))) {
		if it.Method != http.MethodHead {
			n += int64(len(body) - len(t.body)) // as much is missing as was
		}
		h.Set("Content-Length", strconv.FormatInt(n, 10))
	}
	it.Chunks = remap(it.Chunks, string(t.body), body)
	it.Protocol = t.resp.Proto
	it.Response.Trailer = httptext.ReplayFields(keptHeader(red, t.resp.Trailer, keptResponse, t.options.Keep), nil)
	it.SetAnswer(t.resp.StatusCode, redact.HideTokens(red.Text(t.resp.Status)), h, body)
}

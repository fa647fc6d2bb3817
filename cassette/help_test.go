package cassette

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/scenario-lang/scenario/wire"
)

// clock adds up what is slept and never waits.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time { return c.now }

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if d == wire.Forever {
		<-ctx.Done()
	} else {
		c.now = c.now.Add(d)
	}
	return ctx.Err()
}

func (c *clock) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

func (c *clock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// call is a call of a step with a JSON body.
func call(step, target, url, body string) wire.Call {
	r, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return wire.Call{Step: step, Target: target, Attempt: 1, Round: 1, Request: r, Body: []byte(body)}
}

func callOf(it *Interaction) wire.Call {
	r, err := http.NewRequest(it.Method, it.URL, bytes.NewReader(it.RequestBody))
	if err != nil {
		panic(err)
	}
	r.Header = it.RequestHeader.Clone()
	return wire.Call{Step: it.Step, Target: it.Target, Attempt: max(it.Attempt, 1), Request: r, Body: it.RequestBody}
}

const chatURL = "https://api.example.com/v1/chat/completions"

// recorded is an interaction with a JSON answer.
func recorded(step string, attempt int, body, answer string) *Interaction {
	return &Interaction{
		Step: step, Attempt: attempt, Target: "main", Round: attempt,
		Method: "POST", URL: chatURL,
		RequestHeader: http.Header{"Content-Type": {"application/json"}},
		RequestBody:   []byte(body),
		Response: wire.Response{
			Status: 200, Wait: time.Second,
			Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
			Parts:  []wire.Part{{Data: []byte(answer)}},
		},
		Duration: time.Second,
	}
}

// streamed is an interaction with three events and the end marker, 100 ms
// apart from 500 ms on.
func streamed(step string) *Interaction {
	it := recorded(step, 1, `{"stream":true}`, "")
	r := &it.Response
	r.Header[0].Value, r.Stream, r.Wait, r.Parts = "text/event-stream", true, 500*time.Millisecond, nil
	for i, text := range []string{"data: {\"a\":1}\n\n", ": note\n\n", "event: x\r\ndata: 2\r\n\r\n", "data: [DONE]\n\n"} {
		p := wire.Part{Data: []byte(text), Kind: wire.PartEvent, Wait: 100 * time.Millisecond}
		if i == 0 {
			p.Wait = 0
		}
		if i == 3 {
			p.Kind = wire.PartDone
		}
		r.Parts = append(r.Parts, p)
		it.Chunks = append(it.Chunks, Chunk{At: time.Duration(5+i) * 100 * time.Millisecond, Len: len(text)})
	}
	it.Duration = 800 * time.Millisecond
	return it
}

func written(t testing.TB, items ...*Interaction) []byte {
	t.Helper()
	var b bytes.Buffer
	c := &Cassette{Provider: "openai", RecordedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Interactions: items}
	if err := Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parsed(t testing.TB, data []byte) *Cassette {
	t.Helper()
	c, err := Parse("test.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func player(t testing.TB, o Options, items ...*Interaction) *Player {
	t.Helper()
	p, err := NewPlayer(parsed(t, written(t, items...)), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sameItems compares interactions but for where they stand in a file.
func sameItems(a, b []*Interaction) string {
	quick := cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 }, cmp.Comparer(bytes.Equal))
	return cmp.Diff(a, b, quick, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Interaction{}, "Index", "Line", "Key"))
}

const v1 = `---
version: 1
interactions:
- request:
    body: '{"model":"m"}'
    form: {}
    headers:
      content-type:
      - application/json
    url: https://api.example.com/v1/chat/completions
    method: POST
  response:
    body: '{"id":"x","choices":[]}'
    headers:
      Content-Length:
      - "99"
      Content-Encoding:
      - gzip
      Content-Type:
      - application/json
    status: 200 OK
    code: 200
    duration: 1.5s
- request:
    body: ""
    form: {}
    headers: {}
    url: https://api.example.com/v1/stream
    method: GET
  response:
    body: "data: 1\r\n\r\ndata: [DONE]\r\n\r\n"
    headers:
      Content-Type:
      - text/event-stream; charset=utf-8
    status: 200 OK
    code: 200
    duration: 250ms
`

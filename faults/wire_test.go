package faults_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that a slow stream is a whole answer, and how long it takes: a delay
// before every delta but the first, or the bytes of the body at their rate.
func TestSlowStream(t *testing.T) {
	body := time.Duration(len(five().Body()))
	for _, c := range []struct {
		args schema.Values
		want time.Duration
	}{
		{nil, 4 * time.Second},
		{schema.Values{"chunk_delay": 3 * time.Second}, 12 * time.Second},
		{schema.Values{"bytes_per_second": 1}, body * time.Second},
		{schema.Values{"bytes_per_second": 7}, body * time.Second / 7},
	} {
		s := llmStream.strike(c.args)
		s.Base = five()
		p := llmStream.play(t, "slow_stream", s)
		if p.Failed != nil || !cmp.Equal(p.Chunks, []string{"1", "2", "3", "4", "5"}) || p.Elapsed != c.want {
			t.Errorf("%v: %q, %+v after %s, want %s", c.args, p.Chunks, p.Failed, p.Elapsed, c.want)
		}
	}
}

// Shows that an error event comes after exactly so many deltas and is the last
// thing that is said, with the words given, in a stream that is whole by its
// framing.
func TestStreamErrorEvent(t *testing.T) {
	for _, c := range []struct {
		args schema.Values
		want []string
	}{
		{nil, []string{"1", "2", "3"}},
		{schema.Values{"after_chunks": 1}, []string{"1"}},
		{schema.Values{"after_chunks": 5}, []string{"1", "2", "3", "4", "5"}},
	} {
		args := schema.Values{"message": "no more today"}
		for name, v := range c.args {
			args[name] = v
		}
		s := llmStream.strike(args)
		s.Base = five()
		p := llmStream.play(t, "stream_error_event", s)
		if !cmp.Equal(p.Chunks, c.want) || p.Failed == nil || !strings.Contains(p.Failed.Message, "no more today") {
			t.Errorf("%v: %q, %+v", c.args, p.Chunks, p.Failed)
		}
		script, err := faults.Lookup("stream_error_event").Script(s)
		if err != nil || !script.KeepsOpen() || !strings.HasSuffix(string(script.Bytes()), "\r\n0\r\n\r\n") {
			t.Errorf("%v: the stream does not end in an orderly way: %v, %q", c.args, err, script.Bytes())
		}
	}
}

// Shows that a length longer than the body breaks the connection after all of
// it has come, and a shorter one cuts it, also where the answer disturbed is a
// stream, whose end marker must not hide what is missing.
func TestContentLengthMismatch(t *testing.T) {
	text := wire.Response{Parts: []wire.Part{{Data: []byte("0123456789")}}}
	p := web.played(t, "content_length_mismatch", schema.Values{"by": -4}, &text)
	if p.Failed != nil || string(p.Out.Body) != "012345" {
		t.Errorf("cut text, which plain HTTP cannot see: %q, %+v", p.Out.Body, p.Failed)
	}
	p = web.played(t, "content_length_mismatch", nil, &text)
	if string(p.Out.Body) != "0123456789" || p.Failed == nil || p.Failed.Cause != failure.EOF {
		t.Errorf("%q, %+v", p.Out.Body, p.Failed)
	}
	p = llmStream.played(t, "content_length_mismatch", nil, five())
	if len(p.Chunks) != 5 || p.Failed == nil || p.Failed.Kind != failure.StreamInterrupted {
		t.Errorf("a stream: %q, %+v", p.Chunks, p.Failed)
	}
	p = llmStream.played(t, "content_length_mismatch", schema.Values{"by": -1}, five())
	if p.Failed == nil || p.Failed.Kind != failure.StreamIncomplete {
		t.Errorf("a stream cut by a byte: %+v", p.Failed)
	}
}

func (c client) played(t *testing.T, kind string, args schema.Values, base *wire.Response) adaptertest.Played {
	t.Helper()
	s := c.strike(args)
	s.Base = base
	return c.play(t, kind, s)
}

// Shows that bad gzip is seen as such whatever answer it disturbs: a body too
// short for a gzip header, and one that is gzip in truth.
func TestBadGzipOfAnyBody(t *testing.T) {
	for _, body := range []string{"", "hi", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"} {
		p := web.played(t, "bad_gzip", nil, &wire.Response{Parts: []wire.Part{{Data: []byte(body)}}})
		if p.Failed == nil || p.Failed.Kind != failure.MalformedResponse {
			t.Errorf("%q: %+v", body, p.Failed)
		}
	}
}

// Shows that a content type given is put over the answer of the entry, which
// keeps its body and, in memory, its own type.
func TestWrongContentTypeOfAnAnswer(t *testing.T) {
	base := openai.Adapter{}.Render(llm.in, providers.Output{Content: "whole", Latency: time.Second})
	before := base.Clone()
	p := llm.played(t, "wrong_content_type", schema.Values{"content_type": "text/plain"}, &base)
	if p.Failed == nil || !strings.Contains(p.Failed.Message, `"text/plain"`) || !strings.Contains(string(p.Out.Body), "whole") || p.Elapsed != time.Second {
		t.Errorf("%+v after %s: %s", p.Failed, p.Elapsed, p.Out.Body)
	}
	if diff := cmp.Diff(before, base); diff != "" {
		t.Error(diff)
	}
	p = web.play(t, "wrong_content_type", web.strike(schema.Values{"content_type": "text/html"}))
	if p.Failed != nil || p.Out.Headers.Get("Content-Type") != "text/html" {
		t.Errorf("plain HTTP takes a page: %+v", p.Failed)
	}
}

// Shows that the standard library's own client runs in the redirect loop as
// long as it always does, and keeps asking for the same.
func TestRedirectLoop(t *testing.T) {
	s := web.strike(nil)
	s.Path = "/v1/items?page=2"
	script, err := faults.Lookup("redirect_loop").Script(s)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	client := http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.Method+" "+r.URL.String())
		return script.RoundTrip(adaptertest.NewClock(), r)
	})}
	_, err = client.Post("https://api.example.com"+s.Path, "text/plain", strings.NewReader("x"))
	if err == nil || failure.FromTransport(err).Kind != failure.ProtocolError || len(asked) != 10 {
		t.Errorf("%d requests, then %v", len(asked), err)
	}
	for _, a := range asked {
		if a != "POST https://api.example.com/v1/items?page=2" {
			t.Errorf("asked for %s", a)
		}
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

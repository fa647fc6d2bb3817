package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/wire"
)

// The streams of a sample: so many, of so many events.
const (
	streams      = 8
	streamEvents = 1000
)

const streamEvent = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" and\"},\"finish_reason\":null}]}\n\n"

// recordings are streams of a server of net/http, through the recorder and by io.Copy
// alone, with the collector of the command, which records. The server is in the process,
// so that its time counts as well, and reached by pipes in memory: over loopback it is the
// system that says how many events a client reads at once, and what a stream costs differs
// by three times.
func recordings() []work {
	return []work{
		{"record", func() (func() (int, error), error) {
			cli.TuneMemory(os.LookupEnv)
			over := streaming()
			dir, err := os.MkdirTemp("", "work")
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(dir) // the recorder keeps what it has opened
			r, err := cassette.NewRecorder(filepath.Join(dir, "a.yaml"), cassette.RecordOptions{})
			if err != nil {
				return nil, err
			}
			return func() (int, error) {
				return streams, copyStreams(func(req *http.Request, n int) (*http.Response, error) {
					call := wire.Call{Step: "answer", Attempt: n, Round: n, Target: "main", Request: req, Body: []byte(requestBody)}
					return r.Begin(call, cassette.TakeOptions{Now: time.Now}).RoundTrip(over, req)
				})
			}, nil
		}},
		{"record/copy", func() (func() (int, error), error) {
			cli.TuneMemory(os.LookupEnv)
			over := streaming()
			return func() (int, error) {
				return streams, copyStreams(func(req *http.Request, _ int) (*http.Response, error) {
					return over.RoundTrip(req)
				})
			}, nil
		}},
	}
}

// streaming is the way to a server that lives as long as the process.
func streaming() http.RoundTripper {
	l := &pipes{made: make(chan net.Conn)}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range streamEvents {
			_, _ = io.WriteString(w, streamEvent)
			w.(http.Flusher).Flush()
		}
	})}
	go func() { _ = srv.Serve(l) }()
	return &http.Transport{DialContext: l.dial}
}

// pipes listens for connections that are pipes.
type pipes struct{ made chan net.Conn }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.made <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) { return <-p.made, nil }
func (p *pipes) Close() error              { return nil }
func (p *pipes) Addr() net.Addr            { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

func copyStreams(over func(*http.Request, int) (*http.Response, error)) error {
	for n := range streams {
		req, err := http.NewRequest(http.MethodPost, "http://stream.test/", strings.NewReader(requestBody))
		if err != nil {
			return err
		}
		resp, err := over(req, n+1)
		if err != nil {
			return err
		}
		copied, err := io.Copy(io.Discard, resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			return err
		}
		if copied != streamEvents*int64(len(streamEvent)) {
			return fmt.Errorf("%d bytes of a stream arrived", copied)
		}
	}
	return nil
}

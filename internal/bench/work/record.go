package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/wire"
)

// The streams of a sample: so many, of so many events.
const (
	streams      = 8
	streamEvents = 1000
)

const streamEvent = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" and\"},\"finish_reason\":null}]}\n\n"

// recordings are streams over loopback, through the recorder and by io.Copy
// alone. Both servers are in the process, so that their time counts as well.
func recordings() []work {
	return []work{
		{"record", func() (func() (int, error), error) {
			address := streaming()
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
				return streams, copyStreams(address, func(req *http.Request, n int) (*http.Response, error) {
					call := wire.Call{Step: "answer", Attempt: n, Round: n, Target: "main", Request: req, Body: []byte(requestBody)}
					return r.Begin(call, cassette.TakeOptions{Now: time.Now}).RoundTrip(http.DefaultTransport, req)
				})
			}, nil
		}},
		{"record/copy", func() (func() (int, error), error) {
			address := streaming()
			return func() (int, error) {
				return streams, copyStreams(address, func(req *http.Request, _ int) (*http.Response, error) {
					return http.DefaultTransport.RoundTrip(req)
				})
			}, nil
		}},
	}
}

// streaming is the address of a server that lives as long as the process.
func streaming() string {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range streamEvents {
			_, _ = io.WriteString(w, streamEvent)
			w.(http.Flusher).Flush()
		}
	})).URL
}

func copyStreams(address string, over func(*http.Request, int) (*http.Response, error)) error {
	for n := range streams {
		req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(requestBody))
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

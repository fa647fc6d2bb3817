package sched

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A slowBody gives one chunk per interval of virtual time.
type slowBody struct {
	s      *Scheduler
	ctx    context.Context
	every  time.Duration
	chunks int
	note   func(what string)
}

func (b *slowBody) Read(p []byte) (int, error) {
	if b.chunks == 0 {
		return 0, io.EOF
	}
	if err := b.s.Sleep(b.ctx, b.every); err != nil {
		b.note("read: " + err.Error())
		return 0, err
	}
	b.chunks--
	b.note("chunk")
	return copy(p, "x"), nil
}

func (b *slowBody) Close() error {
	b.note("close")
	return nil
}

// Two attempts that race through http.Client, the loser cancelled inside its
// body read, give the same log each of 500 times.
func TestRacingAttemptsAreDeterministic(t *testing.T) {
	noLeak(t)
	want := []string{
		"0s slow: dial", "0s fast: dial",
		"200ms fast: chunk", "300ms slow: chunk", "400ms fast: chunk",
		"600ms slow: chunk", "600ms fast: chunk", "600ms fast: close", "600ms fast: 3 bytes, <nil>",
		"600ms slow: read: context canceled", "600ms slow: close", "600ms slow: 2 bytes, context canceled",
		"600ms joined",
	}
	for n := range 500 {
		if diff := cmp.Diff(want, raceOnce(t)); diff != "" {
			t.Fatalf("run %d (-want +got):\n%s", n, diff)
		}
	}
}

func raceOnce(t *testing.T) (log []string) {
	s := New()
	err := s.Run(func(ctx context.Context) {
		ctx, cancel := s.WithCancel(ctx)
		defer cancel()
		attempt := func(name string, order, chunks int, every time.Duration) *Task {
			return s.Go(ctx, name, order, func(ctx context.Context) {
				note := func(what string) { log = append(log, fmt.Sprintf("%v %s: %s", s.Elapsed(), name, what)) }
				client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					note("dial")
					body := &slowBody{s: s, ctx: r.Context(), every: every, chunks: chunks, note: note}
					return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body, Request: r}, nil
				})}
				r, err := http.NewRequestWithContext(ctx, "GET", "http://example.test/", nil)
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				data, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				note(fmt.Sprintf("%d bytes, %v", len(data), err))
				cancel()
			})
		}
		fast := attempt("fast", 1, 3, 200*time.Millisecond)
		slow := attempt("slow", 0, 9, 300*time.Millisecond)
		_ = fast.Wait(context.Background())
		_ = slow.Wait(context.Background())
		log = append(log, fmt.Sprintf("%v joined", s.Elapsed()))
	})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A sight is what a client saw of one call.
type sight struct {
	status      int
	retryAfter  string
	body, end   string
	first, last time.Duration
}

// A doer sends a request, as a client of a recorder does.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

// look calls as often as the behaviour asks for. A call has a limit of its own.
func look(c doer, base string, b behaviour) []sight {
	var all []sight
	for range b.calls {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		all = append(all, lookOnce(ctx, c, base, b))
		cancel()
	}
	return all
}

// request is what every client sends for a behaviour.
func request(ctx context.Context, base string, b behaviour) (*http.Request, string) {
	body := fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%q}],"stream":%t}`, b.name, b.stream)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		panic(err) // the address is our own
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer key-for-nothing")
	return req, body
}

func lookOnce(ctx context.Context, c doer, base string, b behaviour) sight {
	req, _ := request(ctx, base, b)
	begun := time.Now()
	resp, err := c.Do(req)
	if err != nil {
		return sight{end: "no answer: " + reason(err)}
	}
	defer resp.Body.Close()
	s := sight{status: resp.StatusCode, retryAfter: resp.Header.Get("Retry-After"), end: "whole"}
	var got []byte
	buffer := make([]byte, 4096)
	for err == nil {
		var n int
		n, err = resp.Body.Read(buffer)
		if n > 0 && s.first == 0 {
			s.first = time.Since(begun)
		}
		got = append(got, buffer[:n]...)
	}
	s.body, s.last = string(got), time.Since(begun)
	if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.end = reason(err)
	}
	return s
}

func reason(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut"
	case errors.Is(err, io.EOF):
		return "closed"
	case errors.Is(err, context.DeadlineExceeded):
		return "silence"
	}
	return "an error of the recorder"
}

// compare says how what was seen differs from what the server does, "as it is"
// where it does not.
func compare(want, have []sight) string {
	var all []string
	for i := range want {
		for _, d := range differences(want[i], have[i]) {
			if len(want) > 1 {
				d = fmt.Sprintf("call %d: %s", i+1, d)
			}
			if !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return "as it is"
	}
	return strings.Join(all, "; ")
}

func differences(want, have sight) []string {
	var d []string
	add := func(format string, args ...any) { d = append(d, fmt.Sprintf(format, args...)) }
	if want.status != have.status {
		switch {
		case have.status == 0:
			add("%s", have.end)
		case want.status == 0:
			add("status %d, not a reset", have.status)
		default:
			add("status %d, not %d", have.status, want.status)
		}
		return d
	}
	if want.status == 0 {
		if want.end != have.end {
			add("%s, not %s", have.end, want.end)
		}
		return d
	}
	switch {
	case want.retryAfter != "" && have.retryAfter == "":
		add("no Retry-After")
	case want.retryAfter != have.retryAfter:
		add("Retry-After %s, not %s", have.retryAfter, want.retryAfter)
	}
	switch {
	case want.body == have.body:
	case text(want.body) == text(have.body):
		add("the same text in other bytes")
	default:
		add("another text")
	}
	if want.end != have.end {
		add("it ends %s, not %s", have.end, want.end)
	}
	return append(d, pace(want, have)...)
}

// pace compares times roughly: a machine is never so slow.
func pace(want, have sight) []string {
	long := want.last > 3*pause
	switch {
	case long && have.last < want.last/2:
		return []string{"it comes at once"}
	case long && have.first > want.first+want.last/2:
		return []string{"the first byte comes when all is there"}
	}
	return nil
}

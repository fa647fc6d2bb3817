package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// A behaviour is one way in which a server answers.
type behaviour struct {
	name, title string
	calls       int
	stream      bool
}

// behaviours are what every recorder is asked to keep.
var behaviours = []behaviour{
	{"json", "200 with JSON", 1, false},
	{"sse", "a stream of events", 1, true},
	{"limited", "429 with Retry-After, then 200", 2, false},
	{"broken", "500", 1, false},
	{"cut", "a stream that is cut", 1, true},
	{"reset", "a connection that is reset", 1, false},
	{"drip", "a body that drips", 1, true},
	{"twice", "one request, two answers", 2, false},
}

// pause is what the server waits between pieces.
const pause = 60 * time.Millisecond

// An upstream is the server that is recorded.
type upstream struct {
	*httptest.Server
	mu    sync.Mutex
	calls map[string]int
}

func newUpstream() *upstream {
	u := &upstream{calls: map[string]int{}}
	u.Server = httptest.NewServer(http.HandlerFunc(u.serve))
	return u
}

// forget begins every sequence anew.
func (u *upstream) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	clear(u.calls)
}

func (u *upstream) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	name := asked(body)
	u.mu.Lock()
	u.calls[name]++
	n := u.calls[name]
	u.mu.Unlock()
	switch name {
	case "sse", "cut", "drip":
		streams(w, name)
	case "reset":
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		}
	case "broken":
		answer(w, http.StatusInternalServerError, `{"error":{"message":"it broke","type":"server_error"}}`)
	case "limited":
		if n == 1 {
			w.Header().Set("Retry-After", "3")
			answer(w, http.StatusTooManyRequests, `{"error":{"message":"slow down","type":"rate_limit_error"}}`)
			return
		}
		answer(w, http.StatusOK, completion("after the limit"))
	default:
		answer(w, http.StatusOK, completion(fmt.Sprintf("%s %d", name, n)))
	}
}

// asked is the last message of a request.
func asked(body []byte) string {
	var q struct {
		Messages []struct{ Content string }
	}
	if json.Unmarshal(body, &q) != nil || len(q.Messages) == 0 {
		return ""
	}
	return q.Messages[len(q.Messages)-1].Content
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func completion(text string) string {
	return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`, text)
}

// streams sends six pieces with pauses between them; of the one that is cut only
// four, and no end.
func streams(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Type", "text/event-stream")
	pieces := 6
	if name == "cut" {
		pieces = 4
	}
	for i := range pieces {
		event := fmt.Sprintf(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"%s%d "},"finish_reason":null}]}`+"\n\n", name, i)
		for _, part := range parts(event, name) {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(pause)
		}
	}
	if name == "cut" {
		panic(http.ErrAbortHandler) // closes the connection inside the body
	}
	_, _ = io.WriteString(w, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}

// parts are the writes of an event: a drip has three.
func parts(event, name string) []string {
	if name != "drip" {
		return []string{event}
	}
	third := len(event) / 3
	return []string{event[:third], event[third : 2*third], event[2*third:]}
}

// text is what a model said in a body of either form, or the message of an
// error.
func text(body string) string {
	var said strings.Builder
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "data:"))
		var m struct {
			Error   struct{ Message string }
			Choices []struct {
				Message, Delta struct{ Content string }
			}
		}
		if json.Unmarshal([]byte(line), &m) != nil {
			continue
		}
		said.WriteString(m.Error.Message)
		for _, c := range m.Choices {
			said.WriteString(c.Message.Content + c.Delta.Content)
		}
	}
	return said.String()
}

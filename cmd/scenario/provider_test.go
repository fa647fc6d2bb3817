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
	"testing"
)

// A standIn is a server on loopback that answers like a provider of chat
// completions. The model that is asked for says what the caller meets, so that
// a scenario file alone decides it.
type standIn struct {
	*httptest.Server
	mu sync.Mutex
	// asked counts the requests for each model, keys the Authorization fields.
	asked map[string]int
	keys  []string
	// says are answers by prompt, a whole body where one is JSON; to any other
	// it says the prompt again.
	says map[string]string
	// dialled counts connections.
	dialled int
	// streaming is told of every stream that has sent its first event, and
	// resume lets it go on; both may be nil.
	streaming, resume chan struct{}
}

func newStandIn() *standIn {
	s := &standIn{asked: map[string]int{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.answer))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.mu.Lock()
			s.dialled++
			s.mu.Unlock()
		}
	}
	s.Start()
	return s
}

// standInFor is a stand-in that ends with the test.
func standInFor(t testing.TB) *standIn {
	t.Helper()
	s := newStandIn()
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) count(model string, key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[model]++
	s.keys = append(s.keys, key)
	return s.asked[model]
}

// saying gives the answers by prompt.
func (s *standIn) saying(answers map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.says = answers
}

func (s *standIn) answerTo(prompt string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.says[prompt]
}

// requests is how many requests there were.
func (s *standIn) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, asked := range s.asked {
		n += asked
	}
	return n
}

func (s *standIn) answer(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string
		Stream   bool
		Messages []struct{ Content string }
	}
	data, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(data, &in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := s.count(in.Model, r.Header.Get("Authorization"))
	said := in.Messages[len(in.Messages)-1].Content
	switch kind := strings.TrimSuffix(in.Model, "-stream"); {
	case kind == "flaky" && n == 1:
		w.Header().Set("Retry-After", "0.01")
		w.Header().Set("X-Request-Id", "req-123")
		refuse(w, http.StatusTooManyRequests, "slow down")
	case kind == "flaky" && n == 2:
		refuse(w, http.StatusInternalServerError, "oops")
	case kind == "leaky":
		refuse(w, http.StatusUnauthorized, "no such key: "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	case kind == "cut" && n == 1:
		s.stream(w, said, 1)
		reset(w)
	case kind == "early" && n == 1:
		s.stream(w, said, 1)
		panic(http.ErrAbortHandler)
	case in.Stream:
		s.stream(w, said, 3)
		fmt.Fprint(w, "data: [DONE]\n\n")
	default:
		w.Header().Set("Content-Type", "application/json")
		answer := firstOf(s.answerTo(said), "echo "+said)
		if strings.HasPrefix(answer, "{") {
			fmt.Fprint(w, answer)
			return
		}
		fmt.Fprintf(w, `{"id":"c%d","model":%q,"choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`, n, in.Model, answer)
	}
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":%q,"type":"requests"}}`, message)
}

// stream sends the first events of three.
func (s *standIn) stream(w http.ResponseWriter, said string, events int) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []string{
		`{"choices":[{"index":0,"delta":{"content":"echo "},"finish_reason":null}]}`,
		fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, said),
		`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
	}[:events] {
		fmt.Fprintf(w, "data: %s\n\n", e)
		w.(http.Flusher).Flush()
		s.mu.Lock()
		streaming, resume := s.streaming, s.resume
		s.mu.Unlock()
		if streaming != nil {
			streaming <- struct{}{}
			<-resume
		}
	}
}

// hold has every later stream wait after each event until resume says to go on;
// streaming, with room for n, says that an event was sent.
func (s *standIn) hold(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streaming, s.resume = make(chan struct{}, n), make(chan struct{})
}

// reset ends the connection with a TCP reset.
func reset(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

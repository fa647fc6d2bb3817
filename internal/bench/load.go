package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// chatRequest is what servers are asked: a chat completion in one piece.
const chatRequest = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"why?"}]}`

const chatPath = "/v1/chat/completions"

// requestText is a request as vendors' clients send it: with a key that says which attempts
// are of one call, and how many there were before.
func requestText(host, key string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAuthorization: Bearer x\r\nIdempotency-Key: %s\r\nX-Stainless-Retry-Count: 0\r\nContent-Length: %d\r\n\r\n%s", chatPath, host, key, len(chatRequest), chatRequest)
}

// A load is what a server did under so many clients, each of which asks again as
// soon as it is answered.
type load struct {
	answers float64
	rate    float64 // answers a second
	p99     float64 // of an answer, in milliseconds
}

// An until says whether a client that has asked so often asks once more.
type until func(asked int) bool

// lasting is for so long.
func lasting(d time.Duration) until {
	end := time.Now().Add(d)
	return func(int) bool { return time.Now().Before(end) }
}

// times is so often.
func times(n int) until { return func(asked int) bool { return asked < n } }

// loaded asks a server over connections that are kept, each client as long as it is to.
func loaded(address string, clients int, more until) (load, error) {
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	var group sync.WaitGroup
	began := time.Now()
	for range clients {
		group.Go(func() {
			own, err := asking(address, more)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
			if err != nil && failed == nil {
				failed = err
			}
		})
	}
	group.Wait()
	elapsed := time.Since(began)
	if failed != nil {
		return load{}, failed
	}
	slices.Sort(took)
	return load{float64(len(took)), float64(len(took)) / elapsed.Seconds(), millis(took[len(took)*99/100])}, nil
}

// asking is one client, and how long each of its answers took.
func asking(address string, more until) (took []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	before, behind, _ := strings.Cut(requestText(address, "\x00"), "\x00")
	text := []byte(before)
	for n := 0; more(n); n++ {
		text = fmt.Appendf(text[:len(before)], "%s-%d%s", conn.LocalAddr(), n, behind) // which no other client has
		began := time.Now()
		if _, err := conn.Write(text); err != nil {
			return took, err
		}
		if err := answered(in); err != nil {
			return took, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

// answered reads one answer to its end.
func answered(in *bufio.Reader) error {
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	switch {
	case err != nil:
		return err
	case resp.StatusCode != http.StatusOK || !strings.Contains(string(text), "hello"):
		return fmt.Errorf("it answers %s: %.200s", resp.Status, text)
	case resp.Close:
		return fmt.Errorf("it does not keep connections")
	}
	return nil
}

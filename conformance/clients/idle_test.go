package clients

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Shows that connections which are open and say nothing keep nobody from an answer, and are
// still answered themselves when they ask. In the long form there are 10,000, half of which
// have asked once, and the rate of eight clients beside them is at least nine tenths of
// that at a server without any, in alternating rounds.
func TestIdleConnections(t *testing.T) {
	idle, rounds, requests := 200, 1, 200
	long := os.Getenv("SCENARIO_ENDURANCE") != ""
	if long {
		idle, rounds, requests = 10_000, 15, 6000
	}
	crowded, bare := serve(t, patientScenario), serve(t, patientScenario)
	held := make([]net.Conn, idle)
	for i := range held {
		c, err := net.Dial("tcp", crowded.host(t, "llm"))
		if err != nil {
			t.Fatalf("connection %d: %v (each end of each takes a file: see ulimit -n)", i, err)
		}
		defer c.Close()
		if held[i] = c; i%2 == 0 {
			asksOver(t, c)
		}
	}
	rate(t, crowded, requests)
	rate(t, bare, requests)
	var of []float64
	for range rounds {
		of = append(of, rate(t, crowded, requests)/rate(t, bare, requests))
	}
	slices.Sort(of)
	median := of[len(of)/2]
	t.Logf("beside %d idle connections the rate is %.3f of that without, of %d rounds from %.3f to %.3f", idle, median, rounds, of[0], of[len(of)-1])
	if long && median < 0.9 {
		t.Error("that is less than nine tenths")
	}
	for i, c := range held {
		if i%100 == 0 || !long {
			asksOver(t, c)
		}
	}
}

// asksOver asks over a connection and reads the answer.
func asksOver(t *testing.T, c net.Conn) {
	t.Helper()
	fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(hostileBody), hostileBody)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || contentOf(text) != whole {
		t.Errorf("%s: %s, %v", resp.Status, text, err)
	}
}

// rate is how many requests a second eight clients have answered, of so many together.
func rate(t *testing.T, s *serving, requests int) float64 {
	t.Helper()
	const clients = 8
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	var group sync.WaitGroup
	began := time.Now()
	for range clients {
		group.Go(func() {
			for range requests / clients {
				resp, err := client.Post(s.addresses.Providers["llm"]+"/chat/completions", "application/json", strings.NewReader(hostileBody))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("%s, %v", resp.Status, err)
				}
				resp.Body.Close()
			}
		})
	}
	group.Wait()
	return float64(requests) / time.Since(began).Seconds()
}

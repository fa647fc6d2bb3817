package queue

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
)

// A scripted server speaks with one client and says nothing by itself but that it lives.
// Everything is in memory, so that a test can have it in a bubble of synctest.
type scripted struct {
	conn net.Conn

	mu sync.Mutex
	// subs are the numbers of what the client subscribes to, by subject, and asked the
	// subjects that it has published to, with the reply of each.
	subs  map[string]string
	asked map[string]string
}

// script is a queue on a scripted server. The test runs in a bubble.
func script(t *testing.T) (*scripted, *Queue) {
	t.Helper()
	s := &scripted{subs: map[string]string{}, asked: map[string]string{}}
	q := unconnected("q", nil)
	conn, err := nats.Connect("", append(q.heard(), nats.InProcessServer(s))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.use(conn, func() {}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return s, q
}

// InProcessConn takes the first client, and no other.
func (s *scripted) InProcessConn() (net.Conn, error) {
	if s.conn != nil {
		return nil, errors.New("the server is gone")
	}
	client, server := net.Pipe()
	s.conn = server
	go s.serve()
	return client, nil
}

func (s *scripted) serve() {
	s.say("INFO {\"server_id\":\"s\",\"version\":\"2.15.2\",\"proto\":1,\"headers\":true,\"max_payload\":1048576}")
	in := bufio.NewReader(s.conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch words := strings.Fields(line); words[0] {
		case "PING":
			s.say("PONG")
		case "SUB":
			s.note(s.subs, words[1], words[len(words)-1])
		case "UNSUB":
			s.unsubscribed(words[1])
		case "PUB", "HPUB":
			n, _ := strconv.Atoi(words[len(words)-1])
			if _, err := io.CopyN(io.Discard, in, int64(n)+2); err != nil {
				return
			}
			s.note(s.asked, words[1], words[2])
		}
	}
}

func (s *scripted) note(to map[string]string, key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to[key] = value
}

func (s *scripted) unsubscribed(number string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for subject, n := range s.subs {
		if n == number {
			delete(s.subs, subject)
		}
	}
}

// say sends a line to the client.
func (s *scripted) say(line string) { _, _ = io.WriteString(s.conn, line+"\r\n") }

// answer sends a message to who has published to a subject: a status, or a text where that
// is "". It reports whether anybody there listens.
func (s *scripted) answer(subject, status, text string) bool {
	s.mu.Lock()
	reply := s.asked[subject]
	number := s.subs[reply]
	s.mu.Unlock()
	if number == "" {
		return false
	}
	if status == "" {
		s.say(fmt.Sprintf("MSG %s %s $JS.ACK %d\r\n%s", reply, number, len(text), text))
		return true
	}
	head := "NATS/1.0 " + status + "\r\n\r\n"
	s.say(fmt.Sprintf("HMSG %s %s %d %d\r\n%s", reply, number, len(head), len(head), head))
	return true
}

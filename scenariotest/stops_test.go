package scenariotest_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// stoppers are clients that ask and then read nothing of what comes, by what they ask.
var stoppers = map[string]func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser{
	"a body": func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser {
		resp, err := s.Client().Get("http://web.test/large")
		if err != nil {
			t.Fatal(err)
		}
		return resp.Body
	},
	"a socket": func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser {
		c := dialled(t, s, "web.test:80")
		says(t, c, "GET /large HTTP/1.1\r\nHost: web.test\r\n\r\n")
		return c
	},
	"a stream": func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser {
		c := dialled(t, s, "api.openai.test:80")
		const body = `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`
		says(t, c, fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		return c
	},
	"a pipe": func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser {
		p := s.Stdio("notes")
		for n := range 3 { // their answers wait for each other
			says(t, p, fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`+"\n", n))
		}
		return p
	},
	"a pipe that several write to": func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser {
		p := s.Stdio("notes")
		var writing sync.Mutex // as clients have one
		var group sync.WaitGroup
		for n := range 3 {
			group.Go(func() {
				writing.Lock()
				defer writing.Unlock()
				says(t, p, fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`+"\n", n))
			})
		}
		group.Wait()
		return p
	},
	"a database": func(t *testing.T, s *scenariotest.Scenario) io.ReadCloser {
		c := dialled(t, s, "db.test:5432")
		startup := append([]byte{0, 3, 0, 0}, "user\x00app\x00database\x00shop\x00\x00"...)
		says(t, c, string(binary.BigEndian.AppendUint32(nil, uint32(len(startup)+4)))+string(startup))
		readsUntil(t, c, "Z\x00\x00\x00\x05I")
		query := "select item from stock\x00"
		says(t, c, "Q"+string(binary.BigEndian.AppendUint32(nil, uint32(len(query)+4)))+query)
		return c
	},
}

func dialled(t *testing.T, s *scenariotest.Scenario, address string) net.Conn {
	t.Helper()
	c, err := s.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func says(t *testing.T, w io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Error(err)
	}
}

// readsUntil reads until some words came.
func readsUntil(t *testing.T, r io.Reader, until string) {
	t.Helper()
	var got []byte
	for piece := make([]byte, 1); !strings.HasSuffix(string(got), until); {
		n, err := r.Read(piece)
		got = append(got, piece[:n]...)
		if err != nil && !strings.HasSuffix(string(got), until) {
			t.Fatalf("%q, %v", got, err)
		}
	}
}

// Not a test of its own: what [TestClientsThatStopReading] looks at, in a process that may
// hang.
func TestStopper(t *testing.T) {
	stop := stoppers[os.Getenv("STOPS")]
	if stop == nil {
		t.Skip("TestClientsThatStopReading runs this")
	}
	scenariotest.Run(t, "testdata/stops.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
		c := stop(t, s)
		switch os.Getenv("STOPS_AND") {
		case "comes back":
			time.Sleep(2 * time.Minute)
			until, err := strconv.Unquote(os.Getenv("STOPS_UNTIL"))
			if err != nil {
				t.Fatal(err)
			}
			readsUntil(t, c, until)
			c.Close()
		case "closes":
			c.Close()
		case "closes later":
			time.Sleep(2 * time.Minute)
			c.Close()
		}
		fmt.Println(s.Result().Value(`distinct([for e in endpoints : [for a in e.attempts : a.outcome][0] if length(e.attempts) > 0])`))
	})
}

// Shows that a client which asks and reads nothing of what it is answered hangs no Go test,
// over whatever it asks: time goes on, who comes back after minutes finds its answer, who
// closes has left what was not over, and who does neither is told of.
func TestClientsThatStopReading(t *testing.T) {
	for name, c := range map[string]struct{ until, left string }{
		"a body":                       {"much", "success"},
		"a socket":                     {"much", "success"},
		"a stream":                     {"NE]\n\n\r\n0\r\n\r\n", "cancelled"},
		"a pipe":                       {`"id":2,"result":{"content":[{"type":"text","text":"tea.md"}]}}`, "success"},
		"a pipe that several write to": {"tea.md", "success"},
		"a database":                   {"SELECT 2\x00Z\x00\x00\x00\x05I", "success"},
	} {
		for _, and := range []string{"comes back", "closes", "closes later", "nothing"} {
			t.Run(name+", "+and, func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command(os.Args[0], "-test.run=^TestStopper$", "-test.v", "-test.timeout=1m")
				cmd.Env = append(os.Environ(), "STOPS="+name, "STOPS_AND="+and, "STOPS_UNTIL="+strconv.Quote(c.until))
				out, err := cmd.CombinedOutput()
				text, want := string(out), c.left
				if and == "comes back" {
					want = "success"
				}
				if !strings.Contains(text, "["+want+"] <nil>") {
					t.Errorf("the outcome is not %s", want)
				}
				if told := strings.Contains(text, "open_body"); told != (and == "nothing") || told != (err != nil) {
					t.Errorf("told: %t, ended with %v", told, err)
				}
				if t.Failed() {
					t.Log(text)
				}
			})
		}
	}
}

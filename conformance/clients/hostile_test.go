package clients

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const patientScenario = `provider "openai" "llm" {}
provider "sql" "stock" { base_url = "postgres://app@db.example/stock" }
provider "mcp" "notes" { command = ["notes-server"] }

scenario "s" {
  on "stock" {
    reply {
      rows     = [{ item = "tea" }]
      times    = "*"
      optional = true
    }
  }
  on "notes" {
    reply {
      content  = "tea.md"
      times    = "*"
      optional = true
    }
  }
  on "llm" {
    reply {
      content = "Rayleigh scattering."
      times   = "*"
    }
  }
}
`

// serving is the command as a server, with a temporary directory of its own.
type serving struct {
	*exec.Cmd
	temp string
	// says is what it prints after its addresses.
	says      *bufio.Reader
	addresses struct {
		Control, Proxy string
		Providers      map[string]string
		Commands       map[string][]string
	}
}

func serve(t *testing.T, text string) *serving {
	t.Helper()
	name, err := command()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.scenario.hcl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &serving{Cmd: exec.Command(name, "serve", "-q", file), temp: filepath.Join(dir, "temp")}
	if err := os.Mkdir(s.temp, 0o700); err != nil {
		t.Fatal(err)
	}
	s.Env = append(os.Environ(), "TMPDIR="+s.temp)
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill() })
	s.says = bufio.NewReader(out)
	line, err := s.says.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s.addresses)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return s
}

// host is where a provider listens.
func (s *serving) host(t *testing.T, provider string) string {
	t.Helper()
	u, err := url.Parse(s.addresses.Providers[provider])
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// listeners are where a client can connect.
func (s *serving) listeners(t *testing.T) []string {
	t.Helper()
	list := []string{s.host(t, "llm"), s.host(t, "stock"), s.bridge()[0]}
	for _, address := range []string{s.addresses.Proxy, s.addresses.Control} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, u.Host)
	}
	return list
}

// bridge is where the server over a pipe listens, and the token that it wants.
func (s *serving) bridge() []string {
	command := s.addresses.Commands["notes"]
	return command[len(command)-2:]
}

const (
	hostileBody = `{"model":"m","messages":[{"role":"user","content":"why?"}]}`
	hostileHead = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n"
	// startup begins a session of a database: its length, the version, and who wants which.
	startup = "\x00\x00\x00\x21\x00\x03\x00\x00user\x00app\x00database\x00stock\x00\x00"
)

// hostile is what clients say that mean harm, or are broken: nothing, half a head, half a
// body, no words of any protocol, and the beginnings of handshakes, of sessions and of
// messages that never end.
func hostile(token string) []string {
	return []string{
		"", "POST /v1/ch", hostileHead, hostileHead + "\r\n" + hostileBody, "\x00\x01\xffSSH-2.0-nonsense\r\n",
		"\x16\x03\x01\x02\x00\x01", "CONNECT api.openai.com:443 HTTP/1.1\r\n\r\n\x16\x03\x01",
		"\x00\x00\x00\x08\x04\xd2\x16\x2f", "\x7f\xff\xff\xff\x00\x03\x00\x00", startup, startup + "Q\x7f\xff\xff\xffselect", startup + "Q\x00\x00\x00\x01",
		token[:9], token + "\n{\"jsonrpc\": \"2.0\", ", strings.Repeat("\xff", 100_000),
	}
}

// answers reports whether a well-behaved client of each service is answered.
func (s *serving) answers(t *testing.T) {
	t.Helper()
	resp, err := http.Post(s.addresses.Providers["llm"]+"/chat/completions", "application/json", strings.NewReader(hostileBody))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || contentOf(text) != whole {
		t.Errorf("%s: %s, %v", resp.Status, text, err)
	}
	db, err := pgconn.Connect(t.Context(), s.addresses.Providers["stock"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	if rows := db.ExecParams(t.Context(), "select item from stock", nil, nil, nil, nil).Read(); rows.Err != nil || string(rows.Rows[0][0]) != "tea" {
		t.Errorf("%v, %v", rows.Rows, rows.Err)
	}
	pipe, err := net.Dial("tcp", s.bridge()[0])
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	fmt.Fprintf(pipe, "%s\n"+`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`+"\n", s.bridge()[1])
	if line, err := bufio.NewReader(pipe).ReadString('\n'); err != nil || !strings.Contains(line, "tea.md") {
		t.Errorf("%q, %v", line, err)
	}
	if resp, err = http.Get(s.addresses.Control + "/healthz"); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

// Shows that clients which vanish, say what is no request, stop in the middle of one, drip
// it, or say nothing at all, at every listener that there is, keep no other from its
// answers, and that one interrupt ends the server with all of them within a second, and
// leaves no process, no listener and no file. Of five tries one within a second is enough,
// for a machine that is busy; each ends within ten.
func TestHostileClients(t *testing.T) {
	each := 2
	if os.Getenv("SCENARIO_ENDURANCE") != "" {
		each = 60 // 4,500 at a time
	}
	var took []time.Duration
	for range 5 {
		d := besiege(t, each)
		if took = append(took, d); t.Failed() || d <= time.Second {
			return
		}
	}
	t.Errorf("an interrupt ended it after %s", took)
}

// besiege is one try, and how long the interrupt took.
func besiege(t *testing.T, each int) time.Duration {
	s := serve(t, patientScenario)
	listeners := s.listeners(t)
	var held []net.Conn
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	for _, address := range listeners {
		for _, said := range hostile(s.bridge()[1]) {
			for range each {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.WriteString(c, said)
				if len(held)%3 == 0 {
					_ = c.(*net.TCPConn).SetLinger(0)
					c.Close() // it vanishes
				}
				held = append(held, c)
			}
		}
	}
	stop := make(chan struct{})
	var dripping sync.WaitGroup
	for _, address := range listeners { // one drips its head for as long as the test lasts
		dripping.Go(func() {
			c, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			defer c.Close()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-time.After(20 * time.Millisecond):
					_, _ = io.WriteString(c, hostileHead[i%len(hostileHead):i%len(hostileHead)+1])
				}
			}
		})
	}
	for range 10 {
		s.answers(t)
	}
	http.DefaultClient.CloseIdleConnections()
	began := time.Now()
	if err := s.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(s.says) // to its end
	err := s.Wait()
	took := time.Since(began)
	if err != nil || took > 10*time.Second {
		t.Errorf("it ended after %s: %v\n%s", took, err, said)
	}
	close(stop)
	dripping.Wait()
	for _, address := range listeners {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			t.Errorf("something still listens at %s", address)
		}
	}
	left, err := os.ReadDir(s.temp)
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	return took
}

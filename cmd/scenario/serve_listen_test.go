//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Shows what is particular to scenarios that are served: --listen has a provider answer
// at the port of its name, on 127.0.0.1 and, where there is one, on ::1; a scenario that
// asserts nothing passes, as whoever asks does that; and what conditions say of the
// program is not observed, so that no variable has it export its telemetry.
func TestServeListens(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `provider "http" "data" { base_url = "https://data.test/v1" }

scenario "asserts nothing" {
  on "data" {
    reply {
      body  = "x"
      times = "*"
    }
  }
}
`
	if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0") // a port that was free a moment ago
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	hosts := []string{"127.0.0.1"}
	if six, err := net.Listen("tcp6", "[::1]:0"); err == nil {
		six.Close()
		hosts = append(hosts, "[::1]")
	}
	from, to := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run([]string{"serve", "--json", "--listen", fmt.Sprintf("data=%d", port)}, strings.NewReader(""), to, &errs, noEnv)
		to.Close()
	}()
	out := bufio.NewReader(from)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err, &errs)
	}
	var at struct{ Env map[string]string }
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		t.Fatal(err)
	}
	for name := range at.Env {
		if strings.HasPrefix(name, "OTEL_") {
			t.Errorf("programs are told %s, and nobody reads what they export", name)
		}
	}
	for _, host := range hosts {
		resp, err := http.Get(fmt.Sprintf("http://%s:%d/v1/x", host, port))
		if err != nil {
			t.Error(err)
			continue
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s answers %s", host, resp.Status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(out)
	if code := <-ended; code != 0 || !strings.Contains(string(rest), `"status":"pass"`) || strings.Contains(string(rest), "no_assertion") {
		t.Errorf("exit %d: %s%s", code, rest, &errs)
	}
}

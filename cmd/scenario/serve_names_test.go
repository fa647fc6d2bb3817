//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/scenario-lang/scenario/report"
)

// Shows that the name which a client gives its session stands in no report and in no trace
// if it has the form of a credential, whether it comes in a header, a path or a body, and
// that other names do.
func TestServedNamesLeakNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `provider "http" "data" { base_url = "https://data.test/v1" }
scenario "again" {
  on "data" {
    reply {
      body  = "x"
      times = "*"
    }
  }
  expect "run" { status = "success" }
  assert "nothing" { condition = length(endpoint.data.attempts) == 0 }
}
`
	if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--json", "-v", "--trace-out", "written.jsonl", "--trace-out", "chrome=written.chrome"}
	for _, f := range report.Formats() {
		if f.Name != "github" && f.Name != "merge" {
			args = append(args, "--report", f.Name+"=written."+f.Name)
		}
	}
	from, to := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(append(args, "a.scenario.hcl"), strings.NewReader(""), to, &errs, noEnv)
		to.Close()
	}()
	out := bufio.NewReader(from)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err, &errs)
	}
	var at struct {
		Providers map[string]string
		Control   string
	}
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		t.Fatal(err)
	}
	names := []string{"ghp_q7c1bX2f9Kz4mWv8Ts3nRd6yLh5jPg0aUe1A", "ghp_q7c1bX2f9Kz4mWv8Ts3nRd6yLh5jPg0aUe1B", "ghp_q7c1bX2f9Kz4mWv8Ts3nRd6yLh5jPg0aUe1C"}
	send := func(method, url, body, session string) {
		t.Helper()
		req, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if session != "" {
			req.Header.Set("X-Scenario-Session", session)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode > 299 {
			t.Errorf("%s: %s", url, resp.Status)
		}
	}
	send("POST", at.Providers["data"]+"/x", "{}", names[0])
	send("POST", strings.TrimSuffix(at.Providers["data"], "/v1")+"/_s/"+names[1]+"/v1/x", "{}", "")
	send("POST", at.Control+"/sessions", `{"id":"`+names[2]+`"}`, "")
	send("POST", at.Providers["data"]+"/x", "{}", "checkout-12")
	http.DefaultClient.CloseIdleConnections()
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(out)
	<-ended
	written := map[string]string{"standard output": string(rest), "standard error": errs.String()}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "written.") {
			text, err := os.ReadFile(e.Name())
			if err != nil {
				t.Fatal(err)
			}
			written[e.Name()] = string(text)
		}
	}
	for where, text := range written {
		for _, name := range names {
			if strings.Contains(text, name) {
				t.Errorf("%s shows %s:\n%.2000s", where, name, text)
			}
		}
	}
	for _, where := range []string{"standard output", "standard error", "written.json", "written.html", "written.junit"} {
		if !strings.Contains(written[where], "checkout-12") {
			t.Errorf("%s does not name the session:\n%.2000s", where, written[where])
		}
	}
}

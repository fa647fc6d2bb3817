package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func (w *world) database(t *testing.T) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), "postgres://app@"+w.base+"/shop?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(t.Context()) })
	return c
}

// stateOf is the SQLSTATE of an error, "" for none.
func stateOf(err error) string {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// Shows that a refusal which not every endpoint of a database has due lets clients
// in, and strikes at the statement that has it: 57P01, and the session ends, while
// that of another client goes on.
func TestRefusedAtAStatement(t *testing.T) {
	w := begin(t, `provider "sql" "p" { base_url = "postgres://app@db.test/shop" }
endpoint "read" {
  provider = provider.p
  match { statement = "select *" }
}
endpoint "write" {
  provider = provider.p
  match { statement = "insert *" }
}
scenario "s" {
  allow = ["unexpected_failure"]
  on "read" {
    reply {
      rows  = [{ n = 1 }]
      times = 2
    }
  }
  on "write" {
    fault "db_down" {}
    reply { affected = 1 }
  }
  expect "write" { retries = 1 }
}
`, DefaultLimits)
	one, two := w.database(t), w.database(t)
	_, err := one.Exec(t.Context(), "insert into t values (1)")
	if stateOf(err) != "57P01" {
		t.Errorf("the statement: %v", err)
	}
	if _, err = one.Exec(t.Context(), "select 1"); err == nil || !one.IsClosed() {
		t.Errorf("the session goes on: %v", err)
	}
	for _, query := range []string{"select 1", "insert into t values (1)", "select 1"} {
		if _, err := two.Exec(t.Context(), query); err != nil {
			t.Errorf("another client, %s: %v", query, err)
		}
	}
	r := w.finish(t)
	if len(r.Problems) > 0 {
		t.Errorf("%v", r.Problems)
	}
}

// Shows that COPY is refused in words, that the session goes on behind it, and
// that a hundred clients are answered at once, each with a session of its own.
func TestManyClients(t *testing.T) {
	w := begin(t, strings.Replace(databaseFile, "ENTRY", "    reply {\n      rows  = [{ n = 7 }]\n      times = \"*\"\n    }", 1), DefaultLimits)
	c := w.database(t)
	_, err := c.CopyFrom(t.Context(), pgx.Identifier{"t"}, []string{"n"}, pgx.CopyFromRows([][]any{{int32(1)}}))
	if err == nil || !strings.Contains(err.Error(), "COPY from or to the client is not served") {
		t.Errorf("COPY: %v", err)
	}
	var group sync.WaitGroup
	processes := sync.Map{}
	for range 100 {
		group.Go(func() {
			c, err := pgx.Connect(t.Context(), "postgres://app@"+w.base+"/shop?sslmode=disable")
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close(t.Context())
			if _, taken := processes.LoadOrStore(c.PgConn().PID(), true); taken {
				t.Errorf("two sessions are number %d", c.PgConn().PID())
			}
			n := 0
			if err := c.QueryRow(t.Context(), "select n").Scan(&n); err != nil || n != 7 {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	group.Wait()
	if err := c.QueryRow(t.Context(), "select n").Scan(new(int)); err != nil {
		t.Errorf("behind COPY: %v", err)
	}
}

// notes is a server of the Model Context Protocol with one tool, whose only call
// has an answer.
func notes(declared string) string {
	return `provider "mcp" "p" { ` + declared + ` }
endpoint "search" {
  provider = provider.p
  match { tool = "search" }
}
scenario "s" {
  on "search" {
    reply {
      content = "tea"
      times   = 1
    }
  }
  expect "search" { status = "success" }
}
`
}

// An rpcAnswer is what a server says to a request.
type rpcAnswer struct {
	ID     json.RawMessage
	Result struct {
		ProtocolVersion string
		Tools           []struct{ Name string }
		Content         []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

// gated reports whether an answer is that of a gate, by its name.
func (a rpcAnswer) gated(gate string) bool {
	return a.Error != nil && a.Error.Code == -32603 && strings.Contains(a.Error.Message, gate)
}

const rpcCall = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{}}}`

// Shows that gates answer -32603 with their names and the client's own id over a
// pipe and over HTTP, and that they do not end the conversation.
func TestGatesInTheProtocol(t *testing.T) {
	asks := [][3]string{
		{`"a"`, "read", "unmatched_call"}, {`7`, "search", ""}, {`8`, "search", "over_consumed"},
	}
	t.Run("pipe", func(t *testing.T) {
		w := begin(t, notes(`command = ["notes-server"]`), DefaultLimits)
		c, err := net.Dial("tcp", w.base)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		d := json.NewDecoder(c)
		for _, a := range asks {
			fmt.Fprintf(c, rpcCall+"\n", a[0], a[1])
			var got rpcAnswer
			if err := d.Decode(&got); err != nil {
				t.Fatal(err)
			}
			if string(got.ID) != a[0] || a[2] != "" != got.gated(a[2]) || a[2] == "" && got.Error != nil {
				t.Errorf("%v: got %+v", a, got)
			}
		}
	})
	t.Run("http", func(t *testing.T) {
		w := begin(t, notes(`base_url = "https://api.example/mcp"`), DefaultLimits)
		for _, a := range asks {
			_, got := w.post(t, fmt.Sprintf(rpcCall, a[0], a[1]))
			if string(got.ID) != a[0] || a[2] != "" != got.gated(a[2]) || a[2] == "" && got.Error != nil {
				t.Errorf("%v: got %+v", a, got)
			}
		}
	})
}

// post asks a server over HTTP.
func (w *world) post(t *testing.T, body string) (*http.Response, rpcAnswer) {
	t.Helper()
	resp, err := http.Post("http://"+w.base+"/mcp", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got rpcAnswer
	_ = json.NewDecoder(resp.Body).Decode(&got) // a notification has none
	return resp, got
}

// Shows that the handshake, OPTIONS, lists and what a client says besides take no
// entry over HTTP and are messages of the trace, that sessions have names of their
// own, and that a call whose id is a number is answered with that.
func TestServerOverHTTP(t *testing.T) {
	w := begin(t, notes(`base_url = "https://api.example/mcp"`), DefaultLimits)
	if _, got := w.post(t, `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{}}`); string(got.ID) != "0" || got.Error == nil || got.Error.Code != -32601 {
		t.Errorf("what begins a session of a later revision: %+v", got)
	}
	sessions := map[string]bool{}
	for range 2 {
		resp, got := w.post(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		if string(got.ID) != "0" || got.Result.ProtocolVersion != "2025-06-18" {
			t.Errorf("the handshake: %+v", got)
		}
		sessions[resp.Header.Get("Mcp-Session-Id")] = true
	}
	if len(sessions) != 2 || sessions[""] {
		t.Errorf("sessions: %v", sessions)
	}
	if resp, _ := w.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); resp.StatusCode != http.StatusAccepted {
		t.Errorf("the notification: %s", resp.Status)
	}
	if _, got := w.post(t, `{"jsonrpc":"2.0","id":"l","method":"tools/list"}`); len(got.Result.Tools) != 1 || got.Result.Tools[0].Name != "search" || string(got.ID) != `"l"` {
		t.Errorf("the list: %+v", got)
	}
	req, err := http.NewRequest(http.MethodOptions, "http://"+w.base+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusNoContent || resp.Header.Get("Allow") == "" {
		t.Errorf("OPTIONS: %+v, %v", resp, err)
	}
	if _, got := w.post(t, fmt.Sprintf(rpcCall, "12", "search")); string(got.ID) != "12" || len(got.Result.Content) != 1 || got.Result.Content[0].Text != "tea" {
		t.Errorf("the call: %+v", got)
	}
	http.DefaultClient.CloseIdleConnections()
	r := w.finish(t)
	messages := 0
	for i := range r.Events {
		if r.Events[i].Type == "message" {
			messages++
		}
	}
	if got := attempts(r); got != "success/server/1" || messages != 6 || len(r.Problems) > 0 {
		t.Errorf("%s; %d messages; %v", got, messages, r.Problems)
	}
}

// Shows that the list of tools is a call where a match names it, of an endpoint and of
// an entry, and has their tools besides where none does.
func TestTheListOfToolsIsMatched(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":"l","method":"tools/list"}`
	for name, c := range map[string]struct {
		match string
		calls string
		tools int
	}{
		"an endpoint":   {"match { method = \"tools/list\" }", "success/server/1", 0},
		"a pattern":     {"match { method = \"tools/*\" }", "", 1},
		"anything":      {"match { method = \"*\" }", "", 1},
		"another field": {"match { json = { method = \"tools/list\" } }", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := begin(t, strings.Replace(notes(`base_url = "https://api.example/mcp"`), "scenario \"s\" {", "endpoint \"list\" {\n  provider = provider.p\n  "+c.match+"\n}\nscenario \"s\" {\n  allow = [\"unused_reply\"]\n  on \"list\" {\n    reply { result = { tools = [] } }\n  }", 1), DefaultLimits)
			if _, got := w.post(t, list); string(got.ID) != `"l"` || len(got.Result.Tools) != c.tools || got.Error != nil {
				t.Errorf("%+v", got)
			}
			http.DefaultClient.CloseIdleConnections()
			if got := attempts(w.finish(t)); got != c.calls {
				t.Errorf("%q, want %q", got, c.calls)
			}
		})
	}
}

package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const stock = `
provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }
scenario "away for a moment" {
  on "shop" {
    fault "db_error" { sqlstate = "40001" }
    reply { rows = [{ item = "tea" }] }
  }
  expect "shop" { retries = 1 }
}
`

// inSession is the connection string of a database in a session, made as the prefix of
// a session is put before any path.
func inSession(t *testing.T, dsn, id string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	if id != "" {
		u.Path = PrefixSession + id + u.Path
	}
	return u.String()
}

// selects asks a database for one thing, and returns what came of it.
func selects(t *testing.T, c *pgconn.PgConn) string {
	t.Helper()
	result := c.ExecParams(t.Context(), "select item from stock", nil, nil, nil, nil).Read()
	if result.Err != nil {
		return result.Err.Error()
	}
	return string(result.Rows[0][0])
}

// Shows that each session of a service has a database of its own, named by the path of
// the connection string or not at all, that several are open at the same time, and that
// a finished one is refused in words.
func TestDatabasesOfSessions(t *testing.T) {
	w := listen(t, stock)
	dsn := w.Addresses().Providers["shop"]
	if w.Addresses().Env["DATABASE_URL"] != dsn || !strings.HasPrefix(dsn, "postgres://app@127.0.0.1:") {
		t.Errorf("DATABASE_URL is %q, and the provider at %q", w.Addresses().Env["DATABASE_URL"], dsn)
	}
	clients := map[string]*pgconn.PgConn{}
	for _, id := range []string{"", "a", "b"} {
		c, err := pgconn.Connect(t.Context(), inSession(t, dsn, id))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(context.Background())
		clients[id] = c
	}
	for _, want := range []string{"40001", "tea"} {
		for id, c := range clients {
			if id == "b" && want == "tea" {
				continue // asks once
			}
			if got := selects(t, c); !strings.Contains(got, want) {
				t.Errorf("session %q: %q, want %s", id, got, want)
			}
		}
	}
	for id, want := range map[string]int{"default": http.StatusOK, "a": http.StatusOK, "b": http.StatusConflict} {
		if status, text := w.control("POST", "/sessions/"+id+"/finish", ""); status != want {
			t.Errorf("session %s: %d %s", id, status, text)
		}
	}
	if got := selects(t, clients["a"]); !strings.Contains(got, `the session "a" is finished`) {
		t.Errorf("a finished session answers %q", got)
	}
	if _, err := pgconn.Connect(t.Context(), inSession(t, dsn, "no name!")); err == nil || !strings.Contains(err.Error(), "cannot be named") {
		t.Errorf("a session that cannot be: %v", err)
	}
}

// Shows that a database of a session waits as fast as its scenario says.
func TestDatabasesKeepTheirTime(t *testing.T) {
	w := listen(t, `
provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }
scenario "slow" {
  sut {
    command    = ["true"]
    time_scale = 1000
  }
  on "shop" {
    reply {
      latency = "100s"
      rows    = [{ item = "tea" }]
    }
  }
  assert "as long as it says" { condition = endpoint.shop.attempts[0].ended_ms >= 100000 }
}
`)
	c, err := pgconn.Connect(t.Context(), w.Addresses().Providers["shop"])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	began := time.Now()
	if got := selects(t, c); got != "tea" || time.Since(began) > 30*time.Second {
		t.Errorf("%q after %s", got, time.Since(began))
	}
	if status, text := w.control("POST", "/sessions/default/finish", ""); status != http.StatusOK {
		t.Error(text)
	}
}

const noted = `
provider "mcp" "notes" { command = ["notes-server"] }
scenario "searched" {
  on "notes" {
    reply {
      match { tool = "search" }
      content = "tea"
    }
  }
  expect "notes" { status = "success" }
}
`

// Shows that a server over a pipe is played in sessions, named by the path behind the
// address of its bridge, and that who does not know the token gets none.
func TestPipesOfSessions(t *testing.T) {
	w := listen(t, noted)
	command := w.Addresses().Commands["notes"]
	if len(command) != 2 { // without the command of a bridge
		t.Fatalf("%q", command)
	}
	says := func(first string) string {
		c, err := net.Dial("tcp", command[0])
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		fmt.Fprintf(c, "%s\n"+`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`+"\n", first)
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			return err.Error()
		}
		var said struct {
			Result struct{ Content []struct{ Text string } }
			Error  struct{ Message string }
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatal(err)
		}
		if len(said.Result.Content) == 0 {
			return said.Error.Message
		}
		return said.Result.Content[0].Text
	}
	token := command[1]
	for first, want := range map[string]string{
		token:            "tea",
		token + " /_s/a": "tea",
		token + " /_s/" + strings.Repeat("a", 99): "cannot be named",
		token + "x":     io.EOF.Error(),
		token + " _s/a": io.EOF.Error(),
		token[1:] + "0": io.EOF.Error(),
	} {
		got := says(first)
		if want == io.EOF.Error() && strings.Contains(got, "reset") {
			got = want // what it had said was not read
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", strings.Replace(first, token, "TOKEN", 1), got, want)
		}
	}
	for _, id := range []string{"default", "a"} {
		if status, text := w.control("POST", "/sessions/"+id+"/finish", ""); status != http.StatusOK {
			t.Errorf("session %s: %s", id, text)
		}
	}
}

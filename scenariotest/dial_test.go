package scenariotest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/scenario-lang/scenario/scenariotest"
)

// connect is a client of a database that finds it by its address.
func connect(ctx context.Context, s *scenariotest.Scenario, dsn string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	config.DialFunc = s.DialContext
	config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	return pgx.ConnectConfig(ctx, config)
}

// Shows that a client of a database is answered in exact time: refused when it
// connects, in the middle of a statement that it gives up, prepared and from its
// cache, with the arguments that it binds, in a transaction.
func TestDatabase(t *testing.T) {
	scenariotest.Run(t, "testdata/database.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
		const dsn = "postgres://app@db.example/shop?sslmode=disable"
		ctx := t.Context()
		_, err := connect(ctx, s, dsn)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "08001" {
			t.Fatalf("connecting: %v", err)
		}
		time.Sleep(time.Second)
		conn, err := connect(ctx, s, dsn)
		if err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		var price string
		const query = "select price\nfrom items where name = $1"
		if err := conn.QueryRow(short, query, "tea").Scan(&price); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("asking: %v", err)
		}
		if conn, err = connect(ctx, s, dsn); err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		for range 2 {
			if err := conn.QueryRow(ctx, query, "tea").Scan(&price); err != nil || price != "12.50" {
				t.Fatalf("%q, %v", price, err)
			}
		}
		tx, err := conn.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		tag, err := tx.Exec(ctx, "insert into orders values ($1, $2)", "tea", price)
		if err != nil || tag.RowsAffected() != 1 || conn.PgConn().TxStatus() != 'T' {
			t.Errorf("%s, %v, %c", tag, err, conn.PgConn().TxStatus())
		}
		if err := tx.Commit(ctx); err != nil || conn.PgConn().TxStatus() != 'I' {
			t.Errorf("%v, %c", err, conn.PgConn().TxStatus())
		}
	})
}

// A pipe asks a server over lines.
type pipe struct {
	io.ReadWriteCloser
	lines *bufio.Reader
}

func (p *pipe) say(t *testing.T, format string, args ...any) {
	t.Helper()
	if _, err := fmt.Fprintf(p, format+"\n", args...); err != nil {
		t.Fatal(err)
	}
}

// hear is the id and the content of the next answer.
func (p *pipe) hear(t *testing.T) string {
	t.Helper()
	line, err := p.lines.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		ID     json.RawMessage
		Result struct{ Content []struct{ Text string } }
		Error  *struct{ Code int }
	}
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatal(err)
	}
	switch {
	case m.Error != nil:
		return fmt.Sprint(string(m.ID), " error ", m.Error.Code)
	case len(m.Result.Content) > 0:
		return string(m.ID) + " " + m.Result.Content[0].Text
	}
	return string(m.ID)
}

// Shows that requests over one pipe are answered each in its time, that one which
// is taken back is over, and that what is no call is answered besides.
func TestStdio(t *testing.T) {
	scenariotest.Run(t, "testdata/pipe.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
		stream := s.Stdio("notes")
		defer stream.Close()
		p := &pipe{stream, bufio.NewReader(stream)}
		p.say(t, `{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}`)
		if got := p.hear(t); got != "0" {
			t.Errorf("got %s", got)
		}
		p.say(t, `{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
		p.say(t, `{"jsonrpc": "2.0", "id": "list", "method": "tools/list"}`)
		if got := p.hear(t); got != `"list"` {
			t.Errorf("got %s", got)
		}
		const call = `{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": %q, "arguments": {}}}`
		p.say(t, call, 1, "search")
		p.say(t, `{"jsonrpc": "2.0", "id": 2, "method": "ping"}`)
		if got := p.hear(t); got != "2" {
			t.Errorf("got %s", got)
		}
		time.Sleep(30 * time.Second)
		p.say(t, `{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}`)
		p.say(t, call, 3, "search")
		p.say(t, call, 4, "read")
		if got := p.hear(t) + ", " + p.hear(t); got != "4 buy tea, 3 tea.md" {
			t.Errorf("got %s", got)
		}
	})
}

// Shows what is said of an address of nobody and of a provider that is no process,
// and that nothing answers behind the end.
func TestDialErrors(t *testing.T) {
	s := scenariotest.New(t, "testdata/away.scenario.hcl", "nobody asks", scenariotest.Real())
	for address, want := range map[string]string{
		"other.example:5432": "other.example:5432 is the address of no provider", "api.openai.com:443": "give the client the transport of the scenario",
	} {
		if _, err := s.DialContext(t.Context(), "tcp", address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := s.DialContext(t.Context(), "unix", "/tmp/socket"); err == nil {
		t.Error("a socket of the file system was dialled")
	}
	conn, err := s.DialContext(t.Context(), "tcp", "shop.example:80")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "GET /a HTTP/1.1\r\nHost: shop.example\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || line != "HTTP/1.1 418 I'm a teapot\r\n" {
		t.Errorf("%q, %v", line, err)
	}
	conn.Close()
	s.Finish()
	if _, err := s.DialContext(t.Context(), "tcp", "shop.example:80"); err == nil {
		t.Error("something answers behind the end")
	}
}

// Shows that a connection which is cut reads as it does from a socket: a database
// resets it, when its client connects and behind some of a row, and a process that
// crashes ends its output.
func TestCutConnections(t *testing.T) {
	scenariotest.Run(t, "testdata/reset.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
		const dsn = "postgres://app@db.example/shop?sslmode=disable"
		ctx := t.Context()
		if _, err := connect(ctx, s, dsn); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("connecting: %v", err)
		}
		conn, err := connect(ctx, s, dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		var price string
		if err := conn.QueryRow(ctx, "select price from items").Scan(&price); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("asking: %v", err)
		}
		pipe := s.Stdio("notes")
		defer pipe.Close()
		if _, err := io.WriteString(pipe, `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(pipe); len(text) > 0 || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	})
}

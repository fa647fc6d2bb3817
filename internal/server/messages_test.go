package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/trace"
)

const databaseFile = "provider \"sql\" \"p\" { base_url = \"postgres://app@db.test/shop\" }\nscenario \"s\" {\n  allow = [\"unused_reply\", \"unmatched_call\", \"unfired_fault\"]\n  on \"p\" {\nENTRY\n  }\n  expect \"run\" { status = \"success\" }\n}\n"

// converseAs is what a client receives that asks as the adapter does.
func converseAs(t *testing.T, address, database string) []byte {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f := pgproto3.NewFrontend(strings.NewReader(""), c)
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "app", "database": database}})
	messages, err := sql.Statement{Query: "select 1"}.Messages()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		f.Send(m)
	}
	f.Send(&pgproto3.Terminate{})
	_ = f.Flush() // a refused client cannot say all
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	got, _ := io.ReadAll(c) // a reset comes after what was sent
	return got
}

// Shows that a client over TCP gets the bytes that the player in the process
// gives, for every kind of fault of a database that ends, and for a reply.
func TestParityOfDatabases(t *testing.T) {
	entries := map[string]string{"reply": "    reply { rows = [{ n = 1 }, { n = 2 }] }"}
	for _, k := range faults.Kinds() {
		endless := slices.Contains([]string{"hang", "timeout", "db_slow", "delay"}, k.Name)
		if slices.Contains(k.For, "sql") && !endless {
			entries[k.Name] = "    fault \"" + k.Name + "\" {}"
		}
	}
	entries["cut"] = "    fault \"connection_reset\" { after_bytes = 12 }"
	if len(entries) < 8 {
		t.Fatalf("only %d entries", len(entries))
	}
	for name, entry := range entries {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(databaseFile, "ENTRY", entry, 1)
			got := converseAs(t, begin(t, text, DefaultLimits).base, "shop")
			other := begin(t, text, DefaultLimits)
			req, err := sql.Adapter{}.Request(context.Background(), providers.Input{BaseURL: "postgres://db.test/shop", Statement: "select 1"})
			if err != nil {
				t.Fatal(err)
			}
			asked := interp.Asked{Request: req, Listener: "p"}
			x, err := other.Connect(t.Context(), asked)
			if err == nil && x == nil {
				asked.Body, err = providers.TakeBody(req)
				if err == nil {
					x, err = other.Answer(t.Context(), asked)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := x.Script().Bytes(); !bytes.Equal(got, want) {
				t.Errorf("got\n%q, want\n%q", got, want)
			}
		})
	}
}

// Shows that an outage of a database is met by clients where the same fault of a script
// is: by some as they connect, by others at their statement.
func TestOutagesOfDatabases(t *testing.T) {
	for _, kind := range []string{"db_down", "connection_refused", "tls_error", "pool_exhausted", "db_error", "connection_reset"} {
		fault := "fault \"" + kind + "\" {}"
		scripted := converseAs(t, begin(t, strings.Replace(databaseFile, "ENTRY", fault+"\nreply {}", 1), DefaultLimits).base, "shop")
		struck := begin(t, strings.Replace(databaseFile, "ENTRY", "reply {}\n}\noutage \"o\" {\nprovider = provider.p\nto = \"1h\"\n"+fault, 1), DefaultLimits)
		if got := converseAs(t, struck.base, "shop"); !bytes.Equal(got, scripted) {
			t.Errorf("%s: got\n%q, want\n%q", kind, got, scripted)
		}
	}
}

// Shows what becomes of clients of a database that want another one, TLS, or
// nothing that is a session, and of one that leaves in the middle: the trace says
// so, and the server ends.
func TestDatabaseTroubles(t *testing.T) {
	w := begin(t, strings.Replace(databaseFile, "ENTRY", "    fault \"hang\" { times = \"*\" }", 1), DefaultLimits)
	if got := converseAs(t, w.base, "other"); !bytes.Contains(got, []byte("unmatched_call")) || !bytes.Contains(got, []byte("XX000")) {
		t.Errorf("another database: %q", got)
	}
	w.talk(t, "\xff\xff\xff\xff no words of this protocol")
	c, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = c.Write([]byte{0, 0, 0, 8, 4, 210, 22, 47}) // SSLRequest
	answer := make([]byte, 1)
	if _, err := io.ReadFull(c, answer); err != nil || answer[0] != 'N' {
		t.Errorf("TLS: %q, %v", answer, err)
	}
	c.Close()
	for w.Accepted("p") < 3 {
		time.Sleep(time.Millisecond)
	}
	r := w.finish(t)
	if want := "does not begin a session"; !troubled(r, want) {
		t.Errorf("no message says %q", want)
	}
}

func troubled(r *interp.Result, want string) bool {
	for i := range r.Events {
		if strings.Contains(r.Events[i].Text("trouble"), want) {
			return true
		}
	}
	return false
}

// Shows that a statement which is bound ahead of another one has ended when its client
// has its rows, and not when the other is bound, though both are of one lane and are
// answered in their order.
func TestBoundAhead(t *testing.T) {
	text := strings.Replace(databaseFile, "ENTRY", "    reply { rows = [{ n = 1 }] }\n    reply { rows = [{ n = 2 }] }", 1)
	w := begin(t, text, DefaultLimits)
	c, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	f := pgproto3.NewFrontend(c, c)
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "app", "database": "shop"}})
	for _, name := range []string{"a", "b"} {
		f.Send(&pgproto3.Parse{Name: name, Query: "select " + name})
		f.Send(&pgproto3.Bind{PreparedStatement: name, DestinationPortal: name})
	}
	for _, name := range []string{"a", "b"} {
		f.Send(&pgproto3.Execute{Portal: name})
	}
	f.Send(&pgproto3.Sync{})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	rows := ""
	for ready := 0; ready < 2; { // of the session, then of the statements
		m, err := f.Receive()
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *pgproto3.DataRow:
			rows += string(m.Values[0])
		case *pgproto3.ErrorResponse:
			t.Fatal(m.Message)
		case *pgproto3.ReadyForQuery:
			ready++
		}
	}
	r := w.finish(t)
	var order []string
	for _, e := range r.Events {
		if e.Type == trace.AttemptStart || e.Type == trace.AttemptEnd {
			order = append(order, fmt.Sprintf("%s %d", e.Type, e.Attempt))
		}
	}
	if want := []string{"attempt_start 1", "attempt_start 2", "attempt_end 1", "attempt_end 2"}; r.Verdict != interp.Pass || rows != "12" || !slices.Equal(order, want) {
		t.Errorf("rows %q, %q, want %q: %v", rows, order, want, r.Problems)
	}
}

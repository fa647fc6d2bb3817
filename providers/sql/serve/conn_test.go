package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/providers/sql/serve"
	"github.com/scenario-lang/scenario/wire"
)

// instant is a clock on which every wait is over at once.
type instant struct{ waited time.Duration }

func (c *instant) Now() time.Time { return time.Unix(0, 0) }

func (c *instant) Sleep(ctx context.Context, d time.Duration) error {
	c.waited += d
	return ctx.Err()
}

func (c *instant) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

func (c *instant) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

// talk says the client's messages to the scripts and returns the types of the
// server's, as they stand on the wire; "!" is the end of the connection.
func talk(t *testing.T, scripts []wire.WireScript, says ...pgproto3.FrontendMessage) (string, time.Duration) {
	t.Helper()
	ours, theirs := net.Pipe()
	clock, ended := &instant{}, make(chan error, 1)
	n := 0
	go func() {
		ended <- serve.Conn(clock, theirs, func() (wire.WireScript, error) {
			if n++; n > len(scripts) {
				return wire.WireScript{}, errors.New("no script is left")
			}
			return scripts[n-1], nil
		})
	}()
	go func() {
		f := pgproto3.NewFrontend(strings.NewReader(""), ours)
		f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "app"}})
		for _, m := range says {
			f.Send(m)
		}
		f.Send(&pgproto3.Terminate{})
		_ = f.Flush()
	}()
	var received strings.Builder
	f := pgproto3.NewFrontend(ours, ours)
	for {
		m, err := f.Receive()
		if err != nil {
			received.WriteString("!")
			break
		}
		data, _ := m.Encode(nil)
		received.WriteByte(data[0])
	}
	ours.Close()
	if err := <-ended; err != nil && !strings.Contains(err.Error(), "closed pipe") {
		t.Errorf("serving: %v", err)
	}
	return received.String(), clock.waited
}

func rows(n int) wire.WireScript {
	out := providers.Output{Columns: []providers.Column{{Name: "n", Type: "int4"}}, Rows: [][]any{}, Latency: time.Second}
	for i := range n {
		out.Rows = append(out.Rows, []any{json.Number(fmt.Sprint(i))})
	}
	return sql.Adapter{}.Render(providers.Input{Statement: "select"}, out).Script(wire.Meta{})
}

func failing(state string) wire.WireScript {
	return sql.Adapter{}.RenderTyped(providers.Input{}, "db_error", "no", state).Script(wire.Meta{})
}

// Shows that a client gets the messages of the protocol in their order however
// it asks (an extended query in one go, prepared and executed again, described
// twice, a simple query), that errors pass over everything to the next Sync,
// and that what ends a session ends it at its place.
func TestConn(t *testing.T) {
	parse, bind, execute, sync := &pgproto3.Parse{Query: "select $1"}, &pgproto3.Bind{}, &pgproto3.Execute{}, &pgproto3.Sync{}
	statement, portal := &pgproto3.Describe{ObjectType: 'S'}, &pgproto3.Describe{ObjectType: 'P'}
	const open = "RSSSSSSSKZ"
	cut := sql.Adapter{}.Render(providers.Input{Statement: "begin"}, providers.Output{}).CutBytes(5, wire.EndFIN).Script(wire.Meta{})
	for _, c := range []struct {
		name    string
		scripts []wire.WireScript
		says    []pgproto3.FrontendMessage
		want    string
	}{
		{"in one go", []wire.WireScript{rows(2)}, []pgproto3.FrontendMessage{parse, bind, portal, execute, sync}, open + "12TDDCZ!"},
		{"prepared, then executed", []wire.WireScript{rows(1)}, []pgproto3.FrontendMessage{parse, statement, sync, bind, execute, sync}, open + "1tTZ2DCZ!"},
		{"executed again", []wire.WireScript{rows(1), rows(0)}, []pgproto3.FrontendMessage{parse, sync, bind, execute, sync, bind, portal, execute, sync}, open + "1Z2DCZ2TCZ!"},
		{"simple", []wire.WireScript{rows(1)}, []pgproto3.FrontendMessage{&pgproto3.Query{String: "select 1"}}, open + "TDCZ!"},
		{"empty", []wire.WireScript{rows(1)}, []pgproto3.FrontendMessage{&pgproto3.Query{String: "-- ping"}}, open + "IZ!"},
		{"closed", []wire.WireScript{rows(0)}, []pgproto3.FrontendMessage{&pgproto3.Close{ObjectType: 'S'}, sync}, open + "3Z!"},
		{"an error while parsing", []wire.WireScript{failing("42601"), rows(0)}, []pgproto3.FrontendMessage{parse, bind, execute, sync, parse, bind, execute, sync}, open + "EZ12CZ!"},
		{"an error while executing", []wire.WireScript{failing("23505")}, []pgproto3.FrontendMessage{parse, bind, portal, execute, sync}, open + "12nEZ!"},
		{"an error of a simple query", []wire.WireScript{failing("23505")}, []pgproto3.FrontendMessage{&pgproto3.Query{String: "x"}}, open + "EZ!"},
		{"the session is ended", []wire.WireScript{failing("57P01")}, []pgproto3.FrontendMessage{parse, bind, execute, sync}, open + "12E!"},
		{"the session is refused", []wire.WireScript{failing("3D000")}, nil, "E!"},
		{"a cut", []wire.WireScript{cut}, []pgproto3.FrontendMessage{parse, bind, execute, sync}, open + "1!"},
		{"nothing is dialled", []wire.WireScript{{Dial: wire.Refused("db:5432")}}, nil, "!"},
		{"raw bytes", []wire.WireScript{wire.Response{Opening: sql.Adapter{}.Opening(), Parts: []wire.Part{{Data: []byte("not valid json")}}, End: wire.EndFIN}.Script(wire.Meta{})}, []pgproto3.FrontendMessage{parse, sync}, open + "!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := talk(t, c.scripts, c.says...); got != c.want {
				t.Errorf("received %s, want %s", got, c.want)
			}
		})
	}
}

// Shows that the bytes of a whole script are those that a client gets which
// asks as the adapter does, and that its waits are waited.
func TestConnIsTheScript(t *testing.T) {
	script := rows(3)
	ours, theirs := net.Pipe()
	clock := &instant{}
	go func() { _ = serve.Conn(clock, theirs, func() (wire.WireScript, error) { return script, nil }) }()
	go func() {
		f := pgproto3.NewFrontend(strings.NewReader(""), ours)
		f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "app"}})
		messages, _ := sql.Statement{Query: "select"}.Messages()
		for _, m := range messages {
			f.Send(m)
		}
		_ = f.Flush()
	}()
	want := script.Bytes()
	got := make([]byte, 0, len(want))
	buf := make([]byte, 256)
	for len(got) < len(want) {
		n, err := ours.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			t.Fatal(err)
		}
	}
	ours.Close()
	if diff := cmp.Diff(want, got); diff != "" || clock.waited != time.Second {
		t.Errorf("waited %s: %s", clock.waited, diff)
	}
}

package serve_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/providers/sql/serve"
	"github.com/scenario-lang/scenario/wire"
)

// A desk answers statements by their first word, and remembers what it was asked
// and told.
type desk struct {
	scripts map[string]wire.WireScript
	// taking, where not nil, is called before a statement is answered.
	taking func(ctx context.Context, s serve.Statement) error
	asked  []serve.Statement
	served []wire.Served
	noted  []string
}

// Connect implements serve.Server.
func (*desk) Connect(context.Context, serve.Startup) (serve.Exchange, error) { return nil, nil }

func (d *desk) script(query string) wire.WireScript {
	if s, ok := d.scripts[sql.Verb(query)]; ok {
		return s
	}
	b, _ := sql.Adapter{}.SessionReply(providers.Input{Statement: query}, nil)
	return b.Script(wire.Meta{})
}

// Due implements serve.Server.
func (d *desk) Due(_ context.Context, query string) []wire.WireScript {
	return []wire.WireScript{d.script(query)}
}

// Ask implements serve.Server.
func (d *desk) Ask(ctx context.Context, s serve.Statement) (serve.Exchange, error) {
	d.asked = append(d.asked, s)
	if d.taking != nil {
		if err := d.taking(ctx, s); err != nil {
			return nil, err
		}
	}
	return &followed{d, d.script(s.Query)}, nil
}

// Process implements serve.Server.
func (*desk) Process() uint32 { return 1 }

// Cancel implements serve.Server.
func (*desk) Cancel(uint32, []byte) {}

// Noted implements serve.Server.
func (d *desk) Noted(message string) { d.noted = append(d.noted, message) }

// A followed script tells the desk how it ended.
type followed struct {
	desk   *desk
	script wire.WireScript
}

// Script implements serve.Exchange.
func (f *followed) Script() wire.WireScript { return f.script }

// Reached implements serve.Exchange.
func (*followed) Reached(int) {}

// Sending implements Exchange.
func (*followed) Sending() {}

// Aside implements serve.Exchange.
func (f *followed) Aside(is bool) {
	word := "back for"
	if is {
		word = "aside"
	}
	f.desk.noted = append(f.desk.noted, word)
}

// Served implements serve.Exchange.
func (f *followed) Served(s wire.Served) { f.desk.served = append(f.desk.served, s) }

// A stuck clock waits without end for whatever takes time.
type stuck struct{ wire.Clock }

// Sleep implements wire.Clock.
func (stuck) Sleep(ctx context.Context, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
}

// converse says bytes to a session and returns what it answers behind its opening:
// the types of the messages, with the codes of errors and the status of
// ReadyForQuery, and "!" for its end.
func converse(t *testing.T, c wire.Clock, d *desk, says []byte) string {
	t.Helper()
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve.Session(t.Context(), c, theirs, d) }()
	go func() {
		start, _ := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "app"}}).Encode(nil)
		_, _ = ours.Write(append(start, says...))
	}()
	_ = ours.SetReadDeadline(time.Now().Add(20 * time.Second))
	defer ours.Close()
	var got strings.Builder
	f := pgproto3.NewFrontend(ours, io.Discard)
	for {
		m, err := f.Receive()
		if err != nil {
			got.WriteString("!")
			break
		}
		switch m := m.(type) {
		case *pgproto3.ErrorResponse:
			fmt.Fprintf(&got, "E(%s)", m.Code)
		case *pgproto3.ReadyForQuery:
			fmt.Fprintf(&got, "Z%c ", m.TxStatus)
		default:
			data, _ := m.Encode(nil)
			got.WriteByte(data[0])
		}
	}
	ours.Close()
	if err := <-ended; err != nil {
		t.Errorf("serving: %v", err)
	}
	_, said, _ := strings.Cut(got.String(), "ZI ")
	return strings.TrimSpace(said)
}

func said(messages ...pgproto3.FrontendMessage) []byte {
	var b []byte
	for _, m := range messages {
		b, _ = m.Encode(b)
	}
	return b
}

func query(text string) *pgproto3.Query { return &pgproto3.Query{String: text} }

// asks are the statements that a desk was asked.
func (d *desk) asks() string {
	var list []string
	for _, s := range d.asked {
		list = append(list, s.Query)
	}
	return strings.Join(list, " | ")
}

var leave = &pgproto3.Terminate{}

// Shows that a statement which is cancelled is answered 57014 and the session goes
// on, whether it waits for its turn, for its first byte, or in silence, and
// however it is asked; and that its exchange is one that the client ended.
func TestCancelled(t *testing.T) {
	slow := rows(1)
	silent := wire.WireScript{Ops: []wire.Op{{Data: sql.Adapter{}.Opening()}, {End: wire.EndHang}}}
	simple := said(query("select 1"), query("show server_version"), leave)
	extended := said(&pgproto3.Parse{Query: "select 1"}, &pgproto3.Bind{}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}, query("show server_version"), leave)
	for _, c := range []struct {
		name    string
		script  wire.WireScript
		waits   bool // for its turn
		says    []byte
		want    string
		outcome []wire.EndedBy
	}{
		{"waiting for its turn", rows(1), true, simple, "E(57014)ZI TDCZI !", []wire.EndedBy{wire.ByServer}},
		{"waiting for its turn, bound", rows(1), true, extended, "E(57014)ZI TDCZI !", []wire.EndedBy{wire.ByServer}},
		{"slow", slow, false, simple, "E(57014)ZI TDCZI !", []wire.EndedBy{wire.ByClient, wire.ByServer}},
		{"slow, bound", slow, false, extended, "E(57014)ZI TDCZI !", []wire.EndedBy{wire.ByClient, wire.ByServer}},
		{"silent", silent, false, simple, "E(57014)ZI TDCZI !", []wire.EndedBy{wire.ByClient, wire.ByServer}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &desk{scripts: map[string]wire.WireScript{"SELECT": c.script}}
			d.taking = func(ctx context.Context, s serve.Statement) error {
				if sql.Verb(s.Query) != "SELECT" {
					return nil
				}
				if !c.waits {
					time.AfterFunc(time.Millisecond, s.Cancel)
					return nil
				}
				s.Cancel()
				return ctx.Err()
			}
			if got := converse(t, stuck{wire.System()}, d, c.says); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			var ends []wire.EndedBy
			for _, s := range d.served {
				ends = append(ends, s.By)
			}
			if diff := cmp.Diff(c.outcome, ends); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Shows that a transaction which has failed takes no statement until it ends, and
// that the script is not asked for it; that going back to a savepoint or ending
// the transaction by any word mends it; that a COMMIT of it is a ROLLBACK.
func TestFailedTransaction(t *testing.T) {
	for _, c := range []struct{ says, want, asked string }{
		{"begin; select 1|insert|select 2|rollback|select 3", "CTDCZT E(23505)ZE E(25P02)ZE CZI TDCZI !", "begin | select 1 | insert | rollback | select 3"},
		{"begin|insert|abort", "CZT E(23505)ZE CZI !", "begin | insert | abort"},
		{"begin|savepoint a|insert|rollback to a|select 1", "CZT CZT E(23505)ZE CZT TDCZT !", "begin | savepoint a | insert | rollback to a | select 1"},
		{"begin|insert|/* x */ COMMIT|select 1", "CZT E(23505)ZE CZI TDCZI !", "begin | insert | /* x */ COMMIT | select 1"},
		{"insert|select 1", "E(23505)ZI TDCZI !", "insert | select 1"},
		{"begin|insert; rollback|select 1", "CZT E(23505)ZE E(25P02)ZE !", "begin | insert"},
	} {
		d := &desk{scripts: map[string]wire.WireScript{"INSERT": failing("23505"), "SELECT": rows(1)}}
		var says []byte
		for _, text := range strings.Split(c.says, "|") {
			says = append(says, said(query(text))...)
		}
		if got := converse(t, &instant{}, d, append(says, said(leave)...)); got != c.want || d.asks() != c.asked {
			t.Errorf("%s: got %s, want %s; asked %s", c.says, got, c.want, d.asks())
		}
	}
	// The same with statements that are bound.
	d := &desk{scripts: map[string]wire.WireScript{"INSERT": failing("23505"), "SELECT": rows(1)}}
	bound := func(text string) []byte {
		return said(&pgproto3.Parse{Query: text}, &pgproto3.Bind{}, &pgproto3.Execute{}, &pgproto3.Sync{})
	}
	got := converse(t, &instant{}, d, bytes.Join([][]byte{bound("begin"), bound("insert"), bound("select 1"), bound("rollback"), said(leave)}, nil))
	if want := "12CZT 12E(23505)ZE E(25P02)ZE 12CZI !"; got != want || d.asks() != "begin | insert | rollback" {
		t.Errorf("got %s, want %s; asked %s", got, want, d.asks())
	}
}

// Shows that several statements in one text are answered one after the other with
// one ReadyForQuery, that semicolons in strings, comments and bodies separate
// nothing, and that an error passes over the rest.
func TestSeveralStatements(t *testing.T) {
	for _, c := range []struct{ text, want, asked string }{
		{"select 1; select 2", "TDCTDCZI !", "select 1 | select 2"},
		{"select ';' ; -- ;\n select $$;$$, $a$;$$;$a$ ; /* ; /* ; */ ; */ ;;", "TDCTDCZI !", "select ';' | -- ;\n select $$;$$, $a$;$$;$a$"},
		{`select e'\';' ; select '\'; select ";"`, "TDCTDCTDCZI !", `select e'\';' | select '\' | select ";"`},
		{"select 1; insert; select 2", "TDCE(23505)ZI !", "select 1 | insert"},
		{" ; ", "IZI !", ""},
		{"select 'no end; select 2", "TDCZI !", "select 'no end; select 2"},
	} {
		d := &desk{scripts: map[string]wire.WireScript{"INSERT": failing("23505"), "SELECT": rows(1)}}
		if got := converse(t, &instant{}, d, said(query(c.text), leave)); got != c.want || d.asks() != c.asked {
			t.Errorf("%s: got %s, want %s; asked %q", c.text, got, c.want, d.asks())
		}
	}
}

// Shows that two portals which are bound before either is executed are answered
// each with its own rows, waits included.
func TestTwoPortals(t *testing.T) {
	d := &desk{scripts: map[string]wire.WireScript{"SELECT": rows(1), "WITH": rows(2)}}
	got := converse(t, wire.System(), d, said(
		&pgproto3.Parse{Name: "a", Query: "select 1"}, &pgproto3.Parse{Name: "b", Query: "with 2"},
		&pgproto3.Bind{PreparedStatement: "a", DestinationPortal: "a"}, &pgproto3.Bind{PreparedStatement: "b", DestinationPortal: "b"},
		&pgproto3.Execute{Portal: "a"}, &pgproto3.Execute{Portal: "b"}, &pgproto3.Sync{}, leave))
	if want := "1122DCDDCZI !"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := []string{"aside", "aside", "back for", "back for"}; !cmp.Equal(d.noted, want) || len(d.served) != 2 {
		t.Errorf("%q, want %q; ended: %+v", d.noted, want, d.served)
	}
}

// Shows that a client which fetches the rows of one statement in parts, and asks
// others in between, ends the first when it has all of its rows; and that what it
// leaves behind ends with the transaction.
func TestRowsInParts(t *testing.T) {
	for name, c := range map[string]struct {
		last []pgproto3.FrontendMessage
		want string
	}{
		"to the end": {[]pgproto3.FrontendMessage{&pgproto3.Execute{Portal: "c"}, &pgproto3.Sync{}, &pgproto3.Query{String: "commit"}}, "CZT 12DsZT TDCZT DCZT CZI !"},
		"left":       {[]pgproto3.FrontendMessage{&pgproto3.Query{String: "commit"}}, "CZT 12DsZT TDCZT CZI !"},
		"closed":     {[]pgproto3.FrontendMessage{&pgproto3.Close{ObjectType: 'P', Name: "c"}, &pgproto3.Query{String: "commit"}}, "CZT 12DsZT TDCZT 3CZI !"},
	} {
		d := &desk{scripts: map[string]wire.WireScript{"SELECT": rows(1), "WITH": rows(2)}}
		asks := append([]pgproto3.FrontendMessage{
			&pgproto3.Query{String: "begin"},
			&pgproto3.Parse{Name: "a", Query: "with 2"}, &pgproto3.Bind{PreparedStatement: "a", DestinationPortal: "c"},
			&pgproto3.Execute{Portal: "c", MaxRows: 1}, &pgproto3.Sync{},
			&pgproto3.Query{String: "select 1"},
		}, c.last...)
		got := converse(t, wire.System(), d, said(append(asks, leave)...))
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		ended := 0
		for _, s := range d.served {
			if s.By == wire.ByServer {
				ended++
			}
		}
		if ended != len(d.asked) || len(d.served) != ended || d.noted[0] != "aside" {
			t.Errorf("%s: %d statements, ended %+v, noted %q", name, len(d.asked), d.served, d.noted)
		}
	}
}

// Shows what arguments are that a client binds in the binary format, by the types
// of PostgreSQL's documentation, and that one which is none of its type is refused.
func TestBinaryArguments(t *testing.T) {
	be := binary.BigEndian
	for _, c := range []struct {
		oid  uint32
		raw  []byte
		want any
	}{
		{pgtype.Int2OID, be.AppendUint16(nil, 0xfffe), json.Number("-2")},
		{pgtype.Int4OID, be.AppendUint32(nil, 70000), json.Number("70000")},
		{pgtype.Int8OID, be.AppendUint64(nil, 1<<40), json.Number("1099511627776")},
		{pgtype.Float8OID, be.AppendUint64(nil, 0x3ff8000000000000), json.Number("1.5")},
		{pgtype.BoolOID, []byte{1}, true},
		{pgtype.BoolOID, []byte{0}, false},
		{pgtype.TextOID, []byte("tea"), "tea"},
		{pgtype.ByteaOID, []byte{0, 255}, `\x00ff`},
		{pgtype.DateOID, be.AppendUint32(nil, 1), "2000-01-02"},
		{pgtype.UUIDOID, []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"), "00010203-0405-0607-0809-0a0b0c0d0e0f"},
		{999999, []byte{1, 2}, `\x0102`},
		{pgtype.Int4OID, nil, nil},
	} {
		d := &desk{scripts: map[string]wire.WireScript{"SELECT": rows(1)}}
		got := converse(t, &instant{}, d, said(&pgproto3.Parse{Query: "select $1", ParameterOIDs: []uint32{c.oid}},
			&pgproto3.Bind{ParameterFormatCodes: []int16{1}, Parameters: [][]byte{c.raw}}, &pgproto3.Execute{}, &pgproto3.Sync{}, leave))
		if got != "12DCZI !" || len(d.asked) != 1 {
			t.Errorf("type %d: %s", c.oid, got)
			continue
		}
		if diff := cmp.Diff([]any{c.want}, d.asked[0].Args); diff != "" {
			t.Errorf("type %d: %s", c.oid, diff)
		}
	}
	for oid, raw := range map[uint32][]byte{pgtype.Int4OID: {1}, pgtype.UUIDOID: {1, 2}, pgtype.TextOID: {0xff}, pgtype.NumericOID: {9}, pgtype.Int4ArrayOID: {0, 0, 0, 9}} {
		d := &desk{}
		got := converse(t, &instant{}, d, said(&pgproto3.Parse{Query: "select $1", ParameterOIDs: []uint32{oid}},
			&pgproto3.Bind{ParameterFormatCodes: []int16{1}, Parameters: [][]byte{raw}}, &pgproto3.Execute{}, &pgproto3.Sync{}, leave))
		if got != "E(22P03)ZI !" || d.asked != nil {
			t.Errorf("type %d, %x: %s, asked %v", oid, raw, got, d.asked)
		}
	}
}

// Shows that a client which sends what is no message is told so once and loses its
// session, and that half a message and a length without end cost nothing.
func TestGarbage(t *testing.T) {
	for name, c := range map[string]struct{ says, want string }{
		"no type":         {"\x00\x00\x00\x00\x04", "E(08P01)!"},
		"HTTP":            {"GET / HTTP/1.1\r\n\r\n", "E(08P01)!"},
		"a small length":  {"Q\x00\x00\x00\x01", "E(08P01)!"},
		"a large length":  {"Q\xff\xff\xff\xff", "E(08P01)!"},
		"a short bind":    {"B\x00\x00\x00\x06\x00\x00", "E(08P01)!"},
		"a function call": {string(said(&pgproto3.FunctionCall{})), "E(0A000)!"},
		"no portal":       {string(said(&pgproto3.Execute{Portal: "x"}, &pgproto3.Sync{}, leave)), "E(34000)ZI !"},
		"no statement":    {string(said(&pgproto3.Bind{PreparedStatement: "x"}, &pgproto3.Sync{}, leave)), "E(26000)ZI !"},
		"not described":   {string(said(&pgproto3.Describe{ObjectType: 'S', Name: "x"}, &pgproto3.Sync{}, leave)), "E(26000)ZI !"},
	} {
		t.Run(name, func(t *testing.T) {
			d := &desk{}
			if got := converse(t, &instant{}, d, []byte(c.says)); got != c.want || d.asked != nil {
				t.Errorf("got %s, want %s; asked %v", got, c.want, d.asked)
			}
			if ends := c.want[len(c.want)-2] == ')'; ends != (len(d.noted) == 1) {
				t.Errorf("noted %q", d.noted)
			}
		})
	}
}

package serve_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers/sql/serve"
	"github.com/scenario-lang/scenario/wire"
)

// A tape is a connection of a client that says all it has and leaves.
type tape struct {
	net.Conn
	says []byte
	said atomic.Int64 // bytes of the server
}

// Read implements net.Conn.
func (c *tape) Read(p []byte) (int, error) {
	if len(c.says) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.says)
	c.says = c.says[n:]
	return n, nil
}

// Write implements net.Conn.
func (c *tape) Write(p []byte) (int, error) {
	if c.said.Add(int64(len(p))) > 64<<20 {
		return 0, errors.New("the server says more than anybody asked for")
	}
	return len(p), nil
}

// Close implements net.Conn.
func (*tape) Close() error { return nil }

// SetWriteDeadline implements net.Conn.
func (*tape) SetWriteDeadline(time.Time) error { return nil }

// Shows that whatever a client sends, a session ends without a panic, tells each
// exchange its end once at most, and says no more than it was asked for.
func FuzzSession(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"), false)
	f.Add([]byte("\x00\x00\x00\x10\x04\xd2\x16\x2e\x00\x00\x00\x01\x00\x00\x00\x02"), false)
	f.Add([]byte("\xff\xff\xff\xff no words of this protocol"), false)
	f.Add(said(query("begin; insert; select ';' -- x"), query("/* /* */"), leave), true)
	f.Add(said(&pgproto3.Parse{Name: "a", Query: "select $1", ParameterOIDs: []uint32{23}}, &pgproto3.Describe{ObjectType: 'S', Name: "a"}, &pgproto3.Sync{},
		&pgproto3.Bind{PreparedStatement: "a", ParameterFormatCodes: []int16{1}, Parameters: [][]byte{{0, 0, 0, 1}}, ResultFormatCodes: []int16{1}},
		&pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{MaxRows: 1}, &pgproto3.Flush{}, &pgproto3.Execute{}, &pgproto3.Close{ObjectType: 'P'}, &pgproto3.Sync{}), true)
	f.Fuzz(func(t *testing.T, says []byte, opened bool) {
		if opened {
			start, _ := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "app"}}).Encode(nil)
			says = append(start, says...)
		}
		d := &desk{scripts: map[string]wire.WireScript{"INSERT": failing("23505"), "SELECT": rows(3), "UPDATE": failing("57P01"), "DELETE": failing("42601")}}
		c := &tape{says: says}
		if err := serve.Session(context.Background(), &instant{}, c, d); err != nil {
			t.Fatalf("serving: %v", err)
		}
		if len(d.served) > len(d.asked) {
			t.Errorf("%d exchanges ended of %d", len(d.served), len(d.asked))
		}
	})
}

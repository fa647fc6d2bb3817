package serve

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/wire"
)

// Conn plays scripts to a client until it leaves or a script ends the
// connection. next is asked when the client comes, because a script may refuse
// it, and for every further statement; a statement begins where one is parsed,
// bound or queried after the one before it was executed. An error of next ends
// the connection and is returned.
//
// The result is nil also where the client went away in the middle. To end waits
// early, give a clock whose Sleep ends with the server's own context, or use
// [Session].
func Conn(c wire.Clock, conn net.Conn, next func() (wire.WireScript, error)) error {
	defer conn.Close()
	return Session(context.Background(), c, conn, &scripted{next: next})
}

// scripted answers from scripts that are made one after the other, whatever is
// asked.
type scripted struct {
	next func() (wire.WireScript, error)
	// held is the script of the next statement, where somebody looked at it.
	held *wire.WireScript
}

// Connect implements Server.
func (s *scripted) Connect(context.Context, Startup) (Exchange, error) {
	script, err := s.next()
	if err != nil {
		return nil, err
	}
	if refuses(script) {
		return unfollowed{script}, nil
	}
	s.held = &script
	return nil, nil
}

// Due implements Server.
func (s *scripted) Due(context.Context, string) []wire.WireScript {
	if s.held == nil {
		script, err := s.next()
		if err != nil {
			return nil // Ask meets it again
		}
		s.held = &script
	}
	return []wire.WireScript{*s.held}
}

// Ask implements Server.
func (s *scripted) Ask(context.Context, Statement) (Exchange, error) {
	if s.held != nil {
		script := *s.held
		s.held = nil
		return unfollowed{script}, nil
	}
	script, err := s.next()
	return unfollowed{script}, err
}

// Process implements Server.
func (*scripted) Process() uint32 { return 1 }

// Cancel implements Server.
func (*scripted) Cancel(uint32, []byte) {}

// Noted implements Server.
func (*scripted) Noted(string) {}

// Unfollowed is the exchange of a script that nobody follows.
func Unfollowed(s wire.WireScript) Exchange { return unfollowed{s} }

// unfollowed is a script that nobody follows.
type unfollowed struct{ script wire.WireScript }

// Script implements Exchange.
func (u unfollowed) Script() wire.WireScript { return u.script }

// Reached implements Exchange.
func (unfollowed) Reached(int) {}

// Served implements Exchange.
func (unfollowed) Served(wire.Served) {}

// Sending implements Exchange.
func (unfollowed) Sending() {}

// Aside implements Exchange.
func (unfollowed) Aside(bool) {}

// left reports whether an error is that of a connection which is over, however
// that came.
func left(err error) bool {
	return errors.Is(err, errOver) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

func encoded(messages ...pgproto3.BackendMessage) []byte {
	var b []byte
	for _, m := range messages {
		b, _ = m.Encode(b) // none of ours is too large
	}
	return b
}

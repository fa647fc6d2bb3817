package serve

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// Session answers one client, until it leaves or an answer ends the connection,
// which is then closed. ctx ends with the client, seen by whoever reads the
// connection for the session, or with the server: its cause is
// [http.ErrServerClosed] then. It belongs to c.
//
// TLS is declined, and any user is let in. The client's own words choose among
// the messages of a script (the description of a statement or of a portal, a
// simple query of one or several statements, a number of rows at a time), and
// values are sent in the format it binds; beyond that the bytes are the script's.
// What a script sends in the place of messages, and how it ends, strikes where
// the client would have got the next message. Whether a transaction is open is
// the session's to know, and so a statement in one that has failed is refused
// without being asked.
//
// The error is that of the server, of the clock or of a write; it is nil where
// the client left.
func Session(ctx context.Context, c wire.Clock, conn net.Conn, server Server) error {
	defer conn.Close()
	s := &session{
		ctx: ctx, clock: c, conn: conn, server: server, client: pgproto3.NewBackend(conn, conn),
		statements: map[string]*statement{}, portals: map[string]*portal{}, status: idle,
	}
	s.client.SetMaxBodyLen(bodyMax)
	err := s.run()
	s.abandon(err)
	if left(err) || ctx.Err() != nil {
		return nil
	}
	return err
}

// bodyMax bounds a message of a client.
const bodyMax = 64 << 20

// errOver says that the connection has ended as the script or the client meant.
var errOver = errors.New("serve: the session is over")

// What a session is in the middle of, as ReadyForQuery says it.
const (
	idle   = 'I'
	within = 'T' // a transaction
	broken = 'E' // a transaction that has failed
)

type session struct {
	ctx    context.Context
	clock  wire.Clock
	conn   net.Conn
	server Server
	client *pgproto3.Backend

	statements map[string]*statement
	portals    map[string]*portal
	// parsed is a statement that the client was not told yet to be parsed.
	parsed *statement
	// now is what is played, or was last, and cancel ends what is asked or played.
	now    *playing
	cancel atomic.Pointer[context.CancelFunc]
	// status is of the transaction, and failed says that everything up to the next
	// Sync is passed over.
	status byte
	failed bool
}

// A statement is one that was parsed.
type statement struct {
	query string
	types []uint32 // of the arguments, as far as the client names them
}

// A portal is a statement with its arguments.
type portal struct {
	*playing
	query   string
	formats []int16
	columns *pgproto3.RowDescription // nil for none
}

func (s *session) run() error {
	if err := s.start(); err != nil {
		return err
	}
	for {
		m, err := s.client.Receive()
		if err != nil {
			return s.unread(err)
		}
		if err := s.answer(m); err != nil {
			return err
		}
	}
}

// unread is the error of a client that sent what is no message.
func (s *session) unread(err error) error {
	if left(err) || s.ctx.Err() != nil {
		return errOver
	}
	s.server.Noted("this is no message of the protocol: " + err.Error())
	_ = s.fatal("08P01", "scenario: this is no message of the protocol: "+err.Error())
	return errOver
}

// start takes the client's first words and opens the session, or does not.
func (s *session) start() error {
	declined := false
	for {
		m, err := s.client.ReceiveStartupMessage()
		if err != nil {
			s.unstarted(err, declined)
			return errOver
		}
		switch m := m.(type) {
		case *pgproto3.SSLRequest, *pgproto3.GSSEncRequest:
			_, declined = m.(*pgproto3.SSLRequest)
			if _, err := s.conn.Write([]byte("N")); err != nil {
				return err
			}
		case *pgproto3.CancelRequest:
			s.server.Cancel(m.ProcessID, m.SecretKey)
			return errOver
		case *pgproto3.StartupMessage:
			return s.connect(m)
		}
	}
}

// unstarted notes a client that wants no session. One that leaves without a word
// has only looked whether somebody is there.
func (s *session) unstarted(err error, declined bool) {
	switch {
	case declined && left(err):
		s.server.Noted("the client left when TLS was declined: it wants an encrypted connection")
	case !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && s.ctx.Err() == nil:
		s.server.Noted("this does not begin a session of PostgreSQL: " + err.Error())
		_ = s.fatal("08P01", "scenario: this does not begin a session of PostgreSQL: "+err.Error())
	}
}

// connect opens the session, where nothing refuses it.
func (s *session) connect(m *pgproto3.StartupMessage) error {
	if m.Parameters["replication"] != "" {
		s.server.Noted("the client wants to replicate, which is not served")
		_ = s.fatal("0A000", "scenario: replication is not served")
		return errOver
	}
	to := Startup{User: m.Parameters["user"], Database: m.Parameters["database"]}
	if to.Database == "" {
		to.Database = to.User
	}
	x, err := s.server.Connect(s.ctx, to)
	if err != nil {
		return err
	}
	if x != nil {
		return s.hand(x.Script(), x, 0, 0)
	}
	if m.ProtocolVersion > pgproto3.ProtocolVersion30 {
		if err := s.say(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: 0}); err != nil {
			return err
		}
	}
	_, err = s.conn.Write(s.greeting())
	return err
}

// greeting opens a session that the server grants without a password.
func (s *session) greeting() []byte {
	list, _ := opening(pieces([]wire.Op{{Data: sql.Adapter{}.Opening()}}))
	var b []byte
	for _, p := range list {
		data := p.data
		if p.kind == 'K' {
			data = append([]byte(nil), data...)
			binary.BigEndian.PutUint32(data[5:], s.server.Process())
		}
		b = append(b, data...)
	}
	return b
}

// fatal says why the session ends.
func (s *session) fatal(state, message string) error {
	return s.say(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: state, Message: message})
}

// hand leaves the connection to what a script does from some operation on, when
// it is no longer a conversation. sent counts its bytes before.
func (s *session) hand(script wire.WireScript, x Exchange, from, sent int) error {
	served := script.Serve(s.ctx, s.clock, s.conn, wire.ServeOptions{Reached: func(op int) { x.Reached(from + op) }, Sending: x.Sending})
	served.Sent += sent
	if served.Err == nil && script.KeepsOpen() {
		// Silence, for as long as the client bears it.
		err := s.clock.Sleep(s.ctx, wire.Forever)
		if served.By = s.endedBy(); served.By == wire.ByServer {
			served.Err = err
		}
	}
	x.Served(served)
	return errOver
}

// endedBy says which side ended the session.
func (s *session) endedBy() wire.EndedBy {
	if s.ctx.Err() == nil || errors.Is(context.Cause(s.ctx), http.ErrServerClosed) {
		return wire.ByServer
	}
	return wire.ByClient
}

// abandon ends what is under way.
func (s *session) abandon(err error) {
	if s.now != nil {
		by := s.endedBy()
		if s.ctx.Err() == nil && err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			by = wire.ByClient // a write that failed, or a client that closed in order
		}
		s.now.end(by, err)
	}
	for _, p := range s.portals {
		p.end(s.endedBy(), err)
	}
}

func (s *session) say(messages ...pgproto3.BackendMessage) error {
	_, err := s.conn.Write(encoded(messages...))
	return err
}

// errCancelled says that the client took the statement back.
var errCancelled = errors.New("serve: the statement was cancelled")

// wait waits for the next piece of a statement, and tells that its time has come.
func (s *session) wait(p *playing) error {
	if p.left[0].wait > 0 {
		if err := s.sleep(p, p.left[0].wait); err != nil {
			return err
		}
		p.left[0].wait = 0
	}
	p.reach()
	return nil
}

// sleep waits in a statement. One that was told to be over cannot be cancelled any more.
func (s *session) sleep(p *playing, d time.Duration) error {
	ctx := p.ctx
	if p.over {
		ctx = s.ctx
	}
	if err := s.clock.Sleep(ctx, d); err != nil {
		return s.woken(err)
	}
	return nil
}

// woken is the error of a wait that ended too early.
func (s *session) woken(err error) error {
	if s.ctx.Err() == nil {
		return errCancelled
	}
	return err
}

// emit says the next piece, a message.
func (s *session) emit(p *playing) error { return s.emitAs(p, p.left[0].data) }

// emitAs says the next piece in another form.
func (s *session) emitAs(p *playing, data []byte) error {
	if err := s.wait(p); err != nil {
		return err
	}
	size := len(p.left[0].data)
	p.left = p.left[1:]
	p.Sending()
	if _, err := s.conn.Write(data); err != nil {
		return err
	}
	p.sent += size
	return nil
}

// answer says what a message of the client asks for.
func (s *session) answer(m pgproto3.FrontendMessage) error {
	if _, sync := m.(*pgproto3.Sync); s.failed && !sync {
		if _, ends := m.(*pgproto3.Terminate); !ends {
			return nil
		}
	}
	if _, binds := m.(*pgproto3.Bind); !binds {
		if err := s.prepared(); err != nil {
			return s.spared(err)
		}
		if _, sync := m.(*pgproto3.Sync); s.failed && !sync {
			return nil
		}
	}
	switch m := m.(type) {
	case *pgproto3.Terminate:
		return errOver
	case *pgproto3.Parse:
		s.parse(m)
		return nil
	case *pgproto3.Bind:
		return s.spared(s.bind(m))
	case *pgproto3.Describe:
		return s.spared(s.describe(m))
	case *pgproto3.Execute:
		return s.spared(s.execute(m))
	case *pgproto3.Query:
		return s.simple(m)
	case *pgproto3.Close:
		s.close(m)
		return s.say(&pgproto3.CloseComplete{})
	case *pgproto3.Sync:
		return s.sync()
	case *pgproto3.Flush:
		return nil
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // of a COPY that was refused
	}
	s.server.Noted(fmt.Sprintf("the client sent a %T, which is not served", m))
	_ = s.fatal("0A000", fmt.Sprintf("scenario: a %T is not served", m))
	return errOver
}

// spared goes on behind a statement that was cancelled.
func (s *session) spared(err error) error {
	if !errors.Is(err, errCancelled) {
		return err
	}
	if s.now != nil { // nil for one that had no answer yet
		s.now.end(wire.ByClient, nil)
		s.now.left = nil
	}
	return s.refuse("57014", "canceling statement due to user request")
}

// refuse is an error of the session's own.
func (s *session) refuse(state, message string) error {
	s.fail()
	return s.say(&pgproto3.ErrorResponse{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: state, Message: message})
}

// fail passes over everything to the next Sync.
func (s *session) fail() {
	s.failed = true
	if s.status == within {
		s.status = broken
	}
}

// strike says the error that is next, or lets happen what else is there.
func (s *session) strike(p *playing) error {
	if p.left[0].kind != 'E' || p.left[0].end != wire.EndNone {
		return s.ending(p)
	}
	if err := s.emit(p); err != nil {
		return err
	}
	s.fail()
	if kind, more := p.next(); more && kind != 'Z' {
		return s.ending(p)
	}
	p.whole()
	return nil
}

// ending plays what is left of a script that ends the conversation.
func (s *session) ending(p *playing) error {
	rest, from := p.left, 0
	for i, l := range rest {
		if l.end != wire.EndHang && l.end != wire.EndTimeout {
			continue
		}
		// Silence ends with the statement, too.
		for len(p.left) > len(rest)-i {
			if err := s.emit(p); err != nil {
				return err
			}
		}
		if err := s.lasting(p); err != nil {
			return err
		}
		return errOver
	}
	from = rest[0].op
	p.over = true
	return s.hand(wire.WireScript{Ops: ops(rest)}, p.Exchange, from, p.sent)
}

// lasting is silence without an end.
func (s *session) lasting(p *playing) error {
	data := p.left[0].data
	p.left[0].end = wire.EndNone
	if err := s.emitAs(p, data); err != nil {
		return err
	}
	if err := s.sleep(p, wire.Forever); err != nil {
		return err
	}
	return errOver
}

// notices passes what no client waits for.
func (p *playing) notices() {
	for len(p.left) > 0 && p.left[0].kind != 0 && strings.IndexByte("SA", p.left[0].kind) >= 0 {
		p.pass()
	}
}

// sync says that the server is ready, once the statement was executed with what
// the script has for that.
func (s *session) sync() error {
	s.failed = false
	p := s.now
	s.now = nil
	s.drop("")
	if s.status == idle { // portals live as long as their transaction
		for name := range s.portals {
			s.drop(name)
		}
	}
	if p != nil && !p.done && !p.over && s.holds(p) {
		p.putAside(true)
		return s.say(s.ready())
	}
	if p != nil {
		switch kind, more := p.next(); {
		case more && p.done && kind == 'Z' && p.left[0].end == wire.EndNone:
			p.whole()
			return s.say(s.ready())
		case more && p.done && !p.over:
			return s.ending(p) // behind its last word
		}
		p.whole()
	}
	return s.say(s.ready())
}

// drop forgets a portal, of which nothing more is wanted.
func (s *session) drop(name string) {
	q, known := s.portals[name]
	if !known {
		return
	}
	delete(s.portals, name)
	if q.aside {
		q.whole()
	}
}

// holds reports whether a portal plays an exchange, so that its client may come back.
func (s *session) holds(p *playing) bool {
	for _, q := range s.portals {
		if q.playing == p {
			return true
		}
	}
	return false
}

func (s *session) ready() *pgproto3.ReadyForQuery { return &pgproto3.ReadyForQuery{TxStatus: s.status} }

package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/wire"
)

// Conn plays scripts to a client until it leaves or a script ends the
// connection. next is asked when the client comes, because a script may refuse
// it, and for every further statement; a statement begins where one is parsed,
// bound or queried after the one before it was executed. An error of next ends
// the connection and is returned.
//
// TLS is declined, and any user is let in. The client's own words choose among
// the messages of a script (the description of a statement or of a portal, a
// simple query), and values are sent in the format it binds; beyond that the
// bytes are the script's. What a script sends in the place of messages, and how
// it ends, strikes where the client would have got the next message.
//
// The result is nil also where the client went away in the middle. To end waits
// early, give a clock whose Sleep ends with the server's own context.
func Conn(c wire.Clock, conn net.Conn, next func() (wire.WireScript, error)) error {
	defer conn.Close()
	s := &session{clock: c, conn: conn, next: next, client: pgproto3.NewBackend(conn, conn)}
	err := s.run()
	if errors.Is(err, errOver) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// errOver says that the connection has ended as the script or the client meant.
var errOver = errors.New("serve: the session is over")

type session struct {
	clock  wire.Clock
	conn   net.Conn
	next   func() (wire.WireScript, error)
	client *pgproto3.Backend

	// left is what is still to be said about the statement under way.
	left []piece
	// used says that the statement was executed, or that there is none.
	used bool
	// failed says that everything up to the next Sync is passed over.
	failed bool
	// query is the statement that was parsed last, described its columns, and
	// formats those that were bound for them.
	query     string
	described *pgproto3.RowDescription
	formats   []int16
}

func (s *session) run() error {
	if err := s.start(); err != nil {
		return err
	}
	for {
		m, err := s.client.Receive()
		if err != nil {
			return err
		}
		if err := s.answer(m); err != nil {
			return err
		}
	}
}

// start takes the client's first words and opens the session, or does not.
func (s *session) start() error {
	for {
		m, err := s.client.ReceiveStartupMessage()
		if err != nil {
			// Nobody who is served: a client that left, a scan of the port, or a
			// request to cancel what was never begun.
			return errOver
		}
		switch m.(type) {
		case *pgproto3.SSLRequest, *pgproto3.GSSEncRequest:
			if _, err := s.conn.Write([]byte("N")); err != nil {
				return err
			}
		case *pgproto3.CancelRequest:
			return errOver
		default:
			return s.begin(true)
		}
	}
}

// begin takes the next script. One that opens no session is all that the client
// still meets.
func (s *session) begin(greet bool) error {
	script, err := s.next()
	if err != nil {
		return err
	}
	open, rest := opening(pieces(script.Ops))
	if open == nil || script.Dial != nil || script.TLS != nil || script.Err != nil || script.Through != nil {
		return s.hand(script)
	}
	if greet {
		if err := s.sleep(script); err != nil {
			return err
		}
		for _, p := range open {
			if err := s.emit(p); err != nil {
				return err
			}
		}
	}
	s.left, s.used, s.described = rest, false, nil
	return nil
}

func (s *session) sleep(script wire.WireScript) error {
	if script.Delay <= 0 {
		return nil
	}
	return s.clock.Sleep(context.Background(), script.Delay)
}

// hand leaves the connection to a script that is no longer a conversation.
func (s *session) hand(script wire.WireScript) error {
	if err := script.ServeConn(s.clock, s.conn); err != nil {
		return err
	}
	if script.KeepsOpen() { // silence, for as long as the client bears it
		_, _ = io.Copy(io.Discard, s.conn)
	}
	return errOver
}

func (s *session) emit(p piece) error {
	if p.kind == 0 || p.end != wire.EndNone {
		return s.hand(wire.WireScript{Ops: ops([]piece{p})})
	}
	if p.wait > 0 {
		if err := s.clock.Sleep(context.Background(), p.wait); err != nil {
			return err
		}
	}
	_, err := s.conn.Write(p.data)
	return err
}

func (s *session) say(messages ...pgproto3.BackendMessage) error {
	var b []byte
	for _, m := range messages {
		b, _ = m.Encode(b)
	}
	_, err := s.conn.Write(b)
	return err
}

// answer says what a message of the client asks for.
func (s *session) answer(m pgproto3.FrontendMessage) error {
	if s.failed {
		if _, sync := m.(*pgproto3.Sync); !sync {
			return nil
		}
	}
	switch m := m.(type) {
	case *pgproto3.Terminate:
		return errOver
	case *pgproto3.Parse:
		return s.parse(m)
	case *pgproto3.Bind:
		return s.bind(m)
	case *pgproto3.Describe:
		return s.describe(m)
	case *pgproto3.Execute:
		return s.execute(false)
	case *pgproto3.Query:
		return s.simple(m)
	case *pgproto3.Close:
		return s.say(&pgproto3.CloseComplete{})
	case *pgproto3.Sync:
		return s.sync()
	case *pgproto3.Flush:
		return nil
	}
	return fmt.Errorf("the client sent a %T, which no script answers", m)
}

func (s *session) parse(m *pgproto3.Parse) error {
	if s.used {
		if err := s.begin(false); err != nil {
			return err
		}
	}
	s.query = m.Query
	return s.confirm('1', &pgproto3.ParseComplete{})
}

func (s *session) bind(m *pgproto3.Bind) error {
	if s.used {
		if err := s.begin(false); err != nil {
			return err
		}
		s.drop('1')
	}
	s.formats = append([]int16(nil), m.ResultFormatCodes...)
	return s.confirm('2', &pgproto3.BindComplete{})
}

// confirm says that a message was taken: with the script's own confirmation, or
// where that was said before with another. What strikes here strikes.
func (s *session) confirm(kind byte, own pgproto3.BackendMessage) error {
	s.notices()
	if len(s.left) > 0 {
		switch p := s.left[0]; {
		case p.kind == kind:
			s.left = s.left[1:]
			return s.emit(p)
		case p.kind == 'E', p.kind == 0, p.end != wire.EndNone:
			return s.strike()
		}
	}
	return s.say(own)
}

// notices passes what no client waits for.
func (s *session) notices() {
	for len(s.left) > 0 && strings.IndexByte("SA", s.left[0].kind) >= 0 && s.left[0].kind != 0 {
		s.left = s.left[1:]
	}
}

func (s *session) drop(kind byte) {
	if len(s.left) > 0 && s.left[0].kind == kind {
		s.left = s.left[1:]
	}
}

// strike says the error that is next, or lets happen what else is there.
func (s *session) strike() error {
	p := s.left[0]
	if p.kind == 0 || p.end != wire.EndNone {
		return s.hand(wire.WireScript{Ops: ops(s.left)})
	}
	s.left, s.failed, s.used = s.left[1:], true, true
	if err := s.emit(p); err != nil {
		return err
	}
	if len(s.left) > 0 && s.left[0].kind != 'Z' {
		return s.hand(wire.WireScript{Ops: ops(s.left)})
	}
	return nil
}

var placeholder = regexp.MustCompile(`\$(\d+)`)

// describe tells the columns, which stay to be said for the portal too.
func (s *session) describe(m *pgproto3.Describe) error {
	if m.ObjectType == 'S' {
		count := 0
		for _, found := range placeholder.FindAllStringSubmatch(s.query, -1) {
			if n, err := strconv.Atoi(found[1]); err == nil && n < 1<<16 {
				count = max(count, n)
			}
		}
		if err := s.say(&pgproto3.ParameterDescription{ParameterOIDs: make([]uint32, count)}); err != nil {
			return err
		}
	}
	columns, err := s.columns()
	if err != nil {
		return err
	}
	if columns == nil {
		return s.say(&pgproto3.NoData{})
	}
	told := *columns
	if m.ObjectType == 'P' {
		told = formatted(columns, s.formats)
	}
	return s.say(&told)
}

// columns are those of the statement under way, nil where it has none.
func (s *session) columns() (*pgproto3.RowDescription, error) {
	if s.described != nil {
		return s.described, nil
	}
	for _, p := range s.left {
		switch p.kind {
		case 'T':
			d := &pgproto3.RowDescription{}
			if err := d.Decode(p.data[5:]); err != nil {
				return nil, err
			}
			s.described = d
			return d, nil
		case '1', '2', 'N':
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// execute says the rows and how the statement ended.
func (s *session) execute(simple bool) error {
	columns, err := s.columns()
	if err != nil {
		return err
	}
	for len(s.left) > 0 {
		p := s.left[0]
		switch {
		case p.kind == 'E' || p.kind == 0 || p.end != wire.EndNone:
			return s.strike()
		case p.kind == 'Z':
			return nil // a script that says nothing of an end
		}
		s.left = s.left[1:]
		switch p.kind {
		case '1', '2', 'n', 'T':
			if p.kind == 'T' && simple {
				err = s.emit(p)
			}
		case 'D':
			err = s.row(p, columns, simple)
		default:
			err = s.emit(p)
		}
		if err != nil {
			return err
		}
		if strings.IndexByte("CIs", p.kind) >= 0 {
			s.used = true
			return nil
		}
	}
	s.used = true
	return nil
}

// row says one row in the formats that were bound.
func (s *session) row(p piece, columns *pgproto3.RowDescription, simple bool) error {
	if simple || columns == nil || !anyBinary(s.formats) {
		return s.emit(p)
	}
	m := &pgproto3.DataRow{}
	if err := m.Decode(p.data[5:]); err != nil {
		return err
	}
	told := formatted(columns, s.formats)
	for i, v := range m.Values {
		if v == nil || i >= len(told.Fields) || told.Fields[i].Format == 0 {
			continue
		}
		data, err := binaryOf(told.Fields[i].DataTypeOID, v)
		if err != nil {
			return fmt.Errorf("column %q: %w", told.Fields[i].Name, err)
		}
		m.Values[i] = data
	}
	data, err := m.Encode(nil)
	if err != nil {
		return err
	}
	return s.emit(piece{wait: p.wait, kind: 'D', data: data})
}

// simple answers a query that is sent as a text alone.
func (s *session) simple(m *pgproto3.Query) error {
	if bare(m.String) == "" {
		return s.say(&pgproto3.EmptyQueryResponse{}, &pgproto3.ReadyForQuery{TxStatus: 'I'})
	}
	if s.used {
		if err := s.begin(false); err != nil {
			return err
		}
	}
	s.formats = nil
	if err := s.execute(true); err != nil {
		return err
	}
	return s.sync()
}

// bare is a query without comments of one line, blanks and semicolons.
func bare(query string) string {
	var b strings.Builder
	for line := range strings.Lines(query) {
		text, _, _ := strings.Cut(line, "--")
		b.WriteString(text)
	}
	return strings.Trim(b.String(), "; \t\r\n")
}

// sync says that the server is ready, once the statement was executed with what
// the script has for that.
func (s *session) sync() error {
	s.failed = false
	if s.used && len(s.left) > 0 {
		p := s.left[0]
		s.left = s.left[1:]
		return s.emit(p)
	}
	return s.say(&pgproto3.ReadyForQuery{TxStatus: 'I'})
}

package serve

import (
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// parse keeps a statement. What the client is told of that waits for its next
// message: a statement that is bound at once is asked then, with its arguments.
func (s *session) parse(m *pgproto3.Parse) {
	s.parsed = &statement{query: m.Query, types: append([]uint32(nil), m.ParameterOIDs...)}
	s.statements[m.Name] = s.parsed
}

// prepared says that the statement that was parsed last is, where the client
// waits for that alone. One whose next answer refuses it before it is bound takes
// that.
func (s *session) prepared() error {
	st := s.parsed
	if st == nil {
		return nil
	}
	s.parsed = nil
	if bare(st.query) == "" {
		return s.say(&pgproto3.ParseComplete{})
	}
	if due := s.server.Due(s.ctx, st.query); s.status != broken && len(due) > 0 {
		if p, ok := begun(unfollowed{due[0]}); ok && p.early() {
			p, err := s.ask(st.query, nil)
			if err != nil {
				return err
			}
			if p.early() {
				return s.strike(p)
			}
			p.whole() // somebody else took it meanwhile
		}
	}
	return s.say(&pgproto3.ParseComplete{})
}

// early reports whether a script refuses its statement before that is bound.
func (p *playing) early() bool {
	p.notices()
	return p.strikes() && p.left[0].end != wire.EndHang && p.left[0].wait == 0
}

// nothing is the answer to an empty statement.
var nothing = wire.WireScript{Ops: []wire.Op{{Data: sql.Adapter{}.Opening()}, {Data: encoded(
	&pgproto3.ParseComplete{}, &pgproto3.BindComplete{}, &pgproto3.NoData{}, &pgproto3.EmptyQueryResponse{}, &pgproto3.ReadyForQuery{TxStatus: idle},
)}}}

// ask takes the answer to a statement.
func (s *session) ask(query string, args []any) (*playing, error) {
	s.leave()
	ctx, cancel := s.clock.WithCancel(s.ctx)
	s.cancel.Store(&cancel)
	if bare(strings.Trim(query, "; \t\r\n")) == "" {
		p, _ := begun(unfollowed{nothing})
		p.ctx, p.cancel, s.now = ctx, cancel, p
		return p, nil
	}
	x, err := s.server.Ask(ctx, Statement{query, args, s.cancelled})
	if err != nil {
		cancel()
		if ctx.Err() != nil {
			return nil, s.woken(err)
		}
		return nil, err
	}
	p, ok := begun(x)
	if !ok {
		return nil, s.hand(x.Script(), x, 0, 0)
	}
	p.ctx, p.cancel, s.now = ctx, cancel, p
	return p, nil
}

// cancelled ends what is asked or played now, which need not be what was asked last.
func (s *session) cancelled() {
	if cancel := s.cancel.Load(); cancel != nil {
		(*cancel)()
	}
}

// leave ends what was played last, or puts it aside where its client may still come
// back for it.
func (s *session) leave() {
	p := s.now
	s.now = nil
	switch {
	case p == nil:
	case !p.done && !p.over && s.holds(p):
		p.putAside(true)
	default:
		p.whole()
	}
}

// resume goes on with what a client comes back for.
func (s *session) resume(p *playing) {
	if s.now == p {
		return
	}
	s.leave()
	s.now = p
	if p.cancel != nil {
		s.cancel.Store(&p.cancel)
	}
	p.putAside(false)
}

func (p *playing) putAside(is bool) {
	if p.aside != is && !p.over {
		p.aside = is
		p.Aside(is)
	}
}

// bind asks for the answer to a statement, which has its arguments now.
func (s *session) bind(m *pgproto3.Bind) error {
	st, known := s.statements[m.PreparedStatement]
	fresh := known && s.parsed == st
	if !fresh {
		if err := s.prepared(); err != nil || s.failed {
			return err
		}
	}
	s.parsed = nil
	if !known {
		return s.refuse("26000", "prepared statement "+strconv.Quote(m.PreparedStatement)+" does not exist")
	}
	if s.status == broken && !ends(st.query) {
		return s.aborted()
	}
	args, err := arguments(m, st.types)
	if err != nil {
		return s.refuse("22P03", err.Error())
	}
	p, err := s.ask(st.query, args)
	if err != nil {
		return err
	}
	if fresh {
		err = s.confirm(p, '1', &pgproto3.ParseComplete{})
	} else if kind, ok := p.next(); ok && kind == '1' {
		p.pass()
	}
	if err == nil && !s.failed {
		err = s.confirm(p, '2', &pgproto3.BindComplete{})
	}
	if err != nil || s.failed {
		return err
	}
	s.drop(m.DestinationPortal)
	q := &portal{playing: p, query: st.query, formats: append([]int16(nil), m.ResultFormatCodes...)}
	q.columns, err = p.columns()
	s.portals[m.DestinationPortal] = q
	return err
}

// confirm says that a message was taken: with the script's own confirmation, or
// where it has none with another. What strikes here strikes.
func (s *session) confirm(p *playing, kind byte, own pgproto3.BackendMessage) error {
	p.notices()
	if next, ok := p.next(); ok && next == kind {
		return s.emit(p)
	}
	if p.strikes() {
		return s.strike(p)
	}
	return s.say(own)
}

var placeholder = pattern.New(`\$(\d+)`)

// parameters are the types of the arguments of a statement, 0 where the client
// named none.
func (st *statement) parameters() []uint32 {
	types := append([]uint32(nil), st.types...)
	for _, found := range placeholder().FindAllStringSubmatch(st.query, -1) {
		if n, err := strconv.Atoi(found[1]); err == nil && n < 1<<16 {
			for len(types) < n {
				types = append(types, 0)
			}
		}
	}
	return types
}

// describe tells the columns: of a portal those of its answer, of a statement
// those of the next answer that has some.
func (s *session) describe(m *pgproto3.Describe) error {
	if m.ObjectType == 'P' {
		return s.describePortal(m.Name)
	}
	st, known := s.statements[m.Name]
	if !known {
		return s.refuse("26000", "prepared statement "+strconv.Quote(m.Name)+" does not exist")
	}
	if err := s.say(&pgproto3.ParameterDescription{ParameterOIDs: st.parameters()}); err != nil {
		return err
	}
	for _, script := range s.server.Due(s.ctx, st.query) {
		p, ok := begun(unfollowed{script})
		if !ok {
			continue
		}
		if columns, err := p.columns(); err != nil || columns != nil {
			if err != nil {
				return err
			}
			return s.say(columns)
		}
	}
	return s.say(&pgproto3.NoData{})
}

func (s *session) describePortal(name string) error {
	q, known := s.portals[name]
	if !known {
		return s.refuse("34000", "portal "+strconv.Quote(name)+" does not exist")
	}
	if q.columns != nil {
		told := formatted(q.columns, q.formats)
		return s.say(&told)
	}
	return s.confirm(q.playing, 'n', &pgproto3.NoData{})
}

// columns are those of the answer, nil where it has none.
func (p *playing) columns() (*pgproto3.RowDescription, error) {
	for _, l := range p.left {
		switch l.kind {
		case 'T':
			d := &pgproto3.RowDescription{}
			return d, d.Decode(l.data[5:])
		case '1', '2', 'N', 'S', 'A':
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// execute says the rows of a portal and how the statement ended.
func (s *session) execute(m *pgproto3.Execute) error {
	q, known := s.portals[m.Portal]
	if !known {
		return s.refuse("34000", "portal "+strconv.Quote(m.Portal)+" does not exist")
	}
	if q.done {
		return s.say(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})
	}
	s.resume(q.playing)
	return s.rows(q, false, int(m.MaxRows))
}

// rows says the rows of an answer, at most so many where that is not 0, and how
// it ended.
func (s *session) rows(q *portal, simple bool, most int) error {
	p, told := q.playing, 0
	for {
		kind, more := p.next()
		switch {
		case !more || kind == 'Z':
			s.complete(q, "")
			return nil // a script that says nothing of an end
		case p.strikes():
			return s.strike(p)
		case kind == '1', kind == '2', kind == 'n', kind == 'T' && !simple:
			p.pass()
			continue
		case kind == 'D' && most > 0 && told == most:
			return s.say(&pgproto3.PortalSuspended{})
		}
		tag := ""
		var err error
		if kind == 'D' {
			told++
			err = s.row(q, simple)
		} else {
			if kind == 'C' {
				tag = string(p.left[0].data[5 : len(p.left[0].data)-1])
			}
			if tag == "COMMIT" && s.status == broken {
				tag = "ROLLBACK"
				err = s.emitAs(p, encoded(&pgproto3.CommandComplete{CommandTag: []byte(tag)}))
			} else {
				err = s.emit(p)
			}
		}
		if err != nil {
			return err
		}
		if strings.IndexByte("CIs", kind) >= 0 {
			s.complete(q, tag)
			return nil
		}
	}
}

// complete says that a statement was executed, with what it said of that.
func (s *session) complete(q *portal, tag string) {
	q.done = true
	if kind, more := q.next(); !more || kind == 'Z' {
		q.whole()
	}
	switch verb, _, _ := strings.Cut(tag, " "); verb {
	case "BEGIN", "START":
		s.status = within
	case "COMMIT":
		s.status = idle
	case "ROLLBACK":
		s.status = idle
		if toSavepoint(q.query) {
			s.status = within
		}
	}
}

// row says one row in the formats that were bound.
func (s *session) row(q *portal, simple bool) error {
	p := q.playing
	if simple || q.columns == nil || !anyBinary(q.formats) {
		return s.emit(p)
	}
	data, err := binaryRow(p.left[0].data, formatted(q.columns, q.formats))
	if err != nil {
		return err
	}
	return s.emitAs(p, data)
}

// simple answers a query that is sent as a text alone: one statement or several.
func (s *session) simple(m *pgproto3.Query) error {
	list := split(m.String)
	if len(list) == 0 {
		return s.say(&pgproto3.EmptyQueryResponse{}, s.ready())
	}
	for _, query := range list {
		if err := s.spared(s.simply(query)); err != nil {
			return err
		}
		if s.failed {
			break
		}
		if p := s.now; p != nil && p.done && !p.over {
			return s.ending(p)
		}
	}
	return s.sync()
}

func (s *session) simply(query string) error {
	if s.status == broken && !ends(query) {
		return s.aborted()
	}
	p, err := s.ask(query, nil)
	if err != nil {
		return err
	}
	q := &portal{playing: p, query: query}
	return s.rows(q, true, 0)
}

// aborted refuses a statement of a transaction that has failed.
func (s *session) aborted() error {
	s.server.Noted("the client asked a statement in a transaction that has failed")
	return s.refuse("25P02", "current transaction is aborted, commands ignored until end of transaction block")
}

// close forgets a statement or a portal.
func (s *session) close(m *pgproto3.Close) {
	if m.ObjectType == 'S' {
		delete(s.statements, m.Name)
		return
	}
	if q, known := s.portals[m.Name]; known {
		q.whole()
		delete(s.portals, m.Name)
	}
}

package serve

import (
	"context"

	"github.com/scenario-lang/scenario/wire"
)

// A Server decides what a client meets. Its methods are called by the goroutine
// of the session.
type Server interface {
	// Connect is asked when a client wants a session. Where there is no exchange
	// the session is opened; one that is answered is all that the client meets.
	Connect(ctx context.Context, to Startup) (Exchange, error)
	// Due lists what a statement could be answered, from the next script on, and
	// takes nothing: a client that prepares a statement wants to know its columns
	// before it gives the arguments.
	Due(ctx context.Context, query string) []wire.WireScript
	// Ask is asked for the answer to a statement.
	Ask(ctx context.Context, s Statement) (Exchange, error)
	// Process is the number by which a client may want a statement of the session
	// to be ended, and Cancel is asked for that on a connection of its own.
	Process() uint32
	Cancel(process uint32, secret []byte)
	// Noted is told of what was no statement, and why.
	Noted(message string)
}

// An Exchange is the answer to one statement, or to a client that connects. It
// is told how it is played.
type Exchange interface {
	Script() wire.WireScript
	// Reached says that the wait before an operation of the script is over.
	Reached(op int)
	// Sending says that bytes of it are about to be written, or its end to strike:
	// what the client does because of them comes later.
	Sending()
	// Aside says that the client asks for something else before it takes the rest, or
	// that it comes back for that.
	Aside(is bool)
	// Served says what became of it, once.
	Served(s wire.Served)
}

// A Startup is what a client says of the session that it wants.
type Startup struct {
	User, Database string
}

// A Statement is one that a client asks.
type Statement struct {
	Query string
	// Args are strings, json.Numbers, bools and nil.
	Args []any
	// Cancel ends it: the client is told so, and the session goes on. It may be
	// called by any goroutine at any time.
	Cancel func()
}

// A playing is an exchange under way.
type playing struct {
	Exchange
	left []piece
	// reached counts the operations that were reached, and sent the bytes that
	// are behind, those included that the client did not ask for.
	reached, sent int
	// owed are bytes that are behind when the next wait is over.
	owed int
	// done says that the statement was executed, over that the exchange was told its
	// end, and aside that it was put aside.
	done, over, aside bool
	// ctx ends with the statement, and cancel ends that.
	ctx    context.Context
	cancel context.CancelFunc
}

// begun is an exchange behind the opening of its script; ok is false where it
// has none.
func begun(x Exchange) (p *playing, ok bool) {
	script := x.Script()
	open, rest := opening(pieces(script.Ops))
	if open == nil || script.Dial != nil || script.TLS != nil || script.Err != nil || script.Through != nil {
		return nil, false
	}
	p = &playing{Exchange: x, left: rest}
	for _, o := range open {
		p.sent += len(o.data)
	}
	if script.Delay > 0 {
		p.left = delayed(p.left, script.Delay)
	}
	return p, true
}

// refuses reports whether a script opens no session.
func refuses(script wire.WireScript) bool {
	_, ok := begun(unfollowed{script})
	return !ok
}

// reach says that the wait before the next piece is over.
func (p *playing) reach() {
	p.sent += p.owed
	p.owed = 0
	if op := p.left[0].op; op >= p.reached {
		p.reached = op + 1
		p.Reached(op)
	}
}

// pass goes on behind the next piece, which nobody asked for: its wait is that of
// the one behind it.
func (p *playing) pass() {
	gone := p.left[0]
	p.left = p.left[1:]
	if gone.wait > 0 {
		p.left = delayed(p.left, gone.wait)
		p.owed += len(gone.data)
		return
	}
	p.sent += len(gone.data)
}

// end says what became of the exchange.
func (p *playing) end(by wire.EndedBy, err error) {
	if p.over {
		return
	}
	p.over = true
	if p.cancel != nil {
		p.cancel()
	}
	p.Served(wire.Served{Sent: p.sent, By: by, Err: err})
}

// whole says that all of it was played that takes time.
func (p *playing) whole() {
	p.sent += p.owed
	for _, l := range p.left {
		p.sent += len(l.data)
	}
	p.end(wire.ByServer, nil)
}

// next is the kind of the next piece, 0 where it is no message, and false where
// there is none.
func (p *playing) next() (kind byte, ok bool) {
	if len(p.left) == 0 {
		return 0, false
	}
	return p.left[0].kind, true
}

// strikes reports whether what comes next is no answer but what happens in its
// place.
func (p *playing) strikes() bool {
	kind, ok := p.next()
	return ok && (kind == 'E' || kind == 0 || p.left[0].end != wire.EndNone)
}

package clients

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"
)

// patience is the timeout that every client is given, in the way that its library
// has for it.
const patience = 1500 * time.Millisecond

// A client is a library as a program uses it, with its defaults.
type client struct {
	name string
	// of says which version it is, "" where that is the machine's.
	of string
	// speaks is the kind of provider that it asks.
	speaks string
	// path is what its base URL has behind the host.
	path string
	// meets are the faults of its protocol.
	meets func() []meeting
	// ask asks once and returns what a caller gets. Nil for a client in another
	// language, which is a program of its own.
	ask func(ctx context.Context, at place, stream bool) outcome
	// program is such a program, with what it needs, and says why it cannot be had
	// here.
	program func(t *testing.T) (args []string, missing string)
	// missing says why a client that is a program cannot be had here; nil for one
	// that is linked.
	missing func() string
}

// linked reports whether a client is a library of Go, which can be given a
// transport.
func (c client) linked() bool { return c.program == nil && c.missing == nil }

// A place is where a client asks: a base URL, or the connection string of a
// database, and what leads there. A nil dial is that of the machine.
type place struct {
	base string
	http *http.Client
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// told is the attribute of a provider that a program is told.
func (c client) told() string {
	if c.speaks == "sql" {
		return "dsn"
	}
	return "url"
}

// outcome is what a caller gets.
type outcome struct {
	// text is what came of the answer.
	text string
	// err is the class of the error, "" for none.
	err string
}

// String is the outcome as the table has it. An answer that is not the whole one
// and no error is what programs do not notice.
func (o outcome) String() string {
	switch {
	case o.err != "" && o.text != "":
		return o.err + " after a part"
	case o.err != "":
		return o.err
	case o.text == whole:
		return "ok"
	case o.text == "":
		return "silent: nothing"
	}
	return "silent: " + o.text
}

// clients are all of them, in the order of the page.
func clients() []client {
	return []client{netHTTP, openaiGo, anthropicGo, genaiGo, openaiNode, anthropicNode, curl, urllib, mcpGo, pgxGo}
}

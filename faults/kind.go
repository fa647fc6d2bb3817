package faults

import (
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// A Kind is one kind of fault.
type Kind struct {
	Name    string
	Summary string
	// AlsoCalled are words that people write in its place, for suggestions.
	AlsoCalled []string
	// For lists where the kind means something: "llm", "http", "sql", "stream" (a
	// step of those families with stream = true), "llm stream"; "mcp", "mcp
	// http" (not over a pipe), "mcp tool" (a call of one); "actor" (a call,
	// handler or tool), and the parts "module", "pool" and "lock".
	For []string
	// Groups are what the client can meet by it, one of them where its arguments do
	// not decide that.
	Groups []Group
	// group is which of several the arguments make it; nil for the first.
	group func(schema.Values) Group
	// Attrs are its arguments beyond the common ones (after, times, target,
	// turn, iteration, optional).
	Attrs []schema.Attr
	// Hops says that the fault answers every request of a chain of redirects.
	// Without it a redirect is what the step is answered.
	Hops bool
	// Kills says that the process which is struck does not survive.
	Kills bool
	// Compressed says that its answer is announced as compressed, which means nothing to a
	// client that says it takes none.
	Compressed bool
	// Slow says that its wait is the fault: a caller that gives up before it is
	// over has met it.
	Slow bool
	// Early says that an actor is struck before it accepts the call.
	Early bool
	// Connects says that who makes a connection meets the fault, and not only
	// who uses one.
	Connects bool
	// Lies says that its answer is well-formed and false: a search tries it alone, and
	// among the wrong answers.
	Lies bool
	// Recalls says that it answers with what the run was answered before.
	Recalls bool
	// Acts says why the fault cannot act on a content, nil where it can or where that
	// is known only while a run goes on. An error that [lie.IsPowerless] does not know
	// is about the arguments. Nil says that it acts on everything.
	Acts func(schema.Values, *lie.Content) error
	// NeedsArguments says that it acts by what was asked.
	NeedsArguments bool
	// Answerless reports that, with these arguments, the fault looks at no answer:
	// one inside it would be without effect. Nil says that it always looks.
	Answerless func(schema.Values) bool
	// Fails reports that, with these arguments, the fault is there to make an
	// attempt fail, so that one which succeeds all the same shows nothing of it.
	// Nil says that an attempt may well succeed.
	Fails func(schema.Values) bool
	// Spares says why a program loses nothing by the fault, "" where it does: who fares
	// well after that has done nothing wrong. Nil says that it always loses something.
	Spares func(Strike) string
	// Endless says that the fault never ends by itself, so that a wait before it
	// would be without effect.
	Endless bool
	// Silent says that the fault without a wait of its own is silence without end.
	Silent bool
	// Tried are the arguments with which a search tries the kind, with nothing said
	// of the kind itself; nil says the usual ones, once.
	Tried func(Figures) []Trial
	// Told says what strikes with these arguments, where the name of the kind is not
	// how people call it; nil says the name.
	Told func(schema.Values) string
	// Untested is what the fault does not test of a program that asks over sockets, where it meets another one;
	// "" for nothing.
	Untested string
	// Example is what an example of the kind has in its body, as it is written in a
	// file, where an empty body shows less.
	Example string
	// Script lays the fault out. The error is about the arguments.
	Script func(Strike) (wire.WireScript, error)
}

// A Group is what a client meets, whatever brought it about: the kinds that most
// programs treat alike.
type Group string

// The groups.
const (
	GroupConnection Group = "conn"    // no connection, or a reset
	GroupHang       Group = hangName  // silence
	GroupRateLimit  Group = "429"     // come later
	GroupServer     Group = "5xx"     // an error of the service
	GroupClient     Group = "4xx"     // a request that is refused
	GroupGarbled    Group = "garbled" // what cannot be read
	GroupCut        Group = "cut"     // half an answer
	GroupWrong      Group = "wrong"   // well-formed and not what was asked for
	GroupLate       Group = "late"    // an answer that takes long
	GroupOwn        Group = "own"     // what only MCP, databases and actors have
)

// Groups are all of them, in the order of a table.
func Groups() []Group {
	return []Group{
		GroupConnection, GroupHang, GroupRateLimit, GroupServer, GroupClient, GroupGarbled, GroupCut, GroupWrong, GroupLate, GroupOwn,
	}
}

// GroupOfStatus is the group of an answer with an HTTP status.
func GroupOfStatus(status int) Group {
	switch {
	case status == 429:
		return GroupRateLimit
	case status >= 500:
		return GroupServer
	case status >= 400:
		return GroupClient
	}
	return GroupWrong
}

// GroupOf is the group of a fault of the kind with these arguments.
func (k *Kind) GroupOf(args schema.Values) Group {
	if k.group != nil {
		return k.group(args)
	}
	return k.Groups[0]
}

// OnlyStreams reports whether the kind means something for streams alone.
func (k *Kind) OnlyStreams() bool {
	return !slices.ContainsFunc(k.For, func(word string) bool { return word != "stream" && !strings.HasSuffix(word, " stream") })
}

// A Strike is one occurrence of a fault.
type Strike struct {
	// Args are the evaluated arguments of the kind's own table, defaults
	// included.
	Args schema.Values
	// After is the common argument: the wait before the fault strikes.
	After time.Duration
	// HasAfter tells a given zero from an absent one.
	HasAfter bool
	// Base is the answer that the fault disturbs, nil where the entry has none.
	Base *wire.Response
	// Stream says that the step asked for a stream.
	Stream bool
	// Host is the request's host with its port.
	Host string
	// Path is the request's path with its query, as in the line of the request
	// that a server reads; "" is "/".
	Path string
	// Vendor must not be nil.
	Vendor Vendor
	Meta   wire.Meta
}

// Vendor renders answers in the shape of the provider that is called. Adapters
// meet it through a small wrapper that binds the attempt's input.
type Vendor interface {
	// Error is the provider's error answer for a status.
	Error(status int, typ, message string) wire.Response
	// Reply is an answer of the given content; chunks, where not nil, are the
	// deltas of a stream. A negative completion means no say about tokens.
	Reply(content string, chunks []string, finishReason string, completion int) wire.Response
	// Again is the answer base with another finish reason and number of
	// completion tokens; false where base is no successful answer.
	Again(base wire.Response, finishReason string, completion int) (wire.Response, bool)
	// Whole is an answer of the given content in one body, whether or not the
	// step asked for a stream.
	Whole(content string) wire.Response
	// StreamError is the event by which the provider reports an error inside a
	// stream, framed.
	StreamError(typ, message string) []byte
	// WrongType is a content type under which an HTML page is no answer to the
	// provider's client.
	WrongType() string
	// Label says of the parts of a stream which carry content and which is the
	// end marker, as a recorded answer does not know.
	Label(*wire.Response)
}

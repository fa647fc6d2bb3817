package cassette

import (
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/wire"
)

// A transportError is a way in which a recorded call ended before any byte of
// an answer.
type transportError struct {
	name   string
	script func(host string) wire.WireScript
}

// transportErrors is every such way; the names are words of our file format.
var transportErrors = []transportError{
	{"refused", func(host string) wire.WireScript { return wire.WireScript{Dial: wire.Refused(host)} }},
	{"dns", func(host string) wire.WireScript { return wire.WireScript{Dial: wire.NotFound(host)} }},
	{"dial_timeout", func(host string) wire.WireScript { return wire.WireScript{Dial: wire.DialTimeout(host)} }},
	{"tls", func(string) wire.WireScript { return wire.WireScript{TLS: wire.UnknownAuthority()} }},
	{"reset", ending(wire.EndRST)},
	{"eof", ending(wire.EndFIN)},
	{"timeout", ending(wire.EndTimeout)},
	// A cancelled call got no answer as long as its client waited; on replay
	// the client is expected to give up again.
	{"cancelled", ending(wire.EndHang)},
}

func ending(end wire.End) func(string) wire.WireScript {
	return func(string) wire.WireScript { return wire.Raw(nil, end) }
}

// ErrorNames returns the names that [Interaction.Error] may have.
func ErrorNames() []string {
	names := make([]string, len(transportErrors))
	for i, e := range transportErrors {
		names[i] = e.name
	}
	return names
}

func knownError(name string) bool { return slices.Contains(ErrorNames(), name) }

func quotedErrorNames() string { return strings.Join(ErrorNames(), ", ") }

// Script lays the interaction out for one dial, with its recorded waits. The
// script shares memory with the response's parts; clone the interaction first
// where something will change them.
func (it *Interaction) Script(meta wire.Meta) wire.WireScript {
	if it.Error == "" {
		return it.Response.Script(meta)
	}
	s := it.refusal()
	s.Delay, s.Meta = it.Duration, meta
	return s
}

// refusal is the script of the recorded transport error. A name that is not
// known, which no reader lets pass, ends the connection before any byte.
func (it *Interaction) refusal() wire.WireScript {
	u, _ := url.Parse(it.URL)
	for _, e := range transportErrors {
		if e.name == it.Error {
			return e.script(wire.HostPort(u))
		}
	}
	return wire.Raw(nil, wire.EndFIN)
}

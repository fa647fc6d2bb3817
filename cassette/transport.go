package cassette

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"github.com/scenario-lang/scenario/wire"
)

// A transportError is a way in which a recorded call ended before any byte of
// an answer.
type transportError struct {
	name string
	// is recognises the way in the error of a transport.
	is func(error) bool
	// script brings it about again.
	script func(host string, it *Interaction) wire.WireScript
}

// transportErrors is every such way; the names are words of our file format.
// An error is what the first of them recognises.
var transportErrors = []transportError{
	// A cancelled call got no answer as long as its client waited; on replay
	// the client is expected to give up again.
	{"cancelled", isAny(context.Canceled), ending(wire.EndHang)},
	{"dns", isDNS, func(host string, it *Interaction) wire.WireScript { return wire.WireScript{Dial: notFound(host, it)} }},
	{"tls", isTLS, func(_ string, it *Interaction) wire.WireScript {
		return wire.WireScript{TLS: handshakeError(it.ErrorText)}
	}},
	{"refused", isAny(syscall.ECONNREFUSED), func(host string, _ *Interaction) wire.WireScript {
		return wire.WireScript{Dial: wire.Refused(host)}
	}},
	{"unreachable", isAny(syscall.EHOSTUNREACH, syscall.ENETUNREACH), func(host string, _ *Interaction) wire.WireScript {
		return wire.WireScript{Dial: wire.Unreachable(host)}
	}},
	{"dial_timeout", isDialTimeout, func(host string, _ *Interaction) wire.WireScript {
		return wire.WireScript{Dial: wire.DialTimeout(host)}
	}},
	{"reset", isAny(syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED), ending(wire.EndRST)},
	{"malformed", isMalformed, malformedAnswer},
	{"eof", isAny(io.EOF, io.ErrUnexpectedEOF), func(_ string, it *Interaction) wire.WireScript {
		var head []byte
		if it.ErrorText != "" {
			head = []byte(headBegun)
		}
		return wire.Raw(head, wire.EndFIN)
	}},
	{"timeout", isTimeout, ending(wire.EndTimeout)},
	// What has no form on the wire that is known here keeps its text and the
	// name of its type.
	{"other", func(error) bool { return true }, func(_ string, it *Interaction) wire.WireScript {
		return wire.WireScript{Err: recordedError{it.ErrorText, it.ErrorType}}
	}},
}

//go:noinline
func ending(end wire.End) func(string, *Interaction) wire.WireScript {
	return func(string, *Interaction) wire.WireScript { return wire.Raw(nil, end) }
}

// setError records the error of a transport.
func (it *Interaction) setError(err error) {
	for _, e := range transportErrors {
		if !e.is(err) {
			continue
		}
		it.Error = e.name
		switch e.name {
		case "tls", "malformed", "other":
			it.ErrorText = innerText(err)
		case "dns":
			it.ErrorText = dnsText(err)
		}
		if e.name == "other" || e.name == "malformed" {
			it.ErrorType = typeName(err)
		}
		if text := innerText(err); e.name == "eof" && strings.HasPrefix(text, broken) {
			it.ErrorText = text
		}
		return
	}
}

func isAny(targets ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
}

func isDNS(err error) bool {
	var e *net.DNSError
	return errors.As(err, &e)
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

func isDialTimeout(err error) bool {
	var e *net.OpError
	return errors.As(err, &e) && e.Op == "dial" && e.Timeout()
}

const noSuchHost = "no such host"

// dnsText is what a lookup ended with, "" for a name that does not exist.
func dnsText(err error) string {
	var e *net.DNSError
	if errors.As(err, &e) && e.Err != noSuchHost {
		return e.Err
	}
	return ""
}

func notFound(host string, it *Interaction) error {
	err := wire.NotFound(host)
	if e := (*net.DNSError)(nil); it.ErrorText != "" && errors.As(err, &e) {
		e.Err, e.IsNotFound, e.IsTimeout = it.ErrorText, false, it.ErrorText == "i/o timeout"
	}
	return err
}

// broken is what net/http says before the reason for which an answer could not
// be read.
const broken = "net/http: HTTP/1.x transport connection broken: "

// headBegun stands for so much of a head as had come when its connection ended.
const headBegun = "HTTP/1.1 100 Continue\r\n\r\n"

// notHTTP is the reason where the first line is that of no answer; the line
// follows, quoted.
const notHTTP = "malformed HTTP response "

func isMalformed(err error) bool {
	return strings.HasPrefix(err.Error(), broken) && !errors.Is(err, io.ErrUnexpectedEOF)
}

// malformedAnswer sends the line again that was no head of an answer. Where
// the text does not hold it the error is kept as it was.
func malformedAnswer(_ string, it *Interaction) wire.WireScript {
	if quoted, ok := strings.CutPrefix(it.ErrorText, broken+notHTTP); ok {
		if line, err := unquoteGo(quoted); err == nil {
			return wire.Raw([]byte(line+"\r\n\r\n"), wire.EndFIN)
		}
	}
	if why, ok := strings.CutPrefix(it.ErrorText, broken); ok {
		return wire.WireScript{Err: fmt.Errorf("%s%w", broken, plainError(why, it.ErrorType))}
	}
	return wire.WireScript{Err: plainError(it.ErrorText, it.ErrorType)}
}

// A recordedError has the text of an error that was recorded, and says of what
// type that was.
type recordedError struct{ text, typ string }

func (e recordedError) Error() string     { return e.text }
func (e recordedError) ErrorType() string { return e.typ }

// bodyErrors are errors of a body that clients look for by identity.
var bodyErrors = []error{gzip.ErrHeader, gzip.ErrChecksum}

// bodyError is a recorded error in which reading a body ended.
func bodyError(text, typ string) error {
	for _, err := range bodyErrors {
		if err.Error() == text {
			return err
		}
	}
	return plainError(text, typ)
}

// plainError is an error of a type that can be had, or says what it was of.
func plainError(text, typ string) error {
	switch typ {
	case "":
		return errors.New(text)
	case protocolError:
		return textproto.ProtocolError(text)
	}
	return recordedError{text, typ}
}

const protocolError = "textproto.ProtocolError"

// innerText is the text without the addresses and the URL that wrappers add:
// they are of one recording.
func innerText(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// typeName is the name of the first type in the chain that is no mere wrapper.
func typeName(err error) string {
	for ; err != nil; err = errors.Unwrap(err) {
		switch name := strings.TrimLeft(reflect.TypeOf(err).String(), "*"); name {
		case "fmt.wrapError", "fmt.wrapErrors", "errors.errorString", "url.Error":
		default:
			return name
		}
	}
	return ""
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
		s := it.Response.Script(meta)
		if it.ErrorText != "" {
			s.BodyErr = bodyError(it.ErrorText, it.ErrorType)
		}
		return s
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
			return e.script(wire.HostPort(u), it)
		}
	}
	return wire.Raw(nil, wire.EndFIN)
}

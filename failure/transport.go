package failure

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/textproto"
	"strings"
	"syscall"
)

// FromTransport names the failure behind an error of a round trip or of
// reading a body, by the types in its chain. It is not yet classified. The
// message leaves out the request's URL, which may carry secrets. A nil error
// is an Exception without a type; do not ask about one.
func FromTransport(err error) Failure {
	for _, r := range transportRules {
		if e := find(err, r.match); e != nil {
			return Failure{Kind: r.kind, Cause: r.cause, Message: r.lead + ": " + e.Error(), Chain: Beneath(e)}
		}
	}
	bare := bareError(err)
	if bare == nil {
		return Failure{Kind: Exception}
	}
	return Failure{Kind: Exception, Type: typeName(bare), Message: bare.Error(), Chain: Beneath(bare)}
}

// transportRules are asked in order. A deadline comes before a cancellation,
// because both may be in one chain when a deadline cancels, and before the
// connection, because a dial or a lookup can time out.
var transportRules = []struct {
	kind  Kind
	cause Cause
	lead  string
	match func(error) bool
}{
	{Timeout, "", "the deadline passed before the answer was complete", isTimeout},
	{Cancelled, "", "the call was cancelled", is(context.Canceled)},
	{Connection, DNS, "the host name could not be resolved", isType[*net.DNSError]},
	{Connection, TLS, "the TLS handshake failed", isTLS},
	{Connection, Refused, "the target could not be reached", is(syscall.ECONNREFUSED, syscall.EHOSTUNREACH, syscall.ENETUNREACH)},
	{Connection, Reset, "the connection was reset", is(syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, net.ErrClosed)},
	{Connection, Reset, "the HTTP/2 stream was reset", isHTTP2},
	{MalformedResponse, "", "the answer is not well-formed", isMalformed},
	{ProtocolError, "", "the server redirects without end", hasText("stopped after 10 redirects")},
	{Connection, EOF, "the connection ended before the answer was complete", is(io.EOF, io.ErrUnexpectedEOF)},
	{Connection, EOF, "the connection ended before the answer was complete", hasText("http: unexpected EOF", "http: server closed")},
	{Connection, Refused, "the target could not be reached", isDial},
}

// find returns the outermost error of the chain that match accepts, or nil. It
// is errors.As without its blind spots: a Timeout method may say false above
// an error that says true.
func find(err error, match func(error) bool) (found error) {
	budget := walkMax
	visit(err, &budget, func(e error) bool {
		if match(e) {
			found = bareError(e)
		}
		return found != nil
	})
	return found
}

// is compares with errors.Is at every level, for errors whose Is method
// claims to be another.
func is(targets ...error) func(error) bool {
	return func(err error) bool { return holds(err, targets...) }
}

func isType[T error](err error) bool {
	_, ok := err.(T)
	return ok
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout() || holds(err, context.DeadlineExceeded)
}

// isTLS knows the exported types, and the alert of a peer by the operation
// that crypto/tls gives it, because its own type is not exported.
func isTLS(err error) bool {
	switch e := err.(type) {
	case *tls.CertificateVerificationError, tls.RecordHeaderError, tls.AlertError,
		x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError:
		return true
	case *net.OpError:
		return e.Op == "remote error" || e.Op == "local error"
	}
	return hasText("http: server gave HTTP response to HTTPS client", "tls: ")(err)
}

func isDial(err error) bool {
	e, ok := err.(*net.OpError)
	return ok && e.Op == "dial"
}

// isHTTP2 knows the errors of the HTTP/2 client that net/http bundles by name,
// because they are not exported.
func isHTTP2(err error) bool {
	switch typeName(err) {
	case "http.http2StreamError", "http.http2GoAwayError", "http.http2ConnectionError",
		"http2.StreamError", "http2.GoAwayError", "http2.ConnectionError":
		return true
	}
	return false
}

// isMalformed knows bad framing. net/http and its chunk reader give most of
// these errors no type of their own, only a text.
func isMalformed(err error) bool {
	switch err.(type) {
	case textproto.ProtocolError, flate.CorruptInputError:
		return true
	}
	// *http.ProtocolError is deprecated as a type to look for.
	return typeName(err) == "http.ProtocolError" || is(gzip.ErrHeader, gzip.ErrChecksum)(err) || malformedTexts(err)
}

var malformedTexts = hasText(
	"malformed HTTP response", "malformed HTTP status code", "malformed HTTP version",
	"malformed chunked encoding", "invalid byte in chunk length", "http chunk length too large",
	"empty hex number for chunk length", "chunked encoding contains too much non-data",
	"chunked line ends with bare LF", "invalid CR in chunked line", "header line too long",
	"bad Content-Length", "invalid empty Content-Length", "bad trailer key", "invalid Trailer key",
	"http: suspiciously long trailer", "http: message cannot contain multiple Content-Length",
	"unsupported transfer encoding", "too many transfer encodings",
	"net/http: server response headers exceeded",
)

// hasText accepts an error whose text begins with one of the prefixes.
//
//go:noinline
func hasText(prefixes ...string) func(error) bool {
	return func(err error) bool {
		text := err.Error()
		for _, p := range prefixes {
			if strings.HasPrefix(text, p) {
				return true
			}
		}
		return false
	}
}

// bareError strips the wrapper that http.Client adds, with its URL.
func bareError(err error) error {
	for range walkMax {
		e := addressed(err)
		if e == nil {
			break
		}
		err = e.Err
	}
	return err
}

// typeName is the name of the first type in the chain that says something, and
// "" where every one is a plain text. An error may name itself, as those of
// the fault "error" do.
func typeName(err error) string {
	for n := 0; err != nil && n < walkMax; err, n = errors.Unwrap(err), n+1 {
		if name := ownType(err); name != "" {
			return name
		}
	}
	return ""
}

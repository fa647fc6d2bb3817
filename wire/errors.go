package wire

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"syscall"
)

// The constructors of this file build the errors that a real transport returns
// for a connection that fails, with the same chain of types and the same text
// but for addresses. Each takes the host as "name:port", as HostPort gives it;
// nothing is looked up, and equal hosts give equal errors.

// Refused is the dial error of a host on which nothing listens.
func Refused(host string) error {
	return dialError(host, os.NewSyscallError("connect", syscall.ECONNREFUSED))
}

// Unreachable is the dial error of a host to which no route leads.
func Unreachable(host string) error {
	return dialError(host, os.NewSyscallError("connect", syscall.EHOSTUNREACH))
}

// DialTimeout is the dial error of a host that does not answer. Its innermost
// type is our own, as the real one is unexported; Timeout reports true and it
// is a context.DeadlineExceeded, as there.
func DialTimeout(host string) error {
	return dialError(host, timeoutError{})
}

// NotFound is the dial error of a host whose name does not exist. A port in
// host is ignored.
func NotFound(host string) error {
	name, _ := splitHost(host)
	return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{
		Err: "no such host", Name: name, IsNotFound: true,
	}}
}

// ReadReset is the error of a read from a connection that the peer reset.
func ReadReset(host string) error {
	return readError(host, os.NewSyscallError("read", syscall.ECONNRESET))
}

// ReadTimeout is the error of a read that met the connection's own deadline.
// Timeout reports true, and it is an os.ErrDeadlineExceeded.
func ReadTimeout(host string) error {
	return readError(host, os.ErrDeadlineExceeded)
}

// UnknownAuthority is the handshake error of a certificate that no trusted
// authority signed, such as a self-signed one.
func UnknownAuthority() error {
	return &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
}

// Alert is the handshake error of a fatal alert from the server (RFC 8446 §6;
// 40 is handshake_failure). The real chain has an unexported type of package
// tls around it and an unexported one in place of tls.AlertError.
func Alert(code uint8) error {
	return &net.OpError{Op: "remote error", Err: tls.AlertError(code)}
}

// PlainHTTP is the handshake error of a server that speaks HTTP without TLS;
// http.Client turns it into http.ErrSchemeMismatch.
func PlainHTTP() error {
	return tls.RecordHeaderError{
		Msg:          "first record does not look like a TLS handshake",
		RecordHeader: [5]byte{'H', 'T', 'T', 'P', '/'},
	}
}

func dialError(host string, err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: remote(host), Err: err}
}

func readError(host string, err error) error {
	return &net.OpError{Op: "read", Net: "tcp", Source: local, Addr: remote(host), Err: err}
}

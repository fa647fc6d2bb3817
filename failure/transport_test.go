package failure

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

func opError(op, call string, errno syscall.Errno) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(call, errno)}
}

type namedError struct{ name string }

func (e namedError) Error() string     { return "it failed" }
func (e namedError) ErrorType() string { return e.name }

// A lateError says that it is a deadline by its Is method alone.
type lateError struct{}

func (lateError) Error() string        { return "too late" }
func (lateError) Is(target error) bool { return target == context.DeadlineExceeded }

type plainError struct{}

func (plainError) Error() string { return "plain" }

// readResponse is what net/http makes of bytes that end.
func readResponse(raw string) error {
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), nil)
	if err != nil {
		return fmt.Errorf("net/http: HTTP/1.x transport connection broken: %w", err)
	}
	_, err = io.ReadAll(resp.Body)
	return err
}

func gunzip(s string) error {
	_, err := gzip.NewReader(strings.NewReader(s))
	return err
}

// Errors of a round trip, made as the real transport makes them, are named by
// their types, also inside the wrapper of http.Client.
func TestFromTransport(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n"
	for _, tc := range []struct {
		name  string
		err   error
		kind  Kind
		cause Cause
		typ   string
	}{
		{"deadline", context.DeadlineExceeded, Timeout, "", ""},
		{"deadline by Is", fmt.Errorf("w: %w", lateError{}), Timeout, "", ""},
		{"read timeout", &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}, Timeout, "", ""},
		{"dns timeout", &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{IsTimeout: true}}, Timeout, "", ""},
		{"timeout below a wrapper that says no", &url.Error{Op: "Get", Err: fmt.Errorf("w: %w", os.ErrDeadlineExceeded)}, Timeout, "", ""},
		{"cancelled", context.Canceled, Cancelled, "", ""},
		{"refused", opError("dial", "connect", syscall.ECONNREFUSED), Connection, Refused, ""},
		{"no route", opError("dial", "connect", syscall.EHOSTUNREACH), Connection, Refused, ""},
		{"reset", opError("read", "read", syscall.ECONNRESET), Connection, Reset, ""},
		{"broken pipe", opError("write", "write", syscall.EPIPE), Connection, Reset, ""},
		{"dns", &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}, Connection, DNS, ""},
		{"certificate", &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, Connection, TLS, ""},
		{"alert", &net.OpError{Op: "remote error", Err: tls.AlertError(40)}, Connection, TLS, ""},
		{"plain http", errors.New("http: server gave HTTP response to HTTPS client"), Connection, TLS, ""},
		{"eof before the answer", io.EOF, Connection, EOF, ""},
		{"cut head", readResponse("HTTP/1.1 200 OK\r\nContent-Type: appl"), Connection, EOF, ""},
		{"cut body", readResponse(head + "Content-Length: 9\r\n\r\nabc"), Connection, EOF, ""},
		{"cut chunk", readResponse(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nab"), Connection, EOF, ""},
		{"garbage", readResponse("\x00\x01\xffSSH-2.0-nonsense\r\n\r\n"), MalformedResponse, "", ""},
		{"bad header line", readResponse(head + "no colon here\r\n\r\n"), MalformedResponse, "", ""},
		{"bad status", readResponse("HTTP/1.1 xx\r\n\r\n"), MalformedResponse, "", ""},
		{"bad chunk", readResponse(head + "Transfer-Encoding: chunked\r\n\r\nZZ\r\nab"), MalformedResponse, "", ""},
		{"bad length", readResponse(head + "Content-Length: many\r\n\r\n"), MalformedResponse, "", ""},
		{"bad gzip", gunzip("plain text that is no gzip"), MalformedResponse, "", ""},
		{"redirects", errors.New("stopped after 10 redirects"), ProtocolError, "", ""},
		{"named", namedError{"ConnectionError"}, Exception, "", "ConnectionError"},
		{"wrapped name", fmt.Errorf("w: %w", namedError{"Boom"}), Exception, "", "Boom"},
		{"another type", plainError{}, Exception, "", "failure.plainError"},
		{"text alone", errors.New("whatever"), Exception, "", ""},
		{"joined", errors.Join(errors.New("a"), io.ErrUnexpectedEOF), Connection, EOF, ""},
		{"nil", nil, Exception, "", ""},
	} {
		if tc.err == nil && tc.name != "nil" {
			t.Errorf("%s: the test made no error", tc.name)
		}
		for _, err := range []error{tc.err, &url.Error{Op: "Post", URL: "http://h/?key=secret", Err: tc.err}} {
			if tc.err == nil {
				err = nil
			}
			f := FromTransport(err)
			if f.Kind != tc.kind || f.Cause != tc.cause || f.Type != tc.typ {
				t.Errorf("%s: %s %s %q, want %s %s %q", tc.name, f.Kind, f.Cause, f.Type, tc.kind, tc.cause, tc.typ)
			}
			if strings.Contains(f.Message, "secret") {
				t.Errorf("%s: the message shows the URL: %s", tc.name, f.Message)
			}
			if f.Mode != nil {
				t.Errorf("%s: already has a mode", tc.name)
			}
		}
	}
}

// The errors of a real client against a real server are named the same way.
func TestFromTransportOnARealClient(t *testing.T) {
	srv := httptest.NewTLSServer(http.NotFoundHandler())
	srv.Config.ErrorLog = nil
	defer srv.Close()
	_, err := (&http.Client{Transport: &http.Transport{}}).Get(srv.URL)
	if f := FromTransport(err); f.Kind != Connection || f.Cause != TLS {
		t.Errorf("self-signed certificate: %+v", f)
	}
	loop := httptest.NewServer(http.RedirectHandler("/", http.StatusTemporaryRedirect))
	defer loop.Close()
	_, err = http.Get(loop.URL)
	if f := FromTransport(err); f.Kind != ProtocolError {
		t.Errorf("redirect loop: %+v", f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", loop.URL, nil)
	_, err = http.DefaultClient.Do(req)
	if f := FromTransport(err); f.Kind != Cancelled {
		t.Errorf("cancelled: %+v", f)
	}
	address := loop.URL
	loop.Close()
	_, err = http.Get(address)
	if f := FromTransport(err); f.Kind != Connection || f.Cause != Refused {
		t.Errorf("refused: %+v", f)
	}
}

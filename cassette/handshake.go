package cassette

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/wire"
)

// isTLS recognises the errors of a handshake: the exported types, and an alert
// by the operation that crypto/tls gives it.
func isTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var op *net.OpError
	return errors.As(err, &verification) || errors.As(err, &header) ||
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") ||
		strings.HasPrefix(innerText(err), "tls: ")
}

const (
	notVerified = "tls: failed to verify certificate: "
	expired     = "x509: certificate has expired or is not yet valid: "
	alerted     = "remote error: "
)

// handshakeError is the error of a recorded handshake. Its types are those of
// the real one where the text tells them, and its text is always the recorded
// one; "" is a certificate that no trusted authority signed.
func handshakeError(text string) error {
	for _, err := range handshakeErrors(text) {
		if err != nil && (text == "" || err.Error() == text) {
			return err
		}
	}
	if why, ok := strings.CutPrefix(text, notVerified); ok {
		return &tls.CertificateVerificationError{Err: errors.New(why)}
	}
	return &net.OpError{Op: "local error", Err: recordedError{text, ""}}
}

func handshakeErrors(text string) []error {
	list := []error{wire.UnknownAuthority(), wire.PlainHTTP(), alert(text)}
	why, ok := strings.CutPrefix(text, notVerified)
	if !ok {
		return list
	}
	if detail, ok := strings.CutPrefix(why, expired); ok {
		list = append(list, &tls.CertificateVerificationError{
			Err: x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired, Detail: detail},
		})
	}
	return append(list, wrongHost(why))
}

// alert finds an alert by its text.
func alert(text string) error {
	if !strings.HasPrefix(text, alerted) {
		return nil
	}
	for code := range 256 {
		if err := wire.Alert(uint8(code)); err.Error() == text {
			return err
		}
	}
	return nil
}

// wrongHost is the error of a certificate for other names, which its text
// lists.
func wrongHost(why string) error {
	names, host, ok := strings.Cut(strings.TrimPrefix(why, "x509: certificate is valid for "), ", not ")
	for ok {
		next, rest, more := strings.Cut(host, ", not ")
		if !more {
			break
		}
		names, host = names+", not "+next, rest
	}
	if !ok {
		return nil
	}
	cert := &x509.Certificate{Extensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 17}}}}
	for name := range strings.SplitSeq(names, ", ") {
		if ip := net.ParseIP(name); ip != nil {
			cert.IPAddresses = append(cert.IPAddresses, ip)
		} else {
			cert.DNSNames = append(cert.DNSNames, name)
		}
	}
	return &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: cert, Host: host}}
}

// unquoteGo reads a quoted text that stands at the beginning.
func unquoteGo(text string) (string, error) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", err
	}
	return strconv.Unquote(quoted)
}

package faults

import (
	"crypto/tls"
	"errors"
	"net"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

func reasonAttr(usual string) []schema.Attr {
	return []schema.Attr{{
		Name: "reason", Type: schema.String,
		Doc: "What the error says, in place of " + usual + ". The types of the error stay, and so does what it is observed as.",
	}}
}

// A said error has other words than the error it stands for, and is it in
// every other way.
type said struct {
	error
	words string
}

func (s said) Error() string { return s.words }
func (s said) Unwrap() error { return s.error }

// refused, unknownHost and untrusted are the real transport's errors, with the
// words of reason in their innermost place where the fault gives one.

func (s Strike) refused() error {
	err := wire.Refused(s.Host)
	var op *net.OpError
	if s.has("reason") && errors.As(err, &op) {
		op.Err = said{op.Err, s.text("reason")}
	}
	return err
}

func (s Strike) unknownHost() error {
	err := wire.NotFound(s.Host)
	var dns *net.DNSError
	if s.has("reason") && errors.As(err, &dns) {
		dns.Err = s.text("reason")
	}
	return err
}

func (s Strike) untrusted() error {
	err := wire.UnknownAuthority()
	var verify *tls.CertificateVerificationError
	if s.has("reason") && errors.As(err, &verify) {
		verify.Err = said{verify.Err, s.text("reason")}
	}
	return err
}

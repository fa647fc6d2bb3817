package faults

import (
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// Where a kind means something.
var (
	overHTTP   = []string{"llm", "http", "mcp http", "actor", "module", "pool"}
	everywhere = []string{"llm", "http", "mcp http", "sql", "actor", "module", "pool"}
	services   = []string{"llm", "http", "mcp", "sql", "actor", "module", "pool"}
	errors200  = []string{"llm", "http", "actor", "module", "pool"}
	waits      = []string{"llm", "http", "mcp", "sql", "actor", "module", "pool", "lock"}
	works      = []string{"llm", "http", "mcp", "sql", "actor", "module", "pool", "lock", "sut"}
	dies       = []string{"actor", "sut"}
	actors     = []string{"actor"}
	cached     = []string{"mcp", "actor"}
	tools      = []string{"mcp tool", "actor"}
	servers    = []string{"mcp"}
	httpServer = []string{"mcp http"}
	parts      = []string{"actor", "module", "pool"}
	databases  = []string{"sql", "pool"}
	llmOnly    = []string{"llm"}
	streams    = []string{"stream"}
	llmStreams = []string{"llm stream"}
)

func (s Strike) text(name string) string {
	v, _ := s.Args[name].(string)
	return v
}

func (s Strike) has(name string) bool { return s.Args[name] != nil }

// number returns an integer, or rest where the argument is absent.
func (s Strike) number(name string, rest int) int {
	switch n := s.Args[name].(type) {
	case int:
		return n
	case float64:
		return int(n)
	default:
		return rest
	}
}

func (s Strike) texts(name string) []string {
	switch v := s.Args[name].(type) {
	case []string:
		return v
	case []any:
		list := make([]string, 0, len(v))
		for _, e := range v {
			list = append(list, fmt.Sprint(e))
		}
		return list
	default:
		return nil
	}
}

// labelled is the strike's Meta with the kind that strikes.
func (s Strike) labelled(kind string) wire.Meta {
	m := s.Meta
	m.Fault = kind
	return m
}

// wait is how long an answer lets the client wait for its first byte: after,
// where given, in place of the answer's own latency.
func (s Strike) wait(own time.Duration) time.Duration {
	if s.HasAfter {
		return s.After
	}
	return own
}

// only refuses arguments that exclude each other, where more than one is given.
func (s Strike) only(names ...string) error {
	given := slices.DeleteFunc(names, func(name string) bool { return !s.has(name) })
	if len(given) > 1 {
		return fmt.Errorf("%s and %s exclude each other: keep one", given[0], given[1])
	}
	return nil
}

// rawBytes is what raw or raw_base64 say, or rest where neither is given.
func (s Strike) rawBytes(rest string) ([]byte, error) {
	switch {
	case s.has("raw"):
		return []byte(s.text("raw")), nil
	case s.has("raw_base64"):
		data, err := base64.StdEncoding.DecodeString(s.text("raw_base64"))
		if err != nil {
			return nil, fmt.Errorf("raw_base64 is not standard base64: %w", err)
		}
		return data, nil
	default:
		return []byte(rest), nil
	}
}

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

package queue

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// A Trouble is why a queue does not do what it was asked: it says what, where and why,
// and ends a command with a code and a hint.
type Trouble struct {
	code       cli.ExitCode
	what, hint string
	cause      error
}

func (t *Trouble) Error() string { return t.what }

func (t *Trouble) Unwrap() error { return t.cause }

// As is the trouble as the end of a command.
func (t *Trouble) As(target any) bool {
	exit, ok := target.(**cli.ExitError)
	if ok {
		*exit, _ = cli.ExitAs(t.code, t.what, t.hint).(*cli.ExitError)
	}
	return ok
}

// unreachable says why there is no connection.
func unreachable(a Address, err error) *Trouble {
	t := &Trouble{cli.ExitUsage, fmt.Sprintf("cannot connect to the queue at %s: %s", shown(a.URL), plain(err)), "is the server running, with JetStream (nats-server -js)?", err}
	var network net.Error
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case entry(err):
		t.hint = "name a file of credentials with --creds, or a user and a password in SCENARIO_QUEUE"
	case errors.Is(err, nats.ErrSecureConnWanted):
		t.hint = "the server has no TLS: use nats://, or give it a certificate"
	case errors.Is(err, nats.ErrSecureConnRequired):
		t.hint = "the server wants TLS: use tls://"
	case errors.As(err, &unknown):
		t.hint = "name the certificate authority of the server with --queue-ca"
	case errors.Is(err, nats.ErrMaxConnectionsExceeded), errors.Is(err, nats.ErrMaxAccountConnectionsExceeded):
		t.hint = "end other clients of the server, or raise its max_connections"
	case errors.Is(err, nats.ErrNoInfoReceived), errors.As(err, &record), errors.As(err, &network) && network.Timeout():
		t.what = fmt.Sprintf("what listens at %s does not answer as a NATS server: %s", shown(a.URL), plain(err))
		t.hint = "is this the server's port for clients, 4222 by default?"
	}
	return t
}

// entry reports whether a server does not let a user in.
func entry(err error) bool {
	for _, e := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired} {
		if errors.Is(err, e) {
			return true
		}
	}
	return err != nil && strings.Contains(strings.ToLower(err.Error()), "authorization violation") // also as the server words it
}

// withoutStreams says that a server cannot keep anything.
func withoutStreams(where string) *Trouble {
	return &Trouble{cli.ExitUsage, fmt.Sprintf("the server at %s keeps no queues, because JetStream is not enabled there", where), "start it with JetStream: nats-server -js", jetstream.ErrJetStreamNotEnabled}
}

// forbidden is what a server says that does not allow a subject.
var forbidden = regexp.MustCompile(`for (Publish|Subscription) to "([^"]*)"`)

// denied says that a user lacks a right.
func denied(where string, err error) *Trouble {
	right := err.Error()
	if m := forbidden.FindStringSubmatch(right); m != nil {
		right = fmt.Sprintf("publish to %q", m[2])
		if m[1] == "Subscription" {
			right = fmt.Sprintf("subscribe to %q", m[2])
		}
	}
	return &Trouble{cli.ExitUsage, fmt.Sprintf("the queue at %s does not let this user %s", where, right), "scenario-dist help queue shows the permissions that a user of a queue needs", err}
}

// closed says that the server ended the connection for good.
func closed(where string, err error) *Trouble {
	t := &Trouble{cli.ExitInternal, fmt.Sprintf("the connection to the queue at %s is closed", where), "nothing is lost; call this again", err}
	if err != nil {
		t.what = fmt.Sprintf("the queue at %s has closed the connection: %s", where, plain(err))
		t.hint = "nothing is lost; call this again once it lets you in"
	}
	if entry(err) {
		t.what = fmt.Sprintf("the queue at %s does not let this user in any more: %s", where, plain(err))
		t.hint = "nothing is lost; call this again with credentials that are valid"
	}
	return t
}

// ErrFull is why a server does not keep something.
var ErrFull = errors.New("the queue is full")

// codesFull are those of the server's errors that say that there is no room, or that a
// limit of the account or of the server is reached.
var codesFull = map[jetstream.ErrorCode]bool{
	10002: true, // resource limits exceeded for account
	10023: true, // insufficient resources
	10026: true, // maximum consumers limit reached
	10027: true, // maximum number of streams reached
	10028: true, // insufficient memory resources available
	10047: true, // insufficient storage resources available
	10077: true, // a store failed, as on a full disk
	10104: true, // the store of a consumer failed
	10122: true, // a stream is bigger than the limit of the account
}

// full says that there is no room, nil where err does not.
func full(where string, err error) *Trouble {
	var api *jetstream.APIError
	if !errors.As(err, &api) || !codesFull[api.ErrorCode] || Refused(err) {
		return nil
	}
	return &Trouble{cli.ExitInternal, fmt.Sprintf("the queue at %s is full: %s", where, api.Description), "make room on its disk, raise max_file_store or the limits of the account, or give up a run that nobody needs: scenario-dist forget RUN", errors.Join(ErrFull, err)}
}

// refusal is an error that says why a server does not do what it was asked: in words, unless
// it is one that callers expect.
func refusal(where string, err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil || Missing(err) || Refused(err) || errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrNoKeysFound):
		return err
	case errors.Is(err, nats.ErrMaxPayload):
		return &Trouble{cli.ExitInternal, fmt.Sprintf("the queue at %s does not accept a message as large as this one", where), "raise max_payload in the configuration of the server", err}
	case errors.As(err, &api):
		return &Trouble{cli.ExitInternal, fmt.Sprintf("the queue at %s refuses a request: %s", where, api.Description), "the log of the server may say more", err}
	case strings.HasPrefix(err.Error(), "nats: "):
		return &Trouble{cli.ExitInternal, fmt.Sprintf("a request to the queue at %s failed: %s", where, plain(err)), "the log of the server may say more", err}
	}
	return err
}

// ErrSilent is why a command does not know what became of what it asked.
var ErrSilent = errors.New("the queue does not answer")

// silent says that a server did not answer.
func silent(where string, waited time.Duration, err error) *Trouble {
	return &Trouble{cli.ExitInternal, fmt.Sprintf("the queue at %s did not answer within %s: %s", where, waited, plain(err)), "is the server running, with JetStream, and room on its disk? Its log says more", errors.Join(ErrSilent, err)}
}

// plain is an error in the words of people who do not know the client.
func plain(err error) string {
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "JetStream does not run there"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout), errors.Is(err, context.Canceled):
		return "there is no answer"
	}
	return strings.TrimPrefix(err.Error(), "nats: ")
}

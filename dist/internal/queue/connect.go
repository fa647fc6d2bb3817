package queue

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// An Address is where a queue is and how it is entered.
type Address struct {
	// URL is one address or several with commas between them; Typed says that it
	// stood on the command line, where anybody on the machine can read it.
	URL   string
	Typed bool
	// Creds is a file of credentials, and CA one of certificates, "" for those of
	// the system.
	Creds, CA string
	// Insecure allows an address of another machine without TLS and credentials.
	Insecure bool
}

// check refuses an address that would let others run programs on the workers.
func (a Address) check() error {
	if a.URL == "" {
		return cli.Usagef("for example --queue nats://127.0.0.1:4222, or SCENARIO_QUEUE in the environment", "there is no address of a queue")
	}
	for one := range strings.SplitSeq(a.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" {
			return cli.Usagef("for example nats://127.0.0.1:4222", "the address of the queue is not of the form nats://host:port")
		}
		secret := u.User != nil
		if secret && a.Typed {
			return cli.Usagef("name a file with --creds, or give the address as SCENARIO_QUEUE in the environment", "--queue has a user or token in it, which everybody on this machine can read")
		}
		if a.Insecure || loopback(u.Hostname()) {
			continue
		}
		switch {
		case u.Scheme != "tls" && u.Scheme != "wss":
			return cli.Usagef("use tls://, or --insecure-queue in a network that nobody else is in", "%s is on another machine, and without TLS others can read and change what workers run", u.Host)
		case a.Creds == "" && !secret:
			return cli.Usagef("name a file with --creds, or --insecure-queue where the server lets in nobody else", "%s is on another machine, and without credentials anybody can give the workers programs to run", u.Host)
		}
	}
	return nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// A Queue is a connection to a server that keeps runs. It is safe for concurrent use.
type Queue struct {
	Conn *nats.Conn
	JS   jetstream.JetStream
	stop func()

	mu sync.Mutex
	// live ends with the connection, by lost, and is then another one.
	live context.Context
	lost context.CancelFunc
	// buckets are those that were opened, by name.
	buckets map[string]jetstream.KeyValue
	bundles jetstream.ObjectStore
}

// Open connects to a queue.
func Open(a Address) (*Queue, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	opts := []nats.Option{
		nats.Name("scenario-dist"), nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond),
		nats.NoCallbacksAfterClientClose(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	for flag, path := range map[string]string{"--creds": a.Creds, "--queue-ca": a.CA} {
		if _, err := os.Stat(path); path != "" && err != nil {
			return nil, cli.Usagef("name the file with "+flag, "cannot read the file of %s: %s", flag, err)
		}
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		opts = append(opts, nats.RootCAs(a.CA))
	}
	conn, err := nats.Connect(a.URL, opts...)
	if err != nil {
		return nil, cli.Usagef("is the server running, with JetStream (nats-server -js)?", "cannot connect to the queue at %s: %s", shown(a.URL), err)
	}
	q, err := over(conn, func() {})
	if err != nil {
		return nil, err
	}
	if !q.keeps() {
		q.Close()
		return nil, cli.Usagef("start it with JetStream: nats-server -js", "the server at %s keeps no queues, because JetStream is not enabled there", shown(a.URL))
	}
	return q, nil
}

// keeps reports whether the server has JetStream. One that has just begun is given time
// to say so.
func (q *Queue) keeps() bool {
	for range 20 {
		ctx, done := context.WithTimeout(context.Background(), askMax)
		_, err := q.JS.AccountInfo(ctx)
		done()
		if !errors.Is(err, jetstream.ErrJetStreamNotEnabled) && !errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
			return true // what else is wrong shows when something is asked for
		}
		time.Sleep(askAgain)
	}
	return false
}

// shown is an address without what must not be.
func shown(address string) string {
	var all []string
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil {
			return "that address"
		}
		u.User = nil
		all = append(all, u.String())
	}
	return strings.Join(all, ",")
}

func over(conn *nats.Conn, stop func()) (*Queue, error) {
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(1024))
	if err != nil {
		conn.Close()
		stop()
		return nil, err
	}
	q := &Queue{Conn: conn, JS: js, stop: stop, buckets: map[string]jetstream.KeyValue{}}
	q.live, q.lost = context.WithCancel(context.Background())
	conn.SetDisconnectErrHandler(func(*nats.Conn, error) { q.lose() })
	return q, nil
}

// lose has nobody wait for answers that a lost connection took along.
func (q *Queue) lose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost()
	q.live, q.lost = context.WithCancel(context.Background())
}

// connected is a context that ends with the connection.
func (q *Queue) connected(ctx context.Context) (context.Context, context.CancelFunc) {
	q.mu.Lock()
	live := q.live
	q.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(live, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// Close leaves the queue, and ends the server where it is inside.
func (q *Queue) Close() {
	q.Conn.Close()
	q.stop()
}

// How long one question to the server may take, and how long it is left alone before
// it is asked again.
const (
	askMax   = 5 * time.Second
	moveMax  = 10 * time.Minute
	askAgain = 100 * time.Millisecond
)

// Ask does something with the server, again and again while the server is away, until
// ctx ends.
func (q *Queue) Ask(ctx context.Context, do func(context.Context) error) error {
	return q.ask(ctx, askMax, do)
}

// Move is Ask for what may be large.
func (q *Queue) Move(ctx context.Context, do func(context.Context) error) error {
	return q.ask(ctx, moveMax, do)
}

func (q *Queue) ask(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	for {
		lasting, lost := q.connected(ctx)
		once, done := context.WithTimeout(lasting, limit)
		err := do(once)
		done()
		lost()
		if err == nil || ctx.Err() != nil || !away(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(askAgain):
		}
	}
}

// away reports whether an error is about the server and not about what it was asked.
func away(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code == 503 && !Refused(err)
	}
	var network net.Error
	for _, e := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrNoServers, jetstream.ErrNoStreamResponse,
		jetstream.ErrJetStreamNotEnabled, jetstream.ErrNoHeartbeat, jetstream.ErrConnectionClosed, context.DeadlineExceeded, context.Canceled,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errors.As(err, &network)
}

// Missing reports whether an error says that there is no such thing.
func Missing(err error) bool {
	for _, e := range []error{jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrConsumerDeleted, jetstream.ErrBucketNotFound, jetstream.ErrKeyNotFound, jetstream.ErrKeyDeleted, jetstream.ErrObjectNotFound, jetstream.ErrMsgNotFound} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Refused reports whether a result was not stored because there is one.
func Refused(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// NoRun says that a queue does not have a run.
func NoRun(run string) error {
	return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("the queue has no run %s", run), "scenario-dist status lists those that it has")
}

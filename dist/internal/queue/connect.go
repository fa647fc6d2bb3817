package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	// Tell is told where the server does not answer, nil for nobody.
	Tell io.Writer
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

// withScheme has the address of a host and a port, without a scheme, be one of nats://, as it
// is to other clients. What an address of another form means nobody knows.
func withScheme(address string) string {
	all := strings.Split(address, ",")
	for i, one := range all {
		host, port, err := net.SplitHostPort(strings.TrimSpace(one))
		if _, wrong := strconv.ParseUint(port, 10, 16); err == nil && wrong == nil && host != "" {
			all[i] = "nats://" + strings.TrimSpace(one)
		}
	}
	return strings.Join(all, ",")
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

	where  string
	outage outage
	// usable ends, by useless, where the server will not do what it is asked.
	usable  context.Context
	useless context.CancelCauseFunc
	// patience is how long what is asked may stay unanswered, 0 for ever.
	patience atomic.Int64

	mu sync.Mutex
	// live ends with the connection, by lost, and is then another one.
	live context.Context
	lost context.CancelFunc
	// buckets are those that were opened, by name.
	buckets map[string]jetstream.KeyValue
	bundles jetstream.ObjectStore
	// spared and lacks are those of spare.
	spared []string
	lacks  func()
}

// Open connects to a queue.
func Open(a Address) (*Queue, error) {
	a.URL = withScheme(a.URL)
	if err := a.check(); err != nil {
		return nil, err
	}
	q := unconnected(shown(a.URL), a.Tell)
	opts := append(q.heard(), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond), nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond))
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
		return nil, unreachable(a, err)
	}
	if err := q.use(conn, func() {}); err != nil {
		return nil, err
	}
	if err := q.keeps(); err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

// keeps says why the server keeps no queues. One that has just begun is given time to
// say so.
func (q *Queue) keeps() error {
	q.patience.Store(int64(patienceToOpen))
	defer q.patience.Store(int64(patience))
	for range 20 {
		ctx, done := context.WithTimeout(q.usable, askMax)
		_, err := q.JS.AccountInfo(ctx)
		done()
		switch {
		case q.usable.Err() != nil:
			return context.Cause(q.usable)
		case err == nil:
			return nil
		case !errors.Is(err, jetstream.ErrJetStreamNotEnabled) && !errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
			return q.Ask(context.Background(), func(ctx context.Context) error {
				_, err := q.JS.AccountInfo(ctx)
				return err
			})
		}
		time.Sleep(askAgain)
	}
	return withoutStreams(q.where)
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

// unconnected is a queue at a place, before there is a connection to it.
func unconnected(where string, tell io.Writer) *Queue {
	q := &Queue{where: where, buckets: map[string]jetstream.KeyValue{}}
	q.outage = outage{where: where, tell: tell, now: time.Now, after: func(d time.Duration, do func()) { time.AfterFunc(d, do) }}
	q.patience.Store(int64(patience))
	q.usable, q.useless = context.WithCancelCause(context.Background())
	q.live, q.lost = context.WithCancel(q.usable)
	return q
}

// heard has the queue hear what happens to its connection.
func (q *Queue) heard() []nats.Option {
	return []nats.Option{
		nats.Name("scenario-dist"), nats.NoCallbacksAfterClientClose(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, why error) {
			q.outage.goes(why)
			q.lose()
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, why error) { q.outage.goes(why) }),
		nats.ReconnectHandler(func(*nats.Conn) { q.outage.ends() }),
		nats.ClosedHandler(func(conn *nats.Conn) { q.useless(closed(q.where, conn.LastError())) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) && !q.mayLack(err) {
				q.useless(denied(q.where, err))
			}
		}),
	}
}

// use has the queue use a connection.
func (q *Queue) use(conn *nats.Conn, stop func()) (err error) {
	q.Conn, q.stop = conn, stop
	q.JS, err = jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(1024), jetstream.WithPublishAsyncTimeout(askMax))
	if err != nil {
		q.Close()
	}
	return err
}

// Within is a context that also ends where the server will not do what it is asked, for
// a cause that says why.
func (q *Queue) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(q.usable, func() { cancel(context.Cause(q.usable)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// Wait has whatever is asked from now on wait as long as the server is away: who waits
// for results, or works, goes on where it comes back.
func (q *Queue) Wait() { q.patience.Store(0) }

// lose has nobody wait for answers that a lost connection took along.
func (q *Queue) lose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost()
	q.live, q.lost = context.WithCancel(q.usable)
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

// How long one question to the server may take, how long it is left alone before it is
// asked again, and how long that goes on where nobody said [Queue.Wait].
const (
	askMax         = 5 * time.Second
	moveMax        = 10 * time.Minute
	askAgain       = 100 * time.Millisecond
	patience       = time.Minute
	patienceToOpen = 10 * time.Second
)

// Ask does something with the server, again and again while the server is away, until
// ctx ends. An error of the server that people have to do something about is a *[Trouble].
func (q *Queue) Ask(ctx context.Context, do func(context.Context) error) error {
	return q.ask(ctx, askMax, do)
}

// Move is Ask for what may be large.
func (q *Queue) Move(ctx context.Context, do func(context.Context) error) error {
	return q.ask(ctx, moveMax, do)
}

func (q *Queue) ask(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	var since time.Time
	for {
		if q.usable.Err() != nil {
			return context.Cause(q.usable)
		}
		lasting, lost := q.connected(ctx)
		once, done := context.WithTimeout(lasting, limit)
		begun := q.outage.now()
		err := do(once)
		done()
		lost()
		if err == nil || ctx.Err() == nil && !away(err) {
			q.outage.ends()
		}
		if over(err) {
			q.useless(closed(q.where, q.Conn.LastError())) // the client tells it a moment later
			return context.Cause(q.usable)
		}
		if full := full(q.where, err); full != nil {
			return full
		}
		if err == nil || !away(err) {
			return refusal(q.where, err)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		q.outage.goes(err)
		now := q.outage.now()
		if since.IsZero() {
			since = begun
			if limit > askMax { // what is large may have taken long before it failed
				since = now
			}
		}
		if most := time.Duration(q.patience.Load()); most > 0 && now.Sub(since) >= most {
			return silent(q.where, now.Sub(since).Round(time.Second), err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(askAgain):
		}
	}
}

// NoteAway reports whether an error is about the server, and not about what it was asked, and
// notes then that the server is away: the queue itself says that it does not answer, or why
// nothing will any more.
func (q *Queue) NoteAway(err error) bool {
	if over(err) {
		return true
	}
	if !away(err) {
		return false
	}
	q.outage.goes(err)
	return true
}

// over reports whether the connection was closed for good.
func over(err error) bool {
	return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, jetstream.ErrConnectionClosed)
}

// away reports whether an error is about the server and not about what it was asked.
func away(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code == 503 && !Refused(err) && !codesFull[api.ErrorCode]
	}
	var network net.Error
	for _, e := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrNoServers, jetstream.ErrNoStreamResponse,
		jetstream.ErrJetStreamNotEnabled, jetstream.ErrNoHeartbeat, context.DeadlineExceeded, context.Canceled,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errors.As(err, &network)
}

// NoStream reports whether an error says that a stream or a consumer is not there, as
// those of a run that was forgotten.
func NoStream(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrConsumerDeleted)
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

// Forgotten says that a queue had a run whose results somebody waits for.
func Forgotten(run string) error {
	return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("the queue has no run %s any more: somebody has forgotten it, or its server has lost its files", run), "submit it again")
}

// Lost says that units of a run are not there any more, and have no result.
func Lost(run string, n int) error {
	return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("%s of run %s %s lost: what is lost is neither in the queue nor has a result", cli.Plural(n, "unit"), run, map[bool]string{true: "is", false: "are"}[n == 1]),
		"a server that was killed may lose what it had not written yet (sync_interval), and keeps units for seven days; submit the suite again, and give this run up with scenario-dist forget "+run)
}

// Expired says that a queue does not have something that a run needs.
func Expired(what string, cause error) error {
	return &Trouble{cli.ExitNothing, fmt.Sprintf("the queue no longer has %s: it keeps files for seven days", what), "submit the suite again", cause}
}

// NoRun says that a queue does not have a run.
func NoRun(run string) error {
	return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("the queue has no run %s", run), "scenario-dist status lists those that it has")
}

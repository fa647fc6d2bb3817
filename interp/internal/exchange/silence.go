package exchange

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/sched"
)

// A Silent is the error of an exchange in which nothing came for too long.
type Silent struct {
	// Begun says that some of the answer had come.
	Begun bool
	After time.Duration
}

// Error implements error.
func (s *Silent) Error() string {
	if s.Begun {
		return fmt.Sprintf("nothing more came for %s (idle_timeout)", s.After)
	}
	return fmt.Sprintf("no answer began within %s (first_byte_timeout)", s.After)
}

// Timeout says that it is an error of time, in the words of net.Error.
func (*Silent) Timeout() bool { return true }

// A listener ends an exchange when its reader waits too long for bytes. It
// counts only while the reader waits. Nil listens to nothing.
type listener struct {
	x     *Exchange
	limit plan.Silence
	end   context.CancelCauseFunc
	begun bool
}

// listen is the context of an exchange that its silence ends, and who ends it;
// nil where nothing does.
func (x *Exchange) listen(ctx context.Context) (context.Context, *listener) {
	limit := x.Declared.Silence.Within(x.Target.Provider.Silence)
	if limit == (plan.Silence{}) {
		return ctx, nil
	}
	ctx, end := x.Client.tasks.WithCancelCause(ctx)
	return ctx, &listener{x: x, limit: limit, end: end}
}

// wait begins a wait for bytes; the reader calls what it returns when it has
// them.
func (l *listener) wait() (over func()) {
	silent := &Silent{Begun: l.begun, After: l.limit.FirstByte}
	if l.begun {
		silent.After = l.limit.Idle
	}
	if silent.After <= 0 {
		return func() {}
	}
	return l.x.Client.tasks.At(sched.Deadline, l.x.Order, silent.After, func() {
		l.x.Silent = silent
		l.end(silent)
	})
}

// sent waits for the head of an answer.
func (l *listener) sent(ask func() (*http.Response, error)) (*http.Response, error) {
	if l == nil {
		return ask()
	}
	l.begun = false
	over := l.wait()
	resp, err := ask()
	over()
	if err != nil {
		return nil, err
	}
	l.begun = resp.StatusCode != 0 // else it is a session, in which nothing has come
	if resp.Body != nil && resp.Body != http.NoBody {
		resp.Body = &patientBody{resp.Body, l}
	}
	return resp, nil
}

// done forgets the exchange.
func (l *listener) done() {
	if l != nil {
		l.end(nil)
	}
}

// patientBody is a body whose reader waits so long at most.
type patientBody struct {
	io.ReadCloser
	by *listener
}

func (b *patientBody) Read(p []byte) (int, error) {
	over := b.by.wait()
	n, err := b.ReadCloser.Read(p)
	over()
	b.by.begun = true
	return n, err
}

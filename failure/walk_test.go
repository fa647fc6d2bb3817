package failure

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"testing"
)

// A ring is an error that wraps itself, as one does that was joined to what it
// was made of.
type ring struct{ inner []error }

func (r *ring) Error() string   { return "it goes round" }
func (r *ring) Unwrap() []error { return append(r.inner, r) }

type loop struct{ next error }

func (l *loop) Error() string { return "it goes round" }
func (l *loop) Unwrap() error { return l.next }

// endless wraps another one whenever somebody looks.
type endless struct{}

func (endless) Error() string   { return "it has no end" }
func (e endless) Unwrap() error { return &loop{e} }

// Shows that an error which wraps itself is named like any other, by what is
// found in it.
func TestErrorsThatWrapThemselves(t *testing.T) {
	self := &loop{}
	self.next = self
	addressedSelf := &url.Error{Op: "Get", URL: "https://secret.test"}
	addressedSelf.Err = addressedSelf
	for _, c := range []struct {
		err   error
		kind  Kind
		cause Cause
		typ   string
	}{
		{self, Exception, "", "failure.loop"},
		{fmt.Errorf("outside: %w", self), Exception, "", "failure.loop"},
		{&ring{}, Exception, "", "failure.ring"},
		{&ring{[]error{errors.New("x"), io.ErrUnexpectedEOF}}, Connection, EOF, ""},
		{endless{}, Exception, "", "failure.endless"},
		{&url.Error{Op: "Get", URL: "https://secret.test", Err: self}, Exception, "", "failure.loop"},
	} {
		got := FromTransport(c.err)
		if got.Kind != c.kind || got.Cause != c.cause || got.Type != c.typ || len(got.Chain) > chainMax {
			t.Errorf("%T is %s %s of type %q with a chain of %d, want %s %s of %q", c.err, got.Kind, got.Cause, got.Type, len(got.Chain), c.kind, c.cause, c.typ)
		}
	}
	if bareError(addressedSelf) == nil {
		t.Error("nothing is left of it")
	}
}

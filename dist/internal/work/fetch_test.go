package work

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A slow store has one object, of which a part comes now and then.
type slow struct {
	jetstream.ObjectStore
	parts []string
	each  time.Duration
}

func (s *slow) Get(context.Context, string, ...jetstream.GetObjectOpt) (jetstream.ObjectResult, error) {
	return &arriving{slow: s}, nil
}

// An arriving object is read as the client has it: Read and Close wait for the next part,
// whatever its context says.
type arriving struct {
	jetstream.ObjectResult
	*slow
}

func (a *arriving) Read(b []byte) (int, error) {
	time.Sleep(a.each)
	if len(a.parts) == 0 {
		return 0, errors.New("over")
	}
	n := copy(b, a.parts[0])
	a.parts = a.parts[1:]
	return n, nil
}

func (a *arriving) Close() error { return nil }

// Shows that an object is waited for as long as parts of it arrive, and asked for again
// where none does; and that nobody waits for it who does not want it any more.
func TestObjectThatStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took := func(ctx context.Context, s *slow) (time.Duration, error) {
			began := time.Now()
			err := read(ctx, s, "o", func(from io.Reader) error {
				_, err := io.ReadAll(from)
				return err
			})
			return time.Since(began), err
		}
		if d, err := took(t.Context(), &slow{parts: strings.Fields("a b c"), each: 29 * time.Second}); err == nil || err.Error() != "over" || d != 4*29*time.Second {
			t.Errorf("one that comes slowly: after %s, %v", d, err)
		}
		if d, err := took(t.Context(), &slow{parts: strings.Fields("a b c"), each: time.Hour}); !errors.Is(err, nats.ErrTimeout) || d != stallMax {
			t.Errorf("one that stalls: after %s, %v", d, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if d, err := took(ctx, &slow{parts: strings.Fields("a"), each: time.Minute}); !errors.Is(err, context.DeadlineExceeded) || d != time.Second {
			t.Errorf("one that nobody wants: after %s, %v", d, err)
		}
		time.Sleep(24 * time.Hour) // what still reads has ended
	})
}

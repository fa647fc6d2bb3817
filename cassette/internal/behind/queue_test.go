package behind

import (
	"errors"
	"testing"
)

// After what fails nothing is done any more, and whoever asks or waits is told why.
func TestQueueStopsAtAnError(t *testing.T) {
	var b Queue
	full, done := errors.New("disk full"), 0
	for _, err := range []error{nil, nil, full, nil} {
		_ = b.Do(func() error { done++; return err })
	}
	if err := b.Wait(); !errors.Is(err, full) || done != 3 {
		t.Errorf("%v after %d", err, done)
	}
	if err := b.Do(func() error { done++; return nil }); !errors.Is(err, full) || done != 3 {
		t.Errorf("%v after %d", err, done)
	}
	var idle Queue
	if err := idle.Wait(); err != nil {
		t.Error(err)
	}
}

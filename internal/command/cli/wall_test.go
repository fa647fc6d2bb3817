package cli

import (
	"errors"
	"testing"
)

// Shows that a lock which is given back at once is waited for, and that one which
// stays is not.
func TestShortly(t *testing.T) {
	busy, tries := errors.New("busy"), 0
	try := func() error {
		if tries++; tries < 3 {
			return busy
		}
		return nil
	}
	if err := Shortly(try); err != nil || tries != 3 {
		t.Errorf("%v after %d tries", err, tries)
	}
	if err := Shortly(func() error { return busy }); err != busy {
		t.Errorf("what stays busy is %v", err)
	}
}

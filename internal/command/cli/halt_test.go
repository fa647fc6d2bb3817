//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// Shows that a signal which comes twice at one moment is one, as timeout(1) sends it to
// its command and to the group of it: what was found out is still printed. The second
// would end this process.
func TestSignalTwice(t *testing.T) {
	if signal.Ignored(syscall.SIGTERM) {
		t.Skip("SIGTERM is ignored here")
	}
	delivered := make(chan os.Signal, 2) // and this process survives, whatever the watcher does
	signal.Notify(delivered, syscall.SIGTERM)
	defer signal.Stop(delivered)
	waits := make(chan time.Duration, 2)
	a := &App{After: func(d time.Duration) <-chan time.Time {
		waits <- d
		return nil
	}}
	h := a.WatchHalt(0)
	for range 2 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-h.C
		<-delivered
	}
	h.Release()
	if len(waits) != 1 {
		t.Fatal("signals are no longer watched for once the first has come")
	}
	if d := <-waits; d <= 0 || d > time.Second {
		t.Errorf("a second signal is ignored for %s", d)
	}
	if h.Cause() != 143 {
		t.Errorf("the exit code is %d, want 143", h.Cause())
	}
}

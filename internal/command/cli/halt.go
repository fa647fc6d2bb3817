package cli

import (
	"os"
	"os/signal"
	"sync"
	"time"
)

// A Halt ends a suite early: on a signal, or at the limit of --timeout. Runs
// learn of it through C.
type Halt struct {
	// C is closed when the suite has to stop.
	C     <-chan struct{}
	quit  chan struct{}
	group sync.WaitGroup

	mu   sync.Mutex
	code ExitCode // 0 until C is closed
}

// oneSignal is how long signals after the first are taken for the same one.
const oneSignal = 300 * time.Millisecond

// WatchHalt waits for signals, for the reader of standard output to leave, and,
// where limit is positive, for the limit. The
// first signal stops the suite; one that comes later than at the same moment has its
// usual effect and ends the process at once, after what a.Dying does.
func (a *App) WatchHalt(limit time.Duration) *Halt {
	stop := make(chan struct{})
	h := &Halt{C: stop, quit: make(chan struct{})}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, watched()...)
	var expired <-chan time.Time
	if limit > 0 {
		expired = a.After(limit)
	}
	h.group.Go(func() {
		defer signal.Stop(signals)
		code := ExitFailed
		select {
		case s := <-signals:
			code = endings[s]
		case <-a.Gone:
			code = ExitUnread
		case <-expired:
		case <-h.quit:
			return
		}
		h.mu.Lock()
		h.code = code
		h.mu.Unlock()
		close(stop)
		if !code.Signalled() {
			return
		}
		select { // who sends one to a process and to its group sends it twice
		case <-a.After(oneSignal):
		case <-h.quit:
			return
		}
		if a.Dying == nil {
			return
		}
		select {
		case <-signals:
		default:
		}
		select {
		case s := <-signals:
			a.die(s)
		case <-h.quit:
		}
	})
	return h
}

// lastMoment is how long what is done before a process dies may take.
const lastMoment = time.Second

// die ends the process as a signal would have ended it, but for what is cleaned up
// before. It does not return.
func (a *App) die(s os.Signal) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.Dying()
	}()
	select {
	case <-done:
	case <-time.After(lastMoment):
	}
	signal.Reset(watched()...)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(lastMoment) // it is delivered to any thread, at any time
	}
	os.Exit(int(endings[s]))
}

// Release stops watching. The suite is at its end.
func (h *Halt) Release() {
	close(h.quit)
	h.group.Wait()
}

// During lets one run be cancelled: a halt calls what onInterrupt is given,
// until the run has ended.
func (h *Halt) During() (onInterrupt func(cancel func()), ended func()) {
	over := make(chan struct{})
	onInterrupt = func(cancel func()) {
		go func() {
			select {
			case <-h.C:
				cancel()
			case <-over:
			}
		}()
	}
	return onInterrupt, func() { close(over) }
}

// Cause is what ended the suite: the code of a signal, ExitFailed for the
// limit, ExitPassed where nothing did.
func (h *Halt) Cause() ExitCode {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.code
}

// Interrupted reports whether a signal ended the suite.
func (h *Halt) Interrupted() bool {
	return h.Cause().Signalled()
}

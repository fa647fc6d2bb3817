package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// A halt ends a suite early: on a signal, or at the limit of --timeout. Runs
// learn of it through C.
type halt struct {
	// C is closed when the suite has to stop.
	C     <-chan struct{}
	quit  chan struct{}
	group sync.WaitGroup

	mu   sync.Mutex
	code exitCode // 0 until C is closed
}

// watchHalt waits for signals and, where limit is positive, for the limit. The
// first signal stops the suite; the next one has its usual effect and ends the
// process at once.
func (a *app) watchHalt(limit time.Duration) *halt {
	stop := make(chan struct{})
	h := &halt{C: stop, quit: make(chan struct{})}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var expired <-chan time.Time
	if limit > 0 {
		expired = a.after(limit)
	}
	h.group.Go(func() {
		defer signal.Stop(signals)
		code := exitFailed
		select {
		case s := <-signals:
			code = exitInterrupt
			if s == syscall.SIGTERM {
				code = exitTerminate
			}
		case <-expired:
		case <-h.quit:
			return
		}
		h.mu.Lock()
		h.code = code
		h.mu.Unlock()
		close(stop)
	})
	return h
}

// release stops watching. The suite is at its end.
func (h *halt) release() {
	close(h.quit)
	h.group.Wait()
}

// during lets one run be cancelled: a halt calls what onInterrupt is given,
// until the run has ended.
func (h *halt) during() (onInterrupt func(cancel func()), ended func()) {
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

// cause is what ended the suite: the code of a signal, exitFailed for the
// limit, exitPassed where nothing did.
func (h *halt) cause() exitCode {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.code
}

// interrupted reports whether a signal ended the suite.
func (h *halt) interrupted() bool {
	return h.cause() == exitInterrupt || h.cause() == exitTerminate
}

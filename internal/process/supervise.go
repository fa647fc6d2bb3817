package process

import (
	"os"
	"time"
)

// glance is how often a group whose first process has ended is looked at.
const glance = 10 * time.Millisecond

// supervise sees a program to its end, whoever brings it about, and leaves
// nothing of its group behind.
func (p *Process) supervise() {
	var state *os.ProcessState
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		state = await(p.cmd.Process)
	}()
	p.oversee(exited)
	kill(p.cmd.Process) // its children too, where it has ended itself
	<-exited
	if state == nil {
		_ = p.cmd.Wait()
		state = p.cmd.ProcessState
	}
	p.drain()
	p.end.Code, p.end.Signal = state.ExitCode(), signal(state)
	close(p.done)
}

// oversee returns when the program has ended by itself, when it and its group
// have after they were told to, or when their time is over.
func (p *Process) oversee(exited <-chan struct{}) {
	var over, look <-chan time.Time
	for {
		select {
		case <-exited:
			if !p.end.Stopped {
				return
			}
			exited = nil
			ticker := time.NewTicker(glance)
			defer ticker.Stop()
			look = ticker.C
		case <-p.wake:
			if !p.end.Stopped && isClosed(exited) {
				return // it was quicker
			}
			left := p.left()
			if left <= 0 {
				p.end.Stopped, p.end.Killed = true, !p.end.Stopped || exited != nil
				return
			}
			if !p.end.Stopped {
				p.end.Stopped = true
				terminate(p.cmd.Process)
			}
			over = time.After(left)
		case <-look:
		case <-over:
			p.end.Killed = exited != nil
			return
		}
		if look != nil && !hasMembers(p.cmd.Process) {
			return
		}
	}
}

// left is the time until the deadline.
func (p *Process) left() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.deadline)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

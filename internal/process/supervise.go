package process

import (
	"sync"
	"time"
)

// glance is how often a group is looked at whose first process has ended and that is
// to end, and glanceMax how seldom one that may go on: each look reads the list of all
// processes.
const (
	glance    = 10 * time.Millisecond
	glanceMax = 100 * time.Millisecond
)

// supervise sees a program to its end, whoever brings it about, and leaves
// nothing of its group behind.
func (p *Process) supervise() {
	var status status
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		status = await(p.cmd.Process)
	}()
	tell := sync.OnceFunc(func() {
		p.end.Code, p.end.Signal, p.ran = status.code, status.signal, time.Since(p.began)
		close(p.exited)
	})
	p.oversee(ended, tell)
	kill(p.cmd.Process) // and its children
	<-ended
	tell()
	_ = p.cmd.Wait() // what await has left to be waited for
	p.drain()
	close(p.done)
}

// A status is how a process ended: with a code, or -1 and the name of a signal.
type status struct {
	code   int
	signal string
}

// oversee returns when what is left of the group has to be killed, or nothing is. It
// tells when the program itself has ended, where that is before. Once that was told
// the end of the program is read by others, and is not written any more.
func (p *Process) oversee(ended <-chan struct{}, tell func()) {
	told, look := false, glance
	for {
		over := isClosed(ended)
		if over {
			tell()
		}
		if over && (!told && !p.lingers || !hasMembers(p.cmd.Process)) {
			return
		}
		var late, glancing <-chan time.Time
		if left, hurried := p.left(); hurried {
			if !over {
				p.end.Stopped, p.end.Killed = true, left <= 0
			}
			if left <= 0 {
				return
			}
			if !told {
				told = true
				terminate(p.cmd.Process)
			}
			late, look = time.After(left), glance
		}
		running := ended
		if over {
			running, glancing = nil, time.After(look)
			look = min(2*look, glanceMax)
		}
		select {
		case <-running:
		case <-p.wake:
		case <-glancing:
		case <-late:
		}
	}
}

// left is the time until the deadline, where there is one.
func (p *Process) left() (left time.Duration, hurried bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.deadline), !p.deadline.IsZero()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

package process

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A Process is a program that was started. It ends by itself or by
// [Process.Stop]; one that does neither has to be stopped. All methods are safe
// for concurrent use.
type Process struct {
	cmd *exec.Cmd
	// lingers says that what the program has started and left running may go on
	// after its end, until [Process.Stop].
	lingers bool
	// exited is closed when the program has ended, and done when its group has.
	exited, done chan struct{}
	// end is written before exited is closed, and so is how long the program ran
	// since it began.
	end   End
	began time.Time
	ran   time.Duration
	// followers are those of both streams.
	followers [2]*follower

	copies sync.WaitGroup
	// pipes are our ends of the program's pipes.
	pipes []*os.File

	mu sync.Mutex
	// deadline is until when the program may take its time, zero as long as it
	// was not told to end.
	deadline time.Time
	// wake tells of a new deadline.
	wake chan struct{}
}

// An End is how a program ended.
type End struct {
	// Code is its status, -1 where a signal ended it; Signal is that one's name.
	Code   int
	Signal string
	// Stopped says that it was told to end before it had, and Killed that it had
	// not done so in the time that it was given. Neither speaks of what it started.
	Stopped, Killed bool
}

// Start starts a program. What that has started and left running at its own end goes
// on until [Process.Stop], which has to be called. The error says why the program
// could not be started; it is errors.ErrUnsupported on a system that starts none.
func Start(c Command, out Output) (*Process, error) {
	var calls sync.Mutex
	followers := [2]*follower{{stream: Stdout, out: out, calls: &calls}, {stream: Stderr, out: out, calls: &calls}}
	p := newProcess(followers)
	p.lingers = true
	return p.start(c, session(), [2]sink{followers[Stdout], followers[Stderr]})
}

func newProcess(followers [2]*follower) *Process {
	return &Process{exited: make(chan struct{}), done: make(chan struct{}), wake: make(chan struct{}, 1), followers: followers}
}

func (p *Process) start(c Command, among *syscall.SysProcAttr, sinks [2]sink) (*Process, error) {
	if err := startable(runtime.GOOS); err != nil {
		return nil, err
	}
	var stdin io.Reader
	p.cmd, stdin = c.exec(among)
	if err := p.launch(stdin, sinks); err != nil {
		return nil, c.explain(err)
	}
	p.began = time.Now()
	go p.supervise()
	return p, nil
}

// Exited is closed when the program has ended. What it started may still run, and
// something of what it wrote may not have been handed on.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Done is closed when the program has ended, nothing of its process group is
// left, and all that it wrote has been handed on.
func (p *Process) Done() <-chan struct{} { return p.done }

// End waits for the end of the program itself, as [Process.Exited] has it, and says
// how it was.
func (p *Process) End() End {
	<-p.exited
	return p.end
}

// Ran waits for the end of the program itself and says how long it ran.
func (p *Process) Ran() time.Duration {
	<-p.exited
	return p.ran
}

// Stop ends the program and all of its process group: SIGTERM asks them to end,
// and what has not after the grace is killed; with none, at once. On a system
// without such signals it is always at once. Stop returns when [Process.Done] is
// closed. It may be called often: the shortest grace counts, and a program that
// has ended stays as it is.
func (p *Process) Stop(grace time.Duration) End {
	p.hurry(time.Now().Add(grace))
	<-p.done
	return p.end
}

// hurry sets a deadline, unless there is an earlier one.
func (p *Process) hurry(deadline time.Time) {
	p.mu.Lock()
	if p.deadline.IsZero() || deadline.Before(p.deadline) {
		p.deadline = deadline
	}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // it has not looked at the last one yet
	}
}

// Tail is the last that the program wrote to a stream so far, at most as many
// bytes as Output.Keep says. It begins with a whole character of UTF-8.
func (p *Process) Tail(s Stream) []byte { return p.followers[s].tail() }

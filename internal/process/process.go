package process

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// A Command is a program with all that it gets.
type Command struct {
	// Path and Args are as in exec.Cmd: Args begins with the program's name.
	Path string
	Args []string
	// Dir is where it runs; Env is its whole environment.
	Dir string
	Env []string
	// Stdin is what it may read.
	Stdin []byte
	// MaxStdout is how much it may write to standard output before it is ended,
	// and MaxStderr how much of its standard error is kept.
	MaxStdout, MaxStderr int
}

// A Result is how a program ended.
type Result struct {
	// Code is its status, -1 where a signal ended it; Signal is that one's name.
	Code           int
	Signal         string
	Stdout, Stderr []byte
	// Flooded says that it was ended because of MaxStdout.
	Flooded bool
}

// lag is how long output is waited for of a program that has ended with all
// its group: what is still open then is held by a process that left the group.
const lag = 500 * time.Millisecond

// Run runs the program until it ends, ctx ends, or it has written too much. At
// its end, whatever that was, the whole process group is killed. The error says
// why it could not be started; it is errors.ErrUnsupported on a system that
// starts none.
func Run(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := startable(runtime.GOOS); err != nil {
		return Result{}, err
	}
	r, err := start(c)
	if err != nil {
		return Result{}, err
	}
	return r.finish(ctx), nil
}

// A run is one program under way.
type run struct {
	cmd    *exec.Cmd
	stdout *reader
	stderr *reader
	copies sync.WaitGroup
	// pipes are our ends of the program's pipes.
	pipes []*os.File
}

func start(c Command) (*run, error) {
	r := &run{cmd: &exec.Cmd{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env, SysProcAttr: group()}}
	var theirs []*os.File
	closeAll := func(files []*os.File) {
		for _, f := range files {
			f.Close()
		}
	}
	defer func() { closeAll(theirs) }()
	pipe := func() (in, out *os.File, err error) {
		in, out, err = os.Pipe()
		return in, out, err
	}
	outRead, outWrite, err := pipe()
	if err != nil {
		return nil, err
	}
	r.pipes, theirs = append(r.pipes, outRead), append(theirs, outWrite)
	errRead, errWrite, err := pipe()
	if err != nil {
		closeAll(r.pipes)
		return nil, err
	}
	r.pipes, theirs = append(r.pipes, errRead), append(theirs, errWrite)
	inRead, inWrite, err := pipe()
	if err != nil {
		closeAll(r.pipes)
		return nil, err
	}
	r.pipes, theirs = append(r.pipes, inWrite), append(theirs, inRead)
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = inRead, outWrite, errWrite
	if err := r.cmd.Start(); err != nil {
		closeAll(r.pipes)
		return nil, err
	}
	r.stdout, r.stderr = &reader{from: outRead, most: c.MaxStdout, full: make(chan struct{})}, &reader{from: errRead, most: c.MaxStderr}
	r.copies.Go(r.stdout.read)
	r.copies.Go(r.stderr.read)
	// What does not read its input must not be waited for, so nobody does.
	go func() {
		_, _ = inWrite.Write(c.Stdin)
		inWrite.Close()
	}()
	return r, nil
}

// finish waits for the end of the program, brings it about where it has to, and
// gathers what there is of it.
func (r *run) finish(ctx context.Context) Result {
	var state *os.ProcessState
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		state = await(r.cmd.Process)
	}()
	select {
	case <-exited:
	case <-ctx.Done():
	case <-r.stdout.full:
	}
	kill(r.cmd.Process) // its children too, where it has ended itself
	<-exited
	if state == nil {
		_ = r.cmd.Wait()
		state = r.cmd.ProcessState
	}
	r.drain()
	return Result{Code: state.ExitCode(), Signal: signal(state), Stdout: r.stdout.kept, Stderr: r.stderr.kept, Flooded: r.stdout.over}
}

// drain waits for the last output. A process that left the group may hold a
// pipe open; it is not waited for longer than lag.
func (r *run) drain() {
	done := make(chan struct{})
	go func() {
		r.copies.Wait()
		close(done)
	}()
	timer := time.NewTimer(lag)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	for _, p := range r.pipes {
		p.Close()
	}
	<-done
}

// A reader keeps the beginning of a stream.
type reader struct {
	from io.Reader
	most int
	kept []byte
	// over says that there was more, and full, where not nil, is closed then.
	over bool
	full chan struct{}
}

func (r *reader) read() {
	kept, err := io.ReadAll(io.LimitReader(r.from, int64(r.most)))
	r.kept = kept
	if err != nil || len(kept) < r.most {
		return
	}
	one := make([]byte, 1)
	if n, err := r.from.Read(one); n == 0 || errors.Is(err, io.EOF) {
		return
	}
	r.over = true
	if r.full != nil {
		close(r.full)
	}
	_, _ = io.Copy(io.Discard, r.from)
}

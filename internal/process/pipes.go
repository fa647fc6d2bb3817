package process

import (
	"io"
	"os"
	"time"
)

// lag is how long output is waited for of a program that has ended with all
// its group: what is still open then is held by a process that left the group.
const lag = 500 * time.Millisecond

// launch starts the command of p, joined to us by pipes: sinks take what it
// writes, and stdin, where not nil, is copied to it.
func (p *Process) launch(stdin io.Reader, sinks [2]sink) (err error) {
	var theirs []*os.File
	defer func() {
		closeAll(theirs)
		if err != nil {
			closeAll(p.pipes)
		}
	}()
	var from [2]*os.File
	for i, field := range []*io.Writer{&p.cmd.Stdout, &p.cmd.Stderr} {
		in, out, err := os.Pipe()
		if err != nil {
			return err
		}
		from[i], *field = in, out
		p.pipes, theirs = append(p.pipes, in), append(theirs, out)
	}
	var input *os.File
	if stdin != nil {
		in, out, err := os.Pipe()
		if err != nil {
			return err
		}
		input, p.cmd.Stdin = out, in
		p.pipes, theirs = append(p.pipes, out), append(theirs, in)
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	for i, to := range sinks {
		p.copies.Go(func() { pump(from[i], to) })
	}
	if input != nil {
		// What does not read its input must not be waited for, so nobody does.
		go func() {
			_, _ = io.Copy(input, stdin)
			input.Close()
		}()
	}
	return nil
}

// drain waits for the last output. A process that left the group may hold a
// pipe open; it is not waited for longer than lag.
func (p *Process) drain() {
	done := make(chan struct{})
	go func() {
		p.copies.Wait()
		close(done)
	}()
	timer := time.NewTimer(lag)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	closeAll(p.pipes)
	<-done
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

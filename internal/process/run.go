package process

import (
	"context"
	"time"
)

// Limits bounds what a program of [Run] may write.
type Limits struct {
	// Stdout is how much it may write to standard output before it is ended,
	// and Stderr how much of its standard error is kept: of more than that, the
	// beginning and the end.
	Stdout, Stderr int
}

// A Result is how a program ended, with what it wrote.
type Result struct {
	// Code is its status, -1 where a signal ended it; Signal is that one's name.
	Code           int
	Signal         string
	Stdout, Stderr []byte
	// Flooded says that it was ended because of its limit of standard output.
	Flooded bool
}

// Run runs the program until it ends, ctx ends, or it has written too much. At
// its end, whatever that was, the whole process group is killed. The error says
// why it could not be started; it is errors.ErrUnsupported on a system that
// starts none.
func Run(ctx context.Context, c Command, most Limits) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	stdout := &head{most: most.Stdout, full: make(chan struct{})}
	stderr := &ends{most: most.Stderr}
	p, err := newProcess([2]*follower{}).start(c, group(), [2]sink{stdout, stderr})
	if err != nil {
		return Result{}, err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.hurry(time.Now())
	case <-stdout.full:
		p.hurry(time.Now())
	}
	<-p.done
	end := p.end
	return Result{Code: end.Code, Signal: end.Signal, Stdout: stdout.kept, Stderr: stderr.bytes(), Flooded: stdout.over}, nil
}

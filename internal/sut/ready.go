package sut

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

// readyTimeout is how long a program may take where the file does not say it.
const readyTimeout = 10 * time.Second

// ready waits for all that shows that the program can be used: the line that the
// file names, and of a server that it accepts connections and answers. Where that
// does not come the run has no verdict, and it is false.
func (r *run) ready() bool {
	timeout := readyTimeout
	if s := r.sut.Ready; s != nil {
		timeout = cmp.Or(s.Timeout, readyTimeout)
	}
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	line, up, why := r.lines, r.service.reached(ctx), ""
	for why == "" && (line != nil || up != nil) {
		select {
		case <-line:
			line = nil
		case <-up:
			up = nil
		case <-r.process.Exited():
			if up == nil && r.lastLine(line) {
				line = nil
				continue
			}
			why = "it ended, " + r.ending() + ", before " + r.awaited(line != nil, up != nil)
		case <-limit.C:
			why = r.missing(line != nil, up != nil) + " within " + timeout.String()
		case <-r.options.Interrupt:
			return false
		}
	}
	if why != "" {
		r.outside.Unusable("the program was not ready: " + why + "." + r.service.told())
		return false
	}
	r.scrape("when it was ready")
	r.telemetry.store.Ready()
	r.outside.Ready()
	return true
}

// saying is how long the last lines may take to be handed on of a program that has
// ended, where what it left running holds its output open.
const saying = 500 * time.Millisecond

// lastLine reports whether a program that has ended has written the line before.
func (r *run) lastLine(line <-chan struct{}) bool {
	select {
	case <-line:
		return true
	case <-r.process.Done():
	case <-r.options.Interrupt:
	case <-time.After(saying):
	}
	select {
	case <-line:
		return true
	default:
		return false
	}
}

// awaited is what a program has not shown yet.
func (r *run) awaited(line, up bool) string {
	switch {
	case !line:
		return "it could be asked"
	case up:
		return fmt.Sprintf("it could be asked and had written a line that matches %q", r.sut.Ready.Log)
	}
	return fmt.Sprintf("it had written a line that matches %q", r.sut.Ready.Log)
}

// missing is what has not come in time.
func (r *run) missing(line, up bool) string {
	var list []string
	if line {
		list = append(list, fmt.Sprintf("no line of its output matched %q", r.sut.Ready.Log))
	}
	if up {
		list = append(list, "it could not be asked")
	}
	return strings.Join(list, " and ")
}

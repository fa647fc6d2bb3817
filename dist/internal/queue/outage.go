package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// quietFor is how long a server may be away before people are told: it restarts within
// less.
const quietFor = 2 * time.Second

// An outage is the time in which a server does not answer. It is told to people, who
// would otherwise see a command that does nothing. It is safe for concurrent use.
type outage struct {
	where string
	tell  io.Writer // nil for nobody
	now   func() time.Time
	after func(time.Duration, func())

	mu sync.Mutex
	// since is when it began, zero where there is none, and told that people know.
	since time.Time
	told  bool
	why   error
}

// goes notes that the server does not answer.
func (o *outage) goes(why error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if why != nil && !errors.Is(why, context.Canceled) {
		o.why = why
	}
	if o.since.IsZero() {
		began := o.now()
		o.since = began
		o.after(quietFor, func() { o.last(began) })
	}
}

// last tells of the outage that began at a time, if it lasts.
func (o *outage) last(began time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.Equal(began) || o.told {
		return
	}
	o.told = true
	why := "the connection is lost"
	if o.why != nil {
		why = plain(o.why)
	}
	o.say("the queue at %s does not answer: %s. This waits until it does", o.where, why)
}

// ends notes that the server answers.
func (o *outage) ends() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.told {
		o.say("the queue at %s answers again, after %s", o.where, o.now().Sub(o.since).Round(time.Second))
	}
	o.since, o.told, o.why = time.Time{}, false, nil
}

func (o *outage) say(format string, args ...any) {
	if o.tell != nil {
		fmt.Fprintf(o.tell, "note: "+format+"\n", args...)
	}
}

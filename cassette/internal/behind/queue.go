package behind

import "sync"

// A Queue does what takes long, one thing after the other in the order in which it
// was told, while those who told it go on. The zero value is ready. It is safe for
// concurrent use.
type Queue struct {
	mu    sync.Mutex
	queue []func() error
	busy  bool
	done  *sync.Cond
	err   error
}

// Do takes f up and returns at once. After an error nothing is done any more: Do
// and Wait return it.
func (q *Queue) Do(f func() error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return q.err
	}
	q.queue = append(q.queue, f)
	if !q.busy {
		q.busy = true
		go q.work()
	}
	return nil
}

func (q *Queue) work() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) > 0 && q.err == nil {
		f := q.queue[0]
		q.queue = q.queue[1:]
		q.mu.Unlock()
		err := f()
		q.mu.Lock()
		q.err = err
	}
	q.busy = false
	if q.done != nil {
		q.done.Broadcast()
	}
}

// Wait returns when nothing is left to be done.
func (q *Queue) Wait() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.done == nil {
		q.done = sync.NewCond(&q.mu)
	}
	for q.busy {
		q.done.Wait()
	}
	return q.err
}

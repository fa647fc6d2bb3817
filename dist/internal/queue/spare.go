package queue

import (
	"context"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// IsFull reports whether the queue is full, so that it keeps nothing that anybody says: it
// tries that with a key of a bucket. Where it cannot be tried the queue is not.
func (q *Queue) IsFull(ctx context.Context, kv jetstream.KeyValue, key string) bool {
	ctx, done := context.WithTimeout(ctx, askMax)
	defer done()
	defer q.spare(done, "$KV.")()
	_, err := kv.Put(ctx, key, nil)
	return full(q.where, err) != nil
}

// spare has it that a user who may not publish to subjects that begin so can go on using the
// queue, until the function that it returns is called: nothing depends on what is done there.
// lacks is called instead, as the server does not answer then.
func (q *Queue) spare(lacks func(), subjects ...string) (end func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.spared, q.lacks = subjects, lacks
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.spared, q.lacks = nil, nil
	}
}

// mayLack reports whether nothing depends on a right that a user lacks.
func (q *Queue) mayLack(denied error) bool {
	m := forbidden.FindStringSubmatch(denied.Error())
	if m == nil || m[1] != "Publish" {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, subject := range q.spared {
		if strings.HasPrefix(m[2], subject) {
			q.lacks()
			return true
		}
	}
	return false
}

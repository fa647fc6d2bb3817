package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// How long a queue keeps what nobody removes, and how long it knows that a message was
// sent before.
const (
	keep      = 7 * 24 * time.Hour
	duplicate = 10 * time.Minute
)

// Prepare creates the streams and buckets of a run, where they are not there yet.
func (q *Queue) Prepare(ctx context.Context, r *job.Run) error {
	for _, c := range []jetstream.StreamConfig{
		{Name: job.WorkStream(r.ID), Subjects: []string{job.WorkSubjects(r.ID)}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, MaxAge: keep, Duplicates: duplicate},
		{Name: job.ResultStream(r.ID), Subjects: []string{job.ResultSubjects(r.ID)}, Storage: jetstream.FileStorage, MaxAge: keep, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true},
		{Name: job.ExtraStream(r.ID), Subjects: []string{job.ExtraSubjects(r.ID, "*")}, Storage: jetstream.FileStorage, MaxAge: keep, Duplicates: duplicate},
	} {
		if err := q.Ask(ctx, func(ctx context.Context) error {
			_, err := q.JS.CreateOrUpdateStream(ctx, c)
			return err
		}); err != nil {
			return err
		}
	}
	if err := q.Lanes(ctx, r); err != nil {
		return err
	}
	return q.rates(ctx, r)
}

// Lanes creates what hands out the units of a run, where it is not there. The only lane of
// a run has no filter: with one, the server looks at the subjects of all units that wait
// whenever it hands out one, so that the units of a run would cost the square of their number.
func (q *Queue) Lanes(ctx context.Context, r *job.Run) error {
	for i := range len(r.Exclusive) + 1 {
		c := jetstream.ConsumerConfig{
			Durable:   job.Lane(i),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: r.AckWait, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: slotsMax,
		}
		if len(r.Exclusive) > 0 {
			c.FilterSubject = job.LaneSubjects(r.ID, job.Lane(i))
		}
		if i > 0 {
			c.MaxAckPending = 1 // so the server itself hands out one at a time
		}
		if err := q.Ask(ctx, func(ctx context.Context) error {
			_, err := q.JS.CreateOrUpdateConsumer(ctx, job.WorkStream(r.ID), c)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// rates creates the buckets of the benches that have a rate. What stands in them is
// forgotten, by the clock of the server, when the next trial may begin. They are files
// like all else: a server that restarts forgets what it had in memory.
func (q *Queue) rates(ctx context.Context, r *job.Run) error {
	for i, b := range r.Benches {
		if b.Rate <= 0 {
			continue
		}
		_, every := Beat(b.Rate)
		if _, err := q.bucket(ctx, jetstream.KeyValueConfig{Bucket: job.RateBucket(r.ID, i+1), TTL: every}); err != nil {
			return err
		}
	}
	return nil
}

// slotsMax is how many units may be asked for at a time.
const slotsMax = 20_000

// beatMin is the shortest time after which a server forgets reliably.
const beatMin = 250 * time.Millisecond

// Beat says how many trials may begin within which time, by a rate a minute.
func Beat(rate float64) (trials int, within time.Duration) {
	each := time.Duration(float64(time.Minute) / rate)
	trials = int((beatMin + each - 1) / each)
	return trials, time.Duration(trials) * each
}

// bucket opens a bucket once.
func (q *Queue) bucket(ctx context.Context, c jetstream.KeyValueConfig) (kv jetstream.KeyValue, err error) {
	q.mu.Lock()
	kv = q.buckets[c.Bucket]
	q.mu.Unlock()
	if kv != nil {
		return kv, nil
	}
	if err := q.Ask(ctx, func(ctx context.Context) (err error) {
		kv, err = q.JS.CreateOrUpdateKeyValue(ctx, c)
		return err
	}); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.buckets[c.Bucket] = kv
	return kv, nil
}

// errCutShort is why a listing of a bucket is asked for again.
var errCutShort = fmt.Errorf("the listing ended early: %w", nats.ErrTimeout)

// Entries are the present entries of a bucket, all of them.
func (q *Queue) Entries(ctx context.Context, kv jetstream.KeyValue) (entries []jetstream.KeyValueEntry, err error) {
	err = q.Ask(ctx, func(ctx context.Context) error {
		w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
		if err != nil {
			return err
		}
		defer func() { _ = w.Stop() }()
		entries = nil
		for e := range w.Updates() { // closed where ctx ends, or the client gives up
			if e == nil {
				return nil
			}
			entries = append(entries, e)
		}
		return cmp.Or(ctx.Err(), errCutShort)
	})
	return entries, err
}

// Runs is the bucket of all runs.
func (q *Queue) Runs(ctx context.Context) (jetstream.KeyValue, error) {
	return q.bucket(ctx, jetstream.KeyValueConfig{Bucket: job.RunsBucket, TTL: keep})
}

// Workers is the bucket of what workers say of themselves: of one that dies in the first
// hour of a long run its report still tells.
func (q *Queue) Workers(ctx context.Context) (jetstream.KeyValue, error) {
	return q.bucket(ctx, jetstream.KeyValueConfig{Bucket: job.WorkersBucket, TTL: keep})
}

// Begun is the bucket of the units that must not run twice and have begun.
func (q *Queue) Begun(ctx context.Context) (jetstream.KeyValue, error) {
	return q.bucket(ctx, jetstream.KeyValueConfig{Bucket: job.BegunBucket, TTL: keep})
}

// Bundles is the store of bundles.
func (q *Queue) Bundles(ctx context.Context) (store jetstream.ObjectStore, err error) {
	q.mu.Lock()
	store = q.bundles
	q.mu.Unlock()
	if store != nil {
		return store, nil
	}
	if err := q.Ask(ctx, func(ctx context.Context) (err error) {
		store, err = q.JS.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: job.Bundles, TTL: keep})
		return err
	}); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bundles = store
	return store, nil
}

// Announce tells workers of a run.
func (q *Queue) Announce(ctx context.Context, r *job.Run) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	runs, err := q.Runs(ctx)
	if err != nil {
		return err
	}
	return q.Ask(ctx, func(ctx context.Context) error {
		_, err := runs.Put(ctx, r.ID, text)
		return err
	})
}

// Amend tells workers of a change of a run. The error says that it is missing if it was
// forgotten meanwhile: nothing brings a run back.
func (q *Queue) Amend(ctx context.Context, r *job.Run) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	runs, err := q.Runs(ctx)
	if err != nil {
		return err
	}
	for {
		err := q.Ask(ctx, func(ctx context.Context) error {
			e, err := runs.Get(ctx, r.ID)
			if err != nil {
				return err
			}
			_, err = runs.Update(ctx, r.ID, text, e.Revision())
			return err
		})
		if !errors.Is(err, jetstream.ErrKeyRevisionMismatch) { // else somebody else said something of it meanwhile
			return err
		}
	}
}

// Run finds a run, nil where there is none.
func (q *Queue) Run(ctx context.Context, id string) (*job.Run, error) {
	runs, err := q.Runs(ctx)
	if err != nil {
		return nil, err
	}
	var text []byte
	err = q.Ask(ctx, func(ctx context.Context) error {
		e, err := runs.Get(ctx, id)
		if err == nil {
			text = e.Value()
		}
		return err
	})
	if Missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &job.Run{}
	return r, json.Unmarshal(text, r)
}

// Forget removes all that the queue has of a run but its bundle, which others may
// have, too.
func (q *Queue) Forget(ctx context.Context, r *job.Run) error {
	runs, err := q.Runs(ctx)
	if err != nil {
		return err
	}
	forget := func() error {
		return q.Ask(ctx, func(ctx context.Context) error { return runs.Purge(ctx, r.ID) })
	}
	told := forget() // first, so that nobody works for it any more
	if told != nil && !errors.Is(told, ErrFull) {
		return told
	}
	for _, name := range []string{job.WorkStream(r.ID), job.ResultStream(r.ID), job.ExtraStream(r.ID)} {
		if err := q.Ask(ctx, func(ctx context.Context) error { return q.JS.DeleteStream(ctx, name) }); err != nil && !Missing(err) {
			return err
		}
	}
	for i, b := range r.Benches {
		if b.Rate <= 0 {
			continue
		}
		if err := q.Ask(ctx, func(ctx context.Context) error { return q.JS.DeleteKeyValue(ctx, job.RateBucket(r.ID, i+1)) }); err != nil && !Missing(err) {
			return err
		}
	}
	if err := q.Ask(ctx, func(ctx context.Context) error {
		s, err := q.JS.Stream(ctx, job.BucketStream(job.BegunBucket))
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject("$KV."+job.BegunBucket+"."+r.ID+".*"))
		}
		return err
	}); err != nil && !Missing(err) {
		return err
	}
	if told != nil { // there is room by now
		if err := forget(); err != nil {
			return err
		}
	}
	store, err := q.Bundles(ctx)
	if err != nil {
		return err
	}
	if err := q.Ask(ctx, func(ctx context.Context) error { return store.Delete(ctx, job.UnitsObject(r.ID)) }); err != nil && !Missing(err) {
		return err
	}
	return nil
}

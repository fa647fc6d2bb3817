package collect

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// A Status is how far a run is.
type Status struct {
	Run string `json:"run"`
	// Units are all of them; Waiting are in the queue, Running are with workers, Done
	// have a result, and Failed are those of them that did not pass.
	Units   int  `json:"units"`
	Waiting int  `json:"waiting"`
	Running int  `json:"running"`
	Done    int  `json:"done"`
	Failed  int  `json:"failed"`
	Sealed  bool `json:"sealed"`
	// Differing counts units that must give one result and gave two, and Repeated
	// trials whose program ran twice.
	Differing int `json:"differing"`
	Repeated  int `json:"repeated"`
}

// A WorkerStatus is what is known of a worker.
type WorkerStatus struct {
	job.Presence
	// Silent is how long it has said nothing, by the clock of the server.
	Silent time.Duration `json:"silent"`
	// Lost says that it has not ended in order and is silent for too long, and Unheard that
	// it would be, but for a queue that is full: that keeps nothing of what workers say.
	Lost    bool `json:"lost"`
	Unheard bool `json:"unheard,omitempty"`
}

// Of is the status of a run.
func Of(ctx context.Context, q *queue.Queue, r *job.Run) (Status, error) {
	st := Status{Run: r.ID, Units: r.Units, Sealed: r.Sealed}
	for i := range len(r.Exclusive) + 1 {
		err := q.Ask(ctx, func(ctx context.Context) error {
			c, err := q.JS.Consumer(ctx, job.WorkStream(r.ID), job.Lane(i))
			if err == nil {
				st.Waiting += int(c.CachedInfo().NumPending)
				st.Running += c.CachedInfo().NumAckPending
			}
			return err
		})
		if err != nil && !queue.Missing(err) {
			return st, err
		}
	}
	var err error
	st.Done, err = Done(ctx, q, r)
	if err == nil && st.Done > 0 {
		st.Failed, err = failed(ctx, q, r, st.Done)
	}
	for kind, to := range map[string]*int{job.KindDiffers: &st.Differing, job.KindRepeated: &st.Repeated} {
		if err == nil || queue.Missing(err) {
			*to, err = seconds(ctx, q, r, kind)
		}
	}
	if queue.Missing(err) {
		err = nil
	}
	return st, err
}

// Done is how many units of a run have a result.
func Done(ctx context.Context, q *queue.Queue, r *job.Run) (n int, err error) {
	err = q.Ask(ctx, func(ctx context.Context) error {
		s, err := q.JS.Stream(ctx, job.ResultStream(r.ID))
		if err == nil {
			n = int(s.CachedInfo().State.Msgs)
		}
		return err
	})
	return n, err
}

// Gone is how many units of a run that is queued are neither in the queue nor have a result:
// nobody will run them.
func Gone(ctx context.Context, q *queue.Queue, r *job.Run) (n int, err error) {
	var left uint64
	if err := q.Ask(ctx, func(ctx context.Context) error {
		s, err := q.JS.Stream(ctx, job.WorkStream(r.ID))
		if err == nil {
			left = s.CachedInfo().State.Msgs
		}
		return err
	}); err != nil || left > 0 {
		return 0, err
	}
	// A unit leaves the queue once its result is stored, so that this comes second.
	done, err := Done(ctx, q, r)
	return r.Units - done, err
}

// countAgain is how often a count of results looks whether they are still there.
const countAgain = 2 * time.Second

// A count goes over the heads of results until it has as many as there are.
type count struct {
	mu   sync.Mutex
	most int
	// seen are the subjects of those that were counted: a server that has lost results
	// may show one twice.
	seen   map[string]bool
	failed int
	over   chan struct{}
}

func (c *count) add(m jetstream.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) >= c.most || c.seen[m.Subject()] {
		return
	}
	c.seen[m.Subject()] = true
	if m.Headers().Get(job.FailedHeader) != "" {
		c.failed++
	}
	if len(c.seen) == c.most {
		close(c.over)
	}
}

// atMost ends the count where there are no more results than it has.
func (c *count) atMost(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) < c.most && len(c.seen) >= n {
		c.most = len(c.seen)
		close(c.over)
	}
}

// failed counts the results that did not pass, by the heads of the first so many.
func failed(ctx context.Context, q *queue.Queue, r *job.Run, results int) (int, error) {
	c := &count{most: results, seen: make(map[string]bool, results), over: make(chan struct{})}
	heads, err := q.Follow(ctx, job.ResultStream(r.ID), true, c.add)
	if err != nil {
		return 0, err
	}
	defer heads.Stop()
	for {
		select {
		case <-c.over:
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.failed, nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-time.After(countAgain):
		}
		left, err := Done(ctx, q, r) // the run may be forgotten meanwhile
		if err != nil {
			return 0, err
		}
		c.atMost(left)
	}
}

// seconds is how many units have a second result of a kind.
func seconds(ctx context.Context, q *queue.Queue, r *job.Run, kind string) (n int, err error) {
	err = q.Ask(ctx, func(ctx context.Context) error {
		s, err := q.JS.Stream(ctx, job.ExtraStream(r.ID))
		if err != nil {
			return err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(job.ExtraSubjects(r.ID, kind)))
		if err == nil {
			n = len(info.State.Subjects)
		}
		return err
	})
	return n, err
}

// matters reports whether people want to hear of a worker: within an hour of any, and later
// of one that has left units behind.
func (w *WorkerStatus) matters() bool {
	return w.Silent <= time.Hour || !w.Left && len(w.Open) > 0
}

// Workers are those that the queue has heard of within the last hour, and those that were
// lost with units before.
func Workers(ctx context.Context, q *queue.Queue) ([]WorkerStatus, error) {
	kv, err := q.Workers(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := q.Entries(ctx, kv)
	if err != nil {
		return nil, err
	}
	now, err := serverTime(ctx, q, kv)
	if err != nil {
		return nil, err
	}
	var all []WorkerStatus
	for _, e := range entries {
		if e.Key() == clockKey {
			continue
		}
		var one WorkerStatus
		if json.Unmarshal(e.Value(), &one.Presence) != nil {
			continue
		}
		one.Silent = max(0, now.Sub(e.Created())).Truncate(time.Millisecond)
		one.Lost = !one.Left && one.Silent > 3*one.Every
		if one.matters() {
			all = append(all, one)
		}
	}
	lost := func(w WorkerStatus) bool { return w.Lost }
	if slices.ContainsFunc(all, lost) && q.IsFull(ctx, kv, clockKey) {
		for i := range all {
			all[i].Lost, all[i].Unheard = false, all[i].Lost
		}
	}
	return all, nil
}

// clockKey is where the time of a server is read that does not say it, and where it is tried
// whether the queue is full.
const clockKey = "clock"

// serverTime is the present time by the clock of the server, which alone counts. Servers
// before 2.10 say it only of what is stored.
func serverTime(ctx context.Context, q *queue.Queue, kv jetstream.KeyValue) (now time.Time, err error) {
	err = q.Ask(ctx, func(ctx context.Context) error {
		s, err := q.JS.Stream(ctx, job.BucketStream(job.WorkersBucket))
		if err == nil {
			now = s.CachedInfo().TimeStamp
		}
		return err
	})
	if err != nil || !now.IsZero() {
		return now, err
	}
	err = q.Ask(ctx, func(ctx context.Context) error {
		if _, err := kv.Put(ctx, clockKey, nil); err != nil {
			return err
		}
		e, err := kv.Get(ctx, clockKey)
		if err == nil {
			now = e.Created()
		}
		return err
	})
	return now, err
}

// Runs are all runs of a queue.
func Runs(ctx context.Context, q *queue.Queue) ([]*job.Run, error) {
	kv, err := q.Runs(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := q.Entries(ctx, kv)
	if err != nil {
		return nil, err
	}
	var runs []*job.Run
	for _, e := range entries {
		r := &job.Run{}
		if json.Unmarshal(e.Value(), r) == nil { // of another version it may be one that this one cannot read
			runs = append(runs, r)
		}
	}
	slices.SortFunc(runs, func(a, b *job.Run) int { return strings.Compare(a.ID, b.ID) })
	return runs, nil
}

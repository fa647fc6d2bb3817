package submit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/work"
)

// Put puts a submission into a queue. The list of its units and its files are there
// before the first unit is, so that whoever has its id can go on if this ends.
func (s *Submission) Put(ctx context.Context, q *queue.Queue) error {
	store, err := q.Bundles(ctx)
	if err != nil {
		return err
	}
	if err := keep(ctx, q, store, s.Run.Bundle, time.Now(), func(w io.Writer) error {
		_, err := w.Write(s.Bundle)
		return err
	}); err != nil {
		return fmt.Errorf("cannot store the files of the suite: %w", err)
	}
	s.Bundle = nil
	units := s.order()
	if err := keep(ctx, q, store, job.UnitsObject(s.Run.ID), time.Time{}, func(w io.Writer) error {
		lines := json.NewEncoder(w)
		for i := range units {
			if err := lines.Encode(&units[i]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return fmt.Errorf("cannot store the list of units: %w", err)
	}
	if err := q.Prepare(ctx, &s.Run); err != nil {
		return err
	}
	if s.Before != nil {
		s.Run.Sealed = s.Before.Sealed
	}
	if err := q.Announce(ctx, &s.Run); err != nil {
		return err
	}
	if s.Announced = true; s.Known != nil {
		s.Known()
	}
	if s.Before != nil {
		err = Resume(ctx, q, &s.Run)
	} else {
		err = enqueue(ctx, q, &s.Run, units, nil)
	}
	if err == nil {
		q.Sweep(ctx, s.Run.ID)
	}
	return err
}

// keptFor is how old an object may be that is used again: the store forgets it some days
// after it was written, whoever still needs it.
const keptFor = 24 * time.Hour

// keep stores an object, as it is written, unless it is there and young by now, which may
// be the zero time for what is written once. One that was not written to its end is not
// there.
func keep(ctx context.Context, q *queue.Queue, store jetstream.ObjectStore, name string, now time.Time, write func(io.Writer) error) error {
	var young bool
	err := q.Ask(ctx, func(ctx context.Context) error {
		info, err := store.GetInfo(ctx, name)
		young = err == nil && now.Sub(info.ModTime) < keptFor
		return err
	})
	if young || err != nil && !queue.Missing(err) {
		return err
	}
	return q.Move(ctx, func(ctx context.Context) error {
		from, to := io.Pipe()
		defer from.Close()
		go func() {
			w := bufio.NewWriterSize(to, 64<<10)
			_ = to.CloseWithError(errors.Join(write(w), w.Flush()))
		}()
		_, err := store.Put(ctx, jetstream.ObjectMeta{Name: name}, from)
		return err
	})
}

// flight is how many units are under way to the server at a time.
const flight = 512

// enqueue queues units and seals the run. A unit that was queued shortly before is not
// queued twice, as its message has the same id.
func enqueue(ctx context.Context, q *queue.Queue, r *job.Run, units []job.Unit, done func(position int) bool) error {
	type sent struct {
		unit *job.Unit
		ack  jetstream.PubAckFuture
	}
	var under []sent
	settle := func() error {
		for _, s := range under {
			select {
			case <-s.ack.Ok():
				continue
			case <-s.ack.Err():
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			if err := publish(ctx, q, r, s.unit, s.ack.Msg().Data); err != nil { // again, one by one
				return err
			}
		}
		under = under[:0]
		return nil
	}
	for i := range units {
		u := &units[i]
		if done != nil && done(u.Position) {
			continue
		}
		text, err := json.Marshal(u)
		if err != nil {
			return err
		}
		ack, err := q.JS.PublishAsync(subjectOf(r, u), text, jetstream.WithMsgID(idOf(u)))
		if err != nil {
			if err := publish(ctx, q, r, u, text); err != nil {
				return err
			}
			continue
		}
		if under = append(under, sent{u, ack}); len(under) == flight {
			if err := settle(); err != nil {
				return err
			}
		}
	}
	if err := settle(); err != nil {
		return err
	}
	r.Sealed = true
	return q.Amend(ctx, r)
}

// publish queues a unit. Where nothing keeps it the run may have been forgotten, which the
// server does not say by itself.
func publish(ctx context.Context, q *queue.Queue, r *job.Run, u *job.Unit, text []byte) error {
	return q.Ask(ctx, func(ctx context.Context) error {
		_, err := q.JS.Publish(ctx, subjectOf(r, u), text, jetstream.WithMsgID(idOf(u)))
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			if _, gone := q.JS.Stream(ctx, job.WorkStream(r.ID)); queue.Missing(gone) {
				return gone
			}
		}
		return err
	})
}

func subjectOf(r *job.Run, u *job.Unit) string { return job.WorkSubject(r.ID, lane(r, u), u.Position) }

func idOf(u *job.Unit) string { return fmt.Sprintf("%s.%d", u.Run, u.Position) }

// Units is the list of the units of a run, in the order in which they were queued.
func Units(ctx context.Context, q *queue.Queue, run string) (units []job.Unit, err error) {
	err = EachUnit(ctx, q, run, func() { units = nil }, func(u job.Unit) { units = append(units, u) })
	return units, err
}

// EachUnit passes on the units of a run one at a time, in the order in which they were
// queued, after begin; where the list did not arrive to its end all of that happens again.
// What units have in common is in memory once.
func EachUnit(ctx context.Context, q *queue.Queue, run string, begin func(), each func(job.Unit)) error {
	store, err := q.Bundles(ctx)
	if err != nil {
		return err
	}
	return work.Read(ctx, q, store, job.UnitsObject(run), "the list of units of run "+run, func(from io.Reader) error {
		begin()
		lines, known := json.NewDecoder(from), map[string]string{}
		for {
			var u job.Unit
			if err := lines.Decode(&u); err != nil {
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			for _, text := range []*string{&u.Run, &u.File, &u.Name, &u.Case, &u.Input, &u.Rubric, &u.PlanHash} {
				if one, there := known[*text]; there {
					*text = one
				} else {
					known[*text] = *text
				}
			}
			each(u)
		}
	})
}

// Resume queues the units of a run whose submitter ended before all of them were, but
// for those that are done or in the queue: a server does not know for ever what it was
// sent.
func Resume(ctx context.Context, q *queue.Queue, r *job.Run) error {
	if r.Sealed {
		return nil
	}
	units, err := Units(ctx, q, r.ID)
	if err != nil {
		return err
	}
	if err := q.Prepare(ctx, r); err != nil {
		return err
	}
	// The units that wait come first: one that is done meanwhile is among the results.
	there := map[int]bool{}
	for _, of := range []struct{ stream, subjects string }{
		{job.WorkStream(r.ID), job.WorkSubjects(r.ID)},
		{job.ResultStream(r.ID), job.ResultSubjects(r.ID)},
	} {
		var info *jetstream.StreamInfo
		if err := q.Ask(ctx, func(ctx context.Context) error {
			s, err := q.JS.Stream(ctx, of.stream)
			if err == nil {
				info, err = s.Info(ctx, jetstream.WithSubjectFilter(of.subjects))
			}
			return err
		}); err != nil {
			return err
		}
		for subject := range info.State.Subjects {
			there[job.PositionOf(subject)] = true
		}
	}
	err = enqueue(ctx, q, r, units, func(position int) bool { return there[position] })
	if queue.Missing(err) {
		_ = q.Forget(ctx, r) // what was prepared above, after somebody had forgotten it
	}
	return err
}

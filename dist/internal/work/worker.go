package work

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// Options are what a worker is told.
type Options struct {
	// Parallel is how many units it runs at a time. It holds no others.
	Parallel int
	// Run is the only run that it works for, "" for all.
	Run string
	// Dir is where it unpacks bundles.
	Dir string
	Env cli.Lookup
	// Play runs one scenario.
	Play func(*interp.Plan, interp.RunOptions) *interp.Result
	// Made is told what a scenario came to whose result was stored, nil for nobody.
	Made func(position int, e report.Entry)
	// Left is told why the worker leaves a run to others, nil for nobody.
	Left func(run string, why error)
	// Log is for people.
	Log io.Writer
}

// A Worker runs units.
type Worker struct {
	o       Options
	name    string
	queue   *queue.Queue
	plans   *Plans
	workers jetstream.KeyValue
	// shares says that plans are not this worker's alone.
	shares bool

	mu sync.Mutex
	// runs are those that there are, and refused why some are not worked for.
	runs    map[string]*job.Run
	refused map[string]string
	// ailing are the runs whose units this machine could not begin when it last tried.
	ailing map[string]*ailment
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time
	// changed ends, by change, when there are other runs.
	changed context.Context
	change  context.CancelFunc
	// looked is when a run was last asked whether it is over.
	looked map[string]time.Time
	hand   map[*held]struct{}
	// announced are the runs of which others know that it has units in hand.
	announced map[string]bool
	// presenting is taken by who says what the worker does.
	presenting chan struct{}
	// unheard says that the queue was full when the worker last said that it lives.
	unheard bool
	spent   map[string]*spending
	// noted is what was said last, and notedAt when.
	noted   string
	notedAt time.Time
	// stored is the last result of this worker in each run.
	stored map[string]uint64
}

// A lane is a consumer of a run.
type lane struct{ run, name string }

// A held unit is in hand.
type held struct {
	message *nats.Msg
	unit    job.Unit
	run     *job.Run
	since   time.Time
	// deliveries counts how often the unit was handed out, to whomever, and sequence
	// is its place in the queue.
	deliveries int
	sequence   uint64
	// stop ends what runs of it.
	stop context.CancelCauseFunc
}

// New is a worker of a queue, named after its machine, process and number, and by chance:
// in containers the others are alike.
func New(q *queue.Queue, number int, o Options) *Worker {
	host, _ := os.Hostname()
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, fmt.Sprintf("%s-%d-%d-%s", host, os.Getpid(), number, strings.ToLower(rand.Text()[:6])))
	w := &Worker{
		o: o, name: name, queue: q, plans: NewPlans(q, o.Dir, o.Env), runs: map[string]*job.Run{}, refused: map[string]string{}, ailing: map[string]*ailment{}, now: time.Now, after: time.After,
		looked: map[string]time.Time{}, hand: map[*held]struct{}{}, spent: map[string]*spending{}, stored: map[string]uint64{}, presenting: make(chan struct{}, 1),
	}
	w.changed, w.change = context.WithCancel(context.Background())
	return w
}

// Share has the worker compile with another one, in one process.
func (w *Worker) Share(p *Plans) { w.plans, w.shares = p, true }

// tidy removes the files of runs that this worker has nothing more to do with: a worker
// that lives for weeks would otherwise fill its disk. The lock is held.
func (w *Worker) tidy() {
	if w.shares { // others may need them
		return
	}
	needed := map[string]bool{}
	for id, r := range w.runs {
		if !r.Over && w.refused[id] == "" {
			needed[r.Bundle] = true
		}
	}
	for h := range w.hand {
		needed[h.run.Bundle] = true
	}
	w.plans.Only(needed)
}

// Work takes and runs units until ctx ends, or the queue is of no more use, which is the
// error. What is running then is given back.
func (w *Worker) Work(ctx context.Context) error {
	ctx, leave := w.queue.Within(ctx)
	defer leave()
	var err error
	if w.workers, err = w.queue.Workers(ctx); err != nil {
		return err
	}
	if err := w.learn(ctx); err != nil {
		return err
	}
	w.queue.Wait()
	w.present(ctx, false)
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	var group, heart sync.WaitGroup
	heart.Go(func() { w.beat(beating) })
	for range w.o.Parallel {
		group.Go(func() { (&slot{Worker: w, lanes: map[lane]*queue.Lane{}}).work(ctx) })
	}
	group.Wait()
	stop()
	heart.Wait()
	w.present(context.WithoutCancel(ctx), true)
	w.stopCounting()
	var trouble *queue.Trouble
	if errors.As(context.Cause(ctx), &trouble) {
		return trouble
	}
	return nil
}

// stopCounting ends what follows the costs of runs. Each end may wait for the server, which
// is not done under the lock, nor for one after the other.
func (w *Worker) stopCounting() {
	w.mu.Lock()
	spent := slices.Collect(maps.Values(w.spent))
	clear(w.spent)
	w.mu.Unlock()
	var ends sync.WaitGroup
	for _, s := range spent {
		ends.Go(s.stop)
	}
	ends.Wait()
}

// A slot runs one unit after the other.
type slot struct {
	*Worker
	lanes map[lane]*queue.Lane
	// only is the one lane that there is, nil where there are others.
	only *queue.Lane
}

// work runs units until ctx ends.
func (s *slot) work(ctx context.Context) {
	defer func() {
		for l := range s.lanes {
			s.leave(ctx, l)
		}
	}()
	for turn := 0; ctx.Err() == nil; turn++ {
		h, err := s.take(ctx, turn)
		if err != nil && ctx.Err() == nil {
			s.pause(ctx, err)
		}
		if h == nil {
			continue
		}
		running := s.inHand(ctx, h)
		done, err := s.unit(running, h)
		s.mu.Lock()
		delete(s.hand, h)
		if r := s.runs[h.run.ID]; r == nil || r.Over || s.refused[r.ID] != "" {
			s.tidy()
		}
		s.mu.Unlock()
		forgotten := context.Cause(running) == errForgotten
		if h.stop(nil); forgotten {
			fmt.Fprintf(s.o.Log, "note: %s was stopped: run %s is forgotten\n", h.unit, h.run.ID)
			continue
		}
		if lanes, _ := s.open(); done && s.only != nil && len(lanes) == 1 && ctx.Err() == nil {
			err = s.only.Taken(h.message, takeLong)
		} else if done {
			err = s.queue.Taken(h.message)
		}
		if err != nil && ctx.Err() == nil {
			s.pause(ctx, err)
		}
	}
}

// inHand takes a unit in hand, which others learn before it begins: who dies with it has
// left it open, and was heard of later than it was handed out. The context ends with the run.
func (w *Worker) inHand(ctx context.Context, h *held) context.Context {
	running, stop := context.WithCancelCause(ctx)
	h.stop = stop
	w.mu.Lock()
	w.hand[h] = struct{}{}
	known := w.announced[h.run.ID]
	if w.runs[h.run.ID] == nil {
		stop(errForgotten)
	}
	w.mu.Unlock()
	if !known {
		w.present(ctx, false)
		w.queue.Works(h.message)
	}
	return running
}

// leave closes a lane and gives back what came too late to be run.
func (s *slot) leave(ctx context.Context, l lane) {
	from := s.lanes[l]
	delete(s.lanes, l)
	if from.Asked() && s.settled(ctx, l.run) {
		from.Close()
		return
	}
	from.Leave(func(m *nats.Msg) {
		if h, err := s.hold(ctx, m, l.run); err == nil && h != nil {
			_ = s.giveBack(ctx, h) // otherwise it is handed out again later
		}
	})
}

// settled reports whether all units of a run have results. What is handed out of it then has
// one, and nobody waits for it.
func (w *Worker) settled(ctx context.Context, run string) bool {
	w.mu.Lock()
	r := w.runs[run]
	w.mu.Unlock()
	if r == nil || r.Over {
		return r != nil
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), askAtEnd)
	defer done()
	s, err := w.queue.JS.Stream(ctx, job.ResultStream(run))
	return err == nil && s.CachedInfo().State.Msgs >= uint64(r.Units)
}

// pauseFor is how long a slot rests after something went wrong with the queue.
const pauseFor = 100 * time.Millisecond

func (w *Worker) pause(ctx context.Context, err error) {
	w.note(err)
	select {
	case <-ctx.Done():
	case <-time.After(pauseFor):
	}
}

// noteAgain is after how long the same thing is said again.
const noteAgain = 10 * time.Second

// note says what went wrong with the queue: the same thing, which may happen many times
// a second, only now and then.
func (w *Worker) note(err error) {
	if queue.NoStream(err) || w.queue.NoteAway(err) { // a run that is over took its streams along
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := w.now(); w.noted != err.Error() || now.Sub(w.notedAt) >= noteAgain {
		w.noted, w.notedAt = err.Error(), now
		fmt.Fprintf(w.o.Log, "note: %s\n", err)
	}
}

// How long a slot waits for a unit where it asks for one alone, and where others may
// have one sooner.
const (
	takeLong  = time.Second
	takeShort = 50 * time.Millisecond
)

// take waits for a unit, nil where none came.
func (s *slot) take(ctx context.Context, turn int) (*held, error) {
	lanes, changed := s.open()
	for l := range s.lanes {
		if !slices.Contains(lanes, l) {
			s.leave(ctx, l)
		}
	}
	s.only = nil
	if len(lanes) == 0 {
		select {
		case <-ctx.Done():
		case <-changed.Done():
		case <-s.rested():
		}
		return nil, nil
	}
	l := lanes[turn%len(lanes)]
	for open, from := range s.lanes { // of one at most, as the slot waits for one at a time
		if from.Asked() {
			l = open
		}
	}
	from := s.lanes[l]
	if from == nil {
		var err error
		if from, err = s.queue.Lane(job.WorkStream(l.run), l.name); err != nil {
			return nil, err
		}
		s.lanes[l] = from
	}
	wait := takeLong
	if len(lanes) > 1 {
		wait = takeShort
	} else {
		s.only = from
	}
	asking, done := context.WithCancel(ctx)
	defer done()
	defer context.AfterFunc(changed, done)()
	m, err := from.Next(asking, wait)
	if m == nil {
		if err != nil || s.Worker.due(l.run) {
			err = s.idle(ctx, l.run, err)
		}
		return nil, err
	}
	return s.hold(ctx, m, l.run)
}

// due reports whether a run without a unit for the worker has to be asked whether it
// is over.
func (w *Worker) due(run string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if now.Sub(w.looked[run]) < takeLong/2 {
		return false
	}
	w.looked[run] = now
	return true
}

// idle stops working for a run that is gone, or has all its results, and creates anew what
// hands out its units where the server has lost that.
func (w *Worker) idle(ctx context.Context, run string, err error) error {
	asking, done := context.WithTimeout(ctx, takeLong)
	defer done()
	s, missing := w.queue.JS.Stream(asking, job.ResultStream(run))
	w.mu.Lock()
	r := w.runs[run]
	switch {
	case queue.Missing(missing):
		w.forget(run)
		w.tidy()
		w.mu.Unlock()
		return nil
	case missing == nil && r != nil && errors.Is(err, nats.ErrNoResponders):
		w.mu.Unlock()
		return w.queue.Lanes(ctx, r)
	case missing != nil || r == nil || !r.Sealed || s.CachedInfo().State.Msgs < uint64(r.Units):
		w.mu.Unlock()
		return err
	}
	over := *r
	over.Over = true
	w.runs[run] = &over
	w.mu.Unlock()
	if err = w.queue.Amend(ctx, &over); queue.Missing(err) {
		return nil
	}
	return err
}

// hold takes a unit in hand. It is nil where the worker cannot run it, and the queue
// has its answer then: nobody has to wait until it is handed out again.
func (w *Worker) hold(ctx context.Context, m *nats.Msg, run string) (*held, error) {
	h := &held{message: m, since: time.Now()}
	meta, err := m.Metadata()
	if err != nil {
		w.queue.Ends(m)
		return nil, fmt.Errorf("a message of the run %s is no unit: %w", run, err)
	}
	h.deliveries, h.sequence = int(meta.NumDelivered), meta.Sequence.Stream
	w.mu.Lock()
	h.run = w.runs[run]
	w.mu.Unlock()
	if h.run == nil {
		return nil, w.stray(ctx, h, run)
	}
	if err := h.read(); err != nil {
		return nil, w.refuse(ctx, h, &Version{fmt.Sprintf("%s is not one of its units: %s; the submitter is %s", m.Subject, err, h.run.Version)})
	}
	return h, nil
}

// read reads the unit. What comes from a queue is not believed.
func (h *held) read() error {
	if err := json.Unmarshal(h.message.Data, &h.unit); err != nil {
		return err
	}
	switch u, r := &h.unit, h.run; {
	case u.Run != r.ID:
		return fmt.Errorf("it is of the run %q", u.Run)
	case u.Position < 1 || u.Position > r.Units || u.Position != job.PositionOf(h.message.Subject):
		return fmt.Errorf("its position is %d of %d", u.Position, r.Units)
	case u.Bench < 0 || u.Bench > len(r.Benches) || u.Bench == 0 && len(r.Benches) > 0:
		return fmt.Errorf("its bench is %d of %d", u.Bench, len(r.Benches))
	}
	return nil
}

// stray answers for a unit of a run that the worker does not know. If the queue knows
// it no more, nobody will ask for a result, and the unit ends. Otherwise it goes back.
func (w *Worker) stray(ctx context.Context, h *held, run string) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), askAtEnd)
	defer done()
	r, err := w.queue.Run(ctx, run)
	switch {
	case r != nil: // even one that this worker cannot read
		return w.giveBack(ctx, h)
	case err == nil:
		w.queue.Ends(h.message)
	}
	return err
}

// open are the lanes of the runs that the worker works for, those of the first run
// first, and what ends when there are others.
func (w *Worker) open() ([]lane, context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lanes []lane
	for id, r := range w.runs {
		if a := w.ailing[id]; w.refused[id] != "" || r.Over || a != nil && w.now().Before(a.until) {
			continue
		}
		for i := range len(r.Exclusive) + 1 {
			lanes = append(lanes, lane{id, job.Lane(i)})
		}
	}
	slices.SortFunc(lanes, func(a, b lane) int { return strings.Compare(a.run+" "+a.name, b.run+" "+b.name) })
	return lanes, w.changed
}

// refuse stops working for a run and gives the unit back.
func (w *Worker) refuse(ctx context.Context, h *held, why error) error {
	w.mu.Lock()
	first := w.refused[h.run.ID] == ""
	w.refused[h.run.ID] = why.Error()
	w.mu.Unlock()
	if first && w.o.Left != nil {
		w.o.Left(h.run.ID, why)
	} else if first {
		fmt.Fprintf(w.o.Log, "run %s is left to others: %s\n", h.run.ID, why)
	}
	if first {
		w.present(ctx, false)
	}
	return w.giveBack(ctx, h)
}

// giveBack puts a unit behind the others, as one that was never handed out: what a
// worker refuses or leaves unfinished in order has not been lost.
func (w *Worker) giveBack(ctx context.Context, h *held) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), 2*askAtEnd)
	defer done()
	id := fmt.Sprintf("%s~%d", h.message.Subject, h.sequence)
	if err := w.queue.Ask(ctx, func(ctx context.Context) error {
		_, err := w.queue.JS.Publish(ctx, h.message.Subject, h.message.Data, jetstream.WithMsgID(id))
		return err
	}); err != nil {
		return err
	}
	return w.queue.Taken(h.message)
}

// askAtEnd bounds what a worker that is told to end still says.
const askAtEnd = 2 * time.Second

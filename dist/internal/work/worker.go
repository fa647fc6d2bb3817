package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

	mu sync.Mutex
	// runs are those that there are, and refused why some are not worked for.
	runs    map[string]*job.Run
	refused map[string]string
	// changed is closed when there are other runs.
	changed chan struct{}
	lanes   map[lane]jetstream.Consumer
	hand    map[*held]struct{}
	spent   map[string]*spending
	// stored is the last result of this worker in each run.
	stored map[string]uint64
}

// A lane is a consumer of a run.
type lane struct{ run, name string }

// A held unit is in hand.
type held struct {
	message jetstream.Msg
	unit    job.Unit
	run     *job.Run
	since   time.Time
	// deliveries counts how often the unit was handed out, to whomever.
	deliveries int
}

// New is a worker of a queue, named after its machine, process and number.
func New(q *queue.Queue, number int, o Options) *Worker {
	host, _ := os.Hostname()
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, fmt.Sprintf("%s-%d-%d", host, os.Getpid(), number))
	return &Worker{
		o: o, name: name, queue: q, plans: NewPlans(q, o.Dir, o.Env), runs: map[string]*job.Run{}, refused: map[string]string{}, changed: make(chan struct{}),
		lanes: map[lane]jetstream.Consumer{}, hand: map[*held]struct{}{}, spent: map[string]*spending{}, stored: map[string]uint64{},
	}
}

// Share has the worker compile with another one, in one process.
func (w *Worker) Share(p *Plans) { w.plans = p }

// Work takes and runs units until ctx ends. What is running then is given back.
func (w *Worker) Work(ctx context.Context) error {
	var err error
	if w.workers, err = w.queue.Workers(ctx); err != nil {
		return err
	}
	if err := w.learn(ctx); err != nil {
		return err
	}
	w.present(ctx, nil, false)
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	var group, heart sync.WaitGroup
	heart.Go(func() { w.beat(beating) })
	for range w.o.Parallel {
		group.Go(func() { w.slot(ctx) })
	}
	group.Wait()
	stop()
	heart.Wait()
	w.present(context.WithoutCancel(ctx), nil, true)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.spent {
		s.stop()
	}
	return nil
}

// slot runs one unit after the other.
func (w *Worker) slot(ctx context.Context) {
	for turn := 0; ctx.Err() == nil; turn++ {
		h, err := w.take(ctx, turn)
		if err != nil && ctx.Err() == nil {
			w.pause(ctx, err)
		}
		if h == nil {
			continue
		}
		w.mu.Lock()
		w.hand[h] = struct{}{}
		w.mu.Unlock()
		err = w.unit(ctx, h)
		w.mu.Lock()
		delete(w.hand, h)
		w.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			w.pause(ctx, err)
		}
	}
}

// pauseFor is how long a slot rests after something went wrong with the queue.
const pauseFor = 100 * time.Millisecond

func (w *Worker) pause(ctx context.Context, err error) {
	if !queue.Missing(err) { // a run that is over took its streams along
		fmt.Fprintf(w.o.Log, "note: %s\n", err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(pauseFor):
	}
}

// How long a slot waits for a unit where it asks for one alone, and where others may
// have one sooner.
const (
	takeLong  = time.Second
	takeShort = 50 * time.Millisecond
)

// take waits for a unit, nil where none came.
func (w *Worker) take(ctx context.Context, turn int) (*held, error) {
	lanes, changed := w.open()
	if len(lanes) == 0 {
		select {
		case <-ctx.Done():
		case <-changed:
		}
		return nil, nil
	}
	l := lanes[turn%len(lanes)]
	c, err := w.consumer(ctx, l)
	if err != nil {
		if queue.Missing(err) {
			w.mu.Lock()
			w.forget(l.run)
			w.mu.Unlock()
		}
		return nil, err
	}
	wait := takeLong
	if len(lanes) > 1 {
		wait = takeShort
	}
	batch, err := c.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		return nil, w.gone(l, err)
	}
	var m jetstream.Msg
	for one := range batch.Messages() {
		m = one
	}
	if m == nil {
		return nil, w.gone(l, batch.Error())
	}
	return w.hold(m, l.run)
}

// gone forgets a consumer that is not there any more. That nothing came is no error.
func (w *Worker) gone(l lane, err error) error {
	if err == nil || errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	w.mu.Lock()
	delete(w.lanes, l)
	w.mu.Unlock()
	return err
}

func (w *Worker) hold(m jetstream.Msg, run string) (*held, error) {
	h := &held{message: m, since: time.Now()}
	meta, err := m.Metadata()
	if err == nil {
		err = json.Unmarshal(m.Data(), &h.unit)
	}
	if err != nil {
		_ = m.Term()
		return nil, fmt.Errorf("a message of the run %s is no unit: %w", run, err)
	}
	w.mu.Lock()
	h.run = w.runs[run]
	w.mu.Unlock()
	h.deliveries = int(meta.NumDelivered)
	if h.run == nil {
		return nil, m.Nak() // the run has just ended
	}
	return h, nil
}

// open are the lanes of the runs that the worker works for, those of the first run
// first, and what is closed when there are others.
func (w *Worker) open() ([]lane, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lanes []lane
	for id, r := range w.runs {
		if w.refused[id] != "" {
			continue
		}
		for i := range len(r.Exclusive) + 1 {
			lanes = append(lanes, lane{id, job.Lane(i)})
		}
	}
	slices.SortFunc(lanes, func(a, b lane) int { return strings.Compare(a.run+" "+a.name, b.run+" "+b.name) })
	return lanes, w.changed
}

func (w *Worker) consumer(ctx context.Context, l lane) (jetstream.Consumer, error) {
	w.mu.Lock()
	c := w.lanes[l]
	w.mu.Unlock()
	if c != nil {
		return c, nil
	}
	ctx, done := context.WithTimeout(ctx, takeLong)
	defer done()
	c, err := w.queue.JS.Consumer(ctx, job.WorkStream(l.run), l.name)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.lanes[l] = c
	w.mu.Unlock()
	return c, nil
}

// refuse stops working for a run and gives the unit back.
func (w *Worker) refuse(ctx context.Context, h *held, why error) error {
	w.mu.Lock()
	first := w.refused[h.run.ID] == ""
	w.refused[h.run.ID] = why.Error()
	w.mu.Unlock()
	if first {
		fmt.Fprintf(w.o.Log, "run %s is left to others: %s\n", h.run.ID, why)
		w.present(ctx, nil, false)
	}
	return w.giveBack(ctx, h)
}

// giveBack puts a unit behind the others, as one that was never handed out: what a
// worker refuses or leaves unfinished in order has not been lost.
func (w *Worker) giveBack(ctx context.Context, h *held) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), 2*askAtEnd)
	defer done()
	meta, err := h.message.Metadata()
	if err != nil {
		return err
	}
	id := fmt.Sprintf("%s.%d~%d", h.unit.Run, h.unit.Position, meta.Sequence.Stream)
	if err := w.queue.Ask(ctx, func(ctx context.Context) error {
		_, err := w.queue.JS.Publish(ctx, h.message.Subject(), h.message.Data(), jetstream.WithMsgID(id))
		return err
	}); err != nil {
		return err
	}
	return h.message.Ack()
}

// askAtEnd bounds what a worker that is told to end still says.
const askAtEnd = 2 * time.Second

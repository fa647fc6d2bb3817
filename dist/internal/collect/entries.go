package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/report"
)

// Entries are the results of a run in order.
type Entries struct {
	queue *queue.Queue
	run   *job.Run
	spool *Spool
	plans *work.Plans
	next  int
	// unread says that no report has the events of runs in it.
	unread bool
	// broken is why a result could not be read.
	broken error
	// here are the entries that were made in this process.
	here *Made
	// lists are the trials of benches, by bench.
	lists map[int]*list
}

// New gives the entries of a run whose results a spool gathers. Benches are compiled
// once more with plans, because a report of one is made of its trials. unread says that no
// report has the events of runs in it.
func New(ctx context.Context, q *queue.Queue, r *job.Run, s *Spool, plans *work.Plans, here *Made, unread bool) (*Entries, error) {
	e := &Entries{queue: q, run: r, spool: s, plans: plans, here: here, unread: unread}
	if r.Benches == nil {
		return e, nil
	}
	var err error
	if e.lists, err = lists(ctx, q, r.ID); err != nil {
		return nil, err
	}
	if len(r.Sensitive)+len(r.Environment) == 0 {
		return e, nil
	}
	for n := range r.Benches { // who has another value learns it before anything is waited for
		if _, err := e.plan(ctx, n+1); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// An Another error is that a bench is another one here than the one that was submitted, by
// its files, by a variable or by the version of the command.
type Another struct{ why string }

func (a *Another) Error() string { return a.why }

// plan is that of a bench, which has to be the one that was submitted: with another one the
// trials of the workers would be judged by what they were not run with.
func (e *Entries) plan(ctx context.Context, number int) (work.Compiled, error) {
	b := e.run.Benches[number-1]
	plan, err := e.plans.Named(ctx, e.run, b.File, b.Name)
	var version *work.Version
	switch {
	case errors.As(err, &version):
		return plan, &Another{"the report of a bench is made with its file, and " + version.Why}
	case err == nil && e.lists[number] != nil && plan.Hash() != e.lists[number].hash:
		return plan, &Another{fmt.Sprintf("the bench %q (%s) is another one here than the one that was submitted, so that its report would be, too", b.Name, b.File)}
	}
	return plan, err
}

// Next waits for the next entry; io.EOF is behind the last.
func (e *Entries) Next(ctx context.Context) (report.Entry, error) {
	e.next++
	if e.run.Benches != nil {
		if e.next > len(e.run.Benches) {
			return report.Entry{}, io.EOF
		}
		return e.bench(ctx, e.next)
	}
	if e.next > e.run.Units {
		return report.Entry{}, io.EOF
	}
	if err := e.spool.Wait(ctx, e.next); err != nil {
		return report.Entry{}, err
	}
	if made, ok := e.here.take(e.next); ok {
		return made, nil
	}
	line, err := e.spool.Line(ctx, e.next)
	if err != nil {
		return report.Entry{}, err
	}
	entry, err := report.ReadEntry(line)
	entry.Merged = line
	return entry, err
}

// madeMax is how many entries wait for those before them; of others the line is read.
const madeMax = 256

// Made keeps entries of this process for who reports them, so that their lines need not
// be read. A nil one keeps nothing. It is safe for concurrent use.
type Made struct {
	mu      sync.Mutex
	entries map[int]report.Entry
	next    int
}

// Add keeps an entry.
func (m *Made) Add(position int, e report.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if position < m.next || len(m.entries) >= madeMax {
		return
	}
	if m.entries == nil {
		m.entries = map[int]report.Entry{}
	}
	m.entries[position] = e
}

// take is an entry, where it was kept; those before it are not asked for any more.
func (m *Made) take(position int) (e report.Entry, ok bool) {
	if m == nil {
		return e, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok = m.entries[position]
	delete(m.entries, position)
	m.next = position + 1
	return e, ok
}

// bench makes the result of a bench of those of its trials, which are read once all of them
// are there, one at a time.
func (e *Entries) bench(ctx context.Context, number int) (report.Entry, error) {
	b, l := e.run.Benches[number-1], e.lists[number]
	if l == nil { // no case was chosen
		l = &list{}
	}
	for _, c := range l.cases {
		for _, position := range c.units {
			if position > 0 {
				if err := e.spool.Wait(ctx, int(position)); err != nil {
					return report.Entry{}, err
				}
			}
		}
	}
	repeated, err := e.repeated(ctx, l)
	if err != nil {
		return report.Entry{}, err
	}
	plan, err := e.plan(ctx, number)
	if err != nil {
		return report.Entry{}, err
	}
	p := plan.Plan
	if b.Part {
		p = p.WithCases(func(id string) bool { return l.cases[id] != nil })
	}
	result := interp.RunBench(p, interp.RunOptions{}, interp.BenchHost{
		Unread: e.unread,
		Elsewhere: func(id string, n int) (bench.Trial, bool) {
			position := l.at(id, n)
			if position == 0 || e.broken != nil {
				return bench.Trial{}, false
			}
			t, ran, err := e.trial(ctx, l, position)
			e.broken = err
			return t, ran
		},
	})
	if e.broken != nil {
		return report.Entry{}, e.broken
	}
	for i := range result.Bench.Cases {
		c := &result.Bench.Cases[i]
		if of := l.cases[c.ID]; of != nil {
			c.Sums = of.sums
		}
	}
	for _, r := range repeated {
		result.Bench.Repeat(r.unit.Case, r.unit.Trial, r.usd)
	}
	return report.Entry{Result: result, Source: plan.Source}, nil
}

// A Second is a result that came second and is another one.
type Second struct {
	unit job.Unit
	// Kind is one of those of package job.
	Kind          string
	Unit          string
	First, Second string
	usd           float64
}

// repeated are the trials of a list that ran twice.
func (e *Entries) repeated(ctx context.Context, l *list) ([]Second, error) {
	all, err := e.Seconds(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(s Second) bool {
		return s.Kind != job.KindRepeated || l.unit(s.unit.Position) == nil
	}), nil
}

// Seconds are the results that came second and differ from the first.
func (e *Entries) Seconds(ctx context.Context) ([]Second, error) {
	var s jetstream.Stream
	if err := e.queue.Ask(ctx, func(ctx context.Context) (err error) {
		s, err = e.queue.JS.Stream(ctx, job.ExtraStream(e.run.ID))
		return err
	}); err != nil {
		return nil, err
	}
	var all []Second
	state := s.CachedInfo().State
	for seq := state.FirstSeq; seq <= state.LastSeq && state.Msgs > 0; seq++ {
		var m *jetstream.RawStreamMsg
		err := e.queue.Ask(ctx, func(ctx context.Context) (err error) {
			m, err = s.GetMsg(ctx, seq)
			return err
		})
		if queue.Missing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		one, err := e.second(ctx, m)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (e *Entries) second(ctx context.Context, m *jetstream.RawStreamMsg) (Second, error) {
	position := job.PositionOf(m.Subject)
	first, err := e.spool.Line(ctx, position)
	if err != nil {
		return Second{}, err
	}
	out := Second{Kind: m.Header.Get(job.KindHeader), First: string(first), Second: string(m.Data), unit: job.Unit{Position: position}}
	var named struct{ File, Name string }
	_ = json.Unmarshal(first, &named) // a trial has neither
	out.unit.File, out.unit.Name = named.File, named.Name
	for _, l := range e.lists {
		if u := l.unit(position); u != nil {
			out.unit = *u
		}
	}
	var t job.Trial
	if json.Unmarshal(m.Data, &t) == nil {
		out.usd = t.Record.Result.CostUSD
	}
	out.Unit = out.unit.String()
	return out, nil
}

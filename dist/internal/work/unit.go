package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/report"
)

// A made result is what will be stored of a unit.
type made struct {
	line []byte
	// entry is what the line says, nil for a trial.
	entry *report.Entry
	// kind is one of those of package job, "" for a result of a run.
	kind string
	usd  float64
	// deterministic says that another run of the unit has to give an equal result.
	deterministic bool
	// failed says that it did not pass.
	failed bool
}

// errCut says that a unit was not run to its end, because the worker ends.
var errCut = errors.New("the worker ends")

// unit runs a unit and stores what it came to. It reports whether the unit is done with:
// only then may it be taken from the queue.
func (w *Worker) unit(ctx context.Context, h *held) (done bool, err error) {
	plan, err := w.plans.Of(ctx, h.run, &h.unit)
	var version *Version
	if errors.As(err, &version) {
		return false, w.refuse(ctx, h, err)
	}
	var machine *Machine
	if errors.As(err, &machine) {
		return false, w.ails(ctx, h, err)
	}
	if err != nil && h.deliveries > h.run.Deliveries {
		bare := Compiled{Plan: &interp.Plan{File: h.unit.File, Name: h.unit.Name}}
		return w.end(ctx, h, bare, fmt.Sprintf("it was handed out %d times, and could not be begun the last time: %s", h.deliveries, err))
	}
	if err != nil {
		return false, err // it is handed out again
	}
	w.well(h.run.ID)
	m, err := w.make(ctx, h, plan)
	if context.Cause(ctx) == errForgotten {
		return false, nil
	}
	if errors.Is(err, errCut) {
		return false, w.giveBack(ctx, h)
	}
	if err != nil || m == nil {
		return err == nil, err
	}
	if err = w.store(ctx, h, m); errors.Is(err, nats.ErrMaxPayload) {
		return w.end(ctx, h, plan, fmt.Sprintf("its result of %d bytes is larger than the queue takes: the limit is max_payload of the server", len(m.line)))
	}
	return err == nil, err
}

// make is the result of a unit, nil where there is one already that stands.
func (w *Worker) make(ctx context.Context, h *held, plan Compiled) (*made, error) {
	lost := ""
	if h.deliveries > h.run.Deliveries {
		lost = fmt.Sprintf("it was handed out %d times before, and no worker that had it said what it came to; it may need more memory than they have", h.deliveries-1)
	}
	if h.unit.Bench == 0 {
		if lost != "" {
			return w.lost(h, plan, lost)
		}
		return w.scenario(plan, h.run.Unread)
	}
	return w.trial(ctx, h, plan, lost)
}

// scenario runs a scenario. unread asks which parts of its requests no check reads.
func (w *Worker) scenario(plan Compiled, unread bool) (*made, error) {
	result, err := w.play(plan.Plan, unread)
	if err != nil {
		return nil, err
	}
	e := report.Entry{Result: result, Reason: harness.NotInterpreted(plan.Plan), Source: plan.Source}
	line, err := report.MergeLine(e)
	e.Merged = line
	return &made{line: line, entry: &e, deterministic: true, failed: result.Verdict != interp.Pass && result.Verdict != interp.Skip}, err
}

// play runs a plan. A panic is the engine's fault, and no result of the scenario's.
func (w *Worker) play(plan *interp.Plan, unread bool) (result *interp.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(w.o.Log, "Error: internal error: running %q (%s:%d): %v\n%s", plan.Name, plan.File, plan.Line, p, debug.Stack())
			result = harness.Problem(plan, "internal error", "The engine failed while it ran this scenario. This is a bug in scenario; the report is on the standard error of the worker.")
		}
	}()
	return w.o.Play(plan, interp.RunOptions{Unread: unread}), nil
}

// end stores that nobody knows how a unit ends.
func (w *Worker) end(ctx context.Context, h *held, plan Compiled, why string) (done bool, err error) {
	m, err := w.lost(h, plan, why)
	if err == nil {
		err = w.store(ctx, h, m)
	}
	return err == nil, err
}

// lost is the result of a unit of which nobody knows how it ends.
func (w *Worker) lost(h *held, plan Compiled, why string) (*made, error) {
	if h.unit.Bench > 0 {
		return trialOf(h, job.Trial{Record: w.record(h, "", bench.LostTrial(why))}, job.KindLost)
	}
	result := harness.Problem(plan.Plan, job.KindLost, "Infrastructure: nobody knows how this scenario ends, as "+why+".\nhint: run it alone with scenario test")
	line, err := report.MergeLine(report.Entry{Result: result, Source: plan.Source})
	return &made{line: line, kind: job.KindLost, failed: true}, err
}

// trial runs one trial of a case, unless it must not be.
func (w *Worker) trial(ctx context.Context, h *held, plan Compiled, lost string) (*made, error) {
	spec, _ := plan.Bench()
	programs := len(plan.BenchPrograms()) > 0
	if programs { // also at the first delivery: a server that was killed may have forgotten others
		if there, err := w.stands(ctx, h); there || err != nil {
			return nil, err
		}
	}
	if lost != "" {
		return w.lost(h, plan, lost)
	}
	over, err := w.overspent(ctx, h, spec.CostCap)
	if err != nil {
		return nil, err
	}
	if over {
		return trialOf(h, job.Trial{Record: w.record(h, "", bench.Trial{}), Unrun: bench.PartialCostCap}, job.KindUnrun)
	}
	if err := w.wait(ctx, h.run, h.unit.Bench); err != nil {
		return nil, cutBy(ctx, err)
	}
	if !spec.Idempotent {
		before, err := w.begin(ctx, &h.unit)
		if err != nil {
			return nil, cutBy(ctx, err)
		}
		if before {
			return w.lost(h, plan, "it was begun before, and idempotent = false")
		}
	}
	t, err := w.runTrial(ctx, h, plan)
	if err != nil {
		return nil, err
	}
	m, err := trialOf(h, *t, "")
	if m != nil {
		m.deterministic = !programs
	}
	return m, err
}

// cutBy is the error of something that the end of the worker cut short.
func cutBy(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errCut
	}
	return err
}

func trialOf(_ *held, t job.Trial, kind string) (*made, error) {
	line, err := t.Line()
	return &made{line: line, kind: kind, usd: t.Record.Result.CostUSD, failed: t.Unrun == "" && !t.Record.Result.Passed}, err
}

func (w *Worker) record(h *held, digest string, t bench.Trial) bench.Record {
	return bench.Record{Case: h.unit.Case, Trial: h.unit.Trial, Digest: digest, Input: h.unit.Input, Rubric: h.unit.Rubric, Result: t}
}

// runTrial runs the system and the rubric.
func (w *Worker) runTrial(ctx context.Context, h *held, plan Compiled) (*job.Trial, error) {
	var ended *job.Trial
	one := plan.WithCases(func(id string) bool { return id == h.unit.Case })
	result := interp.RunBench(one, interp.RunOptions{}, interp.BenchHost{
		Exec: benches.Exec(plan.Dir, w.o.Env),
		Done: func(_ string, n int, _ string) (bench.Trial, bool) { return bench.Trial{}, n != h.unit.Trial },
		Ended: func(_ string, n int, digest string, t bench.Trial) error {
			if n == h.unit.Trial {
				ended = &job.Trial{Record: w.record(h, digest, t)}
			}
			return nil
		},
		OnInterrupt: func(cancel func()) { context.AfterFunc(ctx, cancel) },
	})
	if ended == nil {
		if ctx.Err() != nil {
			return nil, errCut
		}
		return nil, fmt.Errorf("%s was not run: %v", h.unit, result.Problems)
	}
	return ended, nil
}

// stands reports whether a unit has a result.
func (w *Worker) stands(ctx context.Context, h *held) (bool, error) {
	_, err := w.first(ctx, h)
	if queue.Missing(err) {
		return false, nil
	}
	return err == nil, err
}

// first is the stored result of a unit.
func (w *Worker) first(ctx context.Context, h *held) (m *jetstream.RawStreamMsg, err error) {
	err = w.queue.Ask(ctx, func(ctx context.Context) error {
		s, err := w.queue.JS.Stream(ctx, job.ResultStream(h.unit.Run))
		if err != nil {
			return err
		}
		m, err = s.GetLastMsgForSubject(ctx, job.ResultSubject(h.unit.Run, h.unit.Position))
		return err
	})
	return m, err
}

// overspent reports whether the bench of a unit has cost more than it may, counting at
// least what this worker has stored.
func (w *Worker) overspent(ctx context.Context, h *held, limit float64) (bool, error) {
	w.mu.Lock()
	s, stored := w.spent[h.run.ID], w.stored[h.run.ID]
	w.mu.Unlock()
	if s == nil {
		begun, err := w.follow(ctx, h.run.ID)
		if err != nil {
			return false, err
		}
		w.mu.Lock()
		if s = w.spent[h.run.ID]; s == nil {
			s, w.spent[h.run.ID] = begun, begun
		} else {
			begun.stop()
		}
		w.mu.Unlock()
	}
	return s.over(ctx, stored, h.unit.Bench, limit), nil
}

// store keeps a result, where it is the first of its unit. A second one is compared
// with the first.
func (w *Worker) store(ctx context.Context, h *held, m *made) error {
	ctx, done := lasting(ctx) // what was run is kept, also of a worker that ends
	defer done()
	msg := nats.NewMsg(job.ResultSubject(h.unit.Run, h.unit.Position))
	msg.Data = m.line
	msg.Header.Set(job.WorkerHeader, w.name)
	if h.unit.Bench > 0 {
		msg.Header.Set(job.BenchHeader, strconv.Itoa(h.unit.Bench))
		msg.Header.Set(job.CostHeader, strconv.FormatFloat(m.usd, 'g', -1, 64))
	}
	if h.deliveries > 1 {
		msg.Header.Set(job.DeliveryHeader, strconv.Itoa(h.deliveries))
	}
	if m.failed {
		msg.Header.Set(job.FailedHeader, "1")
	}
	if m.kind != "" {
		msg.Header.Set(job.KindHeader, m.kind)
	}
	var ack *jetstream.PubAck
	err := w.whenRoom(ctx, "a result", func(ctx context.Context) (err error) {
		ack, err = w.queue.JS.PublishMsg(ctx, msg)
		return err
	})
	if queue.Refused(err) {
		return w.second(ctx, h, m, msg)
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.stored[h.run.ID] = max(w.stored[h.run.ID], ack.Sequence)
	w.mu.Unlock()
	if m.entry != nil && w.o.Made != nil {
		m.entry.Result.Plan = m.entry.Result.Plan.Stub(true) // what runs it is not needed any more
		w.o.Made(h.unit.Position, *m.entry)
	}
	return nil
}

// storeAtEnd is how long a worker that is told to end still tries to store a result.
const storeAtEnd = 10 * time.Second

// lasting is a context that ends some time after ctx.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if context.Cause(ctx) == errForgotten { // nobody wants it
			cancel()
		} else {
			time.AfterFunc(storeAtEnd, cancel)
		}
	})
	return longer, func() {
		stop()
		cancel()
	}
}

// whenRoom stores something and waits for room where the queue is full: a result may have
// been paid for and would have to be made again, and what has to be stored before a unit
// begins is no reason to hand that out to others.
func (w *Worker) whenRoom(ctx context.Context, what string, store func(context.Context) error) error {
	for {
		err := w.queue.Ask(ctx, store)
		if !errors.Is(err, queue.ErrFull) {
			return err
		}
		w.note(fmt.Errorf("%w; %s waits for room", err, what))
		select {
		case <-ctx.Done():
			w.note(fmt.Errorf("%w; %s is not stored, as this worker ends: its unit is handed out again", err, what))
			return err
		case <-w.after(roomAgain):
		}
	}
}

// roomAgain is after how long a full queue is asked again.
const roomAgain = time.Second

// same reports whether a stored result is the very message that a worker wants to store.
func same(stored *jetstream.RawStreamMsg, msg *nats.Msg) bool {
	for _, name := range []string{job.WorkerHeader, job.DeliveryHeader} {
		if stored.Header.Get(name) != msg.Header.Get(name) {
			return false
		}
	}
	return bytes.Equal(stored.Data, msg.Data)
}

// second notes a result that came second, where there is something to note.
func (w *Worker) second(ctx context.Context, h *held, m *made, msg *nats.Msg) error {
	first, err := w.first(ctx, h)
	if err != nil {
		return err
	}
	switch {
	case same(first, msg): // it was stored, and its acknowledgement lost
		return nil
	case m.kind != "" || first.Header.Get(job.KindHeader) != "" && m.usd == 0:
		return nil // what was paid is counted, whatever stands in its place
	case bytes.Equal(first.Data, m.line) && (m.deterministic || m.usd == 0): // what was paid twice is counted
		return nil
	case m.deterministic && h.unit.Bench > 0 && sameTrial(first.Data, m.line):
		return nil
	}
	kind := job.KindRepeated
	if m.deterministic {
		kind = job.KindDiffers
	}
	msg.Header.Set(job.KindHeader, kind)
	msg.Subject = job.ExtraSubject(h.unit.Run, kind, h.unit.Position)
	return w.whenRoom(ctx, "a second result", func(ctx context.Context) error {
		_, err := w.queue.JS.PublishMsg(ctx, msg, jetstream.WithMsgID(fmt.Sprintf("%d %s %d %x", h.unit.Position, w.name, h.deliveries, sum(m.line))))
		return err
	})
}

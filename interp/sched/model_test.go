package sched

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A modelOp is one thing a task of a random program does.
type modelOp struct {
	kind byte // s: sleep n, a: acquire lock n, r: release lock n
	n    int
}

// A modelTask is a random straight-line program with an instant at which it is
// cancelled, -1 for none.
type modelTask struct {
	ops         []modelOp
	cancelAt    int
	cancelClass Class
}

type program struct {
	capacities []int
	tasks      []modelTask
}

func randomProgram(rng *rand.Rand) program {
	p := program{}
	for range 1 + rng.IntN(3) {
		p.capacities = append(p.capacities, 1+rng.IntN(2))
	}
	for range 1 + rng.IntN(7) {
		p.tasks = append(p.tasks, randomTask(rng, len(p.capacities)))
	}
	return p
}

func randomTask(rng *rand.Rand, locks int) modelTask {
	t := modelTask{cancelAt: rng.IntN(12) - 4, cancelClass: Class(rng.IntN(3))}
	var held []int
	for range 2 + rng.IntN(8) {
		lock := rng.IntN(locks)
		switch {
		case rng.IntN(3) == 0:
			t.ops = append(t.ops, modelOp{'s', rng.IntN(4)})
		case !slices.Contains(held, lock):
			t.ops = append(t.ops, modelOp{'a', lock})
			held = append(held, lock)
		default:
			t.ops = append(t.ops, modelOp{'r', lock})
			held = slices.DeleteFunc(held, func(l int) bool { return l == lock })
		}
	}
	return t
}

// runReal runs a program on the scheduler.
func runReal(p program) (log []string) {
	s := New()
	var locks []*Semaphore
	for _, c := range p.capacities {
		locks = append(locks, s.NewSemaphore(c))
	}
	say := func(i int, what string) { log = append(log, fmt.Sprintf("%d: %d %s", s.Elapsed(), i, what)) }
	err := s.Run(func(ctx context.Context) {
		for i, task := range p.tasks {
			ctx, cancel := s.WithCancel(ctx)
			if task.cancelAt >= 0 {
				s.At(task.cancelClass, i, time.Duration(task.cancelAt), cancel)
			}
			s.Go(ctx, fmt.Sprint(i), i, func(ctx context.Context) {
				var held []int
				for _, op := range task.ops {
					var err error
					switch op.kind {
					case 's':
						err = s.Sleep(ctx, time.Duration(op.n))
					case 'a':
						if err = locks[op.n].Acquire(ctx, "lock"); err == nil {
							held = append(held, op.n)
						}
					case 'r':
						held = slices.DeleteFunc(held, func(l int) bool { return l == op.n })
						locks[op.n].Release()
					}
					if err != nil {
						say(i, "cancelled")
						break
					}
					say(i, fmt.Sprintf("%c%d", op.kind, op.n))
				}
				for _, l := range held {
					locks[l].Release()
				}
			})
		}
	})
	var deadlock *DeadlockError
	switch {
	case errors.As(err, &deadlock):
		for _, w := range deadlock.Waits {
			log = append(log, "deadlock "+w.Task)
		}
	case err != nil:
		log = append(log, err.Error())
	default:
		for l, lock := range locks {
			log = append(log, fmt.Sprintf("lock %d: %d", l, lock.InUse()))
		}
	}
	return log
}

// The reference: the same programs as state machines on a list of events that
// is searched for its least one, with nothing of the scheduler's code.
type model struct {
	program
	now, seq int
	agenda   []modelEvent
	free     []int
	queues   [][]int
	tasks    []modelState
	log      []string
}

type modelEvent struct {
	at, class, order, seq int
	cancel                bool // else the task's turn
}

type modelState struct {
	pc        int
	held      []int
	cancelled bool
	waiting   int // lock it queues at, -1 for none
	granted   int // lock it was granted and not yet resumed with, -1 for none
	parked    bool
	failed    bool // its wait was cancelled
	done      bool
}

func runModel(p program) []string {
	m := &model{program: p, free: slices.Clone(p.capacities), queues: make([][]int, len(p.capacities))}
	for i, task := range p.tasks {
		m.tasks = append(m.tasks, modelState{waiting: -1, granted: -1})
		if task.cancelAt >= 0 {
			m.add(modelEvent{at: task.cancelAt, class: int(task.cancelClass), order: i, cancel: true})
		}
		m.add(modelEvent{class: 1, order: i})
	}
	for len(m.agenda) > 0 && slices.ContainsFunc(m.tasks, func(t modelState) bool { return !t.done }) {
		e := slices.MinFunc(m.agenda, func(a, b modelEvent) int {
			return slices.Compare([]int{a.at, a.class, a.order, a.seq}, []int{b.at, b.class, b.order, b.seq})
		})
		m.agenda = slices.DeleteFunc(m.agenda, func(o modelEvent) bool { return o == e })
		m.now = e.at
		if e.cancel {
			m.cancel(e.order)
		} else {
			m.turn(e.order)
		}
	}
	return m.end()
}

func (m *model) add(e modelEvent) {
	m.seq++
	e.seq = m.seq
	m.agenda = append(m.agenda, e)
}

func (m *model) cancel(i int) {
	t := &m.tasks[i]
	if t.cancelled || t.done {
		return
	}
	t.cancelled = true
	if !t.parked {
		return
	}
	if t.waiting >= 0 {
		m.queues[t.waiting] = slices.DeleteFunc(m.queues[t.waiting], func(w int) bool { return w == i })
	}
	if t.granted >= 0 {
		m.release(t.granted)
	}
	t.waiting, t.granted, t.failed = -1, -1, true
	m.agenda = slices.DeleteFunc(m.agenda, func(e modelEvent) bool { return e.order == i && !e.cancel })
	m.add(modelEvent{at: m.now, class: 0, order: i})
}

func (m *model) release(lock int) {
	if len(m.queues[lock]) == 0 {
		m.free[lock]++
		return
	}
	w := m.queues[lock][0]
	m.queues[lock] = m.queues[lock][1:]
	m.tasks[w].waiting, m.tasks[w].granted = -1, lock
	m.add(modelEvent{at: m.now, class: 1, order: w})
}

// turn runs a task until it waits again.
func (m *model) turn(i int) {
	t := &m.tasks[i]
	say := func(what string) { m.log = append(m.log, fmt.Sprintf("%d: %d %s", m.now, i, what)) }
	ops := m.program.tasks[i].ops
	resumed := t.parked
	t.parked = false
	for t.pc < len(ops) {
		op := ops[t.pc]
		waits := op.kind != 'r'
		if waits && (t.failed || !resumed && t.cancelled) {
			say("cancelled")
			break
		}
		switch {
		case resumed && t.granted >= 0:
			t.held = append(t.held, t.granted)
			t.granted = -1
		case resumed:
		case op.kind == 's' && op.n > 0:
			t.parked = true
			m.add(modelEvent{at: m.now + op.n, class: 0, order: i})
			return
		case op.kind == 'a' && m.free[op.n] == 0:
			t.parked, t.waiting = true, op.n
			m.queues[op.n] = append(m.queues[op.n], i)
			return
		case op.kind == 'a':
			m.free[op.n]--
			t.held = append(t.held, op.n)
		case op.kind == 'r':
			t.held = slices.DeleteFunc(t.held, func(l int) bool { return l == op.n })
			m.release(op.n)
		}
		resumed = false
		say(fmt.Sprintf("%c%d", op.kind, op.n))
		t.pc++
	}
	t.done = true
	for _, l := range t.held {
		m.release(l)
	}
}

func (m *model) end() []string {
	stuck := false
	for i, t := range m.tasks {
		if !t.done {
			stuck = true
			m.log = append(m.log, fmt.Sprintf("deadlock %d", i))
		}
	}
	for l, c := range m.capacities {
		if !stuck {
			m.log = append(m.log, fmt.Sprintf("lock %d: %d", l, c-m.free[l]))
		}
	}
	return m.log
}

// Random programs of sleeps, locks and cancellations run on the scheduler as
// on an independent model, to the last line, deadlocks included.
func TestSemaphoreAgainstModel(t *testing.T) {
	noLeak(t)
	deadlocks, cancels := 0, 0
	for seed := range uint64(4000) {
		p := randomProgram(rand.New(rand.NewPCG(seed, 7)))
		want, got := runModel(p), runReal(p)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, program %+v (-model +scheduler):\n%s", seed, p, diff)
		}
		for _, line := range got {
			if line[0] == 'd' {
				deadlocks++
			}
			if line[len(line)-1] == 'd' {
				cancels++
			}
		}
	}
	if deadlocks < 100 || cancels < 1000 {
		t.Errorf("the programs met %d deadlocked and %d cancelled tasks: too few to show anything", deadlocks, cancels)
	}
}

package collect

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/submit"
	"github.com/scenario-lang/scenario/interp/bench"
)

// A list has the trials of one bench of a run: of 100,000 of them the units alone would take
// as much memory as a command may.
type list struct {
	number           int
	file, name, hash string
	cases            map[string]*tried
}

// A tried case has the positions of its trials from the first on, 0 where one is not run.
type tried struct {
	sums  bench.Sums
	units []int32
}

// lists are the trials of a run, by bench.
func lists(ctx context.Context, q *queue.Queue, run string) (all map[int]*list, err error) {
	err = submit.EachUnit(ctx, q, run, func() { all = map[int]*list{} }, func(u job.Unit) {
		l := all[u.Bench]
		if l == nil {
			l = &list{number: u.Bench, file: u.File, name: u.Name, hash: u.PlanHash, cases: map[string]*tried{}}
			all[u.Bench] = l
		}
		c := l.cases[u.Case]
		if c == nil {
			c = &tried{sums: bench.Sums{Input: u.Input, Rubric: u.Rubric}}
			l.cases[u.Case] = c
		}
		for len(c.units) < u.Trial {
			c.units = append(c.units, 0)
		}
		c.units[u.Trial-1] = int32(u.Position)
	})
	return all, err
}

// at is the position of a trial, 0 where there is none.
func (l *list) at(id string, trial int) int {
	if c := l.cases[id]; c != nil && trial <= len(c.units) {
		return int(c.units[trial-1])
	}
	return 0
}

// unit is the unit at a position, nil where it is none of the list.
func (l *list) unit(position int) *job.Unit {
	for id, c := range l.cases {
		for i, at := range c.units {
			if int(at) == position {
				return &job.Unit{Position: position, File: l.file, Name: l.name, Bench: l.number, Case: id, Trial: i + 1}
			}
		}
	}
	return nil
}

// trial is what the trial at a position came to, and whether it ran. What there is to look
// at stays in the file until somebody does.
func (e *Entries) trial(ctx context.Context, l *list, position int) (t bench.Trial, ran bool, err error) {
	of, err := e.read(ctx, l, position)
	if err != nil {
		return t, false, err
	}
	t = of.Record.Result
	if t.Kept != nil {
		t.Kept, t.Later = nil, func() *bench.Kept {
			of, err := e.read(ctx, l, position)
			if err != nil && e.broken == nil {
				e.broken = err
			}
			return of.Record.Result.Kept
		}
	}
	return t, of.Unrun == "", nil
}

func (e *Entries) read(ctx context.Context, l *list, position int) (t job.Trial, err error) {
	line, err := e.spool.Line(ctx, position)
	if err != nil {
		return t, fmt.Errorf("the result of %s: %w", l.unit(position), err)
	}
	if err := json.Unmarshal(line, &t); err != nil {
		return t, fmt.Errorf("the result of %s is damaged: %w", l.unit(position), err)
	}
	return t, nil
}

// Err is why something of a report could not be read, nil where it is whole.
func (e *Entries) Err() error { return e.broken }

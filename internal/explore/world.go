package explore

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/trace"
)

// A World is one scenario, as far as a search knows it.
type World struct {
	// File, Line and Name say which.
	File string
	Line int
	Name string
	// Plan is its plan in canonical JSON, for the numbers in it.
	Plan []byte
	// Run plays it. The injector is asked at every point, and the run ends at that
	// many events; with 0 there is no limit, and the result says also what the scenario
	// expects of the run that it describes. It is safe for concurrent use.
	Run func(inject func(interp.Point) *interp.Injection, events int) *interp.Result
	// Happen is Run with events, nil where none can happen.
	Happen func(list []interp.Occurrence, inject func(interp.Point) *interp.Injection, events int) *interp.Result
	// Program is what else there is to know where a program makes the calls, nil where
	// the interpreter does.
	Program *Program

	once      sync.Once
	tolerance *tolerance
	promises  *promises
	// base is the run without a fault, once that was made.
	base *outcome
}

// tolerates is what its runs survive, nil where the plan does not say.
func (w *World) tolerates() *tolerance {
	w.read()
	return w.tolerance
}

// promised is what of its runs can succeed.
func (w *World) promised() *promises {
	w.read()
	return w.promises
}

// read reads what the plan says.
func (w *World) read() {
	w.once.Do(func() {
		w.tolerance, w.promises = toleranceOf(w.Plan, w.File), promisesOf(w.Plan, w.Program != nil)
	})
}

// A Program is one that makes the calls of a world. What it remembers is in no trace:
// no two of its runs are taken for one, and a find has to come again.
type Program struct {
	// Virtual says that its time costs nothing, and is exact.
	Virtual bool
	// Recheck is after how many runs the one without a fault is made again, 0 for
	// never. Where that is not green any more, what was found since the last one that
	// was is withdrawn, and the search ends: something of a run stays for the next.
	Recheck int
	// First, where not "", is the set that is tried first, as [Set.String] writes it.
	First string
	// Begin, where not nil, is told of each run before it is made.
	Begin func(Set)
	// Model is the workflow that describes the program, nil for none: each set is run
	// with it, too, and what the program does otherwise is a find.
	Model *World
}

// Interpreted is the world of a plan that the interpreter runs. Closing done, where
// not nil, ends every run. One that has more than [eventsMax] events without a fault
// cannot be run.
func Interpreted(p *interp.Plan, done <-chan struct{}) *World {
	happen := func(list []interp.Occurrence, inject func(interp.Point) *interp.Injection, events int) *interp.Result {
		o := interp.RunOptions{Events: list, Inject: inject, EventLimit: cmp.Or(events, eventsMax), Every: events > 0, Weighed: events == 0, Done: done}
		if o.Every {
			o.Unchecked = StandardRules // [rules] says the same in a tenth of the time
		}
		r := interp.Run(p, o)
		if events == 0 && r.Verdict == interp.Error && len(r.Events) >= eventsMax {
			r.Problems[0].Message = fmt.Sprintf(
				"a run of more than %s events is too long for a search, which makes it hundreds of times and holds each in memory. "+
					"`scenario test` runs it; to search it, let it repeat less: fewer iterations, instances or calls", Grouped(eventsMax))
		}
		return r
	}
	return &World{File: p.File, Line: p.Line, Name: p.Name, Plan: p.JSON(), Happen: happen, Run: func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
		return happen(nil, inject, events)
	}}
}

// ModelOf is the world of a workflow that describes the program of a plan, nil where none
// does, or where it cannot be run by itself.
func ModelOf(p *interp.Plan) *World {
	if !p.Describes() || p.NotRun(interp.Interpreted) != "" {
		return nil
	}
	return Interpreted(p, nil)
}

// bare runs the world without a fault, and returns the points that it comes to.
func (w *World) bare() ([]interp.Point, *interp.Result) {
	var points []interp.Point
	w.begin(nil)
	result := w.Run(func(p interp.Point) *interp.Injection {
		points = append(points, p)
		return nil
	}, 0)
	return slices.Clip(points), result
}

// begin tells of a run before it is made.
func (w *World) begin(set Set) {
	if w.Program != nil && w.Program.Begin != nil {
		w.Program.Begin(set)
	}
}

// An outcome is what became of one run.
type outcome struct {
	set Set
	// points are those that were asked, in order; last is the first of them that
	// met the set's last strike, -1 where none did.
	points []interp.Point
	last   int
	// struck are the places of those that met a strike.
	struck map[spot]bool

	status string
	// ends are how the run and the blocks of the scenario ended, by name; promised are
	// those names in the order in which they ended.
	ends     map[string]string
	promised []string
	promises *promises
	// subs is how one of the subs of each fanout ended, "success" where one did.
	subs     map[string]string
	output   string
	elapsed  time.Duration
	cost     money.USD
	attempts int
	// failedSteps counts those that did not succeed.
	failedSteps int

	broken []interp.Problem
	// tolerated says that all strikes are what the scenario tolerates, and notKept what
	// of it did not survive them all the same, "" for nothing.
	tolerated bool
	notKept   string
	// stuck says that nothing could end what the run waited for.
	stuck bool
	// unfit and unanswered are as in [interp.Injected].
	unfit, unanswered string
	// undecided says that the run was ended by the search.
	undecided bool
	// diverged says that a program had asked something else before the last strike than
	// it did without that.
	diverged bool
	// interrupted says that the search itself was.
	interrupted bool
	// forgotten says that the points of a run of one strike are kept no more: it began to
	// be struck at began, and has so many pairs behind it.
	forgotten bool
	began     time.Duration
	behind    int
	// instants are when something happens in a run of one strike, where events are tried.
	instants []time.Duration
	key      behaviour
	// reply is the wrong answer that was played, nil for none.
	reply      *interp.InjectedReply
	events     []trace.Event
	invariants []interp.InvariantCount
	// pairing is the run of the program's model under the set, nil where there was none.
	pairing *pairing
}

// play runs the world with a set.
func (w *World) play(set Set, known reader, limit int, standard bool) *outcome {
	w.begin(set)
	o := &outcome{set: set, last: -1, struck: map[spot]bool{}, promises: w.promised()}
	run := w.Run
	if list := set.Occurrences(); list != nil {
		run = func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
			return w.Happen(list, inject, events)
		}
	}
	result := run(func(p interp.Point) *interp.Injection {
		o.points = append(o.points, p)
		if o.last < 0 && len(set) > 0 && set[len(set)-1].begun(&p) {
			o.last = len(o.points) - 1
		}
		in := set.at(&p)
		if in != nil {
			o.struck[spot{p.Address, p.Lane, p.N}] = true
		}
		return in
	}, limit)
	o.read(result, known, limit, standard, w.Program != nil)
	if o.unfit == "" && o.unanswered == "" && !o.interrupted {
		w.tolerates().judge(o, w.base)
	}
	return o
}

// read takes what matters from a result.
func (o *outcome) read(r *interp.Result, known reader, limit int, standard, program bool) {
	o.unfit, o.unanswered, o.interrupted = r.Injected.Unfit, r.Injected.Unanswered, r.Interrupted
	if len(o.set) > o.set.eventful() && r.Injected.Strikes == 0 && !program {
		o.unfit = "the run never comes there"
	}
	if o.unfit != "" || o.unanswered != "" || o.interrupted {
		return
	}
	o.reply = r.Injected.Reply
	o.events, o.invariants, o.elapsed = r.Events, r.Invariants, r.Virtual
	o.undecided = limit > 0 && len(r.Events) >= limit || program && cutOff(r)
	for i := range r.Events {
		o.note(&r.Events[i])
	}
	o.broken = slices.DeleteFunc(slices.Clone(r.Problems), func(p interp.Problem) bool { return !judged(&p) })
	if standard && r.Verdict != interp.Skip {
		o.addRules(r, program)
	}
	for _, p := range o.broken {
		o.stuck = o.stuck || isDeadlock(&p)
	}
	for _, p := range r.Relaxed {
		o.stuck = o.stuck || isDeadlock(&p)
	}
	o.key = known.behaviour(r.Events)
}

func (o *outcome) note(e *trace.Event) {
	switch e.Type {
	case trace.AttemptEnd:
		o.attempts++
		if usd, ok := e.Attr("cost_usd").(float64); ok {
			o.cost = o.cost.Plus(money.Of(usd))
		}
	case trace.StepEnd:
		if s := e.Text("status"); s != "success" && s != "skipped" {
			o.failedSteps++
		}
		o.noteEnd(e)
	case trace.RunEnd:
		if _, inner := e.Attr("session").(int); e.Step == "" && !inner {
			o.status = e.Text("status")
			o.ended(theRun, o.status)
			if v, ok := e.Attr("output").(trace.Value); ok {
				o.output = string(v.AppendJSON(nil))
			}
		}
	}
}

// judged reports whether a problem can be a find: what a file says of every run,
// and gates that are about more than the run without faults.
func judged(p *interp.Problem) bool {
	switch p.Kind {
	case "invariant", KindTest, KindPanic:
		return true
	case "gate":
		return slices.Contains([]string{"broken_expression", "deadlock", "drifted", "unmatched_call", "open_body", "left_running"}, p.Name)
	}
	return false
}

// The kinds of problems that the code of a test tells of: it said that something is
// wrong, or it panicked. The range of such a problem is where that was.
const (
	KindTest  = "test"
	KindPanic = "panic"
)

// cutOff reports whether a program was ended by the search.
func cutOff(r *interp.Result) bool {
	return slices.ContainsFunc(slices.Concat(r.Problems, r.Relaxed), func(p interp.Problem) bool { return p.Kind == "gate" && p.Name == "not_done" })
}

func isDeadlock(p *interp.Problem) bool { return p.Kind == "gate" && p.Name == "deadlock" }

// standard reports whether the invariants of [StandardRules] were checked in a run.
func standard(r *interp.Result) bool {
	return slices.ContainsFunc(r.Invariants, isStandard)
}

func isStandard(c interp.InvariantCount) bool { return c.Standard && c.Range.Filename == StandardRules }

// addRules adds the rules of [StandardRules] that the run breaks, where those were not
// checked in it.
func (o *outcome) addRules(r *interp.Result, program bool) {
	if standard(r) {
		return
	}
	if program {
		o.broken = append(o.broken, brokenProgramRules(r.Events)...)
		return
	}
	o.broken = append(o.broken, brokenRules(r.Events)...)
}

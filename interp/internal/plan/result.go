package plan

import (
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// Shortest is the smallest of the durations that are set, 0 for none.
func Shortest(list ...time.Duration) time.Duration {
	d := time.Duration(0)
	for _, x := range list {
		if x > 0 && (d == 0 || x < d) {
			d = x
		}
	}
	return d
}

// A Silence is how long a client waits without a byte of its service, 0 for as
// long as it takes.
type Silence struct {
	// FirstByte is the wait for the head of an answer, Idle that for more of it.
	FirstByte, Idle time.Duration
}

// Within is the shorter of both waits.
func (s Silence) Within(t Silence) Silence {
	return Silence{FirstByte: Shortest(s.FirstByte, t.FirstByte), Idle: Shortest(s.Idle, t.Idle)}
}

// A Verdict is the outcome of one scenario.
type Verdict string

// The verdicts.
const (
	Pass  Verdict = "pass"
	Fail  Verdict = "fail"
	Error Verdict = "error"
	Skip  Verdict = "skip"
	// Done is the verdict of a bench that has no gate and ran to its end: nothing
	// says whether its scores are good enough.
	Done Verdict = "done"
)

// A Problem is one reason why a scenario did not pass.
type Problem struct {
	// Kind is "assert", "expect", "invariant", "snapshot", "gate", "run", or "error"
	// for a scenario that could not be run.
	Kind string
	// Name is the assertion, the snapshot, the address of the expectation, or
	// the gate.
	Name string
	// Message is one or more lines for people: what was expected, what was
	// seen, why, what to do next.
	Message string
	// Bare says that the message tells no more than operands or difference do.
	Bare bool
	// Operands are the values in a condition that did not hold.
	Operands []Operand
	// Diff says how two values differ, "" where there is none.
	Diff string
	// Follows says that the problem comes of the first one, which says more.
	Follows bool
	// Partly says of a check which shows nothing that it does so in part, and counts as one.
	Partly bool
	// Range is the place in the file.
	Range hcl.Range
}

// KindUnseen is the kind of a problem that is a check which was not made, because
// this way of running does not observe what it reads.
const KindUnseen = "unseen"

// KindNothing is the kind of a problem that is a check which holds of 0 of 0: all
// that it says is said of the elements of lists that are empty.
const KindNothing = "nothing"

// KindIdle is the kind of a problem that is a check which holds because a step
// never ran, or by what its file says alone.
const KindIdle = "idle"

// KindIgnored is the kind of a problem that is something which the run met and
// passed over: a difference from a recording that is not compared, a wait that no
// client can read.
const KindIgnored = "ignored"

// KindElsewhere is the kind of a problem that is a check which finds what it looks for, and
// may find it where that is not meant, or holds of a wait that need not be the one meant: a check all
// the same.
const KindElsewhere = "elsewhere"

// Tells is what a report says of a problem that fails nothing: that it is
// allowed, or not observed, or shows nothing, or was ignored.
func (p *Problem) Tells() string {
	switch p.Kind {
	case KindUnseen:
		return "not observed"
	case KindNothing:
		return "0 of 0"
	case KindIdle:
		return "shows nothing"
	case KindIgnored:
		return "ignored"
	case KindElsewhere:
		return "shows less"
	}
	return "allowed"
}

// IsUnusedInteraction reports whether the problem is that an interaction of the
// cassette answered nothing.
func (p Problem) IsUnusedInteraction() bool {
	return p.Kind == "gate" && p.Name == GateUnusedInteraction
}

// An Operand is a part of a condition with the value it had.
type Operand struct{ Text, Value string }

// An InvariantCount says how often an invariant was evaluated in one run.
type InvariantCount struct {
	Name  string
	Range hcl.Range
	// Own says that it is the scenario's and not its file's, and Standard that it
	// comes with this program.
	Own, Standard bool
	// Foreign says that the scenario runs nothing that has what it reads, so that it is
	// no part of it, and Imported that it stands in another file.
	Foreign, Imported bool
	// Evaluated counts the events after which it was true or false. It is zero
	// where something that it reads was not there after any of them.
	Evaluated int
	// Always says why it holds in every run of the file, whatever strikes it, "" where
	// that is not known. It is looked for on request alone.
	Always string
	// Unmet says that it is an implication whose premise did not hold at the end of the
	// run, so that the run asked nothing of it.
	Unmet bool
}

// Idle says why it was never evaluated.
func (c *InvariantCount) Idle() string {
	if c.Foreign {
		return "none of them runs a workflow that has what it reads"
	}
	return "in each of them something that it reads was null"
}

// An UnseenCheck is a check that was not made, because this way of running does
// not observe what it reads.
type UnseenCheck struct {
	// Kind and Name are those of a [Problem].
	Kind, Name string
	// What names what is not observed, such as breaker.primary.
	What  string
	Range hcl.Range
}

// A Setting is a limit that a file gives to a policy, a lock or a pool, with what became of it in a run.
type Setting struct {
	// Of says what it limits, such as breaker of target "main", and Name and Value what it is.
	Of, Name, Value string
	// Alike is how many things of one kind it is of in the run, where Name is empty: what became of few shows
	// something only beside a run of more; 0 where it counts none.
	Alike int
	// Near says that the run came to where it decides something, and Part that it had a part in what
	// became of the run: with a larger value something of it could have gone otherwise.
	Near, Part bool
	// Why says what did not come, Else with what other value the run would have been the same, and Hint
	// what to do about it.
	Why, Else, Hint string
}

// A Result is what became of one scenario.
type Result struct {
	Plan    *Handle
	Verdict Verdict
	// Problems are in the order: run, gates, invariants, expectations,
	// assertions, snapshots. It is empty for pass and skip.
	Problems []Problem
	// Relaxed are the gates that were broken and allowed, and the checks that were
	// not made, whose kind is [KindUnseen], or that show nothing, whose kind is
	// [KindNothing] or [KindIdle], or less than they seem to, whose kind is
	// [KindElsewhere], and what was passed over, whose kind is [KindIgnored].
	Relaxed []Problem
	// Row is what all rows of a scenario with for_each or matrix have to say together, nil for
	// nothing.
	Row *Row
	// Virtual is how long the run took on its own clock.
	Virtual time.Duration
	// Checks counts the assertions, expectations, invariants and snapshots that
	// were evaluated.
	Checks int
	// Invariants says how often each was evaluated, in their order.
	Invariants []InvariantCount
	// Settings are the limits of the file on how much there may be of something, where
	// they were asked for.
	Settings []Setting
	// Unseen are the checks that were not made, in order of declaration by kind.
	Unseen []UnseenCheck
	// Unread are the parts of requests that no check tells from others, such as "shop GET /cart: header
	// cookie", where that was asked for.
	Unread []string
	// Snapshots are the values that were compared with records, in order of
	// declaration.
	Snapshots []Snapshot
	// Played are the interactions of the cassette that answered something, as the
	// file counts them.
	Played []int
	// Way is how the run was made, Interpreted also where nothing ran.
	Way Way
	// Program is what became of the program under test, nil where none was
	// started.
	Program *ProgramEnd
	// Bench is the report of a scenario that ran a bench, else nil.
	Bench *bench.Report
	// Events are the trace of the run, empty for a skipped one. Like all of a
	// result they hold no secrets.
	Events []trace.Event

	// WasRun says that there was a run, however it ended; callers ask Ran.
	WasRun bool
	// Interrupted says that the run was broken off from outside: its verdict is
	// Error, and its trace ends where it was.
	Interrupted bool
	// Injected says what became of what was injected, zero where nothing was.
	Injected Injected
}

// A Row is what one of the rows of a scenario, which passed, leaves to all of them together: checks
// that show nothing in this row, and may in others.
type Row struct {
	// Of is how many rows the scenario has.
	Of int
	// Unmet are these checks, as is told of those that show nothing in any row.
	Unmet []Problem
	// Empty is the gate that is broken where no row shows more than this one, and Allowed says
	// that the scenario allows it; nil where this row shows something.
	Empty   *Problem
	Allowed bool
}

// problems are those of the row, none for nil.
func (r *Row) problems() (list []*Problem) {
	if r == nil {
		return nil
	}
	for i := range r.Unmet {
		list = append(list, &r.Unmet[i])
	}
	if r.Empty != nil {
		list = append(list, r.Empty)
	}
	return list
}

// Injected says what became of the faults that were injected into a run.
type Injected struct {
	// Strikes counts them.
	Strikes int
	// Unfit is why one of them means nothing where it was to strike, and
	// Unanswered what was asked because of one and had no answer. Where either is
	// not "" the run was given up and shows nothing.
	Unfit, Unanswered string
	// Reply is the wrong answer that was played, nil for none.
	Reply *InjectedReply
}

// An InjectedReply is a reply that was played in the place of an answer, by its attributes: nil where
// they must not be shown.
type InjectedReply struct{ Values schema.Values }

// A ProgramEnd is how the program under test of a run ended.
type ProgramEnd struct {
	// ExitCode is nil where Signal names what ended it.
	ExitCode *int
	Signal   string
	// Stopped says that the run stopped it.
	Stopped bool
	// Said are the last lines that it wrote, to the stream that Stream names; nil
	// where it wrote nothing.
	Said   []string
	Stream string
}

// String tells of the end in words.
func (e *ProgramEnd) String() string {
	switch {
	case e.Stopped:
		return "was stopped"
	case e.ExitCode != nil:
		return fmt.Sprintf("ended with status %d", *e.ExitCode)
	}
	return "ended by the signal " + e.Signal
}

// Ran reports whether there was a run, however it ended.
func (r *Result) Ran() bool { return r.WasRun }

// Header is the first line of the run's trace, the zero Header where nothing
// ran. Its ids are computed when they are asked for: of most runs nobody reads
// them.
func (r *Result) Header() trace.Header {
	if !r.WasRun {
		return trace.Header{}
	}
	return r.Plan.Header()
}

// Recall makes a result of what was kept of one: r without what can only be
// known by running, and the header of its trace, which is the zero Header where
// nothing ran.
func Recall(r Result, head trace.Header) *Result {
	h := *r.Plan
	h.recalled = &head
	r.Plan, r.WasRun = &h, head != (trace.Header{})
	return &r
}

// InFile makes places in the file of those in an instance: the scenario's name
// says which one it is.
func (r *Result) InFile() {
	for _, list := range [][]Problem{r.Problems, r.Relaxed} {
		for i := range list {
			list[i].Range = dsl.Place(list[i].Range)
		}
	}
	for _, p := range r.Row.problems() {
		p.Range = dsl.Place(p.Range)
	}
	for i := range r.Invariants {
		r.Invariants[i].Range = dsl.Place(r.Invariants[i].Range)
	}
}

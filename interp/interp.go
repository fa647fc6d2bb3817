package interp

import (
	"io"
	"net/http"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/explain"
	"github.com/scenario-lang/scenario/interp/internal/lint/lossy"
	"github.com/scenario-lang/scenario/interp/internal/lint/rewritten"
	"github.com/scenario-lang/scenario/interp/internal/lint/sent"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/schedule"
	"github.com/scenario-lang/scenario/trace"
)

type (
	// A Suite is one compiled file: its plans and benches, in order of
	// declaration.
	Suite = plan.Suite
	// A Plan is one compiled scenario, immutable and safe for concurrent use.
	Plan = plan.Handle
	// A Result is what became of one scenario.
	Result = plan.Result
	// A Problem is one reason why a scenario did not pass.
	Problem = plan.Problem
	// A Row is what one row of a scenario leaves to all of them together.
	Row = plan.Row
	// An InvariantCount says how often an invariant was evaluated in one run.
	InvariantCount = plan.InvariantCount
	// An Operand is a part of a condition with the value it had.
	Operand = plan.Operand
	// A Way is how a scenario meets the code under test.
	Way = plan.Way
	// Ending is how the program under test of a run ended.
	Ending = plan.ProgramEnd
	// A Verdict is the outcome of one scenario.
	Verdict = plan.Verdict
	// A Gate is what is told of one of the checks that a green is green for the
	// right reason.
	Gate = plan.Gate
	// A Snapshot is a value of a run beside the record it is compared with.
	Snapshot = plan.Snapshot

	// Injected says what became of the faults that were injected into a run.
	Injected = plan.Injected
	// A Point is one place of a run where the world can strike.
	Point = exchange.Point
	// A Reach is where something does not work, and from when to when.
	Reach = plan.Reach
	// An Injection is a fault that strikes at a point, or a wrong answer.
	Injection = exchange.Injection
	// An InjectedReply is a wrong answer that was injected.
	InjectedReply = plan.InjectedReply

	// An Occurrence is an event that happens to a run from outside.
	Occurrence = plan.Occurrence

	// Options say how a file is compiled.
	Options = compile.Options
	// A CassetteError marks the diagnostic of a cassette that cannot be loaded.
	CassetteError = compile.CassetteError
	// A Readable is something that conditions can read of a run.
	Readable = observe.Readable
	// A ReadableAttr is one attribute of a [Readable].
	ReadableAttr = observe.ReadableAttr
)

// PlaceholderKey is the value of keys of programs that have no real one.
const PlaceholderKey = plan.PlaceholderKey

// KindUnseen is the kind of a problem that is a check which was not made,
// KindNothing that of one which holds of 0 of 0, and KindIdle that of one which
// shows nothing for another reason. KindElsewhere is that of a check which may find
// what it looks for where that is not meant, and KindIgnored that of something that
// the run met and passed over.
const (
	KindUnseen    = plan.KindUnseen
	KindNothing   = plan.KindNothing
	KindIdle      = plan.KindIdle
	KindElsewhere = plan.KindElsewhere
	KindIgnored   = plan.KindIgnored
)

// The verdicts.
const (
	Pass  = plan.Pass  // everything held
	Fail  = plan.Fail  // something did not hold
	Error = plan.Error // the scenario could not be run
	Done  = plan.Done  // a bench that has no gate ran to its end
	Skip  = plan.Skip  // the file says that it is not run, or it cannot be run in this way
)

// The ways.
const (
	// Interpreted runs the workflow of the file on a virtual clock.
	Interpreted = plan.Interpreted
	// Exec starts a program, which asks over sockets.
	Exec = plan.Exec
	// Serve answers whoever asks over sockets, and starts nothing.
	Serve = plan.Serve
	// Embedded answers the Go code of a test.
	Embedded = plan.Embedded
)

// Compile turns a decoded file into plans. It reports all that is wrong with
// the file; a scenario that has an error has no plan.
func Compile(file *dsl.File, o Options) (*Suite, hcl.Diagnostics) { return compile.Compile(file, o) }

// Unsent warns of what a workflow sends, or does not, while its scripts answer all the same, and of
// conditions whose functions leave out what differs, and of what is sent in another form than it is written. It is for [Options], by whoever shows warnings: a
// program that runs scenarios is smaller without it.
func Unsent(file *dsl.File) hcl.Diagnostics {
	return slices.Concat(sent.File(file), lossy.File(file), rewritten.File(file))
}

// Independent finds what else is wrong with a file whose blocks or attributes
// are wrong, which said says, and leaves out what may only follow from that.
func Independent(file *dsl.File, said hcl.Diagnostics) hcl.Diagnostics {
	return compile.Independent(file, said)
}

// LoadError is the error of a file that could not be loaded behind its
// diagnostic, nil for any other.
func LoadError(d *hcl.Diagnostic) error { return compile.LoadError(d) }

// Results lists what conditions can read of a run, in the order of the
// reference.
func Results() []Readable { return observe.Results() }

// Explain writes a run in words, from its trace alone.
func Explain(w io.Writer, r *Result) error { return explain.Explain(w, r) }

// WriteSchedule says, without a run, what the workflow of a plan comes to at worst: when
// attempts can begin, which never do, how long it takes and what it costs at most. Lines
// have at most so many columns where width is not 0.
func WriteSchedule(w io.Writer, p *Plan, width int) error { return schedule.Of(p).Write(w, width) }

// EndToEnd removes from a header what is about one connection alone.
func EndToEnd(h http.Header) { exchange.EndToEnd(h) }

// Gates names every gate.
func Gates() []string { return plan.Gates() }

// GateTable lists what is told of each gate, in the same order.
func GateTable() []Gate { return plan.GateTable() }

// SnapshotDir is the directory of the records of a file's snapshots.
func SnapshotDir(file string) string { return plan.SnapshotDir(file) }

// Recall makes a result of what was kept of one: r without what can only be
// known by running, and the header of its trace, which is the zero Header where
// nothing ran.
func Recall(r Result, head trace.Header) *Result { return plan.Recall(r, head) }

// EventTypes describes the types of event that a trace may have, in the order
// of the reference.
func EventTypes() []trace.TypeInfo { return event.Types() }

// ReadEvent reads a line of a trace file that is an event.
func ReadEvent(line []byte) (trace.Event, error) { return event.Read(line) }

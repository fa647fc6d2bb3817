package interp

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/drive"
	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/judge/beside"
	"github.com/scenario-lang/scenario/interp/internal/judge/sized"
	"github.com/scenario-lang/scenario/interp/internal/judge/twice"
	"github.com/scenario-lang/scenario/interp/internal/judge/unmet"
	"github.com/scenario-lang/scenario/interp/internal/judge/unread"
	"github.com/scenario-lang/scenario/interp/internal/lint/shell"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

type (
	// OutsideOptions say how a run is driven from outside.
	OutsideOptions = drive.Options
	// Asked is a request of a program that has been read to its end.
	Asked = drive.Asked
	// A Trouble is what a client sent that was no request.
	Trouble = drive.Trouble
	// Addresses are where a program finds the providers of its scenario.
	Addresses = drive.Addresses
	// Ended is an exchange that is over.
	Ended = drive.Ended
	// A Start is what a program is given.
	Start = drive.Start
	// Said answers what a program said of itself.
	Said = drive.Said
	// A ProgramEnd is how a program ended.
	ProgramEnd = drive.ProgramEnd
	// A Sut is the program of a scenario, as its file says.
	Sut = plan.Sut
	// A Provider is a service that a program can ask.
	Provider = plan.Provider
	// A ToldWait is a Retry-After of a script.
	ToldWait = plan.ToldWait
	// A Relay is an exchange with a real service.
	Relay = exchange.Relay
	// A Trial is something that a scenario means to show, and whether a run puts it to the test.
	Trial = circumstance.Trial
	// Came is when things came from a program.
	Came = circumstance.Came
	// A Stream is one that a server answered the scenario with.
	Stream = circumstance.Stream
	// A Piece is a part of what a program wrote, and when it came.
	Piece = circumstance.Piece
	// Files are those that a program may have read.
	Files = circumstance.Files
	// An Exchange is the answer to one request, and is told how it is played.
	Exchange = drive.Exchange
)

// The header fields by which a program can say which endpoint a request is for,
// and in which lane it is.
const (
	HeaderEndpoint = drive.HeaderEndpoint
	HeaderLane     = drive.HeaderLane
)

// ErrFinished is the error of a request that comes after the end of a run.
var ErrFinished = drive.ErrFinished

// RefusalFor is how long a recorder waits for the body of a refusal before it passes its
// head on, and a replay takes it for over with that head.
const RefusalFor = drive.RefusalFor

// Outside is a run whose calls a program makes: it answers them, and judges the
// run in the end. It is safe for concurrent use.
type Outside struct {
	handle  *Plan
	plan    *plan.Plan
	run     *drive.Run
	watcher *judge.Watcher
	failed  error
	// driving is what asks a program that is a server, and broken why that could
	// not be seen to its end.
	driving driving
	broken  error
	// unread are the parts of requests that no check reads, which are looked for once, after the end.
	unread func() (parts []observe.RequestPart, within func() []observe.RequestPart)
}

// NewOutside begins a run of a plan that a program drives. What keeps it from
// beginning is told by Finish, and by every request.
func NewOutside(p *Plan, o OutsideOptions) *Outside {
	in := plan.Inside(p)
	if o.Way == Exec || o.Way == Serve || o.Live != nil {
		in = in.Hiding(o.Hide).Receiving() // what programs and services say may hold any token
	}
	in = in.Tracking()
	if told := o.OnGate; told != nil {
		o.OnGate = func(p Problem, times int) {
			in.Secrets.Problem(&p)
			told(p, times)
		}
	}
	run := drive.New(in, o)
	out := &Outside{handle: p, plan: in, run: run, watcher: judge.WatchProgram(run.Obs)}
	out.unread = sync.OnceValues(func() ([]observe.RequestPart, func() []observe.RequestPart) { return unread.Parts(run.Obs) })
	out.failed = run.Begin()
	return out
}

// Refusal is an answer that no service gives, in words that clients do not try
// again: the reason stands in its status line.
func Refusal(reason string, body []byte) wire.WireScript { return drive.Refusal(reason, body) }

// Answer decides what a request meets; see [Exchange]. Requests that break a
// gate are answered, too. The error is that of ctx where the client left first,
// [ErrFinished], or why the run could not begin.
func (o *Outside) Answer(ctx context.Context, a Asked) (*Exchange, error) {
	if o.failed != nil {
		return nil, o.failed
	}
	return o.run.Answer(ctx, a)
}

// Redactor hides what must not be kept of what the program says.
func (o *Outside) Redactor() *redact.Redactor { return o.plan.Secrets.Redactor }

// Given is told the environment that the program is given: what is a secret there is
// hidden from then on.
func (o *Outside) Given(environment, command []string) {
	o.run.Given(slices.Concat(environment, redact.Arguments(command)))
}

// Received is told of header fields that a client sent beside its requests, such as those
// for a proxy.
func (o *Outside) Received(h http.Header) { o.run.Received(h) }

// CredentialsIn lists what header fields carry that is hidden wherever it stands.
func CredentialsIn(h http.Header) []string { return redact.FieldCredentials(nil, h) }

// Connect decides what a client meets that wants a session of a database: nil
// where it gets one. The error is as that of Answer.
func (o *Outside) Connect(ctx context.Context, a Asked) (*Exchange, error) {
	if o.failed != nil {
		return nil, o.failed
	}
	return o.run.Connect(ctx, a)
}

// Due lists what a statement can be answered from the next entry on, and takes
// nothing.
func (o *Outside) Due(a Asked) []wire.WireScript { return o.run.Due(a) }

// Clock is the clock of the run.
func (o *Outside) Clock() wire.Clock { return o.run.Clock() }

// Message notes what is said on a connection and is no request.
func (o *Outside) Message(provider, what string, params map[string]any) {
	o.run.Message(provider, what, params)
}

// Warnings are what the run has to say that breaks nothing, in order.
func (o *Outside) Warnings() []string {
	list := o.run.Warnings()
	for i, text := range list { // which may name what was asked
		p := Problem{Message: text}
		o.plan.Secrets.Problem(&p)
		list[i] = p.Message
	}
	return list
}

// Crashed says of a program that ended by an exception which it did not catch that it did, or that a
// part of it or a program of its shell did, where the scenario reads nothing of what it wrote; "" for
// any other end. The command is what was started. Secrets are hidden in it.
func (o *Outside) Crashed(command []string) string {
	return o.plan.Secrets.Text(o.run.Crashed(command))
}

// Misdirected says of a step that failed as a request to a wrong address does that no check reads which
// failure it was; "" where none did, or a check reads it.
func (o *Outside) Misdirected() string { return o.run.Misdirected() }

// A ServerAnswer is what the server of a scenario answered a step or a call of it.
type ServerAnswer = drive.ServerAnswer

// ServerAnswers are those of the run, in the order in which they came. Secrets are hidden in their paths and in the
// names of their parts.
func (o *Outside) ServerAnswers() []ServerAnswer {
	list := o.run.ServerAnswers()
	for i := range list {
		list[i].Path = o.plan.Secrets.Text(list[i].Path)
		for j, part := range list[i].Known {
			list[i].Known[j] = o.plan.Secrets.Text(part)
		}
		for j, p := range list[i].Parts {
			list[i].Parts[j].Name, list[i].Parts[j].Of = o.plan.Secrets.Text(p.Name), o.plan.Secrets.Text(p.Of)
		}
	}
	return list
}

// RequestsDiffer are the parts in which two requests to the server of a scenario differ. A signature that is made
// with a text that the program was given is right, and none of them.
func RequestsDiffer(a, b []RequestPart) RequestDifference { return circumstance.Differ(a, b) }

// A RequestDifference is that between two requests to the server of a scenario.
type RequestDifference = circumstance.Difference

// A RequestPart is something of a request to the server of a scenario, in plain.
type RequestPart = circumstance.Part

// Outward are the paths with .. that the scenario gave the program, beside those of its command.
func (o *Outside) Outward() []string { return o.run.Outward() }

// A Chosen value is a word of a header field with which a scenario tells the program what it wants.
type Chosen = circumstance.Chosen

// Chosen are those of the steps and calls to the program.
func (o *Outside) Chosen() []Chosen { return o.run.Chosen() }

// Unoffered are the names of tools that an answer asked the program for, and that it had not offered.
func (o *Outside) Unoffered() []string { return o.run.Unoffered() }

// A RuledOut is a text that a check rules out of what the program wrote.
type RuledOut = circumstance.RuledOut

// FromOutput are the texts that checks rule out of standard output, standard error or the logs of the program.
func (o *Outside) FromOutput() []RuledOut { return o.run.FromOutput() }

// Hidden is a text without secrets.
func (o *Outside) Hidden(text string) string { return o.plan.Secrets.Text(text) }

// NewestAhead is how much of a text is looked at before what [Outside.Newest] leaves of it.
const NewestAhead = 32 << 10

// Newest is the end of a text, as little more of it than so many bytes as leaves no part of a secret
// without the other.
func (o *Outside) Newest(text string, most int) string {
	if len(text) <= most {
		return text
	}
	recorded := (*redact.Redactor)(nil).Recording()
	return text[redact.Cut(text, len(text)-most, 0, func(part string) string { return recorded.Text(o.Hidden(part)) }):]
}

// Misused says of a step whose tool failed that no check reads what the server said, which is the same
// for a wrong argument; "" where none did, or a check reads it. Secrets are hidden in it.
func (o *Outside) Misused() string {
	return o.plan.Secrets.Text(o.run.Misused())
}

// Echoed says of a program that succeeded that it wrote what a failed answer said as it writes an answer,
// and that no check looks for that; "" where it did not, or one does. Secrets are hidden in it.
func (o *Outside) Echoed() string {
	return o.plan.Secrets.Text(o.run.Echoed())
}

// InAddress says of a check that looks for a letter or two in what the program wrote that it holds of the
// address of a listener; "" where none does.
func (o *Outside) InAddress() string { return o.run.InAddress() }

// Repeated says of a check that looks in what the program wrote for what an answer says that the program
// was given that as well, and that no check of the output asks for more; "" where one does, or none looks
// for that. The command is what was started.
func (o *Outside) Repeated(command []string) string { return o.run.Repeated(command) }

// Written says of a check that looks for something in what the program wrote that it holds of what the program had
// written before its first answer, or only of an answer that it wrote as it came; "" for none. Secrets are hidden
// in it.
func (o *Outside) Written(came Came) string { return o.plan.Secrets.Text(o.run.Written(came)) }

// Unseen are the reasons why no check can tell the program from one that collects a stream before it passes any of
// it on, or that calls its own machine. The command is what was started, and files are those that it names. Secrets
// are hidden in them.
func (o *Outside) Unseen(came Came, command []string, files func() []string) []string {
	list := o.run.Unseen(came, command, files)
	for i := range list {
		list[i] = o.plan.Secrets.Text(list[i])
	}
	return list
}

// A Shown file is one that a command line writes to standard output behind a program.
type Shown = shell.Shown

// Shows are the files that a command, where it is a shell with a text, writes to standard output behind a
// program, as in agent && cat report.json.
func Shows(command []string) []Shown { return shell.Shows(command) }

// Unwritten says of a check that it looks in standard output for what a file has that the command shows, and
// that nothing has written in this run; "" where no check needs that. Secrets are hidden in it.
func (o *Outside) Unwritten(file Shown, text string) string {
	return o.plan.Secrets.Text(o.run.Unwritten(file, text))
}

// Kept says of a step that limits the silence of the server which it asks that all that the server asked was
// answered to its end within that limit; "" for none.
func (o *Outside) Kept() string { return o.run.Kept() }

// Trials are what the scenario means to show of its program, and whether the run puts it to the test. The command is
// what was started, and files are those that it may have read. Secrets are hidden in them.
func (o *Outside) Trials(command []string, files func() Files) []Trial {
	list := o.run.Trials(command, files)
	for i := range list {
		list[i].Why = o.plan.Secrets.Text(list[i].Why)
	}
	return list
}

// Zoned says of a check that it has a time of day which the program gives as one of UTC, on a machine whose zone
// is UTC; "" where the program was given a zone or the time, and where no check has one. The command is what was
// started. Secrets are hidden in it.
func (o *Outside) Zoned(command []string, zone *time.Location, now time.Time) string {
	return o.plan.Secrets.Text(o.run.Zoned(command, zone, now))
}

// RuledOut says of a check which rules out a value with != that the program sent one that begins with it,
// and that nothing in the scenario names that; "" where it did not. Secrets are hidden in it.
func (o *Outside) RuledOut() string {
	return o.plan.Secrets.Text(o.run.RuledOut())
}

// Elsewhere are the checks of a run that passed which find what they look for where that may not be
// meant, of the kind [KindElsewhere]. Secrets are hidden in them.
func (o *Outside) Elsewhere(result *Result) []Problem {
	list := judge.Elsewhere(o.run.Obs, result)
	for i := range list {
		o.plan.Secrets.Problem(&list[i])
	}
	return list
}

// Limits are the checks of a run that passed which have a limit that nothing came to, or a tolerance as wide as the
// value, of the kind [KindElsewhere], without those of which the result tells already. The command is what was
// started, and files are those that it may have read. Secrets are hidden in them.
func (o *Outside) Limits(result *Result, command []string, files func() Files) []Problem {
	list := unmet.Checks(o.run.Obs, result, func() []string { return append(o.run.Handed(command), files().Data...) })
	for i := range list {
		o.plan.Secrets.Problem(&list[i])
	}
	return list
}

// Unread are the parts of the program's requests that no check tells from others, the values that two have given, and
// the members of what it makes that stand beside those that are expected.
// Secrets are hidden in them.
func (o *Outside) Unread() []string {
	parts, within := o.unread()
	return partsShown(slices.Concat(twice.Values(o.run.Obs), beside.Members(o.run.Obs), parts, within()), o.plan.Secrets)
}

// Walked are what the program asks for, or prints, in the very order of a list in its arguments, its input or a file,
// where the scenario says that it chooses the order. The command is what was started, and files are the texts of those
// that it has read. Secrets are hidden in them.
func (o *Outside) Walked(command []string, files func() []string) []string {
	return partsShown(twice.Walked(o.run.Obs, func() []twice.Text {
		texts := []twice.Text{{Of: "its arguments", Is: strings.Join(command[min(1, len(command)):], " ")}}
		if handed := o.run.Handed(command); len(handed) > 0 {
			texts = append(texts, twice.Text{Of: "its input", Is: handed[len(handed)-1]})
		}
		for _, text := range files() {
			texts = append(texts, twice.Text{Of: "a file", Is: text})
		}
		return texts
	}), o.plan.Secrets)
}

// Sized are what a scenario that is named after something without a limit gave its program of that, where it is no more
// than the limits that programs usually have. The command is what was started, and files are the texts of those that it
// has read. Secrets are hidden in them.
func (o *Outside) Sized(command []string, files func() []string) []string {
	return partsShown(sized.Told(o.run.Obs, func() []string { return append(o.run.Handed(command), files()...) }), o.plan.Secrets)
}

// Linked says of a link that an answer gave, such as a cursor or a token, that no later request carries it,
// or that nothing in the scenario reads that one does; "" for neither. Secrets are hidden in it.
func (o *Outside) Linked() string {
	return o.plan.Secrets.Text(o.run.Linked())
}

// Carried says of a value that the program was given that it sends it on where no check tells it from another
// one; "" for none. The command is what was started. Secrets are hidden in it.
func (o *Outside) Carried(command []string) string {
	parts, _ := o.unread()
	return o.plan.Secrets.Text(o.run.Carried(command, parts))
}

// Resent says of a request that the program sent again as it was after a refusal or a success, or with an
// empty result of a tool, where nothing in the scenario reads it; "" for none. Secrets are hidden in it.
func (o *Outside) Resent() string {
	return o.plan.Secrets.Text(o.run.Resent())
}

// Autocommitted says of a write of a program that stands in no transaction, where another one does and a check asks
// for that; "" for none. Secrets are hidden in it.
func (o *Outside) Autocommitted() string {
	return o.plan.Secrets.Text(o.run.Autocommitted())
}

// Mislabelled says of a request of the program that its body is JSON and its Content-Type says something
// else; "" for none. Secrets are hidden in it.
func (o *Outside) Mislabelled() string {
	return o.plan.Secrets.Text(o.run.Mislabelled())
}

// Parted says of a request that a check has given up by the program that it ended with the program; "" for
// none.
func (o *Outside) Parted() string { return o.run.Parted() }

// Untempted says of a check that an endpoint is not asked that no model asked for a tool which the program
// offers it; "" for none. Secrets are hidden in it.
func (o *Outside) Untempted() string {
	return o.plan.Secrets.Text(o.run.Untempted())
}

// Miscased says of a pattern that a check rules out that it has capital letters where the program was given
// small ones; "" for none. The command is what was started. Secrets are hidden in it.
func (o *Outside) Miscased(command []string) string {
	return o.plan.Secrets.Text(o.run.Miscased(command))
}

// Untrusted says of a fault tls_error that the program met a connection which breaks in its place; "" where it
// met none.
func (o *Outside) Untrusted() string { return o.run.Untrusted() }

// Absent says of a request of a program that it has a text where a value should be, such as None or
// undefined; "" for none. The command is what was started. Secrets are hidden in it.
func (o *Outside) Absent(command []string) string {
	return o.plan.Secrets.Text(o.run.Absent(command))
}

// Noted writes into the trace what was no request.
func (o *Outside) Noted(t Trouble) { o.run.Noted(t) }

// Start computes what the scenario's program is given. The error names the
// attribute that has no such value.
func (o *Outside) Start(at Addresses) (Start, error) { return o.run.Start(at) }

// Started says that the program runs, Ready that it can be used, and
// ProgramEnded how it ended. Unusable says why it cannot take part, which makes
// the verdict an error. A port of 0 is none.
func (o *Outside) Started(port int) { o.run.Started(port) }

// Ready is described at Started.
func (o *Outside) Ready() { o.run.Ready() }

// ProgramEnded is described at Started.
func (o *Outside) ProgramEnded(e ProgramEnd) { o.run.ProgramEnded(e) }

// Stopping says that the program is being ended, and with it what it had under way.
func (o *Outside) Stopping() { o.run.Stopping() }

// Unusable is described at Started.
func (o *Outside) Unusable(why string) { o.run.Unusable(why) }

// Listed reports whether a host with its port is the address of a provider.
func (o *Outside) Listed(host string) bool { return o.run.Listed(host) }

// Unlisted breaks the gate of a host that is the address of no provider.
func (o *Outside) Unlisted(host string) { o.run.Unlisted(host) }

// Changes has an element when something has happened since the last was taken.
func (o *Outside) Changes() <-chan struct{} { return o.run.Changes() }

// Changed says that what the program said of itself has changed.
func (o *Outside) Changed() { o.run.Changed() }

// Until reports whether the condition holds at which the run ends, and shows its
// operands where it does not.
func (o *Outside) Until() (holds bool, operands string) {
	d := o.run.Until()
	if d.Made && d.Holds {
		return true, ""
	}
	return false, o.plan.Secrets.CameTo(o.watcher.Operands(o.plan.Sut.Until, d))
}

// Unasked are the providers of the plan that no request was for, in the order of the file.
func (o *Outside) Unasked() []*Provider { return o.run.Unasked() }

// Asked counts the requests that the run was asked, answered by gates or not.
func (o *Outside) Asked() int { return o.run.Asked() }

// Busy counts the exchanges under way, and says when the last one ended.
func (o *Outside) Busy() (n int, last time.Duration) { return o.run.Busy() }

// NotDone breaks the gate of a run that did not come to its end.
func (o *Outside) NotDone(message string) { o.run.NotDone(message) }

// Abandoned is closed when an injection has made the run useless: what is asked from
// then on is turned away, and the result tells why.
func (o *Outside) Abandoned() <-chan struct{} { return o.run.Abandoned() }

// Broke notes a gate that whoever plays the run saw break.
func (o *Outside) Broke(gate, message string) { o.run.Broke(gate, message) }

// Trace is what has happened so far.
func (o *Outside) Trace() []trace.Event { return o.run.Log.Events() }

// Injected says what became of what was injected so far.
func (o *Outside) Injected() Injected { return o.run.Injected() }

// Elapsed is the time since the start of the run.
func (o *Outside) Elapsed() time.Duration { return o.run.Now() }

// Finish ends the run and judges it. It is called once; requests that come later
// have no answer. An empty status is that of what drove the program, and a
// success where nothing did.
func (o *Outside) Finish(status string) (*Result, *Observation) {
	return o.judged(status), &Observation{obs: o.run.Obs}
}

func (o *Outside) judged(status string) *Result {
	result := &Result{Plan: o.handle}
	defer func() { shownApart(result, o.plan) }()
	defer result.InFile()
	if o.failed != nil {
		result.Verdict = Error
		result.Problems = []Problem{{Kind: "error", Name: "run", Message: o.failed.Error(), Range: o.plan.Workflow.Rng}}
		return result
	}
	o.run.Finish(status)
	if o.run.Obs.Err() == nil { // else it would take as much again
		o.watcher.Judge(result)
	}
	result.Virtual = o.run.Now()
	result.WasRun, result.Events = true, o.run.Log.Events()
	result.Played, result.Injected = o.run.Played(), o.run.Injected()
	if err := cmp.Or(o.broken, o.run.Obs.Err(), o.run.Log.Err()); err != nil {
		result.Verdict = Error
		result.Problems = []Problem{{Kind: "error", Name: "run", Message: err.Error(), Range: o.plan.Workflow.Rng}}
	}
	return result
}

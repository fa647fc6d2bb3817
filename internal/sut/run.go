package sut

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/internal/server/authority"
	"github.com/scenario-lang/scenario/internal/sut/surroundings"
	"github.com/scenario-lang/scenario/interp"
)

// Options say how a program is run.
type Options struct {
	// Command takes the place of the file's, and is looked up and run in
	// WorkingDir; nil is none.
	Command    []string
	WorkingDir string
	// Environment is what the program inherits.
	Environment []string
	// Stdin, where not nil, takes the place of the file's.
	Stdin io.Reader
	// Ports are those of the listeners that a program expects, by provider.
	Ports map[string]int
	// Dial connects to a host that the file lets through.
	Dial func(ctx context.Context, host string) (net.Conn, error)
	// Reach makes the way to a program that is a server, by the addresses where it
	// may listen.
	Reach func(addresses []string) Way
	// Live, where not nil, is how real services are reached, for what neither a
	// script nor the cassette answers.
	Live *interp.Live
	// Bridge is the command that joins its standard streams to an address, which
	// follows it with a token.
	Bridge []string
	// Output, where not nil, gets what the program writes as it comes.
	Output io.Writer
	// OnGate and OnExchange, where not nil, are told what happens, by one at a
	// time. They must not block.
	OnGate     func(p interp.Problem, times int)
	OnExchange func(e interp.Ended)
	// OnSecret, where not nil, is told of secrets when they become known, which what is
	// shown of the run must hide. It must not block.
	OnSecret func(values []string)
	// Inject, where not nil, is asked what strikes each attempt, nil for nothing, and
	// EventLimit bounds the trace where it is not 0.
	Inject     func(interp.Point) *interp.Injection
	EventLimit int
	// Timeout, where it is not 0, bounds the run beside what the file says.
	Timeout time.Duration
	// Unread asks for [interp.Result.Unread] of a run that passes: for that the files of the program are searched.
	Unread bool
	// Copy, where not nil, is where the program is found and run.
	Copy *Copy
	// Zone is the time zone of the machine; nil is that of this process.
	Zone *time.Location
	// Interrupt, where it is closed, ends the run within a second.
	Interrupt <-chan struct{}
}

// A Run is what became of a run.
type Run struct {
	*interp.Result
	// Seen is what expressions can be evaluated over.
	Seen *interp.Observation
	// Warnings are what there is to say that breaks nothing.
	Warnings []string
	// Answers are those of the program to steps and calls of the scenario, where it serves them.
	Answers []interp.ServerAnswer
	// Trials are what the scenario means to show of the program, and whether the run puts it to the test; none
	// where it did not pass.
	Trials []interp.Trial
	// Elapsed is the real time that it took.
	Elapsed time.Duration
}

// keep is how much of what a program writes is kept, of each stream.
const keep = 1 << 20

// Patience is how long the client of a request may take to be seen leaving.
const patience = 50 * time.Millisecond

// Answer begins a run of a scenario that answers over sockets, on the real clock
// or as much faster as its file says: no service is faster than it is, so that what
// asks one is on the real clock. The clock and the patience of the options
// are set.
func Answer(p *interp.Plan, o interp.OutsideOptions) *interp.Outside {
	o.TimeScale = 1
	if s := p.Sut(); s != nil && o.Live == nil {
		o.TimeScale = cmp.Or(s.TimeScale, 1)
	}
	o.Clock, o.Patience = clockOf(o.TimeScale), time.Duration(float64(patience)*o.TimeScale)
	return interp.NewOutside(p, o)
}

// Play runs a scenario that has the way interp.Exec, and a command.
func Play(p *interp.Plan, o Options) *Run {
	s := p.Sut()
	if s == nil {
		s = &interp.Sut{Timeout: time.Minute, StopTimeout: 5 * time.Second, Telemetry: true}
	}
	began := time.Now()
	r := &run{options: o, sut: s, plan: p, scale: cmp.Or(s.TimeScale, 1), began: began}
	var off context.CancelFunc
	r.ctx, off = context.WithCancel(context.Background())
	defer off()
	r.own = sync.OnceValue(func() tree { return treeOf(r.dir, true) })
	r.telemetry = r.newTelemetry()
	answering := interp.OutsideOptions{Way: interp.Exec, Said: r.telemetry, OnGate: r.gate, OnEnd: o.OnExchange, OnSecret: o.OnSecret, Inject: o.Inject, EventLimit: o.EventLimit}
	if o.Live != nil {
		r.scale = 1
		answering.Live, answering.Hide = o.Live, Keys(p, o.Live.Steps, r.inherited)
	}
	r.outside = Answer(p, answering)
	go r.watch(off)
	status := r.play()
	r.close()
	r.over.Store(true)
	result, seen := r.outside.Finish(status)
	warnings := r.outside.Warnings()
	var trials []interp.Trial
	if result.Verdict == interp.Pass {
		warnings = append(warnings, r.doubts(status)...)
		files := sync.OnceValue(func() interp.Files { return nearFiles(r.dir, r.command, r.began, r.own()) })
		result.Relaxed = append(result.Relaxed, r.outside.Elsewhere(result)...)
		result.Relaxed = append(result.Relaxed, r.outside.Limits(result, r.command, files)...)
		if o.Unread {
			known := &presets{files: func() []string { return files().Sources }}
			read := func() []string { return r.read(files().Data) }
			result.Unread = slices.Concat(r.outside.Unread(), r.outside.Walked(r.command, read), r.outside.Sized(r.command, read), r.unnamed(), surroundings.Of("/", r.command).Told(r.given, r.inherited, r.outside.Hidden), known.options(r.command, r.outside.Hidden), known.chosen(r.outside.Chosen(), r.outside.Hidden))
		}
		trials = r.outside.Trials(r.command, files)
	}
	if status != cancelled && (result.Verdict != interp.Pass || asks(p, result)) {
		warnings = append(warnings, r.silent(result.Verdict == interp.Pass)...)
	}
	return &Run{Result: result, Seen: seen, Warnings: warnings, Answers: r.outside.ServerAnswers(), Trials: trials, Elapsed: time.Since(began)}
}

// asks reports whether a scenario that passes is about what its program asks: it
// says what the providers answer, or a check shows nothing because nobody asked.
func asks(p *interp.Plan, result *interp.Result) bool {
	return p.Answers() || slices.ContainsFunc(result.Relaxed, func(p interp.Problem) bool { return p.Kind == interp.KindIdle && !p.Partly })
}

// A run is one under way.
type run struct {
	options Options
	sut     *interp.Sut
	plan    *interp.Plan
	scale   float64
	began   time.Time
	outside *interp.Outside
	// ctx ends when nobody wants the run any more: it is for what the run itself waits
	// for that others may keep from ending.
	ctx    context.Context
	server *server.Server
	// authority vouches for the hosts that the program asks through the proxy.
	authority *authority.Authority
	process   *process.Process
	telemetry *telemetry
	// command is what was started, nil until then.
	command []string
	// dir is where it was started, path the file of it, and given what the scenario sets in its environment.
	dir, path string
	given     map[string]string
	// own is what lies in dir of the program's own, as it is when it is first asked for.
	own func() tree
	// earlier are the files that the command shows and that were there before it was started.
	earlier []earlier
	// service is the program as it is asked, nil where it is no server.
	service *service
	// port was free when the run began, or is that of the base_url of a server.
	port int
	// over says that the program has ended, and what comes is about what it left.
	over atomic.Bool
	// left says that the program ended by itself and left something running, which the run
	// ended although it might have asked or written more.
	left bool
	// sets are the variables that tell where the services are, and lines tells of
	// a line that ready waits for.
	sets map[string]string
	// passed are those that it keeps in a live run and has placeholders for in others.
	passed []string
	urls   map[string]string
	// vendors are the addresses that the variables of vendors have, by their kinds.
	vendors map[string]string
	lines   chan struct{}
	came    came
}

// watch calls off what the run waits for where somebody ends it before its time.
func (r *run) watch(off context.CancelFunc) {
	select {
	case <-r.ctx.Done():
	case <-r.options.Interrupt:
	case <-r.outside.Abandoned():
	}
	off()
}

// play brings the program to its end, and returns the status of the run.
func (r *run) play() string {
	start, err := r.prepare()
	if err == nil {
		err = r.occupied()
	}
	if err == nil {
		err = r.start(start)
	}
	if err != nil {
		r.outside.Unusable(err.Error())
		return ""
	}
	r.outside.Started(r.service.listens())
	deadline := time.NewTimer(r.timeout())
	defer deadline.Stop()
	if !r.ready() {
		return r.finish()
	}
	over := r.await(deadline.C)
	if over {
		r.settle(deadline.C)
	}
	r.lastWords()
	r.linger(over)
	return r.finish()
}

// timeout is how long the program may take, in real time.
func (r *run) timeout() time.Duration {
	limit := r.sut.Limit(r.scale)
	if r.options.Timeout > 0 {
		return min(r.options.Timeout, limit)
	}
	return limit
}

// after is the time of a run that is over, as the file gives it, and what that is in
// real time where this is another.
func (r *run) after() string {
	limit := r.timeout()
	if limit != r.sut.Limit(r.scale) || limit == r.sut.Timeout {
		return "after " + limit.String()
	}
	return fmt.Sprintf("after %s (%s of real time, with time_scale = %v)", r.sut.Timeout, limit, r.scale)
}

// How a run ends that is no success. One that was interrupted has no result.
const (
	failed    = "failed"
	cancelled = "cancelled"
)

// gate tells of a gate that breaks while the program runs.
func (r *run) gate(p interp.Problem, times int) {
	if r.options.OnGate != nil && !r.over.Load() {
		r.options.OnGate(p, times)
	}
}

// close ends what listens and removes what was written.
func (r *run) close() {
	if r.server != nil {
		r.server.Close()
	}
	r.telemetry.close()
	release(r.port)
	if r.authority != nil {
		_ = r.authority.Close() // a temporary directory that stays is no result
	}
}

// prepare listens for the services and computes what the program is given.
func (r *run) prepare() (interp.Start, error) {
	intercepted, err := r.intercept()
	if err != nil {
		return interp.Start{}, err
	}
	at := interp.Addresses{URLs: map[string]string{}, DSNs: map[string]string{}, Commands: map[string][]string{}}
	for _, p := range r.plan.Asked() {
		if err := Offer(r.server, p, r.options.Ports[p.Name], r.options.Bridge, &at); err != nil {
			return interp.Start{}, err
		}
	}
	r.urls = maps.Clone(at.URLs)
	maps.Copy(r.urls, at.DSNs)
	if r.vendors, err = Vendors(r.plan.Asked(), r.urls, r.listen); err != nil {
		return interp.Start{}, err
	}
	r.sets = Variables(r.plan.Asked(), r.urls, r.vendors)
	maps.Copy(r.sets, intercepted)
	r.passKeys()
	exports, err := r.telemetry.listen(r.outside)
	if err != nil {
		return interp.Start{}, err
	}
	maps.Copy(r.sets, exports)
	found, err := Databases(r.plan.Asked(), at.DSNs)
	if err != nil {
		return interp.Start{}, err
	}
	maps.Copy(r.sets, found)
	if err := r.serve(&at); err != nil {
		return interp.Start{}, err
	}
	return r.outside.Start(at)
}

// listen begins to listen for a service and returns where it is.
func (r *run) listen(at server.Origin) (string, error) {
	return r.server.ListenHTTP(at, r.options.Ports[at.Provider])
}

// handing tells the program which variables differ from run to run by themselves.
func (r *run) handing() map[string]string {
	return map[string]string{process.HandedVariable: process.Handing(slices.AppendSeq(slices.Clone(r.passed), maps.Keys(r.sets)))}
}

// start starts the program.
func (r *run) start(s interp.Start) error {
	dir := filepath.Join(filepath.Dir(r.plan.File), filepath.FromSlash(r.sut.Dir))
	command := s.Command
	if r.options.Command != nil {
		command, dir = r.options.Command, r.options.WorkingDir
	}
	command, dir = r.options.Copy.all(command), r.options.Copy.path(dir)
	if len(command) == 0 || command[0] == "" {
		return errors.New("no program is named: give the sut a command, or name one behind --")
	}
	env := environment(r.telemetry.withoutExporters(r.options.Copy.all(r.heritage())), r.sets, r.options.Copy.values(s.Env), r.handing())
	r.outside.Given(slices.Concat(r.options.Environment, env), command) // it may read elsewhere what it does not inherit
	path, err := process.Find(command[0], dir)
	if err != nil {
		return err
	}
	r.command, r.dir, r.earlier = command, dir, earlierFiles(command, dir)
	r.path, r.given = path, s.Env
	c := process.Command{Path: path, Args: command, Dir: dir, Env: env, Stdin: r.options.Stdin}
	if c.Stdin == nil {
		c.Stdin = strings.NewReader(s.Stdin)
	}
	out := process.Output{Keep: keep + interp.NewestAhead}
	out.Piece = func(stream process.Stream, p []byte) {
		r.came.wrote(r.outside.Elapsed(), stream == process.Stderr, len(p))
		if w := r.options.Output; w != nil {
			_, _ = w.Write(p)
		}
	}
	if ready := r.sut.Ready; ready != nil && ready.Log != "" {
		r.lines = make(chan struct{}, 1)
		pattern := regexp.MustCompile(ready.Log) // it was tried when the file was compiled
		out.Line = func(_ process.Stream, l process.Line) {
			if pattern.MatchString(l.Text) {
				select {
				case r.lines <- struct{}{}:
				default:
				}
			}
		}
	}
	r.process, err = process.Start(c, out)
	return err
}

// heritage is what the program inherits, but for what would lead it to another
// database.
func (r *run) heritage() []string {
	if r.sets["PGHOST"] == "" {
		return r.options.Environment
	}
	return without(r.options.Environment, misleading)
}

// await returns when the run is over, but for what is under way; over is false
// where that did not come. What drives the program is never cut by until: its
// last answer may come after what that waits for.
func (r *run) await(deadline <-chan time.Time) (over bool) {
	driving, ended := r.drive(), r.process.Exited()
	stop := func(why string) {
		if driving != nil {
			r.outside.StopDriving(why)
			<-driving
		}
	}
	for {
		if driving == nil && r.done() {
			return true
		}
		select {
		case <-driving:
			driving = nil
		case <-ended:
			ended = nil
			if r.sut.Until != nil && !r.holds() {
				r.outside.NotDone("the program ended, " + r.ending() + ", before the condition held that the run waits for." + r.unmet())
				stop("the program had ended")
				return false
			}
			if r.service == nil {
				r.server.Drain(draining)
				return true
			}
		case <-r.outside.Abandoned():
			stop("the run was given up")
			return false
		case <-r.outside.Changes():
		case <-deadline:
			r.outside.NotDone(r.late(driving != nil))
			stop("the time of the run was over")
			return false
		case <-r.options.Interrupt:
			stop("the run was interrupted")
			return false
		}
	}
}

// done reports whether the run is over when nothing drives the program any more:
// until holds, or it is a server without one.
func (r *run) done() bool {
	if r.sut.Until == nil {
		return r.service != nil
	}
	return r.holds()
}

// holds reports whether the condition holds at which the run ends.
func (r *run) holds() bool {
	if r.sut.Until == nil {
		return false
	}
	holds, _ := r.outside.Until()
	return holds
}

// late says what there still was at the end of the time.
func (r *run) late(driving bool) string {
	text := fmt.Sprintf("%s, the program had not ended.\nhint: for one that does not end by itself, say with until what it is to have done; one that takes longer, such as scenario bench, needs sut { timeout = \"10m\" }", r.after())
	if driving {
		text = fmt.Sprintf("%s, what asks the program had not ended.\nhint: give its steps a timeout, or the sut a longer one", r.after())
	}
	if r.sut.Until != nil && !r.holds() {
		text = r.after() + ", the condition did not hold that the run waits for." + r.unmet()
	}
	return text
}

// unmet says why the condition could not be evaluated, or what it was made of.
func (r *run) unmet() string {
	_, operands := r.outside.Until()
	if operands == "" {
		return ""
	}
	return "\n" + operands
}

// draining is how long connections are read of a program that has ended. Its own end with
// it, so that this takes no time; those of a child that it left may stay.
const draining = 50 * time.Millisecond

// settle waits until nothing was under way for as long as the file says, from now on:
// what the program left running may not have asked yet.
func (r *run) settle(deadline <-chan time.Time) {
	from := r.outside.Elapsed()
	for {
		n, last := r.outside.Busy()
		quiet := realTime(r.outside.Elapsed()-max(last, from), r.scale)
		if n == 0 && quiet >= r.sut.Settle {
			return
		}
		var wait <-chan time.Time
		if n == 0 {
			wait = time.After(r.sut.Settle - quiet)
		}
		select {
		case <-r.outside.Changes():
		case <-wait:
		case <-deadline:
			if n > 0 {
				r.outside.NotDone(fmt.Sprintf("%s, %s still under way.", r.after(), exchanges(n)))
			}
			return
		case <-r.outside.Abandoned():
			return
		case <-r.options.Interrupt:
			return
		}
	}
}

// realTime is how long so much of the run's time is, which goes scale times faster.
func realTime(d time.Duration, scale float64) time.Duration {
	return time.Duration(float64(d) / scale)
}

// lingering is how long a program may take to end by itself, after the last of what the
// run waits for: what ends a program with its last answer closes its connections first,
// and is seen to have ended later.
const lingering = 100 * time.Millisecond

// linger waits for a program that ends by itself where the run is over, so that it is
// not said to have been stopped. It is real time, whatever the scale: the program's own.
func (r *run) linger(over bool) {
	if !over || r.interrupted() || r.abandoned() {
		return
	}
	select {
	case <-r.process.Exited():
	case <-r.outside.Abandoned():
	case <-r.options.Interrupt:
	case <-time.After(lingering):
	}
}

// hurried is how long a program may take to end when the user wants that.
const hurried = 500 * time.Millisecond

// interrupted reports whether somebody wants the run to end.
func (r *run) interrupted() bool {
	select {
	case <-r.options.Interrupt:
		return true
	default:
		return false
	}
}

// abandoned reports whether an injection has made the run useless.
func (r *run) abandoned() bool {
	select {
	case <-r.outside.Abandoned():
		return true
	default:
		return false
	}
}

// parting is how long it takes at most to see that a program that has ended left
// nothing running.
const parting = 20 * time.Millisecond

// gone reports whether nothing runs any more.
func (r *run) gone() bool {
	select {
	case <-r.process.Exited():
	default:
		return false
	}
	select {
	case <-r.process.Done():
		return true
	case <-time.After(parting):
		return false
	}
}

// leaves reports whether a program that has ended left something running which does not end by
// itself within the time that the program itself would have had, and the file says nothing of
// how long that may go on.
func (r *run) leaves() bool {
	select {
	case <-r.process.Exited():
	default:
		return false
	}
	if r.sut.Settle > 0 {
		return false
	}
	select {
	case <-r.process.Done():
	case <-r.outside.Abandoned():
	case <-r.options.Interrupt:
	case <-time.After(lingering):
		return true
	}
	return false
}

// finish ends the program where it still runs, and what it left running, and returns
// the status of the run.
func (r *run) finish() string {
	if !r.gone() {
		r.left = r.leaves()
		r.outside.Stopping()
	}
	hurry := context.AfterFunc(r.ctx, func() { r.process.Stop(hurried) }) // also while it has its time to end
	end := r.process.Stop(r.sut.StopTimeout)
	hurry()
	r.ended(end)
	switch {
	case r.interrupted():
		return cancelled
	case r.service != nil && r.outside.Drives():
		return "" // that of the workflow
	case !end.Stopped && (end.Code != 0 || end.Signal != ""):
		return failed
	}
	return ""
}

func (r *run) ended(end process.End) {
	e := interp.ProgramEnd{
		Signal: end.Signal, Stopped: end.Stopped, Ran: time.Duration(float64(r.process.Ran()) * r.scale),
		Stdout: r.outside.Newest(string(r.process.Tail(process.Stdout)), keep), Stderr: r.outside.Newest(string(r.process.Tail(process.Stderr)), keep),
	}
	if end.Signal == "" {
		e.Code = &end.Code
	}
	r.outside.ProgramEnded(e)
}

// ending is how the program ended, in words.
func (r *run) ending() string {
	end := r.process.End()
	if end.Signal != "" {
		return "by the signal " + end.Signal
	}
	return fmt.Sprintf("with status %d", end.Code)
}

// expressionOf is what a program can be told of where a provider is.
func expressionOf(p *interp.Provider) string {
	switch {
	case p.Kind.Family == "sql":
		return "provider." + p.Name + ".dsn"
	case p.Command != nil:
		return "jsonencode(provider." + p.Name + ".command)"
	}
	return "provider." + p.Name + ".url"
}

// exchanges are so many, with their verb.
func exchanges(n int) string {
	if n == 1 {
		return "1 exchange was"
	}
	return fmt.Sprintf("%d exchanges were", n)
}

// times is how often something happened.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// silent says what to do about each provider that the program never asked. One that asked
// others may be right not to, so that nothing is said where the scenario holds.
func (r *run) silent(holds bool) []string {
	if r.process == nil || holds && r.outside.Asked() > 0 {
		return nil
	}
	var list []string
	for _, p := range r.outside.Unasked() {
		text := fmt.Sprintf("the program never asked provider %q", p.Name)
		if n := r.server.Accepted(p.Name); n > 0 {
			text += ", though it connected " + times(n)
		}
		var told []string
		for _, name := range addressed(r.sets, r.urls[p.Name], r.vendors[p.Kind.Name]) {
			told = append(told, name+"="+r.sets[name])
		}
		if told != nil {
			text += ". It had " + strings.Join(told, ", ")
		} else {
			text += ". No variable of its environment told it where that is"
		}
		list = append(list, text+fmt.Sprintf(".\nhint: if it reads another variable, give the sut env = { NAME = %s }", expressionOf(p)))
	}
	return list
}

package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Sources are all that can answer the requests of one run: the scripts of its
// scenario in their written order, then the recording (a cassette or a response
// file), then the network in a live run. A live run does not ask the recording
// about a step that it dials, unless it dials only what is missing. There is no
// default. One at a time uses them: the tasks of a scheduler, or whoever holds a
// lock.
type Sources struct {
	plan   *plan.Plan
	clock  Clock
	live   *Live            // nil in a run that stays in the process
	player *cassette.Player // nil without a recording
	// cursors are those of each line, and ofScripts the same of each script.
	cursors   map[Line][]*Cursor
	ofScripts map[*plan.Script][]*Cursor
	pipes     map[string]Pipe // of a live run, by provider
	// pending counts the calls that ended before the fault of an entry had come.
	pending map[*plan.Entry]int
	// hiding are the redactors of requests that programs made with credentials of
	// their own, by those.
	hiding map[string]*redact.Redactor
	// vain counts the calls of which the fault of an entry changed nothing.
	vain map[*plan.Entry]int
	// why says of those why the first was.
	why map[*plan.Entry]string
	// answered is what each line was answered last, and lines are these, the latest last:
	// a false answer may say it again. Nil where nobody remembers.
	answered map[Line]said
	lines    []Line
	// dialled are the steps of a live run that the network answered.
	dialled map[string]bool
	// onSecret is told of the credentials that services answer, nil where nobody listens.
	onSecret func(values []string)
	// injector is nil where nobody injects faults.
	injector *injector
	// program says that a program asks, and not the workflow.
	program bool
}

// A Clock is that of a run which has sources.
type Clock interface {
	wire.Clock
	// External does what takes real time, such as an exchange over the network;
	// what names it. The rest of the run goes on meanwhile.
	External(ctx context.Context, what string, f func())
}

// NewSources opens the sources of a run of a plan. A nil live is one that stays
// in the process.
func NewSources(p *plan.Plan, clock Clock, live *Live) *Sources {
	s := &Sources{plan: p, clock: clock, live: live, cursors: map[Line][]*Cursor{}, ofScripts: map[*plan.Script][]*Cursor{}, hiding: map[string]*redact.Redactor{}}
	if h := p.Secrets.Received; h != nil {
		s.onSecret = func(values []string) { h.Receive(values) }
	}
	if p.Recalls() {
		s.answered = map[Line]said{}
	}
	return s
}

// ForProgram says that a program asks: messages name what records it. It is called
// before Open.
func (s *Sources) ForProgram() { s.program = true }

// Open gets the recording ready. It is called once, before the first request.
func (s *Sources) Open() error {
	t := s.plan.Recording
	if t == nil || s.plan.Responses != nil {
		return nil
	}
	latency, err := latencyOf(t.Latency)
	if err != nil {
		return err
	}
	if s.live != nil {
		latency = cassette.NoLatency // nobody is to wait for what is recorded
	}
	var alike func(redact.Request) redact.Request
	if !t.Rules.Empty() {
		alike = s.plan.Secrets.Alike
	}
	dummy := ""
	if s.program {
		dummy = plan.PlaceholderKey
	}
	s.player, err = cassette.NewPlayer(t.Cassette, cassette.Options{
		Redact:   alike,
		Scenario: s.plan.Name, Profile: t.Match, Latency: latency, MatchHeaders: t.Headers, Ignore: t.Ignore, Shown: s.plan.Secrets.Request, Now: s.clock.Now,
		Again: s.plan.RecordAgain(s.program), Orphans: t.Orphans, Repeats: t.Repeats && s.live == nil,
		Dummy: dummy, Ordered: plan.NewOrder(s.plan.Workflow).Ordered,
	})
	return err
}

// latencyOf reads the latency of a cassette block.
func latencyOf(text string) (cassette.Latency, error) {
	switch text {
	case "recorded", "":
		return cassette.Latency{}, nil
	case "none":
		return cassette.NoLatency, nil
	}
	d, err := dsl.ParseDuration(text)
	return cassette.ConstantLatency(d), err
}

// Refuses reports whether the recording has refusals, which end connections
// before their first byte.
func (s *Sources) Refuses() bool {
	t := s.plan.Recording
	return t != nil && s.plan.Responses == nil && slices.ContainsFunc(t.Cassette.Interactions, func(it *cassette.Interaction) bool { return it.Error != "" })
}

// Played are the interactions of the cassette that answered something, as its
// file counts them.
func (s *Sources) Played() []int {
	if s.player == nil {
		return nil
	}
	return s.player.Played()
}

// Asked is a request that wants an answer.
type Asked struct {
	Call wire.Call
	// Step is the step whose request it is, also where the call is a message
	// beside the step's own.
	Step     string
	Provider *plan.Provider
	// Lane is that of the endpoint, and Fits, where not nil, what an entry of its
	// script has to fulfil besides.
	Lane string
	Fits func(*plan.Entry) bool
	// Unfit, where not nil, says what of a request keeps it from the entries of a script
	// that has none for it, and what to do about that; "" where there is nothing to say.
	Unfit func(*plan.Script) (why, hint string)
	// Vendor is the provider's adapter with what it is asked.
	Vendor *providers.Vendor
	// Known is the request as it was asked before, nil where nobody remembers.
	Known *Known
	// Own says that a program has made the request, credentials and all: it goes on
	// to a real service as it is.
	Own bool
	// Declared is the step or endpoint, nil for a message beside its call.
	Declared *plan.Step
	// Posed says that what strikes it was asked already, by [Sources.Pose], and
	// Injection is that, nil for nothing.
	Posed     bool
	Injection *Injection
	// Redirects counts the requests of the attempt before this one, and Before is
	// what answered the first of them.
	Redirects int
	Before    *Answer
}

// Answer is what a request meets, and where that is from. With an error it may
// still tell the entry.
type Answer struct {
	Script wire.WireScript
	// Entry is the entry of the script that answered, nil for another source.
	Entry *plan.Entry
	// Rendered is the reply that Script is, nil for anything else.
	Rendered *Rendered
	// Take is the recording of it, nil where none is made.
	Take *cassette.Take
	// Unchanged says that a fault left the answer as it was, and Why because of what,
	// "" where nothing more is to be said of it.
	Unchanged bool
	Why       string
	// Use takes the answer that an injected fault disturbed, nil for none. Whoever
	// asked calls it where the attempt succeeds all the same.
	Use func()
}

// asking is one request on its way through the sources.
type asking struct {
	*Sources
	Asked
	answer Answer
}

// wanted says which entry of a script a call can take.
func (a *Asked) wanted(call wire.Call) Wanted {
	return Wanted{Target: call.Target, Turn: call.Turn, Iteration: call.Iteration, Fits: a.Fits}
}

// Answer decides what a request meets. An error is a [GateError] where a gate is
// broken, wire.ErrPass where a redirect stays unanswered, or says why an entry
// cannot be played.
func (s *Sources) Answer(ctx context.Context, asked Asked) (Answer, error) {
	a := &asking{Sources: s, Asked: asked}
	var err error
	if asked.Redirects > 0 {
		a.answer.Entry = asked.Before.Entry
		a.answer.Script, err = a.redirect(ctx)
		return a.answer, err
	}
	if in := a.injection(); in != nil {
		a.answer.Script, err = a.meet(ctx, in)
		return a.answer, err
	}
	chain := wire.Chain{(*scriptSource)(a), (*cassetteSource)(a), (*liveSource)(a)}
	a.answer.Script, err = chain.Next(ctx, asked.Call)
	if errors.Is(err, wire.ErrPass) {
		err = s.unmatched(&asked)
		if g := (*GateError)(nil); s.struck() && errors.As(err, &g) {
			err = s.injector.unanswered(g)
		}
	}
	return a.answer, err
}

// Dial answers from the network alone.
func (s *Sources) Dial(ctx context.Context, asked Asked) (Answer, error) {
	a := &asking{Sources: s, Asked: asked}
	var err error
	a.answer.Script, err = (*liveSource)(a).Next(ctx, asked.Call)
	return a.answer, err
}

// redirect answers the request that follows a redirect. It takes no entry of the
// script: a fault that answers redirects fires again without its wait, and what
// was recorded goes on with the cassette. A redirect that was recorded alone is
// passed on as it is.
func (a *asking) redirect(ctx context.Context) (wire.WireScript, error) {
	if e := a.answer.Entry; e != nil && e.Fault != nil {
		return withoutWait(a.Before.Script), nil
	}
	script, err := wire.Chain{(*cassetteSource)(a), (*liveSource)(a)}.Next(ctx, a.Call)
	var g *GateError
	if errors.As(err, &g) && g.Gate != plan.GateDrifted {
		return script, wire.ErrPass
	}
	return script, err
}

// FollowsRedirects reports whether redirects of what answered are followed. A
// recording has every redirect of its client, and a fault may answer for all. A
// reply, like any other fault, is written as what the step is answered in the
// end.
func (a *Answer) FollowsRedirects() bool {
	switch e := a.Entry; {
	case e == nil:
		return true
	case e.Fault != nil:
		return e.Fault.Hops
	default:
		return e.Replay != nil && e.Replay.Interaction == 0
	}
}

// A GateError says that a call has no answer it may have. The attempt fails, is
// never tried again, and the scenario fails with the gate.
type GateError struct {
	Gate, Message string
	// Entry is the entry of the script that is to blame, nil for none.
	Entry *plan.Entry
}

// Error implements error.
func (e *GateError) Error() string { return e.Message }

func (s *Sources) unmatched(asked *Asked) error {
	var keys []string
	for _, sc := range s.plan.Scripts {
		key := fmt.Sprintf("on %q", sc.Address)
		if sc.Target != "" {
			key += fmt.Sprintf(" for target %q", sc.Target)
		}
		keys = append(keys, key)
	}
	call := asked.Call
	have, hint := "The scenario has no script and no cassette.", fmt.Sprintf("add an entry to `on %q { … }`, or a cassette", call.Step)
	if len(keys) > 0 {
		have = "The scripts are: " + strings.Join(keys, ", ") + "."
	}
	if sc := s.plan.ScriptFor(call.Step, call.Target); sc != nil {
		have = fmt.Sprintf("The script at line %d has no entry for such a call", sc.Rng.Start.Line)
		why, do := "", ""
		if asked.Unfit != nil {
			why, do = asked.Unfit(sc)
		}
		have, hint = have+why+".", cmp.Or(do, hint)
	}
	return &GateError{Gate: plan.GateUnmatched, Message: fmt.Sprintf(
		"nothing answers %s (%s %s). %s\nhint: %s", callText(call), call.Request.Method, call.Request.URL, have, hint)}
}

// callText names a call by all that an entry of a script may ask of it.
func callText(call wire.Call) string {
	text := fmt.Sprintf("attempt %d", call.Attempt)
	if call.Turn > 1 {
		text += fmt.Sprintf(", in turn %d,", call.Turn)
	}
	if call.Iteration > 0 {
		text += fmt.Sprintf(" of iteration %d", call.Iteration)
	}
	return text + fmt.Sprintf(" of step %q on target %q", call.Step, call.Target)
}

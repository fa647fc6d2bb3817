package interp

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/judge/assured"
	"github.com/scenario-lang/scenario/interp/internal/judge/beside"
	"github.com/scenario-lang/scenario/interp/internal/judge/nearly"
	"github.com/scenario-lang/scenario/interp/internal/judge/passed"
	"github.com/scenario-lang/scenario/interp/internal/judge/twice"
	"github.com/scenario-lang/scenario/interp/internal/judge/unmet"
	"github.com/scenario-lang/scenario/interp/internal/judge/unread"
	"github.com/scenario-lang/scenario/interp/internal/judge/unwatched"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

type (
	// RunOptions bound a run.
	RunOptions = engine.RunOptions
	// Live is how a run reaches real services.
	Live = exchange.Live
	// A Pipe is a program that a live run talks to over its standard streams.
	Pipe = exchange.Pipe
	// A BenchCommand is a program that a bench would start.
	BenchCommand = plan.BenchCommand
	// A BenchHost starts the programs of a bench.
	BenchHost = engine.BenchHost
	// A BenchProgram is a program as a bench declares it for a case.
	BenchProgram = plan.BenchProgram
	// A Program is one start of a program by a bench.
	Program = engine.Program
	// An Exit is how it ended.
	Exit = engine.Exit
)

// Run plays a plan to its end on a virtual clock of its own and checks what
// must hold. It never touches the network or the disk, starts no goroutine
// that outlives it, and gives the same result and the same trace every time.
// A scenario that could not be run, because of a defect of this program, has
// the verdict Error.
func Run(p *Plan, opts RunOptions) *Result { return execute(p, plan.Inside(p), opts, nil, nil) }

// RunTold is [Run], and also tells of checks which find what they look for where that may not be
// meant, of the kind [KindElsewhere], and of the parts of requests that no check reads, where opts asks for
// them.
func RunTold(p *Plan, opts RunOptions) *Result {
	in := plan.Inside(p).Tracking()
	var given unread.Given
	var note engine.Given
	if opts.Unread && opts.Inject == nil { // what injects may give something else another time
		note = given.Note
	}
	watch := &nearly.Watch{}
	if opts.Unread {
		in, watch = nearly.On(in)
	}
	result, seen := observed(p, in, opts, hosted{given: note})
	result.Relaxed = append(result.Relaxed, judge.Elsewhere(seen, result)...)
	result.Relaxed = append(result.Relaxed, unmet.Checks(seen, result, nil)...)
	result.Relaxed = append(result.Relaxed, assured.Checks(seen, result)...)
	if opts.Unread && result.Verdict == Pass {
		parts, within := unread.Parts(seen)
		result.Unread = partsShown(slices.Concat(unwatched.Values(seen), unwatched.Cased(seen), watch.Texts(seen), passed.Skipped(seen), passed.Loops(seen), twice.Values(seen), beside.Members(seen), beside.Failed(seen), parts, within(), given.Parts(seen, again(p, opts))), in.Secrets)
	}
	in.Secrets.Result(result)
	return result
}

// again plays a plan once more, in which calls are given something else.
func again(p *Plan, opts RunOptions) unread.Again {
	return func(given func(to string, inputs bool, v cty.Value) cty.Value, events int) (log []trace.Event, passes bool) {
		opts.EventLimit = events
		result, _ := observed(p, plan.Inside(p).Tracking(), opts, hosted{given: given})
		return result.Events, result.Verdict == Pass
	}
}

// shownMost bounds, in characters, how a part of a request is told of, which may be a whole clause.
const shownMost = 200

// partsShown are parts of requests as they are told of. Secrets are hidden before anything is cut off: a piece of
// one would not be known any more.
func partsShown(parts []observe.RequestPart, secrets plan.Secrets) (list []string) {
	for _, p := range parts {
		text := []rune(secrets.Text(p.String()))
		if len(text) > shownMost {
			text = append(text[:shownMost], '…')
		}
		list = append(list, string(text))
	}
	return list
}

// RunBench runs a plan of Suite.Benches on the real clock, its programs with
// the host. A workflow is played as a test plays it, from its script and its
// cassette, each case on a virtual clock of its own. What programs say may hold any
// token, so that those are hidden in the result as in a recording, and so are the
// credentials of the environments of the host and its programs.
func RunBench(p *Plan, opts RunOptions, host BenchHost) *Result {
	in := plan.Inside(p).Hiding(nil).Receiving()
	in.Secrets.Received.Keep(redact.EnvironmentCredentials(host.Environment))
	result := execute(p, in, opts, nil, &host)
	if result.Bench != nil {
		result.Bench.WarnAlike()
		result.Bench.WarnExchanged()
		result.Bench.WarnInstead()
	}
	return result
}

// BenchDigests identify the trials of each case of a bench, by its id, for the Digests
// of a [BenchHost]. Sum identifies what a program depends on outside of the plan.
func BenchDigests(p *Plan, sum func(Program) string) map[string]string {
	return engine.Digests(plan.Inside(p), sum)
}

// RunLive plays a plan on the real clock: the same scripts, policies and
// adapters as [Run], and the network where neither the script nor the cassette
// answers. Times are real, so no two results are equal. The keys that were sent
// are hidden in the result like sensitive variables, and so are the credentials that
// services answered.
func RunLive(p *Plan, opts RunOptions, live Live) *Result {
	in := plan.Inside(p)
	return execute(p, in.Hiding(live.Keys(in)).Receiving(), opts, &live, nil)
}

// Judge gives the verdict of a run by its trace alone, as a trace file has it:
// what [Run] said of it, problems and all. What the file hides is judged as it
// is shown, so a condition over a secret may come out otherwise. A trace that is
// none of the plan, or has no end, is an error.
func Judge(p *Plan, events []trace.Event) (*Result, error) {
	in := plan.Inside(p).Tracking()
	result, err := judge.Judge(in, event.Shown(events))
	if err != nil {
		return nil, err
	}
	result.Plan, result.Virtual = p, events[len(events)-1].At
	result.InFile()
	in.Secrets.Result(result)
	return result, nil
}

// execute is a run; a nil live is one that cannot leave the process, and a nil
// host one that starts no programs.
func execute(h *Plan, p *plan.Plan, opts RunOptions, live *Live, host *BenchHost) *Result {
	p = p.Tracking()
	result, _ := observed(h, p, opts, hosted{live: live, host: host})
	p.Secrets.Result(result)
	return result
}

// hosted is what is around a run: each nil where there is none.
type hosted struct {
	live  *Live
	host  *BenchHost
	given engine.Given
}

// observed is execute before anything is hidden in the result, with what was
// observed of the run; nil where nothing ran. What was observed reads the events
// of the result.
func observed(h *Plan, p *plan.Plan, opts RunOptions, in hosted) (*Result, *observe.Observed) {
	result := &Result{Plan: h}
	defer result.InFile()
	if h.NotRun(plan.Interpreted) != "" {
		result.Verdict = Skip
		return result, nil
	}
	p = p.With(opts.Events)
	r := engine.NewHostedRun(p, opts, in.live, in.host)
	r.Give(in.given)
	r.Vacuous(judge.OverNothing)
	w := judge.Watch(r.Obs, opts.Unchecked)
	if opts.Every {
		w.Bare()
	}
	err := r.Play()
	if err == nil {
		if opts.Every {
			w.JudgeEvery(result)
		} else {
			w.Judge(result)
		}
		if opts.Weighed {
			w.Weigh(result)
		}
		err = cmp.Or(r.Obs.Err(), r.Log.Err()) // a gate that closes is an event, too
	}
	result.Virtual = r.Clock.Elapsed()
	result.WasRun, result.Events, result.Interrupted = true, r.Log.Events(), r.Interrupted
	result.Played, result.Injected = r.Played(), r.Injected()
	if p.BenchRun != nil {
		result.Bench = r.Obs.Report(nil)
	}
	if err == nil && r.Interrupted {
		err = exchange.ErrInterrupted
	}
	if err != nil {
		result.Verdict = Error
		result.Problems = []Problem{{Kind: "error", Name: "run", Message: err.Error(), Range: p.Workflow.Rng}}
	}
	return result, r.Obs
}

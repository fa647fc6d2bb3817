package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// A Program is what a bench runs for one trial.
type Program struct {
	// File is the scenario file, in whose directory the system under test runs
	// and beside which a rubric finds what begins with ./ or ../.
	File    string
	Command []string
	// Env are variables of its environment, Pass names of variables that it gets
	// as they are.
	Env  map[string]string
	Pass []string
	// DependsOn are the files that its results depend on, nil where the bench
	// does not name them.
	DependsOn []string
	// Stdin is what it gets on standard input.
	Stdin []byte
	// Rubric says that it is run apart: in an empty directory of its own, with
	// an environment of PATH, Env and Pass alone.
	Rubric bool
	// Limit is how much of standard output is read, in bytes. A program that
	// writes more is ended.
	Limit int
}

// An Exit is how a program ended.
type Exit struct {
	// Code is its status, and Signal what killed it, "" where nothing did.
	Code   int
	Signal string
	// Stdout and Stderr are the beginning of what it wrote.
	Stdout, Stderr []byte
	// Flooded says that it was ended because it wrote too much.
	Flooded bool
	// Err is why it could not be run at all.
	Err error
	// Environment is what it was given, as os.Environ lists it. The credentials in it
	// are hidden in all that is kept of the run.
	Environment []string
}

// How much of what a program writes is read.
const (
	sutOutput    = 16 << 20
	rubricOutput = 1 << 20
)

// cancellations are the types of exceptions that end a run, by the names that
// programs have for them.
var cancellations = map[string]bool{"CancelledError": true, "asyncio.CancelledError": true, "KeyboardInterrupt": true, "SystemExit": true, "context.Canceled": true}

// sut asks the system under test.
func (r *run) sut(ctx context.Context, c bench.Case, trial int) (bench.Answer, error) {
	switch k := r.benching.cases[c.ID]; {
	case len(k.Sut) > 0:
		return r.simulate(ctx, k, trial)
	case k.Program != nil:
		return r.askProgram(ctx, k)
	case r.plan.BenchRun.Workflow != nil:
		return r.askWorkflow(ctx, k, trial)
	}
	return bench.Answer{}, &bench.Exception{Type: "StartError", Message: "the bench has no system under test"}
}

// simulate does what the case says that the system does.
func (r *run) simulate(ctx context.Context, k *plan.BenchCase, trial int) (bench.Answer, error) {
	s := plan.OfTrial(k.Sut, trial)
	if s.Takes > 0 {
		if err := r.Clock.Sleep(ctx, s.Takes); err != nil {
			return bench.Answer{}, err
		}
	}
	answer := bench.Answer{CostUSD: s.CostUSD}
	if s.Fault == nil {
		answer.Output = plan.SchemaJSON(s.Output)
		return answer, nil
	}
	r.emit(trace.Event{Payload: &event.Fault{Case: k.ID, FaultType: s.Fault.Name, File: r.plan.Place, Line: s.Rng.Start.Line, Trial: trial}})
	script, err := s.Fault.Script(faults.Strike{Args: s.Args, After: s.After, HasAfter: s.HasAfter, Host: "sut", Path: "/"})
	if err != nil {
		return answer, err
	}
	return answer, r.strikeSystem(ctx, script)
}

// strikeSystem plays a fault where there is no wire: its waits, then its end.
func (r *run) strikeSystem(ctx context.Context, script wire.WireScript) error {
	wait := script.Delay
	end := wire.EndNone
	for _, op := range script.Ops {
		wait, end = wait+op.Wait, op.End
	}
	if wait > 0 {
		if err := r.Clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
	var typed interface{ FailureType() string }
	switch {
	case errors.As(script.Err, &typed):
		if cancellations[typed.FailureType()] {
			return fmt.Errorf("%s: %w", typed.FailureType(), context.Canceled)
		}
		return &bench.Exception{Type: typed.FailureType(), Message: script.Err.Error()}
	case end == wire.EndHang:
		return r.Clock.Sleep(ctx, wire.Forever)
	}
	return &bench.Exception{Type: "SignalError", Message: "the process died"}
}

// exec runs a program beside the tasks of the run.
func (r *run) exec(ctx context.Context, p *plan.BenchProgram, o Program) Exit {
	o.File, o.Command, o.Env, o.Pass, o.DependsOn = r.plan.File, p.Command, p.Env, p.Pass, p.DependsOn
	var exit Exit
	r.Clock.External(ctx, "the program "+p.Command[0], func() { exit = r.host.Exec(ctx, o) })
	r.plan.Secrets.Received.Keep(redact.EnvironmentCredentials(exit.Environment))
	return exit
}

// askProgram runs the program that is scored.
func (r *run) askProgram(ctx context.Context, k *plan.BenchCase) (bench.Answer, error) {
	p := k.Program
	stdin := p.Stdin
	if stdin == nil {
		stdin = append(append([]byte(`{"case":`), k.Document()...), "}\n"...)
	}
	exit := r.exec(ctx, p, Program{Stdin: stdin, Limit: sutOutput})
	// What it wrote is kept, whatever became of it.
	wrote := bench.Answer{Output: exit.Stdout, Log: utf8Text(exit.Stderr)}
	switch {
	case ctx.Err() != nil:
		return wrote, ctx.Err()
	case exit.Err != nil:
		return wrote, &bench.Exception{Type: "StartError", Message: exit.Err.Error()}
	case exit.Flooded:
		return wrote, &bench.Exception{Type: "OutputError", Message: fmt.Sprintf("more than %d bytes on standard output", sutOutput)}
	case r.plan.BenchRun.Decl.Sut.Output == plan.OutputProcess && exit.Signal == "":
		return bench.Answer{Output: trace.AppendValue(nil, map[string]any{
			"exit_code": exit.Code, "stderr": utf8Text(exit.Stderr), "stdout": utf8Text(exit.Stdout),
		})}, nil
	case exit.Signal != "":
		return wrote, &bench.Exception{Type: "SignalError", Message: withText("signal: "+exit.Signal, exit.Stderr)}
	case exit.Code != 0:
		return wrote, &bench.Exception{Type: "ExitError", Message: withText(fmt.Sprintf("exit status %d", exit.Code), exit.Stderr)}
	}
	wrote.CostUSD = costIn(exit.Stdout)
	return wrote, nil
}

func utf8Text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// withText adds what a program said to how it ended.
func withText(how string, said []byte) string {
	if text := strings.TrimSpace(utf8Text(said)); text != "" {
		return how + ": " + text
	}
	return how
}

// costIn is what a program says that its answer cost, 0 where it says nothing.
func costIn(output []byte) float64 {
	var said struct {
		Cost *float64 `json:"cost_usd"`
	}
	if json.Unmarshal(output, &said) != nil || said.Cost == nil || !(*said.Cost >= 0) {
		return 0
	}
	return *said.Cost
}

// askWorkflow plays the workflow for a case, on a clock of its own: how long
// that says it took is how long the case takes.
func (r *run) askWorkflow(ctx context.Context, k *plan.BenchCase, trial int) (bench.Answer, error) {
	var played *run
	var err error
	play := func() {
		played = NewRun(r.plan.BenchRun.Workflow.ForCase(k, trial), RunOptions{}, nil)
		err = played.Play()
	}
	if r.host == nil {
		play()
	} else {
		r.Clock.External(ctx, "the workflow", play)
	}
	if err != nil {
		return bench.Answer{}, err
	}
	r.benching.gates.add(played)
	took := played.Clock.Elapsed()
	if r.host == nil {
		if err := r.Clock.Sleep(ctx, took); err != nil {
			return bench.Answer{}, err
		}
	} else if took > r.plan.BenchRun.Spec.CaseTimeout {
		return bench.Answer{}, bench.ErrTimeout
	}
	run := &played.Obs.Run
	answer := bench.Answer{CostUSD: run.CostUSD.Float64(), Elapsed: took, Calls: callsOf(played.Log.Events())}
	if run.Status != read.StatusSuccess {
		return answer, exceptionOfRun(run)
	}
	output := run.Output
	if output.IsNull() {
		output = cty.EmptyObjectVal
	}
	answer.Output = event.Value{Value: output}.AppendJSON(nil)
	return answer, nil
}

// exceptionOfRun is why the workflow gave no answer, by its mode or kind.
func exceptionOfRun(run *observe.RunResult) error {
	e := &bench.Exception{Type: run.Status, Message: "the workflow ended as " + run.Status}
	if f := run.Err; f != nil {
		e.Type, e.Message = string(f.Kind), f.Message
		if f.Mode != nil {
			e.Type = f.Mode.Code
		}
		if f.Step != "" && !strings.HasPrefix(f.Message, "step ") {
			e.Message = fmt.Sprintf("step %q: %s", f.Step, f.Message)
		}
	}
	return e
}

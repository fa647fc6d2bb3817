package search

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/explore/program"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// ofPrograms gives the flags that nobody set the values that suit programs: a process
// takes a thousand times as long as a run of the interpreter.
func (f *exploreFlags) ofPrograms(flags *pflag.FlagSet) {
	if !f.exec {
		return
	}
	if !flags.Changed("max-k") {
		f.maxK = 1
	}
	if !flags.Changed("budget") {
		f.budget = "60s"
	}
	if !flags.Changed("parallel") {
		f.parallel = 1
	}
}

// notRun says why a scenario is not explored, "" where it is.
func (f *exploreFlags) notRun(p *interp.Plan) string {
	if !f.exec {
		return harness.NotInterpreted(p)
	}
	why := p.NotRun(interp.Exec)
	if why == "" && f.command == nil && !namesProgram(p) {
		why = "it names no program"
	}
	return why
}

// other says what else is not explored than what is skipped.
func (f *exploreFlags) other() string {
	if f.exec {
		return "without a program"
	}
	return "not for the interpreter"
}

// plainly is the command that runs a scenario as it is.
func (f *exploreFlags) plainly() string {
	if f.exec {
		return "exec"
	}
	return "test"
}

// ofProgram reports whether a scenario that is not explored would be with a program, or
// with --exec.
func ofProgram(p *interp.Plan) bool { return p.NotRun(interp.Exec) == "" }

// namesProgram reports whether the file says which program to start.
func namesProgram(p *interp.Plan) bool { return p.Sut() != nil && p.Sut().Command != nil }

// pointless says what would be a point.
func (x *exploration) pointless() string {
	switch f := x.flags; {
	case x.forProgram != nil:
		file, program := cli.Readable(x.forProgram.File), " -- PROGRAM"
		if namesProgram(x.forProgram) {
			program = ""
		}
		return fmt.Sprintf("a program makes the calls of %s: scenario explore --exec %s%s starts one", file, file, program)
	case f.exec:
		return "a program has one for every request that it makes; scenario exec says why it made none"
	}
	return "a scenario has one for every attempt of a step, and for every call of an actor"
}

// programs makes ready to start programs.
func (x *exploration) programs() error {
	x.Memory.Serve()
	dir, err := os.Getwd()
	if err != nil {
		return cli.Ending(cli.ExitPassed, err)
	}
	if c := x.flags.command; c != nil {
		if _, err := process.Find(c[0], dir); err != nil {
			return cli.HidingEnvironment(cli.ExitAs(cli.ExitInvalid, err.Error(), "the program is what follows --; nothing was run"))
		}
	}
	x.starts = sut.Options{
		Command: x.flags.command, WorkingDir: dir, Environment: os.Environ(), Dial: dial.Through, Bridge: []string{cli.OwnCommand(), "bridge"},
		Reach: func(addresses []string) sut.Way { return dial.NewDirect(addresses) },
	}
	return nil
}

// world is a scenario as a search knows it. Closing over ends its first run, and those of
// the interpreter; closing done ends all runs of a program.
func (x *exploration) world(p *interp.Plan, over, done <-chan struct{}) *explore.World {
	if x.flags.exec {
		var model *explore.World
		if !x.flags.noModel {
			model = explore.ModelOf(p)
		}
		return program.World(p, x.starts, model, over, done)
	}
	return explore.Interpreted(p, over)
}

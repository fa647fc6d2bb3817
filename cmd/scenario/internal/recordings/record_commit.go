package recordings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/interp"
)

// recording is what the flags say of what is recorded.
func (f *liveFlags) recording() recording.Options {
	return recording.Options{At: cli.Now().UTC(), Steps: f.steps(), Missing: f.missing, Drifted: f.drifted, Check: f.checks}
}

// NotRecorded ends a command that cannot record what it is to. Instead is what one can
// do who wants no recording.
func NotRecorded(err error, instead string) error {
	var unnamed *recording.UnnamedError
	if errors.As(err, &unnamed) {
		return cli.Usagef("add cassette { path = \"cassettes/….yaml\" } to it"+instead, "%s", unnamed)
	}
	hint := ""
	var in *recording.Error
	switch {
	case !errors.As(err, &in):
	case errors.Is(err, fs.ErrNotExist):
		hint = fmt.Sprintf("scenario record %s creates it", in.Cassette.Users[0].File)
	case errors.Is(err, cassette.ErrJournal):
		hint = fmt.Sprintf("scenario record --recover %s saves what it holds; remove the journal to discard it", in.Cassette.Users[0].File)
	}
	return cli.ExitAs(cli.ExitCassette, err.Error(), hint)
}

// Commit puts the recordings in the place of the files, and says so.
func Commit(s *harness.Invocation, set *recording.Set) error {
	why := ""
	if s.Halt.Cause() != cli.ExitPassed {
		why = "the run was interrupted"
	}
	done, err := set.Commit(why)
	var lost error
	for i := range done {
		lost = cli.WorstError(lost, committed(s, &done[i]))
	}
	if err != nil {
		hint := ""
		if in := (*recording.Error)(nil); errors.As(err, &in) {
			hint = fmt.Sprintf("what was recorded is kept beside the file: once it can be written, scenario record --recover %s saves it", in.Cassette.Users[0].File)
		}
		return cli.ExitAs(cli.ExitInternal, err.Error(), hint)
	}
	return lost
}

// worse says which steps met a failure, and which.
func worse(list []recording.Worse) string {
	said := make([]string, len(list))
	for i, w := range list {
		said[i] = fmt.Sprintf("step %q failed: %s", w.Step, w.Outcome)
	}
	return strings.Join(said, ", ")
}

// ofProgram reports whether a scenario is run with a program.
func ofProgram(p *interp.Plan) bool { return p.NotRun(interp.Exec) == "" }

// unrecorded refuses scenarios none of which record runs because they are of programs;
// what was recorded of them another command replaces.
func unrecorded(plans []*interp.Plan) error {
	for _, p := range plans {
		if ofProgram(p) {
			return cli.ExitAs(cli.ExitNothing,
				fmt.Sprintf("scenario %q is one of a program, which record does not start: it records workflows, and nothing was changed", cli.Readable(p.Name)),
				live("", p)+" records it")
		}
	}
	return nil
}

// live is the command that records what a program asks, of some endpoints where they
// are named.
func live(endpoints string, p *interp.Plan) string {
	command := "scenario exec --live"
	if endpoints != "" {
		command += "=" + endpoints
	}
	command += " " + p.File
	if sut := p.Sut(); sut == nil || sut.Command == nil {
		command += " -- PROGRAM"
	}
	return command
}

// wholly is the command that records a step whatever it is answered.
func wholly(c *recording.Committed) string {
	return named(c.Picked[0], c.Worse[0].Step, []string{c.Worse[0].Step})
}

// named is the command that records a step of a workflow, or some endpoints of a program,
// and nothing else of the scenario.
func named(p *interp.Plan, step string, endpoints []string) string {
	if slices.Contains(p.DialSteps(), step) {
		return fmt.Sprintf("scenario record --step %s %s", step, p.File)
	}
	return live(strings.Join(endpoints, ","), p)
}

// less says that a scenario recorded less than the file holds of it.
func less(path string, l *recording.Less) error {
	held := fmt.Sprintf("%s is unchanged: it holds %s of scenario %q, and now ", path, cli.Plural(l.Were, "interaction"), cli.Readable(l.Plan.Name))
	if l.Now == 0 {
		return cli.ExitAs(cli.ExitCassette, held+"it asked no service",
			"does it start, and does it ask at the address that it is given? To record that it asks nothing, remove the file and record again")
	}
	return cli.ExitAs(cli.ExitCassette, fmt.Sprintf("%sits run failed after %d", held, l.Now),
		"record again once it succeeds; if this is to be kept, name what to record: "+named(l.Plan, l.Last, l.Steps))
}

// committed says what became of one cassette. It is an error where its answers
// would have been lost.
func committed(s *harness.Invocation, c *recording.Committed) error {
	unanswered := strings.Join(c.Unanswered, ", ")
	switch {
	case c.Broken != "":
		fmt.Fprintf(s.Stderr, "%s is unchanged: %s\n", c.Path, c.Broken)
		if c.Recorded > 0 {
			fmt.Fprintf(s.Stderr, "hint: scenario record --recover %s keeps %s of this recording\n", c.Users[0].File, cli.Plural(c.Recorded, "interaction"))
		}
		return nil
	case c.Lost && len(c.Worse) > 0:
		return cli.WorstError(c.Discarding, cli.ExitAs(
			cli.ExitCassette,
			fmt.Sprintf("%s is unchanged: it holds answers, and now %s", c.Path, worse(c.Worse)),
			"try again once the service answers; if the failure is to be kept, record the step as a whole: "+wholly(c),
		))
	case c.Less != nil:
		return cli.WorstError(c.Discarding, less(c.Path, c.Less))
	case c.Lost:
		return cli.WorstError(c.Discarding, cli.ExitAs(
			cli.ExitCassette,
			fmt.Sprintf("%s is unchanged: it holds answers, and now no call reached a service (%s)", c.Path, cmp.Or(unanswered, "given up")),
			"is the service up, and is the address right? To record that nothing answers, remove the file and record again",
		))
	}
	if !s.Common.Quiet {
		fmt.Fprintf(s.Stderr, "%s: recorded %s, %d in all\n", c.Path, cli.Plural(c.Recorded, "interaction"), c.Total)
	}
	if len(c.Worse) > 0 {
		fmt.Fprintf(s.Stderr, "Warning: %s: the recording before had answers, and now %s; a replay gives the failure from now on\nhint: if it should not, restore the file from version control, or record again\n", c.Path, worse(c.Worse))
	}
	if unanswered != "" {
		fmt.Fprintf(s.Stderr, "Warning: %s: calls reached no service (%s), and a replay now gives the same\nhint: if it should have been there, record again, or restore the file from version control\n", c.Path, unanswered)
	}
	if data, err := disk.Read(c.Path, importMax); err == nil {
		warnOfSuspects(s.App, c.Path, data, nil, nil)
	}
	if len(c.Dropped) > 0 {
		fmt.Fprintf(s.Stderr, "Warning: %s: headers are read by names that are not written in the file, so these fields of the answers were not kept: %s\nhint: list those that a replay needs in match_headers of the cassette block\n", c.Path, strings.Join(c.Dropped, ", "))
	}
	return nil
}

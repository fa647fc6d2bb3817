package benches

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// A Choice is which trials of benches are run.
type Choice struct {
	Trials, Limit int
	Case          string
}

// Choose are the benches of an invocation that can be run, with the cases that are
// asked for. Like [BenchCommand] it says what is left out, and why nothing is left.
func (c Choice) Choose(su *harness.Invocation) ([]harness.Job, error) {
	f := &benchFlags{trials: c.Trials, limit: c.Limit, cases: c.Case}
	f.Quiet = su.Common.Quiet
	if err := f.checkBench(); err != nil {
		return nil, err
	}
	s := &benchSession{Invocation: su, flags: f}
	jobs, err := f.runnable(su.App, su.Runner.Jobs)
	if err == nil {
		jobs, err = s.selected(jobs)
	}
	if err != nil {
		return nil, su.Unstarted(err)
	}
	if missing, sources := missingPrograms(jobs, su.Env); len(missing) > 0 {
		harness.WriteDiagnostics(su.App, missing, sources, nil, f.Quiet)
		return nil, su.Unstarted(cli.ExitWith(cli.ExitInvalid), harness.ReportedAll(missing)...)
	}
	return jobs, nil
}

// Files are the files below the suite root that the programs of a bench depend on: of
// those that name none, the files in the directories of the scenario file and of what
// their commands name. Each is in its real directory, and links are those to directories
// by which they are reached. What has a name that begins with a dot is among them only
// where it is named, and private files never are: naming one is an error.
func Files(p *interp.Plan, root string, private []string) (files []string, links map[string]string, err error) {
	in, kept := newBenchInputs(p, root, nil), map[string]bool{}
	for _, path := range private {
		kept[disk.Real(path)] = true
	}
	maps.Copy(in.ignored, kept)
	if err := in.read(p, true); err != nil {
		return nil, nil, err
	}
	found := map[string]bool{}
	for path := range in.used {
		found[path] = !strings.HasPrefix(filepath.Base(path), ".")
	}
	needed := map[string]bool{}
	for _, program := range p.BenchPrograms() {
		for _, path := range program.DependsOn {
			if path = in.resolve(path); in.file(path) != "" {
				needed[path] = true
			}
		}
		for _, path := range in.named(program.Command) {
			if real := disk.Real(path); in.file(path) != "" && inside(in.root, real) {
				needed[path] = true
			}
		}
	}
	for path := range needed {
		if kept[disk.Real(path)] {
			return nil, nil, cli.Usagef("name another file, or take it out of the command and of depends_on", "%s is named by a flag, so that it stays on this machine, and the bench %q needs it", filepath.ToSlash(path), p.Name)
		}
	}
	maps.Copy(found, needed)
	links = map[string]string{}
	for path, goes := range found {
		if goes {
			place, on := disk.Follow(in.root, path)
			files = append(files, place)
			maps.Copy(links, on)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), links, nil
}

// Exec starts the programs of a bench whose scenario file lies in a directory, with
// the environment that env knows of all that this process has. A program of somebody
// else's run gets nothing with which a worker enters its queue, and no variables of
// other runs.
func Exec(dir string, env cli.Lookup) func(context.Context, interp.Program) interp.Exit {
	inherited := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return ofQueue(name) || strings.HasPrefix(strings.ToUpper(name), harness.VariablePrefix)
	})
	without := func(name string) (string, bool) {
		if ofQueue(name) {
			return "", false
		}
		return env(name)
	}
	return (&programs{dir: filepath.Clean(dir), env: without, inherited: inherited}).exec
}

// ofQueue reports whether a variable says where a queue is or lets one in. Windows finds
// it in whatever case it is asked for.
func ofQueue(name string) bool {
	return slices.Contains([]string{"SCENARIO_QUEUE", "SCENARIO_CREDS", "SCENARIO_QUEUE_CA"}, strings.ToUpper(name))
}

// Durations tells how long trials of a bench took when it last ran, 0 where its log
// does not have them.
func Durations(su *harness.Invocation, p *interp.Plan) func(id string, n int) time.Duration {
	s := &benchSession{Invocation: su, flags: &benchFlags{}}
	last, err := s.lastRun(p)
	if err != nil {
		last = nil // nobody knows
	}
	return func(id string, n int) time.Duration { return last[caseTrial{id, n}].Elapsed }
}

// Sums identify what each case of a bench asks and what scores it.
func Sums(su *harness.Invocation, p *interp.Plan) (map[string]bench.Sums, error) {
	programs := newPrograms(p.File, su.Env)
	programs.inputs = newBenchInputs(p, su.Loader.Source.Root(p.File), nil)
	if err := programs.inputs.read(p, false); err != nil {
		return nil, err
	}
	return p.BenchSums(func(k *interp.BenchProgram) string {
		return programs.sum(interp.Program{Command: k.Command, Env: k.Env, Pass: k.Pass, DependsOn: k.DependsOn, Rubric: true})
	}), nil
}

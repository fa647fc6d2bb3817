package benches

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/interp"
)

// programs runs the programs of a bench.
type programs struct {
	dir string // of the scenario file
	env cli.Lookup
	// inherited is the environment of this process.
	inherited []string
	// inputs are the files that their results depend on.
	inputs *benchInputs
}

func newPrograms(file string, env cli.Lookup) *programs {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		dir = filepath.Dir(file)
	}
	return &programs{dir: dir, env: env, inherited: os.Environ()}
}

// maxSaid is how much of standard error is kept.
const maxSaid = 64 << 10

// exec runs a program to its end.
func (s *programs) exec(ctx context.Context, p interp.Program) interp.Exit {
	c := process.Command{Args: p.Command, Dir: s.dir, Stdin: bytes.NewReader(p.Stdin)}
	if p.Rubric {
		own, err := os.MkdirTemp("", "rubric")
		if err != nil {
			return interp.Exit{Err: fmt.Errorf("cannot make a directory for the rubric: %w", err)}
		}
		defer os.RemoveAll(own)
		c.Dir, c.Args = own, s.rebased(p.Command)
	}
	c.Env = s.environment(p)
	var err error
	if c.Path, err = process.Find(p.Command[0], s.dir); err != nil {
		return interp.Exit{Err: err}
	}
	r, err := process.Run(ctx, c, process.Limits{Stdout: p.Limit, Stderr: maxSaid})
	return interp.Exit{Code: r.Code, Signal: r.Signal, Stdout: r.Stdout, Stderr: r.Stderr, Flooded: r.Flooded, Err: err, Environment: c.Env}
}

// missingPrograms says of each program of the benches that cannot be started
// which attribute names it and where it was looked for, with the texts that the
// attributes stand in. A bench whose programs are not there measures nothing.
func missingPrograms(jobs []harness.Job, env cli.Lookup) (hcl.Diagnostics, map[string][]byte) {
	var diags hcl.Diagnostics
	sources := map[string][]byte{}
	told := map[hcl.Range]bool{}
	for _, j := range jobs {
		programs := newPrograms(j.Plan.File, env)
		for _, c := range j.Plan.BenchCommands() {
			why := programs.unstartable(c.Program, filepath.Dir(j.Plan.File))
			if why == "" || told[c.Range] {
				continue // an attribute is told of once, and not for every case
			}
			told[c.Range] = true
			if c.Range.Filename == j.Plan.File {
				sources[j.Plan.File] = j.Source
			}
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Program that cannot be started", Subject: c.Range.Ptr(),
				Detail: fmt.Sprintf("The attribute \"command\" of %s names the program %q for the case %q, and %s Nothing was run.", c.Block, c.Program, c.Case, why),
			})
		}
	}
	return diags, sources
}

// unstartable says why a program cannot be started and what to do, "" where
// nothing is known against it. Dir is the directory of the scenario file as
// people write it.
func (s *programs) unstartable(name, dir string) string {
	_, err := process.Find(name, s.dir)
	var none *process.NotFoundError
	if !errors.As(err, &none) {
		return ""
	}
	if words := strings.Fields(name); len(words) > 1 && none.Reason != process.NotExecutable {
		return fmt.Sprintf("there is no such program: each argument is an element of its own. Write command = [%s, …].", quoted(words[:min(2, len(words))]))
	}
	shown := filepath.ToSlash(none.Path)
	if rel, err := filepath.Rel(s.dir, none.Path); err == nil && !filepath.IsAbs(name) {
		shown = filepath.ToSlash(filepath.Join(dir, rel))
	}
	switch none.Reason {
	case process.NotInPath:
		return fmt.Sprintf("no directory of PATH has it. Install it, or write %q for a file beside the scenario file.", "./"+name)
	case process.IsDirectory:
		return fmt.Sprintf("%s is a directory.", shown)
	case process.NotExecutable:
		return fmt.Sprintf("%s may not be executed. Make it executable, or name its interpreter first: command = [%s].", shown, quoted(process.Interpreted(name)))
	}
	return fmt.Sprintf("there is no file %s: a name with a slash is relative to the directory of the scenario file.", shown)
}

// rebased makes the arguments that begin with ./ or ../ those of the scenario
// file's directory, for a program that runs in another.
func (s *programs) rebased(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range out {
		if strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") {
			out[i] = filepath.Join(s.dir, filepath.FromSlash(arg))
		}
	}
	return out
}

// environment is all that a program gets: a rubric PATH and what the bench
// names, so that a score does not depend on whose shell it was made in; a system
// under test the same where the bench names what it gets, else all that there is.
func (s *programs) environment(p interp.Program) []string {
	env := s.inherited
	if p.Rubric || p.Pass != nil {
		env = nil
		for _, name := range append([]string{"PATH"}, p.Pass...) {
			if value, set := s.env(name); set {
				env = append(env, name+"="+value)
			}
		}
	}
	env = slices.Clip(env)
	for _, name := range slices.Sorted(maps.Keys(p.Env)) {
		env = append(env, name+"="+p.Env[name])
	}
	return env
}

// sum identifies all that a program depends on: the files and the environment
// that it gets.
func (s *programs) sum(p interp.Program) string {
	each := s.inputs.note
	if p.Env != nil { // what the file sets is no change of the environment
		each = func(name, value string) {
			if _, set := p.Env[name]; !set {
				s.inputs.note(name, value)
			}
		}
	}
	return s.inputs.sum(p.Command, p.DependsOn) + environmentSum(s.environment(p), s.inputs.handed, each)
}

// quoted are words as a list has them.
func quoted(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = strconv.Quote(w)
	}
	return strings.Join(all, ", ")
}

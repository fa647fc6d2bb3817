package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/lsp"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// The bounds of what an editor runs: real time, and the size of an explanation.
const (
	editorRunMax  = time.Minute
	editorTextMax = 256 << 10
)

// runInEditor runs a scenario as it stands in an editor, and all that its block stands
// for. The interpreter plays every service: no program is started.
func runInEditor(a *cli.App, ctx context.Context, vars *suite.Variables, path, name string, open lsp.Open) (v *lsp.Verdict, err error) {
	v = &lsp.Verdict{Word: "passed"}
	ran, passed := 0, 0
	err = eachInEditor(a, ctx, vars, path, name, open, func(r *interp.Result) error {
		ran++
		switch r.Verdict {
		case interp.Skip:
			v.Word, v.Note = "skipped", r.Plan.Skip
			return nil
		case interp.Pass:
			passed++
			return nil
		case interp.Error:
			v.Word = "error"
		default:
			v.Word = "failed"
		}
		for i := range r.Problems {
			v.Problems = append(v.Problems, problemInEditor(&r.Problems[i]))
		}
		return nil
	})
	var idle notRun
	if errors.As(err, &idle) {
		return &lsp.Verdict{Word: "not run", Note: string(idle)}, nil
	}
	if ran > 1 && passed < ran {
		v.Note = fmt.Sprintf("%d of %d passed", passed, ran)
	}
	return v, err
}

// problemInEditor is what did not hold, as a diagnostic.
func problemInEditor(p *interp.Problem) *hcl.Diagnostic {
	lines := []string{p.Message}
	for _, o := range p.Operands {
		lines = append(lines, o.Text+" = "+o.Value)
	}
	at := p.Range
	return &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: strings.TrimSpace(fmt.Sprintf("%s %q", p.Kind, p.Name)),
		Detail: strings.TrimSpace(strings.Join(append(lines, p.Diff), "\n")), Subject: &at,
	}
}

// explainInEditor says why a scenario behaves as it does.
func explainInEditor(a *cli.App, ctx context.Context, vars *suite.Variables, path, name string, open lsp.Open) (string, error) {
	var b strings.Builder
	err := eachInEditor(a, ctx, vars, path, name, open, func(r *interp.Result) error {
		if b.Len() > editorTextMax {
			return nil
		}
		return interp.Explain(&b, r)
	})
	text := b.String()
	if len(text) > editorTextMax {
		text = strings.ToValidUTF8(text[:editorTextMax], "") + "\n… scenario explain has all of it\n"
	}
	return text, err
}

// A notRun says why the interpreter does not run a scenario.
type notRun string

func (n notRun) Error() string { return "it is not run here: " + string(n) }

// eachInEditor compiles a file as it stands in an editor and does something with the
// run of each scenario of a name.
func eachInEditor(a *cli.App, ctx context.Context, vars *suite.Variables, path, name string, open lsp.Open, do func(*interp.Result) error) error {
	l := harness.NewLoader(a)
	l.Vars, l.Unsaved = vars, open
	l.Wanted = func(_ *suite.File, p *interp.Plan) bool { return p.Name == name || strings.HasPrefix(p.Name, name+"[") }
	defer l.Close()
	f := l.LoadContext(ctx, l.Source.Shorten(path))
	if f.Failed() {
		return errors.New("the file is invalid: see its diagnostics")
	}
	done, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	go func() {
		defer close(done)
		select {
		case <-ctx.Done():
		case <-a.After(editorRunMax):
		case <-over:
		}
	}()
	for _, p := range f.Plans {
		if !l.Wanted(f, p) {
			continue
		}
		result := &interp.Result{Plan: p, Verdict: interp.Skip}
		if why := p.NotRun(interp.Interpreted); p.Skip == "" && why != "" {
			return notRun(why)
		} else if why == "" {
			result = a.Play(p, interp.RunOptions{Done: done})
		}
		select {
		case <-done:
			return fmt.Errorf("the run was ended before it was over, after at most %s", editorRunMax)
		default:
		}
		if err := do(result); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// promotable refuses what --promote-faults cannot write, before anything is
// recorded.
func (f *recordFlags) promotable(paths []string) error {
	name := filepath.ToSlash(f.promote)
	switch {
	case f.promote == "":
		return nil
	case !strings.HasSuffix(name, suffix):
		return usagef("name it, for example, faults"+suffix, "--promote-faults writes a scenario file, and %s is not the name of one", name)
	case exists(f.promote):
		return usagef("name another file; nothing was recorded", "%s is there already", name)
	case len(paths) != 1 || !strings.HasSuffix(paths[0], suffix):
		return usagef("", "--promote-faults takes one scenario file, not a directory or several files")
	case filepath.Dir(f.promote) != filepath.Dir(filepath.Clean(paths[0])):
		return usagef("name a file beside it", "%s is to import %s and its cassette, and stands in another directory", name, filepath.ToSlash(paths[0]))
	}
	return nil
}

// promote writes a scenario file with the failures that were recorded as faults.
func (a *app) promote(f *recordFlags, source string, t *tapes) error {
	if f.promote == "" {
		return nil
	}
	src, err := readLimited(source, dsl.MaxFileSize)
	if err != nil {
		return usagef("", "cannot read %s: %s", source, cause(err))
	}
	file, diags := hclwrite.ParseConfig(src, source, hcl.InitialPos)
	if diags.HasErrors() {
		return &exitError{exitInvalid, diags.Error(), ""}
	}
	out := hclwrite.NewEmptyFile()
	out.Body().SetAttributeRaw("import", valueTokens([]any{"./" + filepath.Base(source)}))
	n := 0
	for _, w := range t.list {
		for _, p := range w.picked {
			if w.written != nil && a.promoteScenario(out.Body(), file, w, p, t.statuses[p]) {
				n++
			}
		}
	}
	name := filepath.ToSlash(f.promote)
	if n == 0 {
		fmt.Fprintf(a.stderr, "no failure was recorded; %s is not written\n", name)
		return nil
	}
	if err := writeFileAtomic(f.promote, dsl.Format(out.Bytes()), 0o666); err != nil {
		return &exitError{exitInternal, fmt.Sprintf("cannot write %s: %s", name, cause(err)), ""}
	}
	fmt.Fprintf(a.stderr, "wrote %s: %s with the recorded failures as faults\n", name, plural(n, "scenario"))
	return nil
}

// promoteScenario writes the scenario again with what failed as faults. It
// reports false where nothing failed.
func (a *app) promoteScenario(out *hclwrite.Body, file *hclwrite.File, w *tapeWriter, p *interp.Plan, status string) bool {
	var items []*cassette.Interaction
	for _, it := range w.written.Interactions {
		if it.Scenario == "" || it.Scenario == p.Name {
			items = append(items, it)
		}
	}
	scripts := convert.Promote(items)
	if len(scripts) == 0 {
		return false
	}
	declared := file.Body().FirstMatchingBlock("scenario", []string{p.Name})
	if declared == nil || status == "" {
		fmt.Fprintf(a.stderr, "the failures of %q are left out: it is one of several scenarios that a block stands for\n", p.Name)
		return false
	}
	out.AppendNewline()
	body := out.AppendNewBlock("scenario", []string{p.Name + ", as it failed"}).Body()
	for _, attr := range []string{"run", "inputs", "seed"} {
		if at := declared.Body().GetAttribute(attr); at != nil {
			body.SetAttributeRaw(attr, at.Expr().BuildTokens(nil))
		}
	}
	body.SetAttributeRaw("allow", valueTokens([]any{"unused_interaction"}))
	var promoted []string
	for _, s := range scripts {
		promoted = append(promoted, s.Labels[0])
		body.AppendNewline()
		writeBlock(body, s)
	}
	for _, b := range declared.Body().Blocks() {
		if slices.Contains([]string{"cassette", "override"}, b.Type()) || b.Type() == "on" && !slices.Contains(promoted, b.Labels()[0]) {
			body.AppendNewline()
			body.AppendBlock(b)
		}
	}
	body.AppendNewline()
	expect := &convert.Block{Type: "expect", Labels: []string{"run"}, Attrs: []convert.Attr{{Name: "status", Value: status}}}
	writeBlock(body, expect)
	return true
}

// statusOf is how the run ended: its end is the last one in the trace.
func statusOf(r *interp.Result) string {
	status := ""
	for _, e := range r.Events {
		if e.Type == trace.RunEnd {
			for _, attr := range e.Attrs {
				if attr.Key == "status" {
					status = fmt.Sprint(attr.Value)
				}
			}
		}
	}
	return status
}

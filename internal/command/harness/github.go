package harness

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/report"
)

// The formats that a job of GitHub Actions is given without being asked.
const (
	githubFormat   = "github"
	markdownFormat = "markdown"
)

// onGitHub are the reports of a job of GitHub Actions: annotations on standard
// error, where they are read and disturb no results, and a summary for the page
// of the run.
func onGitHub(a *cli.App) []report.Reporter {
	if on, _ := a.Env("GITHUB_ACTIONS"); on != "true" {
		return nil
	}
	annotations, _ := formatNamed(githubFormat)
	opts := report.Options{Base: Base(a, annotations)}
	all := []report.Reporter{annotations.New(a.RunnerLines(a.Stderr), opts)}
	if path, _ := a.Env("GITHUB_STEP_SUMMARY"); path != "" {
		summary, _ := formatNamed(markdownFormat)
		all = append(all, summary.New(&stepSummary{a, path}, opts))
	}
	return all
}

// Base is what leads from the root of the repository, where readers of the
// format begin, to the working directory, where paths begin.
func Base(a *cli.App, f report.Format) string {
	root, _ := a.Env("GITHUB_WORKSPACE")
	if root == "" || f.Name != githubFormat && f.Name != markdownFormat {
		return ""
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(disk.Real(root), disk.Real(here))
	if rel = filepath.ToSlash(rel); err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return ""
	}
	return rel + "/"
}

// summaryMax is how many bytes the summary of a step may have: GitHub shows nothing of
// a larger one.
const summaryMax = 1 << 20

// fitting is as much of a summary as there is room for behind what the file has: all
// of it, the counts at its beginning, or nothing.
func fitting(f *os.File, summary []byte) []byte {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size()+int64(len(summary)) <= summaryMax {
		return summary
	}
	counts, _, _ := bytes.Cut(summary, []byte("\n### "))
	counts = append(bytes.Clone(counts[:min(len(counts), countsMax)]), "\nThe summary of this step has no room for more.\n"...)
	if info.Size()+int64(len(counts)) > summaryMax {
		return nil
	}
	return counts
}

// countsMax bounds the counts of a summary, in bytes.
const countsMax = 4 << 10

// A stepSummary adds to the summary of the job's step, which other commands of
// the step share. Nobody asked for it, so that a failure is no more than said.
type stepSummary struct {
	app  *cli.App
	path string
}

func (s *stepSummary) Write(p []byte) (int, error) {
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.Write(fitting(f, p))
		if closing := f.Close(); err == nil {
			err = closing
		}
	}
	if err != nil {
		fmt.Fprintf(s.app.Stderr, "cannot add to the summary of the step ($GITHUB_STEP_SUMMARY): %s\n", disk.Cause(err))
	}
	return len(p), nil
}

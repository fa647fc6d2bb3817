package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/process"
)

// The bounds of one call.
const (
	filesMax = 64      // files that are handed over
	textMax  = 1 << 20 // bytes of them, and of a message of a client
	outMax   = 24 << 10
	errMax   = 8 << 10
	wholeMax = 4 << 20
	atOnce   = 2 // calls that run at a time
	// grace is how long a process has, beyond the limit, to say that it was reached.
	grace = 5 * time.Second
)

// A request is what a process of its own is to do.
type request struct {
	// Args is a command line, without the name of the command.
	Args []string `json:"args"`
	// Files are texts by their paths, which stand for what is on the disk.
	Files map[string]string `json:"files,omitempty"`
	// Stdin is what the command reads.
	Stdin string `json:"stdin,omitempty"`
	// Whole says that all of standard output is wanted, up to wholeMax.
	Whole bool `json:"whole,omitempty"`
	// LimitMS is how long it may take, in milliseconds of real time.
	LimitMS int64 `json:"limit_ms"`
}

// An answer is how a command line ended.
type answer struct {
	Code   cli.ExitCode `json:"code"`
	Stdout string       `json:"stdout"`
	Stderr string       `json:"stderr"`
	// Cut says that Stdout is not all that was written.
	Cut bool `json:"cut,omitempty"`
	// Late says that it did not end within its limit.
	Late bool `json:"late,omitempty"`
}

// String is what an agent reads: all that was written, and how it ended.
func (a answer) String() string {
	var b strings.Builder
	for _, text := range []string{a.Stdout, a.Stderr} {
		if text = strings.TrimRight(text, "\n"); text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	fmt.Fprintf(&b, "exit code %d: %s", a.Code, meaning(a.Code))
	return b.String()
}

// meaning says what an exit code means to an agent, which has no flags.
func meaning(code cli.ExitCode) string {
	switch code {
	case cli.ExitPassed:
		return "everything is as it should be"
	case cli.ExitFailed:
		return "a scenario failed, a search found something, or a file is not as it should be"
	case cli.ExitUsage:
		return "the arguments are wrong: a path, a selection, a variable"
	}
	for _, m := range cli.Meanings() {
		if m.Code == code {
			return m.Text
		}
	}
	return "the command ended unexpectedly"
}

// Wrong reports whether the call itself could not be done, unlike one that did what
// was asked and found a mistake in a file.
func (a answer) Wrong() bool {
	return a.Late || a.Code == cli.ExitUsage || a.Code == cli.ExitInternal || !slices.ContainsFunc(cli.Meanings(), func(m cli.Meaning) bool { return m.Code == a.Code })
}

// checkFiles refuses names that a file below the root cannot have, and too much.
func checkFiles(files map[string]string) error {
	if len(files) > filesMax {
		return fmt.Errorf("files has %d entries, and %d at most: save some of them first", len(files), filesMax)
	}
	size := 0
	for name, text := range files {
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("files has the path %q: write one relative to the root of the server, with slashes, such as scenarios/shop.scenario.hcl", name)
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, ok := files[dir]; ok {
				return fmt.Errorf("files has both %q and %q, which would have to be a directory", dir, name)
			}
		}
		size += len(text)
	}
	if size > textMax {
		return fmt.Errorf("files has %d bytes, and %d at most: save some of them first", size, textMax)
	}
	return nil
}

// checkPath refuses a path that leads out of the root, and what a command would take
// for a flag. A place behind a colon is part of it.
func checkPath(name string) error {
	switch {
	case name == "" || strings.HasPrefix(name, "-"):
		return fmt.Errorf("%q is not a path", name)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return fmt.Errorf("the path %q leads out of the root of the server: write it relative to that directory", name)
	}
	return nil
}

// run has a process of its own do what is asked, and ends it for certain.
func (s *server) run(ctx context.Context, r request) (answer, error) {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return answer{}, context.Cause(ctx)
	}
	r.LimitMS = s.limit.Milliseconds()
	in, err := json.Marshal(r)
	if err != nil {
		return answer{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return answer{}, fmt.Errorf("cannot find the command itself: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.limit+grace)
	defer cancel()
	ended, err := process.Run(ctx, process.Command{
		Path: self, Args: []string{"scenario", "mcp", "--call"}, Dir: s.root, Env: environment(os.Environ()), Stdin: bytes.NewReader(in),
	}, process.Limits{Stdout: 8 * wholeMax, Stderr: errMax})
	var a answer
	switch {
	case err != nil:
		return a, fmt.Errorf("cannot start the command: %w", err)
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return s.late(a), nil
	case ctx.Err() != nil:
		return a, context.Cause(ctx)
	}
	if err := json.Unmarshal(ended.Stdout, &a); err != nil {
		return a, fmt.Errorf("the command ended with code %d %s before it answered: %s", ended.Code, ended.Signal, lastLines(ended.Stderr))
	}
	if a.Late {
		a = s.late(a)
	}
	return a, nil
}

// late is an answer that says that the limit was reached.
func (s *server) late(a answer) answer {
	a.Late, a.Code = true, cli.ExitFailed
	a.Stderr = strings.TrimLeft(fmt.Sprintf("%s\nIt did not end within %s and was stopped; what is above is what it wrote until then. Select fewer scenarios with run, or lower the budget.\n", strings.TrimRight(a.Stderr, "\n"), s.limit), "\n")
	return a
}

// environment is that of the server without what would tell the command anything:
// what a call means stands in its arguments.
func environment(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(entry string) bool {
		return strings.HasPrefix(entry, "SCENARIO_") || strings.HasPrefix(entry, "OTEL_")
	})
}

// lastLines is the end of what a process that broke down wrote.
func lastLines(p []byte) string {
	text := strings.TrimSpace(string(p))
	if len(text) > 2000 {
		text = "… " + strings.ToValidUTF8(text[len(text)-2000:], "")
	}
	return text
}

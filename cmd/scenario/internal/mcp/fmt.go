package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// addFmt adds the one tool that can write, and does where it is told to.
func (s *server) addFmt(m *sdk.Server) {
	no := false
	tool := &sdk.Tool{
		Name: "fmt", Description: "Format a scenario file, or a text. Nothing is written without write.",
		Annotations: &sdk.ToolAnnotations{IdempotentHint: true, OpenWorldHint: &no, DestructiveHint: &no},
	}
	sdk.AddTool(m, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in fmtInput) (*sdk.CallToolResult, any, error) {
		text, wrong, err := s.format(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		return said(text, wrong), nil, nil
	})
}

// format answers one call.
func (s *server) format(ctx context.Context, in fmtInput) (string, bool, error) {
	switch {
	case (in.Text == "") == (in.Path == ""):
		return "", false, errors.New("fmt takes either text or path")
	case in.Write && in.Path == "":
		return "", false, errors.New("write needs a path: without one the text is returned")
	case len(in.Text) > textMax:
		return "", false, fmt.Errorf("text has %d bytes, and %d at most", len(in.Text), textMax)
	}
	source := in.Text
	if in.Path != "" {
		var err error
		if source, err = s.read(in.Path); err != nil {
			return "", false, err
		}
	}
	a, err := s.run(ctx, request{Args: []string{"fmt", "-"}, Stdin: source, Whole: true})
	switch {
	case err != nil:
		return "", false, err
	case a.Code != cli.ExitPassed || a.Late:
		return a.String(), a.Wrong(), nil
	case a.Cut:
		return "", false, fmt.Errorf("the file is too large to be formatted here: it has more than %d bytes; scenario fmt formats it", wholeMax)
	case !in.Write:
		return a.Stdout, false, nil
	case a.Stdout == source:
		return in.Path + " is formatted already; nothing was written", false, nil
	}
	if err := s.write(in.Path, a.Stdout); err != nil {
		return "", false, err
	}
	return "formatted and written: " + in.Path, false, nil
}

// read is a scenario file below the root.
func (s *server) read(name string) (string, error) {
	if err := checkPath(name); err != nil {
		return "", err
	}
	if !suite.IsScenario(name) {
		return "", fmt.Errorf("%s is not a scenario file: the names of those end in %s", name, suite.Suffix)
	}
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return "", fmt.Errorf("cannot open the root of the server: %w", disk.Cause(err))
	}
	defer root.Close()
	f, err := disk.RegularFS(root.FS()).Open(slashed(name))
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, disk.Cause(err))
	}
	text, err := disk.ReadFrom(f, dsl.MaxFileSize)
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, disk.Cause(err))
	}
	return string(text), nil
}

// write replaces a file below the root as a whole.
func (s *server) write(name, text string) error {
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return fmt.Errorf("cannot open the root of the server: %w", disk.Cause(err))
	}
	defer root.Close()
	name = slashed(name)
	info, err := root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is a link, and what it leads to is left alone")
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, disk.Cause(err))
	}
	written := name + ".new"
	f, err := root.OpenFile(written, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return fmt.Errorf("cannot write %s: %w; the file is unchanged", name, disk.Cause(err))
	}
	_, err = io.Copy(f, strings.NewReader(text))
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(written, name)
	}
	if err != nil {
		_ = root.Remove(written) // the error says what went wrong
		return fmt.Errorf("cannot write %s: %w; the file is unchanged", name, disk.Cause(err))
	}
	return nil
}

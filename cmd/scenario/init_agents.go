package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
)

// guide is what coding agents have to know, as a section of an AGENTS.md.
//
//go:embed guide/AGENTS.md
var guide string

// guideFile is the file that coding agents read first.
const guideFile = "AGENTS.md"

// writeGuide writes the guide into a directory. To a file that is there it is added
// where add says so, and it is never there twice.
func writeGuide(a *cli.App, dir string, add bool) error {
	name := filepath.Join(filepath.Clean(dir), guideFile)
	shown := filepath.ToSlash(name)
	if err := makeDir(filepath.Dir(name)); err != nil {
		return err
	}
	first, _, _ := strings.Cut(guide, "\n")
	have, err := disk.Read(name, 1<<20)
	done := "wrote"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = writeNew(name, []byte(guide))
	case err != nil:
	case strings.Contains(string(have), first):
		return cli.Usagef("to write it anew, delete it there first, with its first and last line; nothing was written", "%s has the guide already", shown)
	case !add:
		return cli.Usagef("scenario init --agents --append adds the guide at its end; nothing was written", "%s already exists", shown)
	default:
		done = "added the guide to"
		err = appendText(name, separator(string(have))+guide)
	}
	if err != nil {
		return cli.Usagef("", "cannot write %s: %s", shown, disk.Cause(err))
	}
	fmt.Fprintf(a.Stdout, "%s %s\n\nIt tells agents to read `scenario help language`. `scenario mcp` serves the command as tools.\n", done, shown)
	return nil
}

// separator is what makes an empty line between a text and what is added to it.
func separator(text string) string {
	switch {
	case text == "" || strings.HasSuffix(text, "\n\n"):
		return ""
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return "\n\n"
}

// appendText adds to a file and leaves what is there as it is.
func appendText(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

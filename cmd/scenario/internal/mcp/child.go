package mcp

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/overlay"
	"github.com/scenario-lang/scenario/suite"
)

// answerOne reads one request from standard input, does it and writes the answer. It
// ends in time: what still runs then ends with the process.
func answerOne(a *cli.App, execute Execute) error {
	text, err := io.ReadAll(io.LimitReader(a.Stdin, 8*textMax))
	if err != nil {
		return err
	}
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return cli.Usagef("an MCP client starts scenario mcp", "--call is for the server itself: %s", err)
	}
	root, err := os.OpenRoot(".")
	if err != nil {
		return fmt.Errorf("cannot open the root of the server: %w", disk.Cause(err))
	}
	defer root.Close()
	out, errs := &bounded{most: outMax / 2}, &bounded{most: errMax / 2}
	if r.Whole {
		out.most = wholeMax / 2
	}
	b := *a
	b.Stdin, b.Stdout, b.Stderr = strings.NewReader(r.Stdin), out, errs
	b.Env = func(string) (string, bool) { return "", false }
	b.Files = suite.FS(overlay.FS{Below: root.FS(), Files: r.Files})
	done := make(chan cli.ExitCode, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprintf(errs, "Error: internal error: %v\n%s", p, debug.Stack())
				done <- cli.ExitInternal
			}
		}()
		done <- execute(&b, r.Args)
	}()
	found := answer{}
	select {
	case found.Code = <-done:
	case <-a.After(time.Duration(r.LimitMS) * time.Millisecond):
		found.Late = true
	}
	found.Cut, found.Stdout, found.Stderr = out.Cut(), out.String(), errs.String()
	return json.NewEncoder(a.Data()).Encode(found)
}

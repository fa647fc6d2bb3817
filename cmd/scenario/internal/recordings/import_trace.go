package recordings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/incident"
)

// importTrace drafts a scenario of a file of traces. done is false where the file
// is none.
func importTrace(a *cli.App, f *importFlags, path string) (done bool, err error) {
	asked := f.trace != "" || f.program || f.format == traceFormat
	if f.format != "" && f.format != traceFormat {
		if asked {
			return true, cli.Usagef("leave the format out to have it recognised", "--trace and --program are for traces, and not for the format %s", f.format)
		}
		return false, nil
	}
	if disk.IsDir(path) {
		if asked {
			return true, cli.Usagef("name one of its files", "%s is a folder, and traces are imported from a file", path)
		}
		return false, nil
	}
	data, err := importData(path)
	if err != nil {
		return true, err
	}
	if !incident.Is(data) {
		if asked {
			return true, cli.ExitAs(cli.ExitCassette, path+": there are no traces in it", "traces are imported from OTLP/JSON, one export a line or one document, and from the JSON of Tempo and Jaeger")
		}
		return false, nil
	}
	draft, err := incident.Import(path, data, incident.Options{Trace: f.trace, Program: f.program})
	if err != nil {
		return true, traceError(err)
	}
	text, err := drafted(path, strings.Join(draft.Head, "\n"), draft.Blocks, "export the part of the trace that failed")
	if err != nil {
		return true, err
	}
	for _, n := range draft.Notes {
		fmt.Fprintln(a.Stderr, cli.Readable(path+": "+n))
	}
	return true, writeImport(a, f, imported{text, traceFormat, true, cli.Plural(1, "scenario") + " with " + cli.Plural(draft.Calls, "call")})
}

func traceError(err error) error {
	var e *incident.Error
	if errors.As(err, &e) {
		return cli.ExitAs(cli.ExitCassette, e.Error(), e.Hint)
	}
	return err
}

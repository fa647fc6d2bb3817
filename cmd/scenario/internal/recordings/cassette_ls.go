package recordings

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/wire"
)

// listCassette prints a line for every interaction of a file.
func listCassette(a *cli.App, c *cassette.Cassette) error {
	fmt.Fprintf(a.Stdout, "%s: %s, %s\n", c.Path, c.Format, counted(c))
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	if c.Scripts == nil {
		listInteractions(w, c.Interactions)
	} else {
		listScripts(w, c.Scripts)
	}
	w.Flush()
	for line := range bytes.Lines(table.Bytes()) {
		if _, err := fmt.Fprintf(a.Stdout, "  %s\n", bytes.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

func listInteractions(w io.Writer, items []*cassette.Interaction) {
	if len(items) > 0 {
		fmt.Fprintln(w, "n\tstep\trequest\tstatus\tevents\tbytes\tduration")
	}
	for _, it := range items {
		events := "-"
		if it.Response.Stream {
			events = strconv.Itoa(it.Response.Count(wire.PartEvent) + it.Response.Count(wire.PartDone))
		}
		fmt.Fprintf(w, "%d\t%s\t%s %s\t%s\t%s\t%d\t%s\n", it.Index, cli.Cell(address(it)), cli.Cell(it.Method), cli.Cell(it.ShownURL()),
			it.Outcome(), events, len(it.Response.Body()), it.Duration)
	}
}

// address is the explicit key of an interaction as one word, "-" for none.
func address(it *cassette.Interaction) string {
	if it.Step == "" {
		return "-"
	}
	text := it.Step
	if it.Target != "" {
		text += "/" + it.Target
	}
	if it.Lane != "" {
		text += "[" + it.Lane + "]"
	}
	if it.Attempt > 0 {
		text += "#" + strconv.Itoa(it.Attempt)
	}
	if it.Scenario != "" {
		text = it.Scenario + ": " + text
	}
	return text
}

func listScripts(w io.Writer, scripts []*agentloom.Script) {
	if len(scripts) > 0 {
		fmt.Fprintln(w, "n\tkey\tturn\tanswer\tline")
	}
	n := 0
	for _, s := range scripts {
		for i, turn := range s.Turns {
			n++
			fmt.Fprintf(w, "%d\t%s\t%d of %d\t%s\t%d\n", n, cli.Cell(s.Key), i+1, len(s.Turns), answerOf(turn), turn.Line)
		}
	}
}

func answerOf(turn agentloom.Turn) string {
	switch {
	case turn.Fault != nil:
		return "fault " + turn.Fault.Kind
	case len(turn.ToolCalls) > 0:
		return cli.Plural(len(turn.ToolCalls), "tool call")
	}
	return cli.Plural(len(turn.Content), "byte")
}

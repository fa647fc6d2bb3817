package main

import (
	"errors"
	"fmt"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/keys"
)

// watchKeys is what ? shows.
const watchKeys = `  Enter, r   run everything
  f          run what failed
  /, t       choose scenarios by name
  u          record the values of snapshots
  q          quit
`

// invite says what a watch waits for.
func (w *watch) invite() {
	if w.filter != "" {
		fmt.Fprintf(w.app.Stderr, "only scenarios that match %q; / chooses others\n", w.filter)
	}
	if w.keys == nil {
		fmt.Fprintln(w.app.Stderr, "watching for changes; Ctrl-C stops")
		return
	}
	fmt.Fprintln(w.app.Stderr, "watching for changes; ? lists the keys, q quits")
}

// key does what a key asks for; the task is nil where no round follows from it.
func (w *watch) key(key byte, stop <-chan struct{}) *task {
	switch {
	case keys.IsEnter(key), key == 'r':
		return &task{}
	case key == 'f':
		return &task{failed: true}
	case key == '/', key == 't':
		return w.choose(stop)
	case key == 'u':
		return w.update(stop)
	case key == 'q':
		return &task{quit: true}
	case key == '?', key == 'h':
		fmt.Fprint(w.app.Stderr, watchKeys)
	}
	return nil
}

// choose asks which scenarios are run from now on.
func (w *watch) choose(stop <-chan struct{}) *task {
	text, todo := w.ask("scenarios whose name matches (nothing for all): ", stop)
	if text == nil {
		return todo
	}
	chosen := w.flags.Selection
	if chosen.Run = *text; chosen.Run == "" {
		chosen.Run = w.typedRun
	}
	var e *cli.ExitError
	if _, err := chosen.Parse(); errors.As(err, &e) {
		cli.Conclude(w.app.People(w.app.Stderr), err)
		return nil
	}
	w.filter, w.flags.Selection = *text, chosen
	return &task{}
}

// update asks whether snapshots are to be recorded.
func (w *watch) update(stop <-chan struct{}) *task {
	if err := harness.MayUpdate(w.app); err != nil {
		cli.Conclude(w.app.People(w.app.Stderr), err)
		return nil
	}
	text, todo := w.ask("record the values of snapshots, of everything that does not fail otherwise? (y/n) ", stop)
	if text == nil || *text != "y" && *text != "yes" {
		return todo
	}
	return &task{update: true}
}

// ask has somebody type a line. Nil is the answer of who does not want to, or of a
// watch that has come to its end.
func (w *watch) ask(prompt string, stop <-chan struct{}) (*string, *task) {
	terminal, ok := cli.FileOf(w.app.Stderr)
	if !ok {
		return nil, nil
	}
	var line keys.Line
	for {
		fmt.Fprintf(terminal, "\r\x1b[K%s%s", prompt, line.Text())
		select {
		case key := <-w.keys.C():
			line.Type(key)
		case <-stop:
			fmt.Fprintln(terminal)
			return nil, &task{stopped: true}
		}
		if line.Done {
			fmt.Fprintln(terminal)
			if line.Dropped {
				return nil, nil
			}
			text := line.Text()
			return &text, nil
		}
	}
}

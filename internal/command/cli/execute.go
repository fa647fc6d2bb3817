package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/inert"
)

// Execute runs one command line of a program with the commands of root.
func (a *App) Execute(root func(*App) *cobra.Command, args []string) ExitCode {
	out, gone := NewOutput(a.Stdout)
	a.Gone = gone
	shown, errs := inert.New(out), inert.New(a.Stderr)
	a.Stdout, a.Stderr = shown, errs
	defer func() { _ = errs.Flush() }() // there is nowhere to say that it failed
	cmd := root(a)
	// Nil would make cobra read the arguments of the process.
	cmd.SetArgs(append([]string{}, args...))
	err := cmd.Execute()
	_ = shown.Flush() // out has its errors
	return Conclude(a.People(a.Stderr), ofProgram(cmd.Name(), out.Judge(err)))
}

// ofProgram is an error with a hint at the help of the program where it has none of its
// own: cobra's checks of arguments.
func ofProgram(name string, err error) error {
	var e *ExitError
	if err == nil || errors.As(err, &e) {
		return err
	}
	return Usagef("see "+name+" help", "%s", err)
}

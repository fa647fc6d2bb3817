package cli

import (
	"io"
	"os"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/command/inert"
	"github.com/scenario-lang/scenario/internal/disk"
)

// An Output is standard output that remembers its first error, so that no
// command ends well whose results did not arrive, whether or not it looks at
// what each write returns. That nobody reads them any more, as behind head, is
// no error: the command goes on to its end, with its reports and its exit code.
// It is used from one goroutine at a time.
type Output struct {
	io.Writer
	err error
	// left says that the reader is gone, and so does gone, closed, where it is
	// not nil.
	left bool
	gone chan struct{}
}

// NewOutput is standard output, and what is closed when its reader is gone.
func NewOutput(w io.Writer) (*Output, <-chan struct{}) {
	o := &Output{Writer: w, gone: make(chan struct{})}
	return o, o.gone
}

// Write passes on what is written, and remembers the first error.
func (o *Output) Write(p []byte) (int, error) {
	if o.left {
		return len(p), nil
	}
	n, err := o.Writer.Write(p)
	if unread(err) {
		o.left = true
		if o.gone != nil {
			close(o.gone)
		}
		return len(p), nil
	}
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Judge is how a command ends, given what it says itself: with ExitInternal
// where output was lost, unless a signal names the end.
func (o *Output) Judge(err error) error {
	if o.err == nil {
		return err
	}
	if e, ok := err.(*ExitError); ok && Worst(e.Code, ExitInternal) == e.Code {
		return err
	}
	return ExitAs(ExitInternal, "cannot write to standard output: "+disk.Cause(o.err).Error(), "free some space, or name another place")
}

// shownOn is the writer that shows what is written to one of the app's, nil where
// it is none of them.
func shownOn(w io.Writer) *inert.Writer {
	if h, ok := w.(*redact.Writer); ok {
		w = h.Unwrap()
	}
	shown, _ := w.(*inert.Writer)
	return shown
}

// RunnerLines is an output for lines that the runner of a CI job is meant to obey.
func (a *App) RunnerLines(w io.Writer) io.Writer {
	shown := shownOn(w)
	if shown == nil {
		return w
	}
	return hiding{shown.Commands(), a}
}

// hiding hides what a redactor finds in what is written at once.
type hiding struct {
	io.Writer
	app *App
}

func (h hiding) Write(p []byte) (int, error) {
	text := string(p)
	if h.app.hides != nil {
		text = h.app.hides.Text(text)
	}
	if _, err := io.WriteString(h.Writer, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Own is standard output for what the command has made itself, such as the keys that it
// gives to programs: of that nothing is hidden for its name, and only values that are
// known to be secret are.
func (a *App) Own() io.Writer {
	if hides, ok := a.Stdout.(*redact.Writer); ok {
		return own{hides.Unwrap(), a}
	}
	return a.Stdout
}

// own hides the values that a redactor knows in what is written at once.
type own struct {
	io.Writer
	app *App
}

func (o own) Write(p []byte) (int, error) {
	if _, err := io.WriteString(o.Writer, o.app.hides.Values(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Data is standard output for what a file is to have byte by byte. On a terminal it
// is shown like everything else.
func (a *App) Data() io.Writer {
	shown := shownOn(a.Stdout)
	if shown == nil || a.hides != nil || IsTerminal(a.Stdout) {
		return a.Stdout
	}
	_ = shown.Flush() // the output behind keeps its errors
	return shown.Unwrap()
}

// Hiding runs a command that prints what services or programs say.
func (a *App) Hiding(do func(*App) error) error {
	received := redact.NewReceived()
	received.Keep(redact.EnvironmentCredentials(os.Environ())) // a shell puts them into arguments
	hides := (*redact.Redactor)(nil).Recording().Receiving(received)
	out, errs := hides.Writer(a.Stdout), hides.Writer(a.Stderr)
	b := *a
	b.Stdout, b.Stderr, b.hides = out, errs, hides
	b.Learn, b.Receive = received.Keep, func(values []string) { received.Receive(values) }
	defer func() { _, _ = out.Close(), errs.Close() }() // standard output remembers its errors
	return hiddenError(hides, do(&b))
}

// Hidden is a text as Hiding shows it, for what is written elsewhere.
func (a *App) Hidden(text string) string {
	if a.hides == nil {
		return text
	}
	return a.hides.Text(text)
}

// HidingEnvironment is how a command ends that prints nothing of programs, without the
// secrets of its environment in what it says: a shell puts them into arguments.
func HidingEnvironment(err error) error {
	return hiddenError(redact.New(redact.EnvironmentCredentials(os.Environ())), err)
}

// hiddenError is how a command ends, without secrets in what it says.
func hiddenError(hides *redact.Redactor, err error) error {
	if e, ok := err.(*ExitError); ok {
		return ExitAs(e.Code, hides.Text(e.message), hides.Text(e.hint))
	}
	return err
}

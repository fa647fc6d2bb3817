package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/scenario-lang/scenario/internal/peak"
)

func main() {
	peak.Launch()
	_ = os.Unsetenv("SSL_CERT_DIR") // the machine's: whoever makes a list of authorities reads all of its files
	if len(os.Args) > 2 && os.Args[1] == peerWord {
		os.Exit(peer(os.Args[2:]))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// errSlower is that of a comparison that has found something.
var errSlower = errors.New("something costs more than it did")

// settings are the flags.
type settings struct {
	rounds         int
	only           *regexp.Regexp
	wire, strict   bool
	growth         bool
	keep           bool
	compare, plant string
	// times is how often all of a comparison is made.
	times int
}

// run measures the bars and prints their table, or compares two builds. It
// returns 1 when something could not be measured, when a comparison finds that
// something has become slower, or, with -strict, when a goal was missed.
func run(args []string, stdout, stderr io.Writer) int {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.rounds, "rounds", 9, "alternated rounds of every bar")
	only := flags.String("only", "", "measure what matches this regular expression: the id of a bar, the name of a comparison")
	flags.BoolVar(&s.wire, "wire", false, "measure what programs meet, beside other servers")
	flags.BoolVar(&s.growth, "growth", false, "measure suites, files and worlds of growing size")
	flags.BoolVar(&s.strict, "strict", false, "end with 1 when a goal is missed")
	flags.BoolVar(&s.keep, "keep", false, "keep what is measured, as what later runs print as before")
	flags.StringVar(&s.compare, "compare", "", "compare the tree with this commit, and end with 1 if something costs more: a tenth unless it is too noisy, and from 5 percent on where the noise allows")
	flags.StringVar(&s.plant, "plant", "", "with -compare: waste time in FILE:FUNCTION:ROUNDS of the tree, to see that it is found")
	flags.IntVar(&s.times, "times", 1, "with -compare: so often, with a table of all at the end")
	if flags.Parse(args) != nil {
		return 2
	}
	var err error
	if s.only, err = regexp.Compile(*only); err != nil || s.rounds < 1 || s.times < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "bench: -only takes a regular expression, -rounds and -times a number from 1, and there are no other arguments")
		return 2
	}
	l, err := newLab(s.rounds)
	if err == nil {
		defer l.close()
		switch {
		case s.compare != "":
			err = l.compare(s, stdout)
		case s.growth:
			err = l.grow(s, stdout)
		default:
			err = l.measure(s, stdout)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// measure measures the bars, prints what each took as soon as it is known, and
// the table of all of them at the end.
func (l *lab) measure(s settings, stdout io.Writer) error {
	before, err := l.readKept()
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, l.describe())
	list := bars()
	if s.wire {
		list = wireBars()
	}
	if list, err = chosen(list, s.only, func(b bar) string { return b.ID }); err != nil {
		return err
	}
	var rows []row
	var failed error
	for _, b := range list {
		m, err := b.Measure(l)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s, %s, could not be measured: %w", b.ID, b.What, err))
			continue
		}
		printNotes(stdout, b, m)
		for _, f := range m.Figures {
			r := row{b, f}
			if !s.wire && compared[r.key()] == (inComparison{}) {
				failed = errors.Join(failed, fmt.Errorf("%s: nothing says which row of a comparison has it, or why none: add it to compared.go", r.key()))
			}
			rows = append(rows, r)
		}
	}
	beyond := printTable(stdout, rows, before)
	if s.keep && failed == nil {
		failed = l.keep(rows, before)
	}
	if s.strict && beyond > 0 {
		failed = errors.Join(failed, fmt.Errorf("%d goals are missed", beyond))
	}
	return failed
}

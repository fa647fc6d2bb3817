package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == peerWord {
		os.Exit(peer(os.Args[2:]))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run measures the bars and prints each as soon as it is known. It returns 1
// when something could not be measured, or, with -strict, when a first bar was
// missed.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rounds := flags.Int("rounds", 5, "alternated rounds of every bar")
	only := flags.String("only", "", "measure the bars whose id matches this regular expression")
	wire := flags.Bool("wire", false, "measure what programs meet: the transport, servers and interception")
	strict := flags.Bool("strict", false, "end with 1 when a first bar is missed")
	if flags.Parse(args) != nil {
		return 2
	}
	wanted, err := regexp.Compile(*only)
	if err != nil || *rounds < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "bench: -only takes a regular expression, -rounds a number from 1, and there are no other arguments")
		return 2
	}
	l, err := newLab(*rounds)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	defer l.close()
	fmt.Fprintln(stdout, l.describe())
	code := 0
	list := bars()
	if *wire {
		list = wireBars()
	}
	for _, b := range list {
		if !wanted.MatchString(b.ID) {
			continue
		}
		m, err := b.Measure(l)
		if err != nil {
			fmt.Fprintf(stderr, "bench: %s could not be measured: %s\n", b.ID, err)
			code = 1
			continue
		}
		if printBar(stdout, b, m) && *strict {
			code = 1
		}
	}
	return code
}

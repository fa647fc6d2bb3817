// Command embed loads a scenario file with an import and a cassette, runs its
// scenario a thousand times at once, and prints what one of the runs did.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/scenario-lang/scenario"
)

//go:embed testdata
var files embed.FS

const runs = 1000

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	suite, err := scenario.Load(files, "testdata/support.scenario.hcl", scenario.Var("question", "why is the sky blue?"))
	if err != nil {
		return err
	}
	s := suite.Scenarios()[0]
	results := make([]*scenario.Result, runs)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() { results[i] = s.Run(ctx) })
	}
	group.Wait()

	passed, first := 0, results[0]
	for _, r := range results {
		if r.Verdict() == scenario.Passed {
			passed++
		}
	}
	fmt.Fprintf(w, "%s: %d of %d runs passed, each took %s of its own time\n", s.Name(), passed, runs, first.Elapsed())
	for _, step := range first.Steps() {
		fmt.Fprintf(w, "%s: %s, delays %v\n", step.Name, step.Status, step.Delays)
		for _, a := range step.Attempts {
			fmt.Fprintf(w, "  attempt %d at %s: status %d\n", a.N, a.At, a.StatusCode)
		}
		fmt.Fprintf(w, "  %q\n", step.Output)
	}
	return nil
}

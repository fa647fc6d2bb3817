// Package scenario embeds the interpreter of .scenario.hcl files in a program:
// it loads a file with what the file names, and runs its scenarios on a virtual
// clock, without network, disk or waiting.
//
//	suite, err := scenario.Load(os.DirFS("testdata"), "support.scenario.hcl", scenario.Var("model", "m"))
//	if err != nil {
//		return err // for an invalid file, what the command would print
//	}
//	for _, s := range suite.Scenarios() {
//		r := s.Run(context.Background())
//		fmt.Println(s.Name(), r.Verdict())
//		for _, p := range r.Problems() {
//			fmt.Println(p)
//		}
//	}
//
// A [Suite] is compiled once. Its scenarios can be run any number of times and
// by many goroutines at once; equal runs give equal results and equal traces.
//
// What a scenario did is in its [Result]: [Result.Step] has what conditions can
// read of a step as Go values, [Result.Value] evaluates any expression of the
// language over the run, and [Result.WriteTrace] writes everything that
// happened, as `scenario test --trace-out` does. Values of sensitive variables
// are hidden in all of them.
//
// Nothing is read but the given file system and, with [Env], the given lookup:
// no clock, no configuration.
package scenario

// Package interp compiles a scenario file into plans and runs them. A [Plan]
// is immutable; [Run] plays it on a virtual clock through the providers' own
// adapters and appends everything that happens to one trace, from which the
// results, the metrics and every assertion are read.
//
//	suite, diags := interp.Compile(file, interp.Options{})
//	if diags.HasErrors() {
//		return diags
//	}
//	for _, plan := range suite.Plans {
//		result := interp.Run(plan, interp.RunOptions{})
//		fmt.Println(plan.Name, result.Verdict)
//	}
//
// This package is the way in. What it does is done below interp/internal, in
// packages that form a pipeline:
//
//	compile   a file becomes plans; everything that can be wrong with it is said
//	engine    a plan is played: steps, policies, events
//	exchange  one exchange with a provider: what is asked, who answers
//	judge     a finished run is held against what the scenario expects
//	explain   a run in words
//	observe   a run folded from its trace, and what expressions read of it
//	plan      what a compiled scenario is: data, canonical JSON, hash, secrets
//	event     what each type of event says
//	read      needs, fields, shapes: how a value is built as far as it is read
//
// compile, engine, judge and explain do not know each other; they meet in
// observe, plan, event and read.
package interp

// Package interp compiles a scenario file into plans and runs them. A [Plan]
// is immutable; [Run] plays it on a virtual clock through the providers' own
// adapters and appends everything that happens to one trace, from which the
// results, the metrics and every assertion are read.
//
//	suite, diags := interp.Compile(file, interp.Options{})
//	for _, plan := range suite.Plans {
//		result := interp.Run(ctx, plan, interp.RunOptions{})
//		fmt.Println(plan.Name, result.Verdict)
//	}
package interp

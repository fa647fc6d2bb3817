// Package compare says where a program first does otherwise than the workflow that
// describes it, from the traces of two runs under the same faults.
//
// What is compared is what both have: the attempts of each step, how long the waits
// between them are, the order of steps that depend on each other, and whether the run
// was a success. What a step computes, and what policies think, is in neither. A
// [Model] knows the steps of one plan, and is safe for concurrent use:
//
//	d, known := compare.New(plan, true, deadlines).First(model, program)
//	if known && d != nil {
//		fmt.Printf("%s: the model %s, the program %s\n", d.Step, d.Model, d.Program)
//	}
package compare

// Package dotted parses HCL in which the program under test is asked by functions
// whose names begin with its own: sut.metric("requests"). HCL has no such names.
// They are parsed as functions, and named as they are written:
//
//	file, diags := dotted.ParseConfig(src, "agent.scenario.hcl", hcl.InitialPos)
//
// Places are those of the source, whose length does not change.
package dotted

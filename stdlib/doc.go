// Package stdlib holds the functions of expressions: one list with signatures,
// summaries and examples, from which come the function table of an evaluation,
// the static check, the reference page and the completion of editors.
//
//	ctx := &hcl.EvalContext{Functions: stdlib.Functions()}
//
// All functions are pure: the same arguments give the same result, on every
// machine and in every run. Results are tuples and objects, never lists, sets
// or maps, and a null in them has no type, so that == with a literal means
// what it says.
package stdlib

// Package observe folds the events of a run into results, and gives expressions
// what they read of it. [Observed] takes one event at a time, so a
// condition can be evaluated at any time in a run and after it.
//
// Each attribute is one row of a table (fields_*.go): its name, its shape for
// the static check, its line of the reference, and the way to its value.
package observe

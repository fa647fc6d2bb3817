// Package compile turns a decoded file into plans. Everything that can be known
// to be wrong before a run is reported here, at its place in the file: what a
// name refers to, what a step's result can be asked for, whether a condition
// can ever be true.
//
// compiler.go holds the order of the passes. The files around it are named after
// the blocks they compile.
package compile

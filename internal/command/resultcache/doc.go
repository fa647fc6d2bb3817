// Package resultcache keeps what became of scenario files that passed, so that a
// suite in which nothing changed need not run again.
//
// A run is the same whenever the same binary runs the same file with the same
// flags, reading the same files and the same environment. An entry is filed under
// all of it that is known before the file is compiled, and holds the rest: what
// was read, with sums, and which variables of the environment were asked for. It
// is found only where none of that has changed.
package resultcache

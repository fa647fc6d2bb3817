// Package process runs one program to its end, or ends it: with everything that
// it started, in bounded time, and without reading more of it than was asked
// for. Whatever a program does, [Run] returns soon after its context has ended
// and leaves nothing of the program's process group behind.
package process
